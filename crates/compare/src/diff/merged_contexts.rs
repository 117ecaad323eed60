//! Contexts of both sides in one tree.

use super::column_diff::{ColumnDiff, ColumnMoments};
use super::differences::{ContextDiff, ContextFrame, MethodDiff};
use super::number::{CallsChange, TimeDiff};
use super::side::SideRuns;
use super::significance::adjust_all;
use crate::tree_path::TreePath;
use jfathom_profile::{Frame, MethodIx, NodeIx, Profile, SumNode, ThreadIx, Tree, TreeSum};

/// The tree of both sides in preorder.
pub(super) struct MergedContexts {
    /// The tree. Its [`MethodIx`] are indices into [`super::Diff::methods`].
    tree: Tree,
    /// By node of each side: the index of its context. None for threads.
    contexts: [Vec<Option<usize>>; 2],
    /// By context: whether its calls may be in a summary node, on either side.
    may_be_folded: Vec<bool>,
}

impl MergedContexts {
    pub(super) fn new(profiles: [&Profile; 2], methods: &[MethodDiff]) -> Self {
        let mut sum = TreeSum::default();
        let places = [0, 1].map(|side: usize| {
            let mut table = vec![MethodIx(0); profiles[side].methods.len()];
            for (place, method) in methods.iter().enumerate() {
                if let Some(at) = if side == 0 { method.base } else { method.new } {
                    table[at.0 as usize] = MethodIx(place as u32);
                }
            }
            add_tree(&mut sum, &profiles[side].tree, |method| table[method.0 as usize])
        });
        let mut rank = vec![0; sum.len()];
        for (at, node) in sum.preorder().into_iter().enumerate() {
            rank[node.index()] = at;
        }
        let contexts = places.map(|places| {
            places.into_iter().map(|place| place.map(|node| rank[node.index()])).collect()
        });
        let tree = sum.tree();
        let contexts: [Vec<Option<usize>>; 2] = contexts;
        let mut is_summary = vec![false; tree.len()];
        for (profile, contexts) in profiles.iter().zip(&contexts) {
            let summaries = profile.tree.summary_nodes();
            for at in summaries.filter_map(|node| contexts[node.0 as usize]) {
                is_summary[at] = true;
            }
        }
        let may_be_folded = beside(&tree, &is_summary);
        Self { tree, contexts, may_be_folded }
    }

    pub(super) fn len(&self) -> usize {
        self.tree.len()
    }

    /// By node of a side: the index of its context. None for threads.
    pub(super) fn of_side(&self, side: usize) -> &[Option<usize>] {
        &self.contexts[side]
    }

    /// The contexts with the numbers of both sides.
    pub(super) fn contexts(&self, sides: &[SideRuns; 2]) -> Vec<ContextDiff> {
        let is_on = self.contexts.each_ref().map(|contexts| {
            let mut is_on = vec![false; self.tree.len()];
            contexts.iter().flatten().for_each(|at| is_on[*at] = true);
            is_on
        });
        let context = |node: NodeIx| {
            let [base, new] = [0, 1].map(|side: usize| &sides[side].nodes[node.0 as usize]);
            let calls = CallsChange {
                is_unknown: self.may_be_folded[node.0 as usize],
                ..CallsChange::of(Some(base.calls), Some(new.calls))
            };
            // `⋯` has no calls, and a total time.
            let is_between = |side: usize| is_on[side][node.0 as usize] && !calls.is_unknown;
            let is_there =
                [calls.base.is_some() || is_between(0), calls.new.is_some() || is_between(1)];
            let time =
                |base, new| TimeDiff::of(is_there[0].then_some(base), is_there[1].then_some(new));
            let column = |at: usize| {
                let of = |side: usize| {
                    let column = sides[side].columns.0[at].as_ref().filter(|_| is_there[side])?;
                    column.contexts.get(node.0 as usize)
                };
                let [base, new] = [of(0), of(1)];
                let moments = |of: Option<&ColumnMoments>| of.map(|of| of.moments);
                let tested = TimeDiff::of(moments(base), moments(new));
                ColumnDiff::of([base, new].map(|of| of?.mean()), tested)
            };
            ContextDiff {
                depth: self.tree.depth(node),
                frame: match self.tree.frame(node) {
                    Frame::Task(method) => ContextFrame::Task(method.0 as usize),
                    Frame::Method(MethodIx(method)) | Frame::Thread(ThreadIx(method)) => {
                        ContextFrame::Method(method as usize)
                    }
                },
                calls,
                self_time: time(base.self_nanos, new.self_nanos),
                total_time: time(base.total_nanos, new.total_nanos),
                columns: (0..sides[0].columns.0.len()).map(column).collect(),
                events: Vec::new(),
            }
        };
        let mut contexts: Vec<ContextDiff> = self.tree.nodes().map(context).collect();
        adjust_all(&mut contexts, |context| {
            let times = [&mut context.self_time.p_value, &mut context.total_time.p_value];
            times.into_iter().chain(context.columns.iter_mut().map(|of| &mut of.p_value)).collect()
        });
        contexts
    }
}

/// By node: whether it is a summary node, or below the parent of one.
fn beside(tree: &Tree, is_summary: &[bool]) -> Vec<bool> {
    let mut is_beside = is_summary.to_vec();
    for parent in tree.nodes() {
        if tree.children(parent).any(|child| is_summary[child.0 as usize]) {
            let below = tree.subtree(parent);
            is_beside[below.start as usize + 1..below.end as usize].fill(true);
        }
    }
    is_beside
}

/// Adds a side's contexts to the sum. Returns, by node, its node in the sum. None for threads.
fn add_tree(
    sum: &mut TreeSum,
    tree: &Tree,
    method: impl Fn(MethodIx) -> MethodIx,
) -> Vec<Option<SumNode>> {
    let mut path = TreePath::default();
    let place = |node| {
        path.push(tree.depth(node), |parent| match tree.frame(node) {
            Frame::Thread(_) => None,
            Frame::Method(of) => Some(sum.child(parent, Frame::Method(method(of)))),
            Frame::Task(of) => Some(sum.child(parent, Frame::Task(method(of)))),
        })
    };
    tree.nodes().map(place).collect()
}
