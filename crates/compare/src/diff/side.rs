//! The numbers of one side, run by run.

use super::column_diff::DiffColumn;
use super::delay;
use super::merged_contexts::MergedContexts;
use jfathom_calibration::{Costs, correct_times_without_samples};
use jfathom_profile::{Frame, MethodIx, NodeIx, Profile, Tree};
use jfathom_statistics::Moments;

use super::number::Calls;
use super::side_columns::{RunNodes, SideColumns};

/// Kind of the compared times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeKind {
    /// Measured times, probe cost included.
    Measured,
    /// Corrected times ([`correct_times_without_samples`]).
    Corrected,
}

impl TimeKind {
    /// Corrected times if both sides have them.
    pub(super) fn of_both(base: &Profile, new: &Profile) -> Self {
        let mut jvms = base.meta.jvms.iter().chain(&new.meta.jvms);
        match jvms.all(|jvm| Costs::from_jvm(jvm).is_some()) {
            true => Self::Corrected,
            false => Self::Measured,
        }
    }

    /// Self time of each node of a run, in ns.
    fn times_of(self, run: &Profile) -> Vec<f64> {
        let corrected = match self {
            Self::Measured => None,
            Self::Corrected => correct_times_without_samples(run),
        };
        if let Some(corrected) = corrected {
            return corrected.nodes().iter().map(|times| times.self_nanos).collect();
        }
        let per_tick = 1e9 / run.rate.hz() as f64;
        run.tree.nodes().map(|node| run.tree.self_time(node).0 as f64 * per_tick).collect()
    }
}

/// A method over the runs of a side.
#[derive(Clone, Debug, Default)]
pub(super) struct MethodRuns {
    pub calls: Vec<u64>,
    pub timed: Vec<u64>,
    pub self_nanos: Vec<f64>,
    /// Total time of its outermost calls.
    pub total_nanos: Vec<f64>,
    /// Total time of its calls at the bottom of a stack.
    pub bottom_nanos: Vec<f64>,
    /// Total time of the tasks that it handed off.
    pub task_nanos: Vec<f64>,
}

/// A context over the runs of a side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeRuns {
    pub calls: Calls,
    pub self_nanos: Moments,
    pub total_nanos: Moments,
}

pub(super) struct SideRuns {
    /// By index in its table.
    pub methods: Vec<MethodRuns>,
    /// By context.
    pub nodes: Vec<NodeRuns>,
    /// Time in all recorded methods.
    pub total: Moments,
    pub columns: SideColumns,
}

impl SideRuns {
    pub(super) fn new(
        profile: &Profile,
        union: &MergedContexts,
        side: usize,
        kind: TimeKind,
        without_delay: bool,
        (columns, aligned): (&[DiffColumn], &Profile),
    ) -> Self {
        let mut runs = Self {
            methods: vec![MethodRuns::default(); profile.methods.len()],
            nodes: vec![NodeRuns::default(); union.len()],
            total: Moments::default(),
            columns: SideColumns::new(columns, side, profile.methods.len(), union.len()),
        };
        let places = union.of_side(side);
        let parents = parents(&profile.tree);
        for number in 0..profile.run_count() {
            let Some(run) = profile.run(number) else { continue };
            let mut own = kind.times_of(&run);
            runs.columns.add_run(RunNodes { run: &run, own: &own, parents: &parents, places });
            if without_delay {
                delay::take_out(&run, &mut own);
            }
            let mut total = own.clone();
            for at in (0..total.len()).rev() {
                if let Some(parent) = parents[at] {
                    total[parent as usize] += total[at];
                }
            }
            runs.add_methods(&run, &own, &total);
            runs.add_nodes(&run.tree, places, number as u32, &own, &total);
            runs.total.push(own.iter().sum());
        }
        let sum = RunNodes { run: aligned, own: &[], parents: &parents, places };
        runs.columns.add_sum(sum, profile.run_count());
        runs
    }

    /// The sum of the self times of methods, by run.
    pub(super) fn self_nanos_of(&self, methods: impl Iterator<Item = MethodIx>) -> Vec<f64> {
        let mut sums = vec![0.0; self.total.count() as usize];
        for method in methods {
            for (sum, nanos) in sums.iter_mut().zip(&self.methods[method.0 as usize].self_nanos) {
                *sum += nanos;
            }
        }
        sums
    }

    fn add_methods(&mut self, run: &Profile, own: &[f64], total: &[f64]) {
        for (method, runs) in run.methods.iter().zip(&mut self.methods) {
            runs.calls.push(method.calls().saturating_add(method.virtual_calls));
            runs.timed.push(method.entries);
            for series in [
                &mut runs.self_nanos,
                &mut runs.total_nanos,
                &mut runs.bottom_nanos,
                &mut runs.task_nanos,
            ] {
                series.push(0.0);
            }
        }
        let add = |series: &mut Vec<f64>, nanos: f64| {
            if let Some(last) = series.last_mut() {
                *last += nanos;
            }
        };
        // By method: the end of its outermost frame. In preorder, frames before that end are
        // recursive.
        let mut inside_until = vec![0; self.methods.len()];
        for (at, node) in run.tree.nodes().enumerate() {
            match run.tree.frame(node) {
                Frame::Method(method) => {
                    let method = method.0 as usize;
                    let runs = &mut self.methods[method];
                    add(&mut runs.self_nanos, own[at]);
                    if node.0 >= inside_until[method] {
                        inside_until[method] = run.tree.subtree(node).end;
                        add(&mut runs.total_nanos, total[at]);
                    }
                    if run.tree.depth(node) == 1 {
                        add(&mut runs.bottom_nanos, total[at]);
                    }
                }
                Frame::Task(method) => {
                    add(&mut self.methods[method.0 as usize].task_nanos, total[at])
                }
                Frame::Thread(_) => {}
            }
        }
    }

    fn add_nodes(
        &mut self,
        tree: &Tree,
        places: &[Option<usize>],
        before: u32,
        own: &[f64],
        total: &[f64],
    ) {
        #[derive(Clone, Copy, Default)]
        struct Sum {
            calls: u64,
            own: f64,
            total: f64,
        }
        let mut sums = vec![Sum::default(); self.nodes.len()];
        for (at, place) in places.iter().enumerate() {
            let Some(place) = *place else { continue };
            let (node, sum) = (NodeIx(at as u32), &mut sums[place]);
            sum.calls = sum.calls.saturating_add(tree.calls(node));
            sum.own += own[at];
            sum.total += total[at];
        }
        for (node, sum) in self.nodes.iter_mut().zip(sums) {
            node.calls.push(before, sum.calls);
            node.self_nanos.push(sum.own);
            node.total_nanos.push(sum.total);
        }
    }
}

/// The parent of each node.
fn parents(tree: &Tree) -> Vec<Option<u32>> {
    let mut path: Vec<u32> = Vec::new();
    let parent = |node: NodeIx| {
        path.truncate(tree.depth(node) as usize);
        let parent = path.last().copied();
        path.push(node.0);
        parent
    };
    tree.nodes().map(parent).collect()
}
