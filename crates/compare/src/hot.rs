//! Hot methods: the sums of each method over all its nodes.

use jfathom_calibration::Times;
use jfathom_profile::{
    Bytes, Frame, MethodIx, NodeIx, OffCpu, Profile, ThreadIx, Ticks, Tree, both,
};

/// A method's sums over the selected threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HotMethod {
    /// The method.
    pub method: MethodIx,
    /// All its calls outside virtual threads, timed and counted.
    pub calls: u64,
    /// Those that were timed: the times below are theirs.
    pub timed: u64,
    /// Measured self time.
    pub self_time: Ticks,
    /// Measured total time, recursive calls counted once.
    pub total_time: Ticks,
    /// How much of the self time virtual threads were parked.
    pub parked: Ticks,
    /// How much of the total time.
    pub total_parked: Ticks,
    /// Bytes that threads have allocated in the method itself.
    pub allocated: Bytes,
    /// Those with its callees' bytes, recursive calls counted once.
    pub total_allocated: Bytes,
    /// How much of the self time threads had no processor.
    pub off_cpu: OffCpu,
    /// How much of the total time.
    pub total_off_cpu: OffCpu,
    /// Corrected times, or zeros if none were given.
    pub times: Times,
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
        sum.total_time = total.time;
        sum.total_parked = total.parked;
        sum.total_allocated = total.allocated;
        sum.total_off_cpu = total.off_cpu;
        sum.times = sum.times.plus(total.times);
    }
    sums.retain(|sum| sum.calls != 0);
    sums.sort_by(|a, b| (b.self_time, b.calls, a.method).cmp(&(a.self_time, a.calls, b.method)));
    sums
}

/// Nodes that are worth a second thread.
const PARALLEL_NODES: usize = 1 << 16;

/// By method: calls and self times.
fn calls_and_self_times(roots: &[RootWithTimes], methods: usize) -> Vec<HotMethod> {
    let sum = |method| HotMethod {
        method,
        calls: 0,
        timed: 0,
        self_time: Ticks(0),
        total_time: Ticks(0),
        parked: Ticks(0),
        total_parked: Ticks(0),
        allocated: Bytes(0),
        total_allocated: Bytes(0),
        off_cpu: OffCpu::default(),
        total_off_cpu: OffCpu::default(),
        times: Times::default(),
    };
    let mut sums: Vec<HotMethod> = (0..methods as u32).map(|at| sum(MethodIx(at))).collect();
    for (tree, root, times) in roots {
        for node in tree.subtree(*root).map(NodeIx) {
            let Frame::Method(method) = tree.frame(node) else { continue };
            let Some(sum) = sums.get_mut(method.0 as usize) else { continue };
            sum.calls = sum.calls.saturating_add(tree.calls(node));
            sum.timed = sum.timed.saturating_add(tree.timed(node));
            sum.self_time += tree.self_time(node);
            sum.parked += tree.parked(node);
            sum.allocated += tree.allocated(node);
            sum.off_cpu += tree.off_cpu(node);
            if let Some(times) = times.get(node.0 as usize) {
                sum.times = sum.times.plus(times.self_only());
            }
        }
    }
    sums
}

/// Totals of a method, recursive calls counted once.
#[derive(Clone, Copy, Default)]
struct Totals {
    time: Ticks,
    parked: Ticks,
    allocated: Bytes,
    off_cpu: OffCpu,
    times: Times,
}

/// The totals by method.
fn total_times(roots: &[RootWithTimes], methods: usize) -> Vec<Totals> {
    let mut sums = vec![Totals::default(); methods];
    // Where the outermost frame of each method ends, in nodes of all roots. In preorder all frames
    // before that are inner ones.
    let mut inside_until = vec![0_u64; methods];
    let mut before = 0;
    for (tree, root, times) in roots {
        let nodes = tree.subtree(*root);
        let place = |node: u32| before + u64::from(node - root.0);
        for node in nodes.clone().map(NodeIx) {
            let Frame::Method(method) = tree.frame(node) else { continue };
            let Some(until) = inside_until.get_mut(method.0 as usize) else { continue };
            if place(node.0) >= *until {
                let sum = &mut sums[method.0 as usize];
                sum.time += tree.total_time(node);
                sum.parked += tree.total_parked(node);
                sum.allocated += tree.total_allocated(node);
                sum.off_cpu += tree.total_off_cpu(node);
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
