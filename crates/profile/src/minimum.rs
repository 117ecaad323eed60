//! What several runs share.

use std::collections::BTreeMap;

use crate::tree::Columns;
use crate::{
    Frame, MethodCounts, MethodIx, Profile, Run, Thread, ThreadCount, ThreadIx, Ticks, Tree, frame,
    into_series,
};

/// The least that all runs of all profiles share, as a profile: the contexts that each run has,
/// each with its smallest number of calls and its smallest time in itself. What is not disturbed is
/// left: collections, compilation, other programs only ever add. `None` if there is no profile.
///
/// Exits are the smallest of each kind, cut to fit the calls that are left; what remains are
/// returns. Repairs and losses are those of all runs.
pub fn minimum(profiles: Vec<Profile>) -> Option<Profile> {
    let all = into_series(profiles)?;
    if all.runs.is_empty() {
        return Some(all);
    }
    let mut columns = Columns::with_capacity(all.tree.len());
    let least = |of: &dyn Fn(&Run) -> u64| all.runs.iter().map(of).min().unwrap_or(0);
    for node in all.tree.nodes() {
        let at = node.0 as usize;
        let calls = least(&|run| run.calls[at]);
        if calls == 0 {
            continue;
        }
        columns.frames.push(pack(all.tree.frame(node)));
        columns.depths.push(all.tree.depth(node));
        columns.calls.push(calls);
        columns.self_ticks.push(Ticks(least(&|run| run.self_ticks[at].0)));
        columns.counted.push(least(&|run| run.counted.get(at).copied().unwrap_or(0)));
        columns.notes.push(least(&|run| run.notes.get(at).copied().unwrap_or(0)));
        columns.throws.push(least(&|run| run.throws.get(at).copied().unwrap_or(0)));
    }
    let counts = shared_counts(&all);
    Some(shrink(all, columns, counts))
}

/// Counted calls that each run has, by thread and method.
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

/// The profile with what is left: threads and methods that no run is without.
fn shrink(
    all: Profile,
    mut columns: Columns,
    shared: BTreeMap<(ThreadIx, MethodIx), u64>,
) -> Profile {
    let mut entries = vec![0_u64; all.methods.len()];
    let mut is_left = vec![false; all.methods.len()];
    let mut threads: Vec<Option<u32>> = vec![None; all.threads.len()];
    let mut thread_count = 0;
    for (packed, calls) in columns.frames.iter().zip(&columns.calls) {
        match Frame::unpack(*packed) {
            Some(Frame::Thread(thread)) => {
                threads[thread.0 as usize] = Some(thread_count);
                thread_count += 1;
            }
            Some(Frame::Method(method)) => {
                let sum = &mut entries[method.0 as usize];
                *sum = sum.saturating_add(*calls);
                is_left[method.0 as usize] = true;
            }
            Some(Frame::Task(method)) => is_left[method.0 as usize] = true,
            None => {}
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
    let mut places = vec![0; all.methods.len()];
    for (at, method) in all.methods.iter().enumerate() {
        let mut counts = least_counts(&all.runs, at, entries[at]);
        counts.counted = counted[at];
        if is_left[at] || counts.counted | counts.virtual_calls != 0 {
            places[at] = methods.len() as u32;
            methods.push(method.with_counts(&counts));
        }
    }
    for packed in &mut columns.frames {
        *packed = match Frame::unpack(*packed) {
            Some(Frame::Thread(thread)) => {
                frame::pack(frame::THREAD, threads[thread.0 as usize].unwrap_or(0))
            }
            Some(Frame::Method(method)) => frame::pack(frame::METHOD, places[method.0 as usize]),
            Some(Frame::Task(method)) => frame::pack(frame::TASK, places[method.0 as usize]),
            None => *packed,
        };
    }
    let counts = shared.into_iter().filter_map(|((thread, method), calls)| {
        let thread = ThreadIx(threads[thread.0 as usize]?);
        Some(ThreadCount { thread, method: MethodIx(places[method.0 as usize]), calls })
    });
    let counts = counts.filter(|count| count.calls > 0).collect();
    let least = |at: usize, of: &dyn Fn(&crate::ThreadTimes) -> Ticks| {
        all.runs.iter().map(|run| of(&run.threads[at])).min().unwrap_or_default()
    };
    let kept = all.threads.iter().enumerate().filter(|(at, _)| threads[*at].is_some());
    let threads = kept.map(|(at, thread)| Thread {
        outside: least(at, &|times| times.outside),
        adjusted: least(at, &|times| times.adjusted),
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
        tree: Tree::new(columns).expect("a part of a tree that has the parent of each node"),
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

fn pack(of: Frame) -> u32 {
    match of {
        Frame::Thread(thread) => frame::pack(frame::THREAD, thread.0),
        Frame::Method(method) => frame::pack(frame::METHOD, method.0),
        Frame::Task(method) => frame::pack(frame::TASK, method.0),
    }
}
