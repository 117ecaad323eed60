//! Demotion: while probes and collector take more of the program's time than the budget allows,
//! timed methods become counted.

mod choice;
mod cpu;
mod load;

use crate::{budget::Budget, modes::InitialModes};
use choice::{Choice, choose};
use cpu::{CollectorCpu, CpuWindow, ProgramCpu};
use jfathom_calibration::{Cost, Costs};
use jfathom_plan::{IdRange, MethodId};
use jfathom_profile::{
    BudgetOutcome, Builder, Calibration, CallSums, Demotion, DemotionReason, Mode, TreeSize,
};
use jfathom_session::Process;
use jfathom_trace::{ClockKind, SessionFile, layout};
use load::{MethodLoad, Prices};
use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant, SystemTime},
};

/// Records between two sweeps, at least: about 2 ms of one thread at full speed.
const LEAST_RECORDS: u64 = 40_000;
/// Time between two sweeps, at least.
const PERIOD: Duration = Duration::from_millis(10);
/// The time between two sweeps is at least this many times the duration of the first.
const SHARE: u32 = 20;
/// Calls after which a method is judged. With fewer, its window goes on.
const LEAST_CALLS: u64 = 200;
/// If the budget is exceeded, a sweep demotes until this share of it is used.
const TARGET: f64 = 0.9;
/// The same while the whole recording exceeds the budget.
const DEBT_TARGET: f64 = 0.25;
/// Time by which the whole recording may exceed the budget before a sweep goes below [`TARGET`].
const GRACE_NANOS: f64 = 20e6;

/// Demotes the methods of one JVM, on its draining thread.
#[derive(Debug)]
pub(crate) struct Demoter {
    budget: Budget,
    costs: Option<Costs>,
    /// Ids that manifests name. Any other id may be that of a root.
    known: Vec<IdRange>,
    /// Roots and methods of tasks, and what the user wants timed: they stay so.
    kept: HashSet<MethodId>,
    waits: HashSet<MethodId>,
    /// Nodes that were searched for methods of tasks.
    nodes: TreeSize,
    /// State of each method when it was judged last.
    judged: HashMap<MethodId, Judged>,
    /// Sums at the last sweep: of all methods, and of those that do not wait.
    sums: [CallSums; 2],
    outcome: BudgetOutcome,
    pace: Pace,
    collector_cpu: CollectorCpu,
    program_cpu: ProgramCpu,
    records: u64,
    last: Instant,
    took: Duration,
}

/// State of a method when it was judged.
#[derive(Clone, Copy, Debug, Default)]
struct Judged {
    sums: CallSums,
    /// The program's time until then.
    program_nanos: f64,
    /// Its sums in earlier slices: those of the builder are of the present one.
    in_slices: CallSums,
}

/// The program's share of the time by the clock.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// Share of the time in which a thread that could run did run.
    running_share: f64,
    /// Share of the self times in which the program had a processor. Threads that wait have time by
    /// the clock, and take no CPU.
    cpu_share: f64,
    /// Self times and probe costs since these shares were found, ns.
    self_nanos: f64,
    probe_nanos: f64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { running_share: 1.0, cpu_share: 1.0, self_nanos: 0.0, probe_nanos: 0.0 }
    }
}

impl Pace {
    /// The shares of a window that has the times since the shares before.
    fn of(self, window: CpuWindow) -> Self {
        let program = window.program.as_nanos() as f64 - self.probe_nanos;
        Self {
            running_share: window.running_share,
            cpu_share: (program / self.self_nanos.max(1.0)).clamp(0.0, 1.0),
            ..Self::default()
        }
    }
}

impl Demoter {
    /// Without a process, CPU time does not limit what counts as the program's time.
    pub fn new(budget: Budget, process: Option<Process>) -> Self {
        Self {
            budget,
            costs: None,
            known: Vec::new(),
            kept: HashSet::new(),
            waits: HashSet::new(),
            nodes: TreeSize::default(),
            judged: HashMap::new(),
            sums: Default::default(),
            outcome: BudgetOutcome { limit: budget.share(), ..BudgetOutcome::default() },
            pace: Pace::default(),
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
        self.kept.extend(&known.timed);
        builder.watch(&known.watched);
        // Of a jar that was not known before the JVM ran.
        for (id, interval) in &known.walked {
            file.set_stack_walks(*id, *interval);
        }
        let count = known.count.into_iter().filter(|id| self.may_change(*id, file));
        let demotion = |id: MethodId| Demotion {
            calls: self.judged.get(&id).map_or(0, |judged| judged.sums.calls),
            millis: age(file),
            reason: DemotionReason::Selected,
            ..Demotion::UNKNOWN
        };
        let count: Vec<(MethodId, Demotion)> = count.map(|id| (id, demotion(id))).collect();
        demote(file, builder, &count);
        self.kept.extend(&known.watched);
        self.waits.extend(known.waits);
    }

    fn may_change(&self, id: MethodId, file: &SessionFile) -> bool {
        self.known.iter().any(|ids| ids.contains(id))
            && !self.kept.contains(&id)
            && file.mode(id) == Some(layout::MODE_TIME as u8)
    }

    /// Compares the cost with the budget, if there are enough new records and the last sweep was
    /// short enough.
    pub fn sweep_if_due(&mut self, file: &SessionFile, builder: &mut Builder) {
        let is_due = self.budget != Budget::Unlimited
            && builder.record_count() - self.records >= LEAST_RECORDS
            && self.last.elapsed() >= PERIOD.max(self.took.saturating_mul(SHARE));
        if is_due {
            self.sweep(file, builder);
        }
    }

    /// Takes the last records into account.
    pub fn finish(&mut self, file: &SessionFile, builder: &mut Builder) {
        if self.budget != Budget::Unlimited && builder.record_count() > self.records {
            self.assess(file, builder);
        }
    }

    /// Takes the last records of a slice into account. The next builder begins without sums; those
    /// of this one are kept.
    pub fn end_slice(&mut self, file: &SessionFile, builder: &mut Builder) {
        self.finish(file, builder);
        if self.budget != Budget::Unlimited {
            for (method, sums) in builder.method_costs() {
                let judged = self.judged.entry(method).or_default();
                judged.in_slices = judged.in_slices.plus(sums);
            }
        }
        (self.records, self.nodes) = (0, TreeSize::default());
        self.sums = Default::default();
    }

    fn sweep(&mut self, file: &SessionFile, builder: &mut Builder) {
        let begun = Instant::now();
        let Window { cost_nanos, program_nanos, prices } = self.assess(file, builder);
        let kept = &mut self.kept;
        self.nodes = builder.task_entries(self.nodes, |method| {
            kept.insert(method);
        });
        let loads = self.judge(builder);
        let limit = self.budget.share().unwrap_or(f64::INFINITY);
        let debt = self.outcome.cost_nanos - limit * self.outcome.program_nanos;
        let is_beyond = debt > GRACE_NANOS;
        let target = if is_beyond { DEBT_TARGET } else { TARGET } * limit;
        let taken = cost_nanos / program_nanos.max(1.0);
        if taken > limit || is_beyond && taken > target {
            let excess = taken - target;
            let may_change = |load: &MethodLoad| self.may_change(load.method, file);
            let chosen = choose(loads.into_iter().filter(may_change), &prices, limit, excess);
            let chosen: Vec<(MethodId, Demotion)> = chosen
                .iter()
                .map(|choice| (choice.load.method, self.demotion(choice, &prices, file)))
                .collect();
            demote(file, builder, &chosen);
        }
        self.last = Instant::now();
        self.took = self.last - begun;
    }

    /// The loads of the methods with enough calls since their last judgement.
    fn judge(&mut self, builder: &Builder) -> Vec<MethodLoad> {
        let now = self.outcome.program_nanos;
        let mut loads = Vec::new();
        for (method, sums) in builder.method_costs() {
            let judged = self.judged.entry(method).or_default();
            let sums = sums.plus(judged.in_slices);
            let part = sums.since(judged.sums);
            if part.calls >= LEAST_CALLS {
                loads.push(MethodLoad {
                    method,
                    sums: part,
                    program_nanos: now - judged.program_nanos,
                });
                *judged = Judged { sums, program_nanos: now, ..*judged };
            }
        }
        loads
    }

    fn demotion(&self, choice: &Choice, prices: &Prices, file: &SessionFile) -> Demotion {
        let load = &choice.load;
        Demotion {
            calls: self.judged.get(&load.method).map_or(0, |judged| judged.sums.calls),
            millis: age(file),
            reason: DemotionReason::Budget,
            self_nanos: load.per_call(prices.self_nanos(&load.sums)),
            saved_nanos: prices.saved_nanos(&load.sums),
            cost_share: load.share(prices.cost_nanos(&load.sums)),
        }
    }

    /// The cost of the records since the last sweep. Adds it to the recording's.
    fn assess(&mut self, file: &SessionFile, builder: &mut Builder) -> Window {
        let records = builder.record_count();
        let prices = Prices {
            costs: *self.costs.get_or_insert_with(|| costs(file)),
            record_nanos: self.collector_cpu.nanos_per_record(records - self.records),
            nanos_per_tick: 1e9 / file.header().clock.hz as f64,
            running_share: self.pace.running_share,
        };
        self.records = records;
        let mut sums = <[CallSums; 2]>::default();
        for (method, calls) in builder.method_costs() {
            sums[0] = sums[0].plus(calls);
            if !self.waits.contains(&method) {
                sums[1] = sums[1].plus(calls);
            }
        }
        let [all, busy] = [0, 1].map(|at| sums[at].since(self.sums[at]));
        self.sums = sums;
        let self_nanos = prices.self_nanos(&busy).max(0.0);
        self.pace.self_nanos += self_nanos;
        self.pace.probe_nanos += prices.probe_nanos(&all);
        if let Some(window) = self.program_cpu.look_if_due() {
            self.pace = self.pace.of(window);
        }
        let program_nanos = self_nanos * self.pace.cpu_share;
        let cost_nanos = prices.cost_nanos(&all);
        self.outcome.cost_nanos += cost_nanos;
        self.outcome.program_nanos += program_nanos;
        builder.set_budget(self.outcome);
        Window { cost_nanos, program_nanos, prices }
    }
}

/// The part of a recording between two sweeps.
struct Window {
    /// Time of probes and collector.
    cost_nanos: f64,
    /// Time of the program itself, without methods that wait.
    program_nanos: f64,
    prices: Prices,
}

/// Probe costs that the JVM measured at its start. Without a calibration, those of a machine of
/// 2.6 GHz.
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
