//! What part of a profile is shown, and how wide.

use crate::number::share;
use jfathom_calibration::{CorrectedTimes, Times, correct_times};
use jfathom_profile::{Frame, NodeIx, Profile, ThreadIx, Ticks, Tree};
use std::borrow::Cow;

/// What part of a profile is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Levels of the tree below the threads; all where none is given.
    pub depth: Option<u32>,
    /// Nodes with less than this percentage of the whole time, more or less than nothing, are left
    /// out with all below them, unless one of those has more. For nodes whose calls were only
    /// counted it is the percentage of all calls.
    pub threshold: f64,
    /// Only threads with this name or, with a leading `#`, this number; where no name is equal,
    /// those that contain it.
    pub thread: Option<String>,
    /// Whether the trees of all threads are added up to one.
    pub merge_threads: bool,
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
            depth: None,
            threshold: 1.0,
            thread: None,
            merge_threads: false,
            limit: 20,
            sort: Sort::SelfTime,
            width: None,
            raw: false,
        }
    }
}

/// What hot methods are sorted by, the largest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Time in the method itself.
    #[default]
    SelfTime,
    /// Time in the method and all that it calls.
    TotalTime,
    /// Calls.
    Calls,
}

impl View {
    /// The threads that are shown; none where no name fits.
    pub fn threads(&self, profile: &Profile) -> Vec<ThreadIx> {
        let all = || (0..).map(ThreadIx).zip(&profile.threads);
        let Some(wanted) = &self.thread else { return all().map(|(ix, _)| ix).collect() };
        if let Some(number) = wanted.strip_prefix('#').and_then(|number| number.parse::<u64>().ok())
        {
            return all()
                .filter(|(_, thread)| thread.sequence == number)
                .map(|(ix, _)| ix)
                .collect();
        }
        let named: Vec<ThreadIx> =
            all().filter(|(_, thread)| thread.name == *wanted).map(|(ix, _)| ix).collect();
        if !named.is_empty() {
            return named;
        }
        all().filter(|(_, thread)| thread.name.contains(&**wanted)).map(|(ix, _)| ix).collect()
    }

    /// The profile's times without the probes' cost, unless raw ones are wanted or there is no
    /// calibration.
    pub(crate) fn corrected(&self, profile: &Profile) -> Option<CorrectedTimes> {
        if self.raw { None } else { correct_times(profile) }
    }

    /// The part of a profile that is shown.
    pub(crate) fn of<'a>(
        &'a self,
        profile: &'a Profile,
        corrected: Option<&'a CorrectedTimes>,
    ) -> Shown<'a> {
        let threads = self.thread.as_ref().map(|_| self.threads(profile));
        let selected =
            |thread: ThreadIx| threads.as_ref().is_none_or(|threads| threads.contains(&thread));
        let times = corrected.map_or(&[][..], CorrectedTimes::nodes);
        let (tree, times) = match self.merge_threads {
            true => {
                let (tree, times) = jfathom_compare::merge_threads_with(profile, selected, times);
                (Cow::Owned(tree), Cow::Owned(times))
            }
            false => (Cow::Borrowed(&profile.tree), Cow::Borrowed(times)),
        };
        let is_shown = |root: &NodeIx| match tree.frame(*root) {
            Frame::Thread(thread) => selected(thread),
            _ => true,
        };
        let roots: Vec<NodeIx> = tree.roots().filter(is_shown).collect();
        let tick = 1e9 / profile.rate.hz() as f64;
        let times = corrected.map(|_| times);
        let mut shown = Shown {
            view: self,
            tick,
            tree,
            times,
            roots,
            whole: 0.0,
            calls: 0.0,
            reach: Vec::new(),
        };
        shown.whole = shown.roots.iter().map(|root| shown.total(*root)).sum();
        let nodes = shown.roots.iter().flat_map(|root| shown.tree.subtree(*root)).map(NodeIx);
        shown.calls = nodes.map(|node| shown.tree.calls(node) as f64).sum();
        shown.reach = shown.reaches();
        shown
    }
}

/// The tree of a profile, or that of some of its threads, with its times in nanoseconds.
pub(crate) struct Shown<'a> {
    view: &'a View,
    /// Nanoseconds of a tick.
    tick: f64,
    pub tree: Cow<'a, Tree>,
    /// Corrected times by node, where they are shown.
    times: Option<Cow<'a, [Times]>>,
    /// The roots that are shown.
    pub roots: Vec<NodeIx>,
    /// The time of all roots that are shown.
    pub whole: f64,
    /// All calls of the roots that are shown.
    calls: f64,
    /// By node, the largest weight at and below it: a corrected time may be below zero, and a
    /// parent's below its child's.
    reach: Vec<f64>,
}

impl Shown<'_> {
    fn reaches(&self) -> Vec<f64> {
        let mut reach = vec![0.0; self.tree.len()];
        // By depth, that of the nodes behind which have that depth and no parent so far.
        let mut open: Vec<f64> = Vec::new();
        for node in (0..self.tree.len() as u32).rev().map(NodeIx) {
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

    /// Time in a node itself: corrected, or as measured.
    pub(crate) fn self_time(&self, node: NodeIx) -> f64 {
        self.times(node)
            .map_or_else(|| self.nanos(self.tree.self_time(node)), |times| times.self_nanos)
    }

    /// Total time of a node: corrected, or as measured.
    pub(crate) fn total(&self, node: NodeIx) -> f64 {
        self.times(node)
            .map_or_else(|| self.nanos(self.tree.total_time(node)), |times| times.total_nanos)
    }

    /// The corrected times of a node, where they are shown.
    pub(crate) fn times(&self, node: NodeIx) -> Option<Times> {
        self.times.as_ref().map(|times| times.get(node.0 as usize).copied().unwrap_or_default())
    }

    fn nanos(&self, ticks: Ticks) -> f64 {
        ticks.0 as f64 * self.tick
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
