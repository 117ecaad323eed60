//! Which methods are timed: while timing takes more of the program's time than the budget allows,
//! methods become counted, those first whose calls are short beside their cost. Where there is room
//! again, they are timed again, those of the most worth first. Flushes of counted calls may take a
//! part of the budget: where they would take more, fewer calls are flushed.
//!
//! Of a recursive method that would be demoted only the outermost calls are timed: what it calls is
//! not below a counted one then, and the time of the calls within is theirs anyway.
//!
//! Each method has an allowance of timed calls, which is renewed: the JVM counts what has used it
//! up, long before the collector can look.

mod allowances;
mod choice;
mod cpu;
mod flushing;
mod judging;
mod load;
mod pace;

use crate::drain::{budget::Budget, modes::InitialModes};
use choice::{Again, Value, choose_again};
use cpu::{CollectorCpu, ProgramCpu};
use jfathom_calibration::{Cost, Costs};
use jfathom_plan::{IdRange, MethodId};
use jfathom_profile::{
    BudgetOutcome, Builder, Calibration, CallSums, Demotion, DemotionReason, Mode, TreeSize,
};
use jfathom_session::Process;
use jfathom_trace::{Allowance, ClockKind, SessionFile, layout};
use load::{MethodLoad, Prices};
use pace::Pace;
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::{Duration, Instant, SystemTime};

/// Records after which a sweep is due before [`LONG_PERIOD`]: about 2 ms of one thread.
const LEAST_RECORDS: u64 = 40_000;
/// Time after which a sweep is due.
const LONG_PERIOD: Duration = Duration::from_millis(100);
/// Time between two sweeps, at least.
const PERIOD: Duration = Duration::from_millis(10);
/// The time between two sweeps is at least this many times the duration of the first.
const SHARE: u32 = 50;
/// The program's time in a window, ns. Costs are those of the present window; at its end methods
/// may be timed again.
const WINDOW_NANOS: f64 = 100e6;
/// The program's time from a window's begin until methods are judged, ns.
const LEAST_NANOS: f64 = 5e6;
/// The calls of the first allowances of all methods together: some 20 ms of timing. Nobody knows
/// yet what the methods cost, and most are called a few times only.
const FIRST_ALLOWANCES: u32 = 200_000;
/// First allowances. The first call of each is flushed: of every second Fibonacci number the
/// multiple of the golden ratio is a little more than a whole number, by which the JVM chooses.
const FIRST: [u32; 8] = [13, 34, 89, 233, 610, 1597, 4181, 10946];
/// Their [`Allowance::flush_shift`] where methods are many: flushes of first calls are most of all
/// then, and are over before they can be judged.
const FIRST_FLUSH_SHIFT: u8 = 3;
const MANY_METHODS: u32 = 3_000;
/// Methods of so much worth are timed again even if there were no calls in the window: calls that
/// come rarely, and are many then, are seen from their first one on.
const RARE_WORTH: f64 = 10.0;

/// Demotes the methods of one JVM, on its draining thread.
#[derive(Debug)]
pub(crate) struct Demoter {
    budget: Budget,
    costs: Option<Costs>,
    /// Ids that manifests name. Any other id may be that of a root.
    known: Vec<IdRange>,
    /// Roots and methods of tasks, and what the user wants timed: they stay so.
    kept: FxHashSet<MethodId>,
    waits: FxHashSet<MethodId>,
    first_flush_shift: u8,
    /// Nodes that were searched for methods of tasks.
    nodes: TreeSize,
    /// State of each method when the present window began.
    methods: FxHashMap<MethodId, MethodState>,
    /// The program's time at the present window's begin, and the number of windows before it.
    window_begin: f64,
    windows: u64,
    /// Sums at the last sweep: of all methods, of those that do not wait, and of those that are
    /// always flushed.
    sums: [CallSums; 3],
    /// What flushes of the last have taken, ns: no demotion makes them fewer.
    fixed_nanos: f64,
    outcome: BudgetOutcome,
    pace: Pace,
    collector_cpu: CollectorCpu,
    program_cpu: ProgramCpu,
    records: u64,
    last: Instant,
    took: Duration,
}

/// State of a method when a window began.
#[derive(Clone, Copy, Debug, Default)]
struct MethodState {
    sums: CallSums,
    /// Its sums in earlier slices: those of the builder are of the present one.
    in_slices: CallSums,
    /// Its counted calls.
    counted: u64,
    /// Of its timed calls; none if it is not demoted.
    demoted: Option<Value>,
    demotions: u32,
    /// The timed calls of the window in which it was demoted.
    demoted_calls: u64,
    /// The window from which on it may be timed again.
    again_from: u64,
    /// [`Allowance::flush_shift`], if it is not the first one.
    flush_shift: Option<u8>,
    /// [`Allowance::outermost`].
    outermost: bool,
}

impl Demoter {
    /// Without a process, CPU time does not limit what counts as the program's time.
    pub fn new(budget: Budget, process: Option<Process>) -> Self {
        Self {
            budget,
            costs: None,
            known: Vec::new(),
            kept: FxHashSet::default(),
            waits: FxHashSet::default(),
            first_flush_shift: 0,
            nodes: TreeSize::default(),
            methods: FxHashMap::default(),
            window_begin: 0.0,
            windows: 0,
            sums: Default::default(),
            fixed_nanos: 0.0,
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
            calls: self.methods.get(&id).map_or(0, |state| state.sums.calls),
            millis: age(file),
            reason: DemotionReason::Selected,
            ..Demotion::UNKNOWN
        };
        for id in count {
            demote(file, builder, id, demotion(id));
        }
        self.kept.extend(&known.watched);
        self.waits.extend(known.waits);
        if self.budget != Budget::Unlimited {
            let methods: u32 = self.known.iter().map(|ids| ids.len).sum();
            let most = FIRST_ALLOWANCES / methods.max(1);
            let calls = FIRST.into_iter().rev().find(|calls| *calls <= most).unwrap_or(FIRST[0]);
            self.first_flush_shift = if methods > MANY_METHODS { FIRST_FLUSH_SHIFT } else { 0 };
            let first = Allowance { flush_shift: self.first_flush_shift, ..Allowance::of(calls) };
            let ids = (known.ids.start..known.ids.end()).filter_map(MethodId::new);
            // What waits is seldom called, and is timed for its waits.
            let is_free = |id: &MethodId| self.kept.contains(id) || self.waits.contains(id);
            for id in ids.filter(|id| !is_free(id)) {
                file.set_allowance(id, first);
            }
        }
    }

    fn may_change(&self, id: MethodId, file: &SessionFile) -> bool {
        self.known.iter().any(|ids| ids.contains(id))
            && !self.kept.contains(&id)
            && file.mode(id) == Some(layout::MODE_TIME as u8)
    }

    /// Compares the cost with the budget, if there are enough new records and the last sweep was
    /// short enough.
    pub fn sweep_if_due(&mut self, file: &SessionFile, builder: &mut Builder) {
        let elapsed = self.last.elapsed();
        let is_due = self.budget != Budget::Unlimited
            && elapsed >= PERIOD.max(self.took.saturating_mul(SHARE))
            && (elapsed >= LONG_PERIOD || builder.record_count() - self.records >= LEAST_RECORDS);
        if is_due {
            self.sweep(file, builder);
        }
    }

    /// Takes the last records into account, and what the JVM has counted since the last window.
    pub fn finish(&mut self, file: &SessionFile, builder: &mut Builder) {
        if self.budget != Budget::Unlimited && builder.record_count() > self.records {
            let prices = self.assess(file, builder);
            self.note_exhausted(&prices, file, builder);
        }
    }

    /// Takes the last records of a slice into account. The next builder begins without sums; those
    /// of this one are kept.
    pub fn end_slice(&mut self, file: &SessionFile, builder: &mut Builder) {
        self.finish(file, builder);
        if self.budget != Budget::Unlimited {
            for (method, sums) in builder.method_costs() {
                let state = self.methods.entry(method).or_default();
                state.in_slices = state.in_slices.plus(sums);
            }
            self.methods.values_mut().for_each(|state| state.counted = 0);
        }
        (self.records, self.nodes) = (0, TreeSize::default());
        self.sums = Default::default();
    }

    fn sweep(&mut self, file: &SessionFile, builder: &mut Builder) {
        let begun = Instant::now();
        let prices = self.assess(file, builder);
        let kept = &mut self.kept;
        self.nodes = builder.task_entries(self.nodes, |method| {
            kept.insert(method);
        });
        self.renew_free(&prices, file, builder);
        if self.window_nanos() >= LEAST_NANOS {
            self.judge(&prices, file, builder);
        }
        self.last = Instant::now();
        self.took = self.last - begun;
    }

    /// The program's time since the present window began.
    fn window_nanos(&self) -> f64 {
        self.outcome.program_nanos - self.window_begin
    }

    /// The calls in the present window of methods that are timed now.
    fn loads(&self, file: &SessionFile, builder: &Builder) -> Vec<MethodLoad> {
        let program_nanos = self.window_nanos();
        let load = |(method, sums): (MethodId, CallSums)| {
            let state = self.methods.get(&method).copied().unwrap_or_default();
            let sums = sums.plus(state.in_slices).since(state.sums);
            let is_timed = file.mode(method) == Some(layout::MODE_TIME as u8);
            (sums.calls > 0 && is_timed).then_some(MethodLoad { method, sums, program_nanos })
        };
        builder.method_costs().filter_map(load).collect()
    }

    /// Notes the methods that the JVM counts since they have used up their allowance. They may be
    /// timed again at once: nobody has judged them.
    fn note_exhausted(&mut self, prices: &Prices, file: &SessionFile, builder: &mut Builder) {
        let program_nanos = self.window_nanos();
        let mut noted = Vec::new();
        for (method, sums) in builder.method_costs() {
            let state = self.methods.entry(method).or_default();
            let is_exhausted = state.demoted.is_none()
                && file.allowance(method).is_some_and(Allowance::is_used_up)
                && file.mode(method) == Some(layout::MODE_COUNT as u8);
            if is_exhausted {
                let sums = sums.plus(state.in_slices).since(state.sums);
                noted.push(MethodLoad { method, sums, program_nanos });
            }
        }
        for load in noted {
            builder.demote(load.method, self.note(&load, prices, file));
        }
    }

    /// Begins a window, with new allowances for what is timed.
    fn begin_window(
        &mut self,
        file: &SessionFile,
        builder: &Builder,
        counted: &FxHashMap<MethodId, u64>,
        prices: &Prices,
    ) {
        self.window_begin = self.outcome.program_nanos;
        self.windows += 1;
        for (method, sums) in builder.method_costs() {
            let state = self.methods.entry(method).or_default();
            let sums = sums.plus(state.in_slices);
            let news = sums.since(state.sums);
            state.sums = sums;
            if news.calls > 0 && file.allowance(method).is_some_and(|left| left.calls > 1) {
                let calls = self.allowance(news.calls, Value::of(&news, prices));
                self.allow(method, calls, file);
            }
        }
        for (method, counted) in counted {
            self.methods.entry(*method).or_default().counted = *counted;
        }
    }

    /// The demoted methods to time again, for at most `room`, a share of the program's time.
    fn again(&mut self, counted: &FxHashMap<MethodId, u64>, room: f64) -> Vec<Again> {
        let window = self.window_nanos();
        let candidate = |(method, state): (&MethodId, &MethodState)| {
            let value = state.demoted.filter(|_| state.again_from <= self.windows)?;
            let counted = counted.get(method).copied().unwrap_or(0);
            let mut calls = counted.saturating_sub(state.counted);
            if state.outermost {
                // Most of these are within others.
                calls = calls.min(2 * state.demoted_calls);
            }
            let cost_share = value.nanos * calls as f64 / window;
            let again = Again { method: *method, calls, cost_share, value };
            (calls > 0 || value.worth >= RARE_WORTH).then_some(again)
        };
        let again = choose_again(self.methods.iter().filter_map(candidate).collect(), room);
        for Again { method, .. } in &again {
            self.methods.entry(*method).or_default().demoted = None;
        }
        again
    }

    /// Notes that a method is counted from now on.
    fn note(&mut self, load: &MethodLoad, prices: &Prices, file: &SessionFile) -> Demotion {
        let saved_nanos = prices.saved_nanos(&load.sums);
        let state = self.methods.entry(load.method).or_default();
        state.demoted = Some(Value::of(&load.sums, prices));
        state.demoted_calls = load.sums.calls;
        Demotion {
            calls: state.sums.calls + load.sums.calls,
            millis: age(file),
            reason: DemotionReason::Budget,
            self_nanos: load.per_call(prices.self_nanos(&load.sums)),
            saved_nanos,
            cost_share: load.share(prices.cost_nanos(&load.sums)),
        }
    }

    /// Adds the cost of the records since the last sweep to the recording's. Returns the prices.
    fn assess(&mut self, file: &SessionFile, builder: &mut Builder) -> Prices {
        let records = builder.record_count();
        let prices = Prices {
            costs: *self.costs.get_or_insert_with(|| costs(file)),
            record_nanos: self.collector_cpu.nanos_per_record(records - self.records),
            nanos_per_tick: 1e9 / file.header().clock.hz as f64,
            running_share: self.pace.running_share,
        };
        self.records = records;
        let mut sums = <[CallSums; 3]>::default();
        for (method, calls) in builder.method_costs() {
            let waits = self.waits.contains(&method);
            let parts = [true, !waits, waits || self.kept.contains(&method)];
            for (sum, _) in sums.iter_mut().zip(parts).filter(|(_, is_in)| *is_in) {
                *sum = sum.plus(calls);
            }
        }
        let [all, busy, kept] = [0, 1, 2].map(|at| sums[at].since(self.sums[at]));
        self.fixed_nanos += prices.flush_nanos(&kept);
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
        prices
    }
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

fn demote(file: &SessionFile, builder: &mut Builder, method: MethodId, demotion: Demotion) {
    builder.demote(method, demotion);
    file.set_mode(method, layout::MODE_COUNT as u8);
}

/// Milliseconds since the JVM's start.
fn age(file: &SessionFile) -> u64 {
    crate::epoch::millis(SystemTime::now()).saturating_sub(file.header().jvm_start_millis)
}

#[cfg(test)]
mod tests;
