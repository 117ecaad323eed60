//! Demotion: while probes and collector take more of the program's time than the budget allows,
//! methods become counted that were timed.

mod choice;
mod cpu;
mod load;

use crate::{budget::Budget, modes::InitialModes};
use choice::{Choice, choose};
use cpu::{CollectorCpu, ProgramCpu};
use jfathom_calibration::{Cost, Costs};
use jfathom_plan::{IdRange, MethodId};
use jfathom_profile::{
    BudgetOutcome, Builder, Calibration, Demotion, DemotionReason, MethodCost, Mode,
};
use jfathom_session::Process;
use jfathom_trace::{ClockKind, SessionFile, layout};
use load::{Load, Prices};
use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant, SystemTime},
};

/// Records before the first sweep: about 2 ms of one thread at full speed.
const FIRST: u64 = 40_000;
/// The next sweep comes when the records have grown by one in so many: sweeps get rarer as a tree
/// grows.
const GROWTH: u64 = 16;
/// The time between two sweeps is at least so many times the duration of the first.
const SHARE: u32 = 20;
/// A sweep that finds the budget exceeded demotes until so much of it is used. Each sweep that
/// demotes makes HotSpot compile anew, so there should be few.
const TARGET: f64 = 0.9;
/// Beyond the budget by so much since the beginning, methods may be demoted whose time is known.
/// Short programs and first phases stay as they are.
const GRACE_NANOS: f64 = 20e6;

/// Demotes the methods of one JVM, on its draining thread.
#[derive(Debug)]
pub(crate) struct Demoter {
    budget: Budget,
    costs: Option<Costs>,
    /// Ids that manifests name. Any other id may be that of a root.
    known: Vec<IdRange>,
    /// Roots, and methods that wait for other threads: they stay timed.
    kept: HashSet<MethodId>,
    waits: HashSet<MethodId>,
    /// The sums of each method at the last sweep.
    before: HashMap<MethodId, MethodCost>,
    outcome: BudgetOutcome,
    collector_cpu: CollectorCpu,
    program_cpu: ProgramCpu,
    records: u64,
    last: Instant,
    took: Duration,
}

impl Demoter {
    /// Without a process, the program's CPU time does not limit what counts as its time.
    pub fn new(budget: Budget, process: Option<Process>) -> Self {
        Self {
            budget,
            costs: None,
            known: Vec::new(),
            kept: HashSet::new(),
            waits: HashSet::new(),
            before: HashMap::new(),
            outcome: BudgetOutcome { limit: budget.share(), ..BudgetOutcome::default() },
            collector_cpu: CollectorCpu::default(),
            program_cpu: ProgramCpu::of(process),
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
        self.kept.extend(&known.roots);
        let count = known.count.into_iter().filter(|id| self.may_change(*id, file));
        let demotion = |id: MethodId| Demotion {
            calls: self.before.get(&id).map_or(0, |cost| cost.calls),
            millis: age(file),
            reason: DemotionReason::Selected,
            self_nanos: 0.0,
            saved_nanos: 0.0,
            cost_share: 0.0,
        };
        let count: Vec<(MethodId, Demotion)> = count.map(|id| (id, demotion(id))).collect();
        demote(file, builder, &count);
        self.kept.extend(&known.waits);
        self.waits.extend(known.waits);
    }

    fn may_change(&self, id: MethodId, file: &SessionFile) -> bool {
        self.known.iter().any(|ids| ids.contains(id))
            && !self.kept.contains(&id)
            && file.mode(id) == Some(layout::MODE_TIME as u8)
    }

    /// Looks whether the budget is kept, if there are enough new records and the last sweep was not
    /// too long.
    pub fn sweep_if_due(&mut self, file: &SessionFile, builder: &mut Builder) {
        let records = builder.record_count();
        let due = FIRST.max(self.records / GROWTH);
        let is_due =
            records - self.records >= due && self.last.elapsed() >= self.took.saturating_mul(SHARE);
        if is_due && self.budget != Budget::Unlimited {
            self.sweep(file, builder);
        }
    }

    /// Takes the last records into account.
    pub fn finish(&mut self, file: &SessionFile, builder: &mut Builder) {
        if self.budget != Budget::Unlimited && builder.record_count() > self.records {
            self.assess(file, builder);
        }
    }

    fn sweep(&mut self, file: &SessionFile, builder: &mut Builder) {
        let begun = Instant::now();
        let Assessment { sums, window, prices } = self.assess(file, builder);
        let limit = self.budget.share().unwrap_or(f64::INFINITY);
        if window.cost_nanos > limit * window.program_nanos {
            let excess = window.cost_nanos - TARGET * limit * window.program_nanos;
            let beyond = self.outcome.cost_nanos - limit * self.outcome.program_nanos;
            let whole = (beyond > GRACE_NANOS).then(|| {
                Load::between(&HashMap::new(), &sums, &prices, |id| self.waits.contains(&id))
            });
            let chosen =
                choose(&window, whole.as_ref(), &prices, excess, |id| self.may_change(id, file));
            let program_nanos = window.program_nanos;
            let chosen: Vec<(MethodId, Demotion)> = chosen
                .iter()
                .map(|choice| (choice.load.method, self.demotion(choice, program_nanos, file)))
                .collect();
            demote(file, builder, &chosen);
        }
        self.before = sums.into_iter().map(|sum| (sum.method, sum)).collect();
        self.last = Instant::now();
        self.took = self.last - begun;
    }

    fn demotion(&self, choice: &Choice, program_nanos: f64, file: &SessionFile) -> Demotion {
        let Choice { load, reason, saved_nanos } = choice;
        let before = self.before.get(&load.method).map_or(0, |cost| cost.calls);
        Demotion {
            calls: before + load.calls,
            millis: age(file),
            reason: *reason,
            self_nanos: load.per_call(load.self_nanos),
            saved_nanos: *saved_nanos,
            // A window without any time of the program has no share.
            cost_share: load.cost_nanos / program_nanos.max(1.0),
        }
    }

    /// What the records since the last sweep cost. Adds it to the sums of the recording.
    fn assess(&mut self, file: &SessionFile, builder: &mut Builder) -> Assessment {
        let records = builder.record_count();
        let prices = Prices {
            costs: *self.costs.get_or_insert_with(|| costs(file)),
            record_nanos: self.collector_cpu.nanos_per_record(records - self.records),
            nanos_per_tick: 1e9 / file.header().clock.hz as f64,
        };
        self.records = records;
        let sums = builder.method_costs();
        let waits = |id| self.waits.contains(&id);
        let mut window = Load::between(&self.before, &sums, &prices, waits);
        window.program_nanos = self.program_cpu.limit(window.program_nanos, window.probe_nanos);
        self.outcome.cost_nanos += window.cost_nanos;
        self.outcome.program_nanos += window.program_nanos;
        builder.set_budget(self.outcome);
        Assessment { sums, window, prices }
    }
}

/// What a sweep has found.
struct Assessment {
    /// Of each method since the beginning.
    sums: Vec<MethodCost>,
    /// Since the last sweep.
    window: Load,
    prices: Prices,
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
        Costs {
            inner: cost(inner),
            outer: cost(outer),
            count: cost(2.0),
            count_record: cost(7.0),
            ..Costs::default()
        }
    })
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
