//! The part of a profile that is shown.

use crate::{
    Names, Scope, ShownSamples, ThreadTrees,
    bytes::OutsideFocus,
    pools::Pools,
    shown_tree::{ShownTimes, ShownTree},
};
use jfathom_calibration::{CorrectedTimes, Times};
use jfathom_compare::{HotMethod, hot_methods_of, merge_groups_with, merge_threads_with};
use jfathom_profile::{Frame, Metric, NodeIx, Profile, ThreadIx, Ticks, Tree};
use std::{
    borrow::Cow,
    cell::OnceCell,
    collections::{HashMap, hash_map::Entry},
};

/// The tree of a profile, or a part of it, with its times in nanoseconds.
#[derive(Debug)]
pub struct Shown<'a> {
    /// The profile.
    pub profile: &'a Profile,
    /// Its methods' names.
    pub names: Names,
    /// The tree that is shown. Roots that are not selected are in it, too.
    pub tree: ShownTree<'a>,
    /// The roots that are shown.
    pub roots: Vec<NodeIx>,
    /// The time of all roots that are shown, in ns.
    pub whole: f64,
    /// All calls below the roots that are shown.
    pub calls: f64,
    /// Sampled frames below its nodes; none if none were recorded, or if filters have changed the
    /// tree.
    pub samples: Option<ShownSamples>,
    /// Callers whose bytes are not known.
    pub(crate) outside_focus: OutsideFocus,
    /// Corrected times by node, if they are shown.
    times: Option<ShownTimes<'a>>,
    /// Nanoseconds of a tick.
    tick: f64,
    pools: Option<Pools>,
    /// The sums of each method, made when they are asked for: they take a pass over the tree.
    method_sums: OnceCell<Vec<HotMethod>>,
}

impl<'a> Shown<'a> {
    /// The part of a profile that `scope` selects, with corrected times if they are given.
    pub fn new(profile: &'a Profile, corrected: Option<&'a CorrectedTimes>, scope: &Scope) -> Self {
        let threads = scope.thread.as_ref().map(|_| scope.threads(profile));
        let is_selected = |thread: ThreadIx| {
            threads.as_ref().is_none_or(|threads| threads.binary_search(&thread).is_ok())
        };
        let times = corrected.map_or(&[][..], CorrectedTimes::nodes);
        let pools = (scope.threads == ThreadTrees::Pools).then(|| Pools::of(profile, is_selected));
        let beside = pools.as_ref().filter(|_| scope.filters.is_empty());
        let (tree, times) = beside
            .and_then(|pools| with_pools(profile, times, pools))
            .unwrap_or_else(|| filtered(profile, times, scope, pools.as_ref(), is_selected));
        let roots = roots(&tree, pools.as_ref(), is_selected);
        let are_merged = scope.threads == ThreadTrees::Merged;
        let has_samples = scope.filters.is_empty() && profile.stack_samples.is_recorded();
        let samples = has_samples
            .then(|| ShownSamples::new(profile, pools.as_ref(), is_selected, are_merged));
        let mut shown = Self {
            profile,
            names: Names::of(&profile.methods),
            outside_focus: OutsideFocus::of(profile, &tree, &scope.filters),
            tree,
            roots,
            whole: 0.0,
            calls: 0.0,
            samples: None,
            times: corrected.map(|_| times),
            tick: 1e9 / profile.rate.hz() as f64,
            pools,
            method_sums: OnceCell::new(),
        };
        if let Some(mut samples) = samples {
            samples.find_places(&shown, are_merged);
            shown.samples = Some(samples);
        }
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
        self.times.as_ref().map(|times| times.get(node))
    }

    /// Whether a node has a time of its own: a call of it was timed, or samples tell what its
    /// counted calls took.
    pub fn has_time(&self, node: NodeIx) -> bool {
        let sampled = || self.times(node).is_some_and(|times| times.self_nanos > 0.0);
        self.tree.timed(node) > 0 || sampled()
    }

    /// Whether a node has a time, or timed calls are below it.
    pub fn has_total(&self, node: NodeIx) -> bool {
        let below = || self.times(node).is_some_and(|times| times.total_nanos > 0.0);
        let tree = &self.tree;
        self.has_time(node) || tree.total_time(node) > tree.self_time(node) || below()
    }

    /// Whether times are of all calls, also of those that were only counted: samples tell them.
    pub fn are_calls_sampled(&self) -> bool {
        self.is_corrected() && self.profile.stack_samples.placed().running > 0
    }

    /// Nanoseconds of a tick.
    pub(crate) fn tick(&self) -> f64 {
        self.tick
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
    /// equal ones the first of `nodes` comes last.
    pub fn by_cost(&self, nodes: impl Iterator<Item = NodeIx>) -> Vec<NodeIx> {
        let mut nodes: Vec<NodeIx> = nodes.collect();
        nodes.reverse();
        nodes.sort_by(|a, b| {
            let [of_a, of_b] = [*a, *b].map(|node| self.tree.calls(node));
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

    /// The name of a node of the tree that is shown: as [`Shown::frame_name`], and of a summary
    /// node how many nodes it stands for.
    pub fn node_name(&self, node: NodeIx) -> String {
        match self.tree.number(Metric::Folded, node) {
            0 => self.frame_name(self.tree.frame(node)),
            nodes => crate::names::folded(nodes),
        }
    }

    /// Whether a node stands between a method and what was called below it.
    pub fn is_between(&self, node: NodeIx) -> bool {
        let Frame::Method(method) = self.tree.frame(node) else { return false };
        self.profile.methods.get(method.0 as usize).is_some_and(|method| method.info.is_between())
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

    /// The sums of each method below the roots that are shown.
    pub(crate) fn method_sums(&self) -> &[HotMethod] {
        self.method_sums.get_or_init(|| {
            let roots = self.roots.iter().map(|root| {
                let (tree, root, before) = self.tree.place(*root);
                let times = match (&self.times, before) {
                    (None, _) => &[][..],
                    (Some(times), 0) => &times.threads,
                    (Some(times), _) => &times.pools,
                };
                (tree, root, times)
            });
            hot_methods_of(roots, self.profile.methods.len())
        })
    }
}

/// The roots that are shown, a pool in the place of its first thread.
fn roots(
    tree: &ShownTree,
    pools: Option<&Pools>,
    is_selected: impl Fn(ThreadIx) -> bool,
) -> Vec<NodeIx> {
    let mut of_pools = tree.pool_roots().peekable();
    let has_pools = of_pools.peek().is_some();
    let mut roots = Vec::new();
    for root in tree.thread_roots() {
        match (tree.frame(root), pools) {
            (Frame::Thread(thread), _) if !is_selected(thread) => {}
            (Frame::Thread(thread), Some(pools)) if has_pools && pools.is_pooled(thread) => {
                if pools.first(thread) == thread {
                    roots.extend(of_pools.next());
                }
            }
            _ => roots.push(root),
        }
    }
    roots
}

/// The tree of a profile with the sums of its pools behind it, and corrected times; none if that is
/// more nodes than can be numbered.
fn with_pools<'a>(
    profile: &'a Profile,
    times: &'a [Times],
    pools: &Pools,
) -> Option<(ShownTree<'a>, ShownTimes<'a>)> {
    let tree = &profile.tree;
    let first = |thread| pools.is_pooled(thread).then(|| pools.first(thread));
    let (merged, of_pools) = merge_groups_with(tree, pool_groups(tree, first), times);
    let times = ShownTimes { threads: Cow::Borrowed(times), pools: of_pools };
    Some((ShownTree::with_pools(tree, merged)?, times))
}

/// A single tree without what the filters leave out, and corrected times.
fn filtered<'a>(
    profile: &'a Profile,
    times: &'a [Times],
    scope: &Scope,
    pools: Option<&Pools>,
    is_selected: impl Fn(ThreadIx) -> bool,
) -> (ShownTree<'a>, ShownTimes<'a>) {
    let tree = &profile.tree;
    let (mut tree, mut times) = match (scope.threads, pools) {
        (ThreadTrees::Merged, _) => owned(merge_threads_with(profile, is_selected, times)),
        (ThreadTrees::Pools, Some(pools)) if !pools.are_single() => {
            let first = |thread| is_selected(thread).then(|| pools.first(thread));
            owned(merge_groups_with(tree, pool_groups(tree, first), times))
        }
        (ThreadTrees::Each | ThreadTrees::Pools, _) => (Cow::Borrowed(tree), Cow::Borrowed(times)),
    };
    for filter in &scope.filters {
        (tree, times) = owned(filter.apply(&tree, &times));
    }
    (ShownTree::new(tree), ShownTimes { threads: times, pools: Vec::new() })
}

/// The roots of the threads to which `first` gives the first of their pool, by pool, in the order
/// of these.
fn pool_groups(tree: &Tree, first: impl Fn(ThreadIx) -> Option<ThreadIx>) -> Vec<Vec<NodeIx>> {
    let mut groups: Vec<Vec<NodeIx>> = Vec::new();
    let mut places: HashMap<ThreadIx, usize> = HashMap::new();
    for root in tree.roots() {
        let Frame::Thread(thread) = tree.frame(root) else { continue };
        let Some(first) = first(thread) else { continue };
        match places.entry(first) {
            Entry::Occupied(place) => groups[*place.get()].push(root),
            Entry::Vacant(place) => {
                place.insert(groups.len());
                groups.push(vec![root]);
            }
        }
    }
    groups
}

fn owned<'a>((tree, times): (Tree, Vec<Times>)) -> (Cow<'a, Tree>, Cow<'a, [Times]>) {
    (Cow::Owned(tree), Cow::Owned(times))
}
