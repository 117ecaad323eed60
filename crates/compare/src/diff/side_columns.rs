//! The columns of one side: of methods, roots and contexts, run by run.

use jfathom_calibration::Times;
use jfathom_profile::{Frame, MethodIx, Metric, NodeIx, NodeNumbers, Profile, Tree};

use super::column_diff::{ColumnMoments, ColumnRuns, DiffColumn};
use crate::column::{Cells, Column};
use crate::{HotMethod, hot_methods_with};

/// A column of a method, over the runs of a side.
#[derive(Clone, Debug, Default)]
pub(super) struct MethodColumn {
    pub own: ColumnRuns,
    /// Of its outermost calls.
    pub total: ColumnRuns,
    /// Of its calls at the bottom of a stack; nothing of a method that has none.
    pub bottom: ColumnRuns,
    /// Of the tasks that it handed off; nothing of a method that has none.
    pub task: ColumnRuns,
}

/// A column of a side.
#[derive(Clone, Debug)]
pub(super) struct SideColumn {
    column: &'static Column,
    /// By index in the method table.
    pub methods: Vec<MethodColumn>,
    /// By context.
    pub contexts: Vec<ColumnMoments>,
}

/// By place in [`super::Diff::columns`]: none where not the whole side has it.
#[derive(Clone, Debug)]
pub(super) struct SideColumns(pub Vec<Option<SideColumn>>);

/// Numbers and time of a node, a method or a context.
#[derive(Clone, Copy, Default)]
struct Sum {
    numbers: NodeNumbers,
    nanos: f64,
}

/// What a run has, by node, and where it belongs.
#[derive(Clone, Copy)]
pub(super) struct RunNodes<'a> {
    pub run: &'a Profile,
    /// Self time in ns, with what a thread waited for a processor. Empty where it does not count.
    pub own: &'a [f64],
    pub parents: &'a [Option<u32>],
    /// The context of each node.
    pub places: &'a [Option<usize>],
}

impl SideColumns {
    /// Without runs so far.
    pub(super) fn new(
        columns: &[DiffColumn],
        side: usize,
        methods: usize,
        contexts: usize,
    ) -> Self {
        let empty = |of: &DiffColumn| SideColumn {
            column: of.column,
            methods: vec![MethodColumn::default(); methods],
            contexts: vec![ColumnMoments::default(); contexts],
        };
        Self(columns.iter().map(|of| of.is_on[side].then(|| empty(of))).collect())
    }

    /// Adds a run to the columns of which each run has its own values.
    pub(super) fn add_run(&mut self, nodes: RunNodes<'_>) {
        self.add(nodes, true, 1);
    }

    /// Adds so many runs together to the columns of which only the sum is kept.
    pub(super) fn add_sum(&mut self, nodes: RunNodes<'_>, runs: usize) {
        self.add(nodes, false, runs);
    }

    fn add(&mut self, nodes: RunNodes<'_>, keeps_runs: bool, runs: usize) {
        let columns = self.0.iter_mut().flatten().filter(|of| of.column.keeps_runs() == keeps_runs);
        let columns: Vec<&mut SideColumn> = columns.collect();
        if columns.is_empty() {
            return;
        }
        let run = nodes.run;
        let contexts = columns[0].contexts.len();
        let times = times(nodes.own, nodes.parents);
        let methods = methods(run, &times);
        let roots = roots(run, &times);
        let sums = contexts_of(nodes, contexts);
        for SideColumn { column, methods: to, contexts } in columns {
            let value = |of: &Sum, has_read: bool| {
                let cells = Cells::new(run, [(of.numbers, of.nanos); 2], has_read);
                column.values(&cells)[0].per(runs)
            };
            for ((to, of), [bottom, task]) in to.iter_mut().zip(&methods).zip(&roots) {
                let has_read = run.knows_bytes_of(of.method);
                let values = column.values(&Cells::of_method(run, of, true, has_read));
                let [own, total] = values.map(|value| value.per(runs));
                to.own.push(own);
                to.total.push(total);
                bottom.iter().for_each(|of| to.bottom.push(value(of, has_read)));
                task.iter().for_each(|of| to.task.push(value(of, true)));
            }
            for (to, (sum, has_read)) in contexts.iter_mut().zip(&sums) {
                to.push(value(sum, *has_read));
            }
        }
    }
}

/// The times of each node.
fn times(own: &[f64], parents: &[Option<u32>]) -> Vec<Times> {
    let time = |nanos: &f64| Times { self_nanos: *nanos, total_nanos: *nanos, ..Times::default() };
    let mut times: Vec<Times> = own.iter().map(time).collect();
    for at in (0..times.len()).rev() {
        if let Some(parent) = parents[at] {
            times[parent as usize].total_nanos += times[at].total_nanos;
        }
    }
    times
}

/// The sums of all methods of the table.
fn methods(run: &Profile, times: &[Times]) -> Vec<HotMethod> {
    let none = |at| HotMethod { method: MethodIx(at), ..HotMethod::default() };
    let mut methods: Vec<HotMethod> = (0..run.methods.len() as u32).map(none).collect();
    for hot in hot_methods_with(run, |_| true, times) {
        methods[hot.method.0 as usize] = hot;
    }
    methods
}

/// By method: what its calls at the bottom of a stack have, and the tasks that it handed off; none
/// of a method without such nodes.
fn roots(run: &Profile, times: &[Times]) -> Vec<[Option<Sum>; 2]> {
    let tree = &run.tree;
    let mut roots = vec![[None; 2]; run.methods.len()];
    for node in tree.nodes() {
        let (method, which) = match tree.frame(node) {
            Frame::Method(method) if tree.depth(node) == 1 => (method, 0),
            Frame::Task(method) => (method, 1),
            Frame::Method(_) | Frame::Thread(_) => continue,
        };
        let sum: &mut Sum = roots[method.0 as usize][which].get_or_insert_default();
        sum.numbers.add(&tree.totals(node));
        sum.nanos += times.get(node.0 as usize).map_or(0.0, |of| of.total_nanos);
    }
    roots
}

/// By context: what its nodes themselves have, and whether all of them have read.
fn contexts_of(nodes: RunNodes<'_>, contexts: usize) -> Vec<(Sum, bool)> {
    let tree: &Tree = &nodes.run.tree;
    let metrics: Vec<Metric> = Metric::all().filter(|metric| tree.has(*metric)).collect();
    let mut sums = vec![(Sum::default(), true); contexts];
    for (at, place) in nodes.places.iter().enumerate() {
        let Some(place) = *place else { continue };
        let (node, (sum, has_read)) = (NodeIx(at as u32), &mut sums[place]);
        metrics.iter().for_each(|of| sum.numbers.add_to(*of, tree.number(*of, node)));
        sum.nanos += nodes.own.get(at).copied().unwrap_or(0.0);
        *has_read &= nodes.run.knows_bytes_at(node);
    }
    sums
}
