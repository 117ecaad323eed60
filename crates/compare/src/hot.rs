//! Hot methods: the sums of each method over all its nodes.

use jfathom_calibration::Times;
use jfathom_profile::{
    Frame, MethodIx, Metric, NodeIx, NodeNumbers, Profile, ThreadIx, Ticks, Tree, both,
};

/// A method's sums over the selected threads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HotMethod {
    /// The method.
    pub method: MethodIx,
    /// The sums of the numbers of its nodes.
    pub own: NodeNumbers,
    /// Those with all callees, recursive calls counted once, of metrics that have totals.
    pub total: NodeNumbers,
    /// Corrected times, or zeros if none were given.
    pub times: Times,
}

impl HotMethod {
    /// All its calls outside virtual threads, timed and counted.
    pub fn calls(&self) -> u64 {
        self.own.calls()
    }

    /// Those that were timed: the times are theirs.
    pub fn timed(&self) -> u64 {
        self.own[Metric::Timed]
    }

    /// Whether it has a time: a call was timed, or samples tell what its counted calls took.
    pub fn has_time(&self) -> bool {
        self.timed() > 0 || self.times.self_nanos > 0.0
    }

    /// Measured self time.
    pub fn self_time(&self) -> Ticks {
        Ticks(self.own[Metric::SelfTime])
    }

    /// Measured total time, recursive calls counted once.
    pub fn total_time(&self) -> Ticks {
        Ticks(self.total[Metric::SelfTime])
    }
}

/// The methods that were called on the selected threads. The order is by measured self time, then
/// by calls, the largest first, then by place in the method table.
pub fn hot_methods(profile: &Profile, select: impl Fn(ThreadIx) -> bool) -> Vec<HotMethod> {
    hot_methods_with(profile, select, &[])
}

/// [`hot_methods`] with corrected times. `times` are those of the profile's nodes
/// ([`jfathom_calibration::CorrectedTimes::nodes`]); the order stays that of measured times.
pub fn hot_methods_with(
    profile: &Profile,
    select: impl Fn(ThreadIx) -> bool,
    times: &[Times],
) -> Vec<HotMethod> {
    let tree = &profile.tree;
    let is_selected = |root: &NodeIx| match tree.frame(*root) {
        Frame::Thread(thread) => select(thread),
        _ => true,
    };
    let roots = tree.roots().filter(is_selected);
    hot_methods_of(roots.map(|root| (tree, root, times)), profile.methods.len())
}

/// A root in its tree, with the corrected times of that tree's nodes.
pub type RootWithTimes<'a> = (&'a Tree, NodeIx, &'a [Times]);

/// [`hot_methods_with`] of some roots. `methods` is the length of the method table.
pub fn hot_methods_of<'a>(
    roots: impl Iterator<Item = RootWithTimes<'a>>,
    methods: usize,
) -> Vec<HotMethod> {
    let roots: Vec<RootWithTimes> = roots.collect();
    let nodes: usize = roots.iter().map(|(tree, root, _)| tree.subtree(*root).len()).sum();
    // Neither of the two passes writes what the other one does.
    let (mut sums, totals) = if nodes < PARALLEL_NODES {
        (calls_and_self_times(&roots, methods), total_times(&roots, methods))
    } else {
        let calls_and_self_times = || calls_and_self_times(&roots, methods);
        both(calls_and_self_times, || total_times(&roots, methods))
    };
    for (sum, total) in sums.iter_mut().zip(totals) {
        (sum.total, sum.times) = (total.total, sum.times.plus(total.times));
    }
    sums.retain(|sum| sum.calls() != 0);
    let key = |of: &HotMethod| (of.self_time(), of.calls());
    sums.sort_by(|a, b| key(b).cmp(&key(a)).then(a.method.cmp(&b.method)));
    sums
}

/// Nodes that are worth a second thread.
const PARALLEL_NODES: usize = 1 << 16;

/// By method: calls and self times.
fn calls_and_self_times(roots: &[RootWithTimes], methods: usize) -> Vec<HotMethod> {
    let sum = |method| HotMethod { method, ..HotMethod::default() };
    let mut sums: Vec<HotMethod> = (0..methods as u32).map(|at| sum(MethodIx(at))).collect();
    for (tree, root, times) in roots {
        let metrics: Vec<Metric> = Metric::all().filter(|metric| tree.has(*metric)).collect();
        for node in tree.subtree(*root).map(NodeIx) {
            let Frame::Method(method) = tree.frame(node) else { continue };
            let Some(sum) = sums.get_mut(method.0 as usize) else { continue };
            metrics.iter().for_each(|of| sum.own.add_to(*of, tree.number(*of, node)));
            if let Some(times) = times.get(node.0 as usize) {
                sum.times = sum.times.plus(times.self_only());
            }
        }
    }
    sums
}

/// The totals by method.
fn total_times(roots: &[RootWithTimes], methods: usize) -> Vec<HotMethod> {
    let mut sums = vec![HotMethod::default(); methods];
    // Where the outermost frame of each method ends, in nodes of all roots. In preorder all frames
    // before that are inner ones.
    let mut inside_until = vec![0_u64; methods];
    let mut before = 0;
    for (tree, root, times) in roots {
        let with_totals = |of: &Metric| of.info().has_total && tree.has(*of);
        let metrics: Vec<Metric> = Metric::all().filter(with_totals).collect();
        let nodes = tree.subtree(*root);
        let place = |node: u32| before + u64::from(node - root.0);
        for node in nodes.clone().map(NodeIx) {
            let Frame::Method(method) = tree.frame(node) else { continue };
            let Some(until) = inside_until.get_mut(method.0 as usize) else { continue };
            if place(node.0) >= *until {
                let sum = &mut sums[method.0 as usize];
                metrics.iter().for_each(|of| sum.total.add_to(*of, tree.total(*of, node)));
                if let Some(times) = times.get(node.0 as usize) {
                    sum.times = sum.times.plus(times.total_only());
                }
                *until = place(tree.subtree(node).end);
            }
        }
        before = place(nodes.end);
    }
    sums
}
