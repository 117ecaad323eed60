//! The calls that were open at the times of samples.

use jfathom_jfr::{JfrThread, Recording, SessionClock, SessionTicks};
use jfathom_plan::MethodId;
use jfathom_profile::{Builder, BuilderNode, TickRate, Ticks, Timeline};
use std::collections::HashMap;

/// So many events with the session's clock may be missing at its begin: the runtime writes one when
/// it is ready, and JFR may start to record later. A chunk that JFR throws away has at least one
/// more, of its end.
const LATE_READINGS: u64 = 1;

/// The calls that were open at each sample of a recording.
#[derive(Debug, Default)]
pub(crate) struct OpenCalls {
    resolution_nanos: u64,
    clock_error_nanos: u64,
    is_begin_missing: bool,
    /// The methods of calls, outermost first.
    paths: Vec<Vec<MethodId>>,
    /// By sample; none where its time is not known.
    moments: Vec<Option<Moment>>,
}

/// What was open at a sample's time, as places in [`OpenCalls::paths`]; none outside of all calls.
#[derive(Debug)]
struct Moment {
    at: Option<u32>,
    near: Vec<Option<u32>>,
    is_beyond: bool,
}

/// The calls that were open at one sample.
#[derive(Clone, Debug)]
pub(super) struct Open<'a> {
    /// Their methods, outermost first; none outside of all calls.
    pub path: Option<&'a [MethodId]>,
    /// Those that were open as far from it as clocks and short calls may be off.
    pub near: Vec<Option<&'a [MethodId]>>,
    /// Whether it is before the first or after the last call of its thread. Live, frames of
    /// recorded methods may be on the stack then: they had no probes yet, or have none any more.
    pub is_beyond: bool,
}

impl OpenCalls {
    /// Those of a recording beside the session that a builder has consumed, by the timeline that it
    /// kept.
    pub(crate) fn new(
        builder: &Builder,
        timeline: Option<&Timeline>,
        recording: &Recording,
        rate: TickRate,
    ) -> Self {
        let first = recording.clock.iter().map(|reading| reading.number).min();
        let is_begin_missing = first.is_some_and(|first| first > LATE_READINGS);
        let (Some(clock), Some(timeline)) = (SessionClock::new(&recording.clock), timeline) else {
            return Self { is_begin_missing, ..Self::default() };
        };
        let nanos = |ticks: u64| rate.nanos(Ticks(ticks)).0;
        let mut open = Self {
            resolution_nanos: nanos(timeline.resolution().0).max(1),
            clock_error_nanos: nanos(clock.error_ticks()),
            is_begin_missing,
            ..Self::default()
        };
        let bounds = timeline.threads().map(|(id, begin)| (id, (begin, timeline.last_end(id))));
        let bounds = bounds.collect();
        let mut places = Places { builder, bounds, known: HashMap::new(), paths: Vec::new() };
        let distance = timeline.resolution().0.saturating_add(clock.error_ticks());
        for sample in &recording.samples.samples {
            let thread = recording.threads.get(sample.thread);
            let SessionTicks(at) = clock.at(sample.at);
            let moment = (thread != JfrThread::default())
                .then(|| places.moment(timeline, thread.java_id, at, distance));
            open.moments.push(moment);
        }
        open.paths = places.paths;
        open
    }

    /// All calls of this length and more are known, in ns; zero if none are.
    pub(super) fn resolution_nanos(&self) -> u64 {
        self.resolution_nanos
    }

    /// How far times of samples may be off, in ns.
    pub(super) fn clock_error_nanos(&self) -> u64 {
        self.clock_error_nanos
    }

    /// Whether the recording has lost its begin.
    pub(super) fn is_begin_missing(&self) -> bool {
        self.is_begin_missing
    }

    /// What was open at a sample; none where that is not known.
    pub(super) fn at_sample(&self, sample: usize) -> Option<Open<'_>> {
        let moment = self.moments.get(sample)?.as_ref()?;
        let path = |at: &Option<u32>| self.paths.get((*at)? as usize).map(Vec::as_slice);
        Some(Open {
            path: path(&moment.at),
            near: moment.near.iter().map(path).collect(),
            is_beyond: moment.is_beyond,
        })
    }
}

/// Paths of a builder's nodes, each once.
struct Places<'a> {
    builder: &'a Builder,
    /// By thread: the begin of its first call, and the end of its last one.
    bounds: HashMap<u64, (Ticks, Ticks)>,
    known: HashMap<BuilderNode, u32>,
    paths: Vec<Vec<MethodId>>,
}

impl Places<'_> {
    fn moment(&mut self, timeline: &Timeline, thread: u64, at: i64, distance: u64) -> Moment {
        let begin = Ticks(at.saturating_sub_unsigned(distance).max(0).cast_unsigned());
        let end = Ticks(at.saturating_add_unsigned(distance).max(1).cast_unsigned());
        let now = u64::try_from(at).ok().and_then(|at| timeline.innermost(thread, Ticks(at)));
        let mut near: Vec<Option<u32>> = Vec::new();
        for part in timeline.parts(thread, begin, end) {
            let place = part.node.map(|node| self.place(node));
            if !near.contains(&place) {
                near.push(place);
            }
        }
        let is_beyond = self.bounds.get(&thread).is_none_or(|(first, last)| {
            at < first.0.cast_signed() || u64::try_from(at).is_ok_and(|at| at > last.0)
        });
        Moment { at: now.map(|node| self.place(node)), near, is_beyond }
    }

    fn place(&mut self, node: BuilderNode) -> u32 {
        let Self { builder, known, paths, .. } = self;
        *known.entry(node).or_insert_with(|| {
            paths.push(builder.methods_to(node));
            paths.len() as u32 - 1
        })
    }
}

#[cfg(test)]
impl OpenCalls {
    /// What was open at each sample, as methods from outside. No sample is before the first call of
    /// its thread, or after the last one.
    pub(super) fn at_samples(samples: &[Option<&[MethodId]>]) -> Self {
        let mut open = Self { resolution_nanos: 1, ..Self::default() };
        for calls in samples {
            let at = calls.map(|calls| {
                open.paths.push(calls.to_vec());
                open.paths.len() as u32 - 1
            });
            open.moments.push(Some(Moment { at, near: vec![at], is_beyond: false }));
        }
        open
    }
}
