//! The slowest calls of each call path, and which of them handed which task off.

use std::collections::HashMap;

use jfathom_calibration::CorrectedTimes;
use jfathom_profile::{Activation, Frame, Profile, Span, Ticks};

use crate::differences::{Differences, differences};
use crate::event_sums::{KindSum, NameSum, by_kind, by_name};

/// The slowest calls of one call path.
#[derive(Clone, Debug, PartialEq)]
pub struct SlowestCalls<'a> {
    /// The call path below the thread; its last frame is what was called.
    pub path: &'a [Frame],
    /// The slowest of its calls, slowest first.
    pub kept: Vec<SlowCall<'a>>,
    /// What the probes cost per record, in ns; zero if times are as measured.
    pub record_nanos: f64,
}

/// One of the slowest calls.
#[derive(Clone, Debug, PartialEq)]
pub struct SlowCall<'a> {
    /// What was recorded.
    pub activation: &'a Activation,
    /// How long it took, in ns, without the probes' cost if that is known.
    pub nanos: f64,
    /// When it began, after the recording did; after the earliest of all slow calls did, if
    /// [`begin_with_the_earliest`].
    pub began: Ticks,
    /// The frame with the most self time of it, and that time in ns.
    pub most: Option<(Frame, f64)>,
    /// Why its thread did not run, and what it threw, by kind: the longest first.
    pub kinds: Vec<KindSum>,
    /// The same by kind and class.
    pub names: Vec<NameSum>,
}

impl SlowCall<'_> {
    /// Timed and counted calls below it.
    pub fn calls_below(&self) -> u64 {
        let spans = &self.activation.spans;
        let timed = (spans.iter().filter(|span| span.is_timed()).count() as u64).saturating_sub(1);
        spans.iter().map(|span| span.counted).fold(timed, u64::saturating_add)
    }
}

impl SlowestCalls<'_> {
    /// Where the slowest calls and all recorded ones take their time: so many call paths at most,
    /// those with the largest difference first.
    pub fn differences(
        &self,
        profile: &Profile,
        corrected: Option<&CorrectedTimes>,
        most: usize,
    ) -> Differences {
        differences(profile, corrected, self, most)
    }
}

/// Whether times of slow calls count from the earliest of them. A slice does not say when it began
/// on the session's clock, and the clock of a live session begins with the JVM's first session.
pub fn begin_with_the_earliest(profile: &Profile) -> bool {
    profile.slice.is_some() || profile.meta.jvms.iter().any(|jvm| jvm.live.is_some())
}

/// The slowest calls that a profile keeps, by call path: those with the slowest call first.
pub fn slowest<'a>(
    profile: &'a Profile,
    corrected: Option<&CorrectedTimes>,
) -> Vec<SlowestCalls<'a>> {
    let kept = &profile.latencies.slowest;
    if kept.is_empty() {
        return Vec::new();
    }
    let record_nanos: HashMap<Vec<Frame>, f64> = crate::latencies(profile, corrected)
        .into_iter()
        .map(|latency| (latency.path, latency.record_nanos))
        .collect();
    let first = kept.iter().map(|of| of.began).min().filter(|_| begin_with_the_earliest(profile));
    let tick = 1e9 / profile.rate.hz() as f64;
    let mut places: HashMap<&[Frame], usize> = HashMap::new();
    let mut groups: Vec<SlowestCalls> = Vec::new();
    for activation in kept {
        let place = *places.entry(&activation.path).or_insert(groups.len());
        if place == groups.len() {
            let path: &[Frame] = &activation.path;
            let record_nanos = record_nanos.get(path).copied().unwrap_or(0.0);
            groups.push(SlowestCalls { path, kept: Vec::new(), record_nanos });
        }
        let Some(group) = groups.get_mut(place) else { continue };
        let began = activation.began.0.saturating_sub(first.unwrap_or_default().0);
        group.kept.push(slow_call(activation, Ticks(began), tick, group.record_nanos));
    }
    groups.iter_mut().for_each(|of| of.kept.sort_by(|a, b| b.nanos.total_cmp(&a.nanos)));
    let slowest = |of: &SlowestCalls| of.kept.first().map_or(0.0, |first| first.nanos);
    groups.sort_by(|a, b| slowest(b).total_cmp(&slowest(a)));
    groups
}

fn slow_call(activation: &Activation, began: Ticks, tick: f64, record_nanos: f64) -> SlowCall<'_> {
    let mut own: HashMap<Frame, f64> = HashMap::new();
    let all = self_nanos(&activation.spans, tick, record_nanos);
    let timed = || all.iter().filter(|(span, _)| span.is_timed());
    for (span, nanos) in timed() {
        *own.entry(span.frame()).or_default() += nanos;
    }
    // Of equal ones the innermost.
    let by_frame = timed().filter_map(|(span, _)| own.get_key_value(&span.frame()));
    let most = by_frame.max_by(|a, b| a.1.total_cmp(b.1)).map(|(frame, nanos)| (*frame, *nanos));
    let nanos = activation.duration.0 as f64 * tick - activation.records as f64 * record_nanos;
    let events = &activation.events;
    let (kinds, names) = (by_kind(events.iter(), tick), by_name(events.iter(), tick));
    SlowCall { activation, nanos, began, most, kinds, names }
}

/// Each span with its self time in ns, without what the records took that it caused itself.
pub(crate) fn self_nanos(spans: &[Span], tick: f64, record_nanos: f64) -> Vec<(Span, f64)> {
    let total = |span: &Span| span.duration.0 as f64 * tick - span.records as f64 * record_nanos;
    let mut own: Vec<(Span, f64)> = spans.iter().map(|span| (*span, total(span))).collect();
    let mut stack: Vec<usize> = Vec::new();
    for (at, span) in spans.iter().enumerate() {
        stack.truncate(span.depth as usize);
        if let Some(caller) = stack.last().and_then(|caller| own.get_mut(*caller)) {
            // The entry and the exit of the callee are records of the caller's time, too.
            caller.1 -= total(span);
        }
        stack.push(at);
    }
    own.iter_mut().for_each(|(_, nanos)| *nanos = nanos.max(0.0));
    own
}

/// A hand-off by one of the slowest calls whose task is another one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandOffArrow {
    /// Place of the call that hands off, in [`jfathom_profile::Latencies::slowest`].
    pub from: usize,
    /// When it does, after its begin.
    pub after: Ticks,
    /// Place of the task.
    pub to: usize,
}

/// All of them, by their tasks.
pub fn hand_off_arrows(profile: &Profile) -> Vec<HandOffArrow> {
    let calls = &profile.latencies.slowest;
    let jvm = |call: &Activation| profile.threads.get(call.thread.0 as usize).map(|of| of.jvm);
    // By JVM and number: when, by whom, and how long after its begin.
    let mut made: HashMap<_, Vec<(u64, usize, Ticks)>> = HashMap::new();
    for (from, call) in calls.iter().enumerate() {
        for of in call.hand_offs.made.iter().filter(|of| of.number != 0) {
            let when = call.began.0.saturating_add(of.after.0);
            made.entry((jvm(call), of.number)).or_default().push((when, from, of.after));
        }
    }
    let arrow = |(to, task): (usize, &Activation)| {
        let before = made.get(&(jvm(task), task.hand_offs.task))?.iter();
        // A call within a kept one is kept, too: its hand-offs are in both. The inner one has it.
        let last = before
            .filter(|(when, ..)| *when <= task.began.0)
            .max_by_key(|(when, from, _)| (*when, calls.get(*from).map_or(0, |call| call.began.0)));
        last.map(|(_, from, after)| HandOffArrow { from: *from, after: *after, to })
    };
    calls.iter().enumerate().filter_map(arrow).collect()
}

#[cfg(test)]
mod tests;
