//! The part of a profile that is shown.

use crate::{Names, Scope, ThreadTrees, pools::Pools};
use jfathom_calibration::{CorrectedTimes, Times};
use jfathom_compare::{merge_roots_with, merge_threads_with};
use jfathom_profile::{Frame, NodeIx, Profile, ThreadIx, Ticks, Tree};
use std::{borrow::Cow, cmp::Reverse};

/// The tree of a profile, or a part of it, with its times in nanoseconds.
#[derive(Debug)]
pub struct Shown<'a> {
    /// The profile.
    pub profile: &'a Profile,
    /// Its methods' names.
    pub names: Names,
    /// The tree that is shown. Roots that are not selected are in it, too.
    pub tree: Cow<'a, Tree>,
    /// The roots that are shown.
    pub roots: Vec<NodeIx>,
    /// The time of all roots that are shown, in ns.
    pub whole: f64,
    /// All calls below the roots that are shown.
    pub calls: f64,
    /// Corrected times by node, if they are shown.
    times: Option<Cow<'a, [Times]>>,
    /// Nanoseconds of a tick.
    tick: f64,
    pools: Option<Pools>,
}

impl<'a> Shown<'a> {
    /// The part of a profile that `scope` selects, with corrected times if they are given.
    pub fn new(profile: &'a Profile, corrected: Option<&'a CorrectedTimes>, scope: &Scope) -> Self {
        let threads = scope.thread.as_ref().map(|_| scope.threads(profile));
        let is_selected = |thread: ThreadIx| {
            threads.as_ref().is_none_or(|threads| threads.binary_search(&thread).is_ok())
        };
        let times = corrected.map_or(&[][..], CorrectedTimes::nodes);
        let mut pools = None;
        let (mut tree, mut times) = match scope.threads {
            ThreadTrees::Each => (Cow::Borrowed(&profile.tree), Cow::Borrowed(times)),
            ThreadTrees::Merged => owned(merge_threads_with(profile, is_selected, times)),
            ThreadTrees::Pools => {
                let of_profile = Pools::of(profile, is_selected);
                let are_single = of_profile.are_single();
                let of_profile = pools.insert(of_profile);
                match are_single {
                    true => (Cow::Borrowed(&profile.tree), Cow::Borrowed(times)),
                    false => {
                        let first = |thread| Some(of_profile.first(thread));
                        owned(merge_roots_with(profile, is_selected, first, times))
                    }
                }
            }
        };
        for filter in &scope.filters {
            (tree, times) = owned(filter.apply(&tree, &times));
        }
        let is_shown = |root: &NodeIx| match tree.frame(*root) {
            Frame::Thread(thread) => is_selected(thread),
            _ => true,
        };
        let roots: Vec<NodeIx> = tree.roots().filter(is_shown).collect();
        let mut shown = Self {
            profile,
            names: Names::of(&profile.methods),
            tree,
            roots,
            whole: 0.0,
            calls: 0.0,
            times: corrected.map(|_| times),
            tick: 1e9 / profile.rate.hz() as f64,
            pools,
        };
        shown.whole = shown.roots.iter().map(|root| shown.total(*root)).sum();
        shown.calls = shown.all_nodes().map(|node| shown.tree.calls(node) as f64).sum();
        shown
    }

    /// All nodes below the roots that are shown, in preorder.
    pub fn all_nodes(&self) -> impl Iterator<Item = NodeIx> {
        self.roots.iter().flat_map(|root| self.tree.subtree(*root)).map(NodeIx)
    }

    /// Self time of a node in ns: corrected, or as measured.
    pub fn self_time(&self, node: NodeIx) -> f64 {
        self.times(node)
            .map_or_else(|| self.nanos(self.tree.self_time(node)), |times| times.self_nanos)
    }

    /// Total time of a node in ns: corrected, or as measured.
    pub fn total(&self, node: NodeIx) -> f64 {
        self.times(node)
            .map_or_else(|| self.nanos(self.tree.total_time(node)), |times| times.total_nanos)
    }

    /// The corrected times of a node, if they are shown.
    pub fn times(&self, node: NodeIx) -> Option<Times> {
        self.times.as_ref().map(|times| times.get(node.0 as usize).copied().unwrap_or_default())
    }

    /// Whether times are corrected.
    pub fn is_corrected(&self) -> bool {
        self.times.is_some()
    }

    /// Times in ns, corrected or as measured: those without correction have no error bar.
    pub fn times_or_measured(&self, node: NodeIx) -> Times {
        self.times(node).unwrap_or_else(|| Times {
            self_nanos: self.nanos(self.tree.self_time(node)),
            total_nanos: self.nanos(self.tree.total_time(node)),
            ..Times::default()
        })
    }

    /// Ticks in ns.
    pub fn nanos(&self, ticks: Ticks) -> f64 {
        ticks.0 as f64 * self.tick
    }

    /// Nodes by total time, then by calls, the largest last, so that a stack gives it first; of
    /// equal ones the first of the tree comes last.
    pub fn by_cost(&self, nodes: impl Iterator<Item = NodeIx>) -> Vec<NodeIx> {
        let mut nodes: Vec<NodeIx> = nodes.collect();
        nodes.sort_by(|a, b| {
            let [of_a, of_b] = [*a, *b].map(|node| (self.tree.calls(node), Reverse(node)));
            self.total(*a).total_cmp(&self.total(*b)).then(of_a.cmp(&of_b))
        });
        nodes
    }

    /// The name of a frame: a thread's or its pool's, a method's, or the root's that handed off a
    /// task.
    pub fn frame_name(&self, frame: Frame) -> String {
        match (frame, &self.pools) {
            (Frame::Thread(thread), Some(pools)) => pools.name(self.profile, thread),
            _ => self.names.frame(self.profile, frame),
        }
    }

    /// By thread, the name of its pool, or its own if threads are not in pools.
    pub fn pool_names(&self) -> Vec<String> {
        let threads = (0..self.profile.threads.len() as u32).map(ThreadIx);
        let name = |thread| match &self.pools {
            Some(pools) => pools.name(self.profile, pools.first(thread)),
            None => self.names.frame(self.profile, Frame::Thread(thread)),
        };
        threads.map(name).collect()
    }

    /// Corrected times of all nodes; none if they are not shown.
    pub(crate) fn times_of_nodes(&self) -> &[Times] {
        self.times.as_deref().unwrap_or_default()
    }
}

fn owned<'a>((tree, times): (Tree, Vec<Times>)) -> (Cow<'a, Tree>, Cow<'a, [Times]>) {
    (Cow::Owned(tree), Cow::Owned(times))
}
