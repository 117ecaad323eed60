//! The thread that consumes one JVM's records.

use crate::{
    checkpoint::Checkpoints, demote::Demoter, modes::InitialModes, scheduling::SchedulingWatch,
    uncount::Uncounter,
};
use jfathom_clock::{ClockReport, ClockWatch};
use jfathom_profile::{BuilderSink, Scheduling};
use jfathom_session::Process;
use jfathom_trace::{ClockKind, LiveState, SessionFile};
use std::{
    collections::HashMap,
    io,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::Receiver,
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Progress of a draining thread, for other threads.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// Records consumed so far. Written by the draining thread, for display.
    pub records: AtomicU64,
    /// Threads seen so far. Written by the draining thread, for display.
    pub threads: AtomicU64,
    /// Nodes of the tree so far. Written by the draining thread, for display.
    pub nodes: AtomicU64,
    /// Whether the recording must end though the JVM may run on. Set by the main thread, once.
    pub stop: AtomicBool,
}

/// All that was consumed of a JVM.
#[derive(Debug)]
pub(crate) struct Drained {
    pub file: Box<SessionFile>,
    pub feeder: BuilderSink,
    /// Whether the recording ended while the JVM ran on.
    pub stopped: bool,
    /// How the processor's counter ran meanwhile; none if it is not the JVM's clock.
    pub clock: Option<ClockReport>,
    /// Scheduling of its threads, by thread number.
    pub scheduling: HashMap<u64, Scheduling>,
}

/// What decides how methods are recorded from now on.
#[derive(Debug)]
pub(crate) struct Judges {
    pub demoter: Demoter,
    /// None if no method may be uncounted.
    pub uncounter: Option<Uncounter>,
}

/// The longest sleep without records for less than a second: a thread that records at full speed
/// fills a ring in about 3 ms.
const NAP: Duration = Duration::from_millis(1);
/// The longest sleep without records for a second.
const SLEEP: Duration = Duration::from_millis(4);
/// How often an idle drainer looks whether its JVM runs.
const LIFE_CHECK: Duration = Duration::from_millis(20);

/// How often the processor's counter is held against the kernel's clock.
const OBSERVATION: Duration = Duration::from_secs(1);

/// What there is to drain: a session file until the JVM has ended, until its classes are restored,
/// or until [`Progress::stop`] is set.
pub(crate) struct Job {
    pub file: Box<SessionFile>,
    /// Where it is.
    pub path: PathBuf,
    /// None if the JVM had ended before.
    pub process: Option<Process>,
    pub progress: Arc<Progress>,
    pub judges: Judges,
    /// The modes of the manifests that the JVM has named.
    pub manifests: Receiver<InitialModes>,
}

impl Job {
    /// Drains on a thread of its own.
    ///
    /// # Errors
    /// No thread can be started: a container has a limit of processes.
    pub(crate) fn start(self) -> io::Result<JoinHandle<Drained>> {
        thread::Builder::new().spawn(move || self.run())
    }

    /// Drains here.
    pub(crate) fn run(self) -> Drained {
        drain(self)
    }
}

fn drain(job: Job) -> Drained {
    let Job { mut file, path, process, progress, judges, manifests } = job;
    // By the thread that detaches: a JVM must not wait for a reader that is gone.
    file.attach(std::process::id());
    let mut checkpoints = Checkpoints::new(&path);
    let Judges { mut demoter, mut uncounter } = judges;
    let mut feeder = BuilderSink::new();
    Demoter::begin(&file, feeder.builder_mut());
    let is_counter = file.header().clock.kind == ClockKind::Tsc;
    let mut watch = is_counter.then(ClockWatch::start).flatten();
    let mut scheduling = SchedulingWatch::new(process, file.header().pid);
    let mut last_observed = Instant::now();
    let mut last_record = Instant::now();
    let mut last_life_check = None::<Instant>;
    let mut nap = Duration::from_micros(50);
    let mut idle = true;
    loop {
        // Before the rings are read: a record that is not there then will never be.
        let stopped = progress.stop.load(Ordering::Acquire);
        let ended = idle && last_life_check.is_none_or(|at| at.elapsed() >= LIFE_CHECK) && {
            last_life_check = Some(Instant::now());
            !process.is_some_and(Process::is_alive)
        };
        let restored = file.live_state() == LiveState::Restored;
        file.heartbeat();
        let mut taken = file.drain(&mut feeder);
        if ended || stopped || restored {
            file.detach();
            while taken > 0 {
                taken = file.drain(&mut feeder);
            }
            file.drain_offline(&mut feeder);
            demoter.finish(&file, feeder.builder_mut());
            publish(&progress, &feeder);
            let clock = watch.and_then(ClockWatch::finish);
            let stopped = stopped && !ended && !restored;
            return Drained { file, feeder, stopped, clock, scheduling: scheduling.observed() };
        }
        idle = taken == 0;
        if idle {
            let longest = if last_record.elapsed() > Duration::from_secs(1) { SLEEP } else { NAP };
            thread::sleep(nap);
            nap = (nap * 2).min(longest);
        } else {
            last_record = Instant::now();
            nap = Duration::from_micros(50);
        }
        if let Some(watch) = watch.as_mut().filter(|_| last_observed.elapsed() >= OBSERVATION) {
            watch.observe();
            last_observed = Instant::now();
        }
        for known in manifests.try_iter() {
            demoter.learn(known, &file, feeder.builder_mut());
        }
        demoter.sweep_if_due(&file, feeder.builder_mut());
        if let Some(uncounter) = &mut uncounter {
            uncounter.look_if_due(&mut file, feeder.builder());
        }
        scheduling.add(feeder.take_begun());
        scheduling.look_if_due();
        publish(&progress, &feeder);
        checkpoints.take_if_due(&file, &feeder);
    }
}

fn publish(progress: &Progress, feeder: &BuilderSink) {
    let builder = feeder.builder();
    progress.records.store(builder.record_count(), Ordering::Relaxed);
    progress.threads.store(builder.thread_count() as u64, Ordering::Relaxed);
    progress.nodes.store(builder.node_count() as u64, Ordering::Relaxed);
}
