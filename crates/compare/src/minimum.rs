//! Minimum of several runs.

use jfathom_profile::{
    Allocation, Cpu, Events, Frame, Latencies, MethodCounts, MethodIx, Metric, Mounts, NodeIx,
    NodeNumbers, Profile, Run, Runs, StackSamples, StackWalks, Thread, ThreadIx, ThreadTimes,
    Ticks, TreeSum,
};

use crate::into_series;
use crate::tree_path::TreePath;

/// The minimum of all runs of all profiles: the contexts that every run has, each with its smallest
/// number of calls and its smallest self time. Disturbances (garbage collection, compilation, other
/// programs) only add time, so the minimum excludes most of them. None without profiles.
///
/// Exits are the smallest of each kind, reduced to fit the calls. The remaining exits are returns.
/// Repairs and losses are those of all runs.
pub fn minimum(profiles: Vec<Profile>) -> Option<Profile> {
    let all = into_series(profiles)?;
    if all.runs.is_empty() {
        return Some(all);
    }
    let nodes = shared_nodes(&all);
    Some(shrink(all, nodes))
}

/// A node that every run has.
struct SharedNode {
    frame: Frame,
    depth: u32,
    /// The smallest value of each number.
    least: NodeNumbers,
}

/// Whether a metric tells parts of a time, or what was beside it: the least of these are of
/// different runs.
fn is_part(metric: Metric) -> bool {
    metric.info().has_total && metric != Metric::SelfTime
}

/// The nodes that every run has, in preorder.
fn shared_nodes(all: &Profile) -> Vec<SharedNode> {
    let least = |of: &dyn Fn(&Run) -> u64| all.runs.iter().map(of).min().unwrap_or(0);
    let is_between = |frame: Frame| match frame {
        Frame::Method(method) => all.method(method).info.is_between(),
        Frame::Thread(_) | Frame::Task(_) => false,
    };
    let shared = |node: NodeIx| {
        let timed = least(&|run| run.number(Metric::Timed, node));
        // Runs demote a method at different moments: the least of all calls, not of either kind.
        let calls = least(&|run| {
            let [timed, counted] =
                [Metric::Timed, Metric::Counted].map(|metric| run.number(metric, node));
            timed.saturating_add(counted)
        });
        let mut numbers = NodeNumbers::new(|metric| match metric.info().runs {
            Runs::Own if !is_part(metric) => least(&|run| run.number(metric, node)),
            Runs::Own | Runs::Sum => 0,
            Runs::Shared => all.tree.number(metric, node),
        });
        numbers[Metric::Counted] = calls - timed;
        numbers[Metric::Unflushed] = numbers[Metric::Unflushed].min(timed);
        let least = numbers;
        let frame = all.tree.frame(node);
        let is_shared = calls > 0 || least[Metric::Folded] > 0 || is_between(frame);
        let node = SharedNode { frame, depth: all.tree.depth(node), least };
        is_shared.then_some(node)
    };
    let mut nodes: Vec<SharedNode> = Vec::new();
    for node in all.tree.nodes().filter_map(shared) {
        drop_empty(&mut nodes, node.depth, is_between);
        nodes.push(node);
    }
    drop_empty(&mut nodes, 0, is_between);
    nodes
}

/// Drops the last node if it stands between others, and no node of this depth is below it.
fn drop_empty(nodes: &mut Vec<SharedNode>, next: u32, is_between: impl Fn(Frame) -> bool) {
    if nodes.last().is_some_and(|last| is_between(last.frame) && next <= last.depth) {
        nodes.pop();
    }
}

/// The profile with the shared nodes alone, and with the threads and methods that these need.
fn shrink(all: Profile, nodes: Vec<SharedNode>) -> Profile {
    let mut entries = vec![0_u64; all.methods.len()];
    let mut counted = vec![0_u64; all.methods.len()];
    let mut is_left = vec![false; all.methods.len()];
    let mut threads: Vec<Option<ThreadIx>> = vec![None; all.threads.len()];
    let mut thread_count = 0;
    for node in &nodes {
        match node.frame {
            Frame::Thread(thread) => {
                threads[thread.0 as usize] = Some(ThreadIx(thread_count));
                thread_count += 1;
            }
            Frame::Method(method) => {
                let sum = &mut entries[method.0 as usize];
                *sum = sum.saturating_add(node.least[Metric::Timed]);
                let sum = &mut counted[method.0 as usize];
                *sum = sum.saturating_add(node.least[Metric::Counted]);
                is_left[method.0 as usize] = true;
            }
            Frame::Task(method) => is_left[method.0 as usize] = true,
        }
    }
    let mut methods = Vec::new();
    let mut places = vec![MethodIx(0); all.methods.len()];
    for (at, method) in all.methods.iter().enumerate() {
        let mut counts = least_counts(&all.runs, at, entries[at]);
        counts.counted = counted[at];
        if is_left[at] || counts.virtual_calls != 0 {
            places[at] = MethodIx(methods.len() as u32);
            methods.push(method.with_counts(&counts));
        }
    }
    let mut tree = TreeSum::default();
    let mut path = TreePath::default();
    for node in &nodes {
        let frame = match node.frame {
            Frame::Thread(of) => Frame::Thread(threads[of.0 as usize].unwrap_or(ThreadIx(0))),
            Frame::Method(of) => Frame::Method(places[of.0 as usize]),
            Frame::Task(of) => Frame::Task(places[of.0 as usize]),
        };
        if let Some(place) = path.push(node.depth, |parent| Some(tree.child(parent, frame))) {
            tree.add(place, &node.least);
        }
    }
    let least = |at: usize, of: &dyn Fn(&ThreadTimes) -> Ticks| {
        all.runs.iter().map(|run| of(&run.threads[at])).min().unwrap_or_default()
    };
    let kept = all.threads.iter().enumerate().filter(|(at, _)| threads[*at].is_some());
    let threads = kept.map(|(at, thread)| Thread {
        unattributed: least(at, &|times| times.unattributed),
        excluded: least(at, &|times| times.excluded),
        scheduling: None,
        ..thread.clone()
    });
    let mut meta = all.meta;
    if !all.latencies.unsampled.is_empty() {
        meta.notices.push("not all calls of roots were recorded (root sampling)".to_owned());
    }
    meta.notices.push(format!("the least that {} runs share", all.runs.len()));
    Profile {
        meta,
        rate: all.rate,
        methods,
        threads: threads.collect(),
        tree: tree.tree(),
        quality: all.quality,
        anchor: None,
        runs: Vec::new(),
        latencies: Latencies::default(),
        slice: None,
        mounts: Mounts::default(),
        trust: None,
        allocation: Allocation::default(),
        cpu: Cpu::default(),
        stack_samples: StackSamples::default(),
        stack_walks: StackWalks::default(),
        events: Events::default(),
    }
}

/// The smallest counts of a method, its exits cut to fit `entries`.
fn least_counts(runs: &[Run], at: usize, entries: u64) -> MethodCounts {
    let least = |of: fn(&MethodCounts) -> u64| {
        runs.iter().map(|run| of(&run.methods[at])).min().unwrap_or(0)
    };
    let mut left = entries;
    let mut part = |of: fn(&MethodCounts) -> u64| {
        let part = least(of).min(left);
        left -= part;
        part
    };
    let throws = part(|counts| counts.throws);
    let inferred = part(|counts| counts.inferred);
    let open = part(|counts| counts.open);
    MethodCounts {
        entries,
        returns: left,
        throws,
        inferred,
        open,
        unmatched_exits: least(|counts| counts.unmatched_exits),
        caught: least(|counts| counts.caught),
        virtual_calls: least(|counts| counts.virtual_calls),
        counted: 0,
    }
}
