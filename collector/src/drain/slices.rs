//! Slices: a recording that goes on is written as profiles, one after another.

use crate::{
    drain::{progress::Progress, scheduling::SchedulingWatch},
    epoch::millis,
};
use jfathom_profile::{Builder, BuilderSink, Cpu, Scheduling, SessionCounts, SliceStart};
use jfathom_trace::SessionFile;
use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::Ordering,
        mpsc::{Receiver, Sender, channel},
    },
    time::{Duration, Instant, SystemTime},
};

/// So many slices may have ended and wait for their profiles to be written. Each has a whole tree.
const MOST_WAITING: u64 = 2;

/// What a JVM has counted from its session's begin on.
pub(crate) fn so_far(file: &SessionFile) -> SessionCounts {
    SessionCounts { counters: file.counters(), virtual_calls: file.virtual_calls() }
}

/// A slice that has ended.
#[derive(Debug)]
pub(crate) struct Cut {
    pub builder: Builder,
    /// What the JVM has counted in it.
    pub counted: SessionCounts,
    /// How its threads were scheduled, by thread number.
    pub scheduling: HashMap<u64, Scheduling>,
    /// What was counted of context switches.
    pub cpu: Cpu,
    /// When it began, and how long it was, in milliseconds.
    pub began: u64,
    pub duration: u64,
}

/// Where a JVM's recording is cut. Used by the draining thread.
#[derive(Debug)]
pub(crate) struct Cutter {
    every: Duration,
    /// [`SliceStart::recording`].
    recording: u64,
    due: Instant,
    sender: Sender<Cut>,
    progress: Arc<Progress>,
}

impl Cutter {
    /// Cuts the recording that began at `recording`, in ms since the epoch. The other end gets the
    /// slices that have ended.
    pub(crate) fn new(
        every: Duration,
        recording: u64,
        progress: Arc<Progress>,
    ) -> (Self, Receiver<Cut>) {
        let (sender, receiver) = channel();
        let due = Instant::now() + every;
        (Self { every, recording, due, sender, progress }, receiver)
    }

    /// The first slice begins.
    pub(crate) fn begin(&self, feeder: &mut BuilderSink) {
        self.begin_slice(feeder, SystemTime::now(), SessionCounts::default());
    }

    fn begin_slice(&self, feeder: &mut BuilderSink, now: SystemTime, before: SessionCounts) {
        let Self { recording, .. } = *self;
        let start = SliceStart { recording, began_millis: millis(now), before };
        feeder.builder_mut().begin_slice(start);
    }

    /// Whether it is time to end the slice. While too many are being written it goes on until the
    /// next time.
    pub(crate) fn is_due(&mut self) -> bool {
        if Instant::now() < self.due {
            return false;
        }
        while self.due <= Instant::now() {
            self.due += self.every;
        }
        let has_room = self.progress.waiting.load(Ordering::Acquire) < MOST_WAITING;
        if !has_room {
            self.progress.late_cuts.fetch_add(1, Ordering::Relaxed);
        }
        has_room
    }

    /// Ends the slice. If that is late, the next one is shorter: slices begin at equal distances.
    pub(crate) fn cut(
        &mut self,
        file: &SessionFile,
        feeder: &mut BuilderSink,
        scheduling: &mut SchedulingWatch,
        cpu: Cpu,
    ) {
        let now = SystemTime::now();
        let so_far = so_far(file);
        let start = feeder.builder().slice_start().cloned().unwrap_or_default();
        scheduling.look_at_all();
        let cut = Cut {
            builder: feeder.cut(),
            counted: so_far.clone().since(&start.before),
            scheduling: scheduling.take_observed(),
            cpu,
            began: start.began_millis,
            duration: millis(now).saturating_sub(start.began_millis),
        };
        self.begin_slice(feeder, now, so_far);
        self.progress.unwritten.fetch_add(1, Ordering::AcqRel);
        self.progress.waiting.fetch_add(1, Ordering::AcqRel);
        // Nobody takes it if the recording is given up.
        let _ = self.sender.send(cut);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_goes_on_while_too_many_are_being_written() {
        let progress = Arc::<Progress>::default();
        let (mut cutter, _cuts) = Cutter::new(Duration::ZERO, 1, Arc::clone(&progress));
        cutter.every = Duration::from_millis(1);
        progress.waiting.store(MOST_WAITING, Ordering::Release);
        cutter.due = Instant::now();
        assert!(!cutter.is_due());
        assert_eq!(progress.late_cuts.load(Ordering::Relaxed), 1);
        progress.waiting.store(MOST_WAITING - 1, Ordering::Release);
        cutter.due = Instant::now();
        assert!(cutter.is_due());
    }
}
