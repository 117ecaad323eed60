//! Minimum of several runs.

use std::collections::BTreeMap;

use jfathom_profile::{
    Frame, MethodCounts, MethodIx, NodeIx, NodeNumbers, Profile, Run, Thread, ThreadCount,
    ThreadIx, ThreadTimes, Ticks, TreeSum,
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
    let counts = shared_counts(&all);
    Some(shrink(all, nodes, counts))
}

/// A node that every run has.
struct SharedNode {
    frame: Frame,
    depth: u32,
    /// The smallest value of each number.
    least: NodeNumbers,
}

/// The nodes that every run has, in preorder.
fn shared_nodes(all: &Profile) -> Vec<SharedNode> {
    let least = |of: &dyn Fn(&Run) -> u64| all.runs.iter().map(of).min().unwrap_or(0);
    let sparse = |column: &[u64], at: usize| column.get(at).copied().unwrap_or(0);
    let shared = |node: NodeIx| {
        let at = node.0 as usize;
        let least = NodeNumbers {
            calls: least(&|run| run.calls[at]),
            self_time: Ticks(least(&|run| run.self_ticks[at].0)),
            counted: least(&|run| sparse(&run.counted, at)),
            count_records: least(&|run| sparse(&run.count_records, at)),
            throws: least(&|run| sparse(&run.throws, at)),
        };
        let node = SharedNode { frame: all.tree.frame(node), depth: all.tree.depth(node), least };
        (least.calls > 0).then_some(node)
    };
    all.tree.nodes().filter_map(shared).collect()
}

/// Counted calls that each run has, by thread and method: the smallest number of all runs.
fn shared_counts(all: &Profile) -> BTreeMap<(ThreadIx, MethodIx), u64> {
    let mut shared: Option<BTreeMap<(ThreadIx, MethodIx), u64>> = None;
    for run in &all.runs {
        let of_run: BTreeMap<_, _> =
            run.counts.iter().map(|count| ((count.thread, count.method), count.calls)).collect();
        shared = Some(match shared {
            None => of_run,
            Some(shared) => shared
                .into_iter()
                .filter_map(|(key, calls)| Some((key, calls.min(*of_run.get(&key)?))))
                .collect(),
        });
    }
    shared.unwrap_or_default()
}

/// The profile with the shared nodes and counts alone, and with the threads and methods that these
/// need.
fn shrink(
    all: Profile,
    nodes: Vec<SharedNode>,
    shared: BTreeMap<(ThreadIx, MethodIx), u64>,
) -> Profile {
    let mut entries = vec![0_u64; all.methods.len()];
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
                *sum = sum.saturating_add(node.least.calls);
                is_left[method.0 as usize] = true;
            }
            Frame::Task(method) => is_left[method.0 as usize] = true,
        }
    }
    let mut counted = vec![0_u64; all.methods.len()];
    for ((thread, method), calls) in &shared {
        if threads[thread.0 as usize].is_some() {
            let sum = &mut counted[method.0 as usize];
            *sum = sum.saturating_add(*calls);
        }
    }
    let mut methods = Vec::new();
    let mut places = vec![MethodIx(0); all.methods.len()];
    for (at, method) in all.methods.iter().enumerate() {
        let mut counts = least_counts(&all.runs, at, entries[at]);
        counts.counted = counted[at];
        if is_left[at] || counts.counted | counts.virtual_calls != 0 {
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
    let counts = shared.into_iter().filter_map(|((thread, method), calls)| {
        let thread = threads[thread.0 as usize]?;
        Some(ThreadCount { thread, method: places[method.0 as usize], calls })
    });
    let counts = counts.filter(|count| count.calls > 0).collect();
    let least = |at: usize, of: &dyn Fn(&ThreadTimes) -> Ticks| {
        all.runs.iter().map(|run| of(&run.threads[at])).min().unwrap_or_default()
    };
    let kept = all.threads.iter().enumerate().filter(|(at, _)| threads[*at].is_some());
    let threads = kept.map(|(at, thread)| Thread {
        unattributed: least(at, &|times| times.unattributed),
        excluded: least(at, &|times| times.excluded),
        ..thread.clone()
    });
    let mut meta = all.meta;
    meta.notices.push(format!("the least that {} runs share", all.runs.len()));
    Profile {
        meta,
        rate: all.rate,
        methods,
        threads: threads.collect(),
        counts,
        tree: tree.tree(),
        quality: all.quality,
        anchor: None,
        runs: Vec::new(),
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
    let demoted = part(|counts| counts.demoted);
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
        demoted,
        counted: 0,
    }
}
