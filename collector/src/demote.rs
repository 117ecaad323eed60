//! Demotion: methods whose self time is too short to be measured are counted, and not timed, while
//! the program runs.

use crate::{demotion_rule::DemotionRule, modes::InitialModes};
use jfathom_calibration::{Cost, Costs, Residual};
use jfathom_plan::{IdRange, MethodId};
use jfathom_profile::{Builder, Calibration, Demotion, MethodCost, Mode};
use jfathom_trace::{ClockKind, SessionFile, layout};
use std::{
    collections::HashMap,
    time::{Duration, Instant, SystemTime},
};

/// Records before the first sweep: about 2 ms of one thread at full speed.
const FIRST: u64 = 40_000;
/// The next sweep comes when the records have grown by one in so many: sweeps get rarer as a tree
/// grows.
const GROWTH: u64 = 16;
/// The time between two sweeps is at least so many times the duration of the first.
const SHARE: u32 = 20;

/// Demotes the methods of one JVM, on its draining thread.
#[derive(Debug)]
pub(crate) struct Demoter {
    rule: Option<DemotionRule>,
    costs: Option<Costs>,
    /// Ids that manifests name. Any other id may be that of a root.
    known: Vec<IdRange>,
    roots: Vec<MethodId>,
    /// The sums of each method at the end of its last window.
    before: HashMap<MethodId, MethodCost>,
    records: u64,
    last: Instant,
    took: Duration,
}

impl Demoter {
    pub fn new(rule: Option<DemotionRule>) -> Self {
        Self {
            rule,
            costs: None,
            known: Vec::new(),
            roots: Vec::new(),
            before: HashMap::new(),
            records: 0,
            last: Instant::now(),
            took: Duration::ZERO,
        }
    }

    /// Sets the initial modes in the builder.
    pub fn begin(file: &SessionFile, builder: &mut Builder) {
        let modes = (file.header().ids.start..).zip(file.modes());
        for (id, mode) in modes.filter(|(_, mode)| u32::from(*mode) != layout::MODE_TIME) {
            if let Some(id) = MethodId::new(id) {
                builder.set_mode(id, Mode::from_byte(mode));
            }
        }
    }

    /// Adds a manifest that the JVM has named. Its methods that are to be counted are demoted.
    pub fn learn(&mut self, known: InitialModes, file: &SessionFile, builder: &mut Builder) {
        // Live sessions name methods one class after another, mostly in the order of ids.
        match self.known.last_mut() {
            Some(last) if last.end() == known.ids.start => {
                last.len = last.len.saturating_add(known.ids.len)
            }
            _ => self.known.push(known.ids),
        }
        // The agent of a live session counts some from their first call on.
        for id in known.count.iter().filter(|id| file.mode(**id) == Some(layout::MODE_COUNT as u8))
        {
            builder.set_mode(*id, Mode::Count);
        }
        self.roots.extend(known.roots);
        self.roots.sort_unstable();
        let count = known.count.into_iter().filter(|id| self.may_change(*id, file));
        let demotion = |id: MethodId| {
            let calls = self.before.get(&id).map_or(0, |cost| cost.calls);
            Demotion { calls, millis: age(file), self_nanos: 0.0 }
        };
        let count: Vec<(MethodId, Demotion)> = count.map(|id| (id, demotion(id))).collect();
        demote(file, builder, &count);
    }

    fn may_change(&self, id: MethodId, file: &SessionFile) -> bool {
        self.known.iter().any(|ids| ids.contains(id))
            && self.roots.binary_search(&id).is_err()
            && file.mode(id) == Some(layout::MODE_TIME as u8)
    }

    /// Looks for methods to demote, if there are enough new records and the last sweep was not too
    /// long.
    pub fn sweep_if_due(&mut self, file: &SessionFile, builder: &mut Builder) {
        let Some(rule) = self.rule else { return };
        let records = builder.record_count();
        let due = FIRST.max(self.records / GROWTH);
        if records - self.records < due || self.last.elapsed() < self.took.saturating_mul(SHARE) {
            return;
        }
        let begun = Instant::now();
        self.records = records;
        let costs = *self.costs.get_or_insert_with(|| costs(file));
        let Residual { caught_nanos, caught_error_nanos, .. } = Residual::default();
        let caught_nanos = caught_nanos + caught_error_nanos;
        let nanos_per_tick = 1e9 / file.header().clock.hz as f64;
        let mut chosen = Vec::new();
        for now in builder.method_costs() {
            let Some(window) = self.window(&now, rule.min_calls) else { continue };
            let self_nanos = window.corrected(&costs, nanos_per_tick);
            let short = self_nanos
                <= rule.max_self_nanos * (1.0 + window.timed_below) + window.caught * caught_nanos;
            if short
                && window.timed_below <= rule.max_timed_callees
                && self.may_change(now.method, file)
            {
                chosen.push((
                    now.method,
                    Demotion { calls: now.calls, millis: age(file), self_nanos },
                ));
            }
        }
        demote(file, builder, &chosen);
        self.last = Instant::now();
        self.took = self.last - begun;
    }

    /// The calls of a method since its last window; none if they are too few, and then the window
    /// grows. Older calls do not count: they ran before the method was compiled.
    fn window(&mut self, now: &MethodCost, min_calls: u64) -> Option<Window> {
        let nothing = MethodCost {
            method: now.method,
            calls: 0,
            throws: 0,
            self_time: Default::default(),
            timed_below: 0,
            throws_below: 0,
            counted_below: 0,
            caught: 0,
        };
        let before = self.before.entry(now.method).or_insert(nothing);
        let calls = now.calls.wrapping_sub(before.calls);
        if calls < min_calls.max(1) {
            return None;
        }
        let per_call = |now: u64, before: u64| now.wrapping_sub(before) as f64 / calls as f64;
        let window = Window {
            self_ticks: per_call(now.self_time.0, before.self_time.0),
            timed_below: per_call(now.timed_below, before.timed_below),
            counted_below: per_call(now.counted_below, before.counted_below),
            caught: per_call(now.caught, before.caught),
        };
        *before = *now;
        Some(window)
    }
}

/// Probe costs as the JVM has measured them at its start. Without a calibration they are those of a
/// machine of 2.6 GHz.
fn costs(file: &SessionFile) -> Costs {
    let texts = file.info().into_iter().filter(|entry| entry.kind == layout::INFO_CALIBRATION);
    let measured: Vec<Calibration> =
        texts.filter_map(|entry| Calibration::parse(&entry.text)).collect();
    Costs::from_calibrations(&measured).unwrap_or_else(|| {
        let cost = |nanos| Cost { nanos, error_nanos: nanos };
        let (inner, outer) = match file.header().clock.kind {
            ClockKind::NanoTime => (21.0, 22.0),
            ClockKind::Tsc => (10.0, 9.5),
        };
        Costs { inner: cost(inner), outer: cost(outer), count: cost(2.0), ..Costs::default() }
    })
}

/// The calls of a window; each number is per call.
#[derive(Clone, Copy, Debug)]
struct Window {
    self_ticks: f64,
    timed_below: f64,
    counted_below: f64,
    caught: f64,
}

impl Window {
    fn corrected(&self, costs: &Costs, nanos_per_tick: f64) -> f64 {
        let (inner, outer, count) = (costs.inner.nanos, costs.outer.nanos, costs.count.nanos);
        let probes = inner + self.timed_below * outer + self.counted_below * count;
        self.self_ticks * nanos_per_tick - probes
    }
}

/// Demotes methods. The builder learns of it before any thread does.
fn demote(file: &SessionFile, builder: &mut Builder, methods: &[(MethodId, Demotion)]) {
    if methods.is_empty() {
        return;
    }
    let epoch = file.epoch().saturating_add(1);
    for (id, demotion) in methods {
        builder.demote(epoch, *id, *demotion);
    }
    let ids: Vec<MethodId> = methods.iter().map(|(id, _)| *id).collect();
    file.demote(epoch, &ids);
}

/// Milliseconds since the JVM's start.
fn age(file: &SessionFile) -> u64 {
    crate::epoch::millis(SystemTime::now()).saturating_sub(file.header().jvm_start_millis)
}

#[cfg(test)]
mod tests;
