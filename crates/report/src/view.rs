//! What part of a profile is shown, and how wide.

use crate::number::share;
use jfathom_calibration::{CorrectedTimes, correct_times};
use jfathom_compare::MethodSet;
use jfathom_profile::{Frame, MethodIx, NodeIx, Profile};
use jfathom_views::{Scope, Shown, Sort};
use std::ops::Deref;

/// What part of a profile is shown.
#[derive(Clone, Debug)]
pub struct View {
    /// Which threads and call paths.
    pub scope: Scope,
    /// The methods whose callers and callees are shown; the hottest ones if none is given.
    pub of: Option<MethodSet>,
    /// Levels of the tree below the threads; all where none is given.
    pub depth: Option<u32>,
    /// Nodes with less than this percentage of the whole time, more or less than nothing, are left
    /// out with all below them, unless one of those has more. For nodes whose calls were only
    /// counted it is the percentage of all calls.
    pub threshold: f64,
    /// Whether call paths without a fork are one line of a text tree.
    pub fold_chains: bool,
    /// Whether signs and columns are explained once, after all sections, and not below each table.
    pub has_legend_at_end: bool,
    /// Methods or threads in a list.
    pub limit: usize,
    /// By what hot methods are sorted.
    pub sort: Sort,
    /// Columns of the terminal; names are not shortened where none is given.
    pub width: Option<usize>,
    /// Whether times are shown as measured, the probes' cost in them.
    pub raw: bool,
}

impl Default for View {
    fn default() -> Self {
        Self {
            scope: Scope::default(),
            of: None,
            depth: None,
            threshold: 1.0,
            fold_chains: false,
            has_legend_at_end: false,
            limit: 20,
            sort: Sort::SelfTime,
            width: None,
            raw: false,
        }
    }
}

impl View {
    /// The profile's times without the probes' cost, unless raw ones are wanted or there is no
    /// calibration.
    pub fn corrected(&self, profile: &Profile) -> Option<CorrectedTimes> {
        if self.raw { None } else { correct_times(profile) }
    }

    /// The methods whose callers and callees are shown, the hottest first.
    pub(crate) fn methods(&self, shown: &Visible) -> Vec<MethodIx> {
        let mut methods: Vec<MethodIx> =
            shown.hot_methods(self.sort).into_iter().map(|hot| hot.method).collect();
        methods.retain(|method| self.of.as_ref().is_none_or(|of| of.contains(*method)));
        methods.truncate(self.limit);
        methods
    }

    /// The part of a profile that is shown.
    pub(crate) fn of<'a>(
        &'a self,
        profile: &'a Profile,
        corrected: Option<&'a CorrectedTimes>,
    ) -> Visible<'a> {
        Visible::new(self, Shown::new(profile, corrected, &self.scope))
    }
}

/// What is shown, and which of its nodes are large enough and not too deep.
pub(crate) struct Visible<'a> {
    view: &'a View,
    shown: Shown<'a>,
    /// By node, the largest weight at and below it: a corrected time may be below zero, and a
    /// parent's below its child's.
    reach: Vec<f64>,
}

impl<'a> Deref for Visible<'a> {
    type Target = Shown<'a>;

    fn deref(&self) -> &Self::Target {
        &self.shown
    }
}

impl<'a> Visible<'a> {
    fn new(view: &'a View, shown: Shown<'a>) -> Self {
        let mut visible = Self { view, shown, reach: Vec::new() };
        visible.reach = visible.reaches();
        visible
    }

    fn reaches(&self) -> Vec<f64> {
        let mut reach = vec![0.0; self.tree.len()];
        // By depth, that of the nodes behind which have that depth and no parent so far.
        let mut open: Vec<f64> = Vec::new();
        for node in self.tree.nodes().rev() {
            let depth = self.tree.depth(node) as usize;
            open.resize(open.len().max(depth + 2), 0.0);
            let largest = self.weight(node).max(std::mem::take(&mut open[depth + 1]));
            open[depth] = open[depth].max(largest);
            reach[node.0 as usize] = largest;
        }
        reach
    }

    /// What a node weighs against the threshold: its time, or, if its calls were only counted,
    /// their share of all calls as a time.
    fn weight(&self, node: NodeIx) -> f64 {
        match self.tree.timed(node) {
            0 => self.whole * self.tree.counted(node) as f64 / self.calls.max(1.0),
            _ => self.total(node).abs(),
        }
    }

    /// Whether a node of a shown parent is shown. Threads are, so that no time is left out.
    pub(crate) fn shows(&self, node: NodeIx) -> bool {
        let is_thread = matches!(self.tree.frame(node), Frame::Thread(_));
        let level = self.tree.depth(node);
        is_thread || !self.is_small(node) && self.view.depth.is_none_or(|depth| level <= depth)
    }

    /// Whether a node and its descendants are below the threshold. Where there is no time to have a
    /// part of, none is.
    pub(crate) fn is_small(&self, node: NodeIx) -> bool {
        self.whole > 0.0 && share(self.reach[node.0 as usize], self.whole) < self.view.threshold
    }

    /// Whether a node takes less than the threshold itself, and nothing of it is in children that
    /// are not shown.
    pub(crate) fn passes_on(&self, node: NodeIx) -> bool {
        let shown: f64 = self
            .tree
            .children(node)
            .filter(|child| self.shows(*child))
            .map(|child| self.total(child))
            .sum();
        share((self.total(node) - shown).abs(), self.whole) < self.view.threshold
    }

    /// The nodes that are shown, in preorder.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeIx> {
        self.roots.iter().flat_map(move |root| {
            let std::ops::Range { start: mut next, end } = self.tree.subtree(*root);
            std::iter::from_fn(move || {
                while next < end {
                    let node = NodeIx(next);
                    if self.shows(node) {
                        next += 1;
                        return Some(node);
                    }
                    next = self.tree.subtree(node).end;
                }
                None
            })
        })
    }
}
