//! Running times of both sides, run by run.

use jfathom_profile::{Cpu, CpuSource, Frame, NodeIx, Profile, Ticks};
use jfathom_statistics::Moments;

use super::number::TimeDiff;

/// What threads did in a time, in ns. What is left of it virtual threads were parked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CpuParts {
    /// They ran; the cost of probes is taken out. It may be up to `unknown` more.
    pub running: f64,
    /// They would have gone on, and waited for a processor.
    pub preempted: f64,
    /// They waited for something else. Where a profile does not tell preempted times
    /// ([`Cpu::tells_preempted`]), either of both.
    pub blocked: f64,
    /// It is not known what they did.
    pub unknown: f64,
    /// By how much the running time may be off for what is not known of switches.
    pub error: f64,
}

impl CpuParts {
    /// The parts of a node's self time of so many ns. Running time may be below zero, as corrected
    /// times may.
    fn of_node(run: &Profile, node: NodeIx, own: f64) -> Self {
        let nanos = |ticks: Ticks| ticks.0 as f64 * 1e9 / run.rate.hz() as f64;
        let off_cpu = run.tree.off_cpu(node);
        let [preempted, blocked, unknown] =
            [off_cpu.preempted, off_cpu.blocked, off_cpu.unknown].map(nanos);
        Self {
            running: own - nanos(run.tree.parked(node)) - preempted - blocked - unknown,
            preempted,
            blocked,
            unknown,
            error: off_cpu.switches as f64 * run.cpu.switch_error_nanos as f64,
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            running: self.running + other.running,
            preempted: self.preempted + other.preempted,
            blocked: self.blocked + other.blocked,
            unknown: self.unknown + other.unknown,
            error: self.error + other.error,
        }
    }

    /// They were preempted or blocked.
    pub fn not_running(self) -> f64 {
        self.preempted + self.blocked
    }

    /// A correction may have taken more than threads ran.
    fn not_below_zero(self) -> Self {
        Self { running: self.running.max(0.0), ..self }
    }

    /// The means over the runs of a side.
    pub(crate) fn mean(runs: &[Self]) -> Self {
        runs.iter().fold(Self::default(), |sum, run| sum.plus(*run)).divided_by(runs.len())
    }

    fn divided_by(self, runs: usize) -> Self {
        let part = |nanos: f64| nanos / runs.max(1) as f64;
        Self {
            running: part(self.running),
            preempted: part(self.preempted),
            blocked: part(self.blocked),
            unknown: part(self.unknown),
            error: part(self.error),
        }
    }

    /// The part of the time of which nothing is known, from 0 to 1.
    pub fn unknown_share(self) -> f64 {
        let all = self.running + self.not_running() + self.unknown;
        if all > 0.0 { self.unknown / all } else { 0.0 }
    }
}

/// What threads did in a time, on both sides: means over the runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CpuDiff {
    /// In the baseline. None without the method, and if it was not recorded in all runs.
    pub base: Option<CpuParts>,
    /// In the candidate, likewise.
    pub new: Option<CpuParts>,
    /// The running times. Their half width holds the scatter of the runs and the errors of both
    /// sides.
    pub running: TimeDiff,
}

impl CpuDiff {
    /// From the runs of both sides and what `series` finds for the running times.
    pub(super) fn of(
        [base, new]: [Option<&[CpuParts]>; 2],
        series: impl Fn(Option<&[f64]>, Option<&[f64]>) -> TimeDiff,
    ) -> Self {
        let running = [base, new].map(|runs| Some(running_nanos(runs?)));
        let mut running = series(running[0].as_deref(), running[1].as_deref());
        let [base, new] = [base, new].map(|runs| runs.map(CpuParts::mean));
        let error = |parts: Option<CpuParts>| parts.map_or(0.0, |parts| parts.error);
        running.half_width = running.half_width.map(|half| half + error(base) + error(new));
        Self { base, new, running }
    }

    /// Candidate minus baseline of a part. None unless both are known.
    pub fn difference(&self, part: impl Fn(CpuParts) -> f64) -> Option<f64> {
        Some(part(self.new?) - part(self.base?))
    }

    /// Whether the running times differ significantly, and by more than they may be off.
    pub fn is_significant(&self) -> bool {
        let error = |parts: Option<CpuParts>| parts.map_or(0.0, |parts| parts.error);
        let errors = error(self.base) + error(self.new);
        self.running.is_significant() && self.running.difference().abs() > errors
    }
}

/// The running times of runs.
pub(crate) fn running_nanos(runs: &[CpuParts]) -> Vec<f64> {
    runs.iter().map(|run| run.running).collect()
}

/// Who told when threads ran, if that is the same in all runs of a profile and lacks none of them.
pub(crate) fn source(profile: &Profile) -> Option<CpuSource> {
    let of = |cpu: Cpu| Some(cpu.source).filter(|_| cpu.is_whole());
    let mut runs = profile.runs.iter().map(|run| run.cpu);
    let Some(first) = runs.next() else { return of(profile.cpu) };
    let source = of(first)?;
    runs.all(|run| of(run) == Some(source)).then_some(source)
}

/// The parts of a method's times, by run.
#[derive(Clone, Debug, Default)]
pub(super) struct MethodCpu {
    pub own: Vec<CpuParts>,
    /// Of its outermost calls.
    pub total: Vec<CpuParts>,
    /// Of its calls at the bottom of a stack.
    pub bottom: Vec<CpuParts>,
    /// Of the tasks that it handed off.
    pub task: Vec<CpuParts>,
}

/// The parts of a context's self time over the runs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ContextCpu {
    sum: CpuParts,
    running: Moments,
}

impl ContextCpu {
    /// The difference of contexts. None for a side on which it is not there or not known.
    pub(super) fn difference(sides: [Option<&Self>; 2]) -> CpuDiff {
        let moments = sides.map(|side| side.map(|of| of.running));
        let mut running = TimeDiff::of(moments[0], moments[1]);
        let mean = |of: &Self| of.sum.divided_by(of.running.count() as usize);
        let [base, new] = sides.map(|side| side.map(mean));
        let errors: f64 = [base, new].into_iter().flatten().map(|parts| parts.error).sum();
        running.half_width = running.half_width.map(|half| half + errors);
        CpuDiff { base, new, running }
    }
}

/// What threads did in each run of a side.
#[derive(Clone, Debug)]
pub(super) struct SideCpu {
    /// By index in the method table.
    pub methods: Vec<MethodCpu>,
    /// By context.
    pub contexts: Vec<ContextCpu>,
}

impl SideCpu {
    /// Without runs so far. None if not all runs of the profile know when threads ran.
    pub(super) fn new(profile: &Profile, contexts: usize) -> Option<Self> {
        source(profile)?;
        Some(Self {
            methods: vec![MethodCpu::default(); profile.methods.len()],
            contexts: vec![ContextCpu::default(); contexts],
        })
    }

    /// Adds a run. `own` has the self time of each node, with what the thread waited for a
    /// processor; `parents` its parent, and `places` its context.
    pub(super) fn add(
        &mut self,
        run: &Profile,
        own: &[f64],
        parents: &[Option<u32>],
        places: &[Option<usize>],
    ) {
        let tree = &run.tree;
        let of = |(node, own): (NodeIx, &f64)| CpuParts::of_node(run, node, *own);
        let own: Vec<CpuParts> = tree.nodes().zip(own).map(of).collect();
        let mut total = own.clone();
        for at in (0..total.len()).rev() {
            if let Some(parent) = parents[at] {
                total[parent as usize] = total[parent as usize].plus(total[at]);
            }
        }
        let mut sums = vec![[CpuParts::default(); 4]; self.methods.len()];
        let mut inside_until = vec![0; self.methods.len()];
        for (at, node) in tree.nodes().enumerate() {
            match tree.frame(node) {
                Frame::Method(method) => {
                    let [of_own, of_total, of_bottom, _] = &mut sums[method.0 as usize];
                    *of_own = of_own.plus(own[at]);
                    // In preorder, frames before the end of the outermost one are recursive.
                    let until = &mut inside_until[method.0 as usize];
                    if node.0 >= *until {
                        *until = tree.subtree(node).end;
                        *of_total = of_total.plus(total[at]);
                    }
                    if tree.depth(node) == 1 {
                        *of_bottom = of_bottom.plus(total[at]);
                    }
                }
                Frame::Task(method) => {
                    let of_task = &mut sums[method.0 as usize][3];
                    *of_task = of_task.plus(total[at]);
                }
                Frame::Thread(_) => {}
            }
        }
        for (method, sums) in self.methods.iter_mut().zip(sums) {
            let [own, total, bottom, task] = sums.map(CpuParts::not_below_zero);
            method.own.push(own);
            method.total.push(total);
            method.bottom.push(bottom);
            method.task.push(task);
        }
        self.add_contexts(&own, places);
    }

    fn add_contexts(&mut self, own: &[CpuParts], places: &[Option<usize>]) {
        let mut sums = vec![CpuParts::default(); self.contexts.len()];
        for (parts, place) in own.iter().zip(places) {
            if let Some(place) = *place {
                sums[place] = sums[place].plus(*parts);
            }
        }
        for (context, sum) in self.contexts.iter_mut().zip(sums) {
            let sum = sum.not_below_zero();
            context.sum = context.sum.plus(sum);
            context.running.push(sum.running);
        }
    }
}
