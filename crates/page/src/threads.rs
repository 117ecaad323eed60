//! The threads of a page.

use jfathom_calibration::{CorrectedTimes, Times};
use jfathom_profile::{Frame, NodeIx, Profile, ThreadIx};
use jfathom_views::{Scope, Shown, ThreadTrees, thread_name};
use serde_json::{Value, json};

/// The threads that are shown, the one with the most time first, each with its pool. A pool has the
/// name of a frame at the bottom of the stacks.
pub(crate) fn threads(
    shown: &Shown,
    corrected: Option<&CorrectedTimes>,
    scope: &Scope,
) -> Vec<Value> {
    let profile = shown.profile;
    let own = Scope { threads: ThreadTrees::Each, filters: Vec::new(), ..scope.clone() };
    let selected = own.threads(profile);
    let pools = match scope.threads {
        ThreadTrees::Pools => shown.pool_names(),
        ThreadTrees::Each | ThreadTrees::Merged => pool_names(profile, scope),
    };
    let mut threads: Vec<(Times, Value)> = profile
        .tree
        .roots()
        .filter_map(|root| match profile.tree.frame(root) {
            Frame::Thread(thread) => Some((root, thread)),
            _ => None,
        })
        .filter(|(_, thread)| selected.binary_search(thread).is_ok())
        .map(|(root, thread)| thread_row(shown, corrected, root, thread, &pools))
        .collect();
    threads.sort_by(|(a, _), (b, _)| b.total_nanos.total_cmp(&a.total_nanos));
    threads.into_iter().map(|(_, row)| row).collect()
}

/// By thread, the name of its pool.
fn pool_names(profile: &Profile, scope: &Scope) -> Vec<String> {
    let scope = Scope { threads: ThreadTrees::Pools, filters: Vec::new(), ..scope.clone() };
    Shown::new(profile, None, &scope).pool_names()
}

fn thread_row(
    shown: &Shown,
    corrected: Option<&CorrectedTimes>,
    root: NodeIx,
    thread: ThreadIx,
    pools: &[String],
) -> (Times, Value) {
    let profile = shown.profile;
    let tree = &profile.tree;
    let facts = profile.thread(thread);
    let times = match corrected {
        Some(corrected) => corrected.node(root),
        None => Times { total_nanos: shown.nanos(tree.total_time(root)), ..Times::default() },
    };
    let below = tree.subtree(root).skip(1).map(NodeIx);
    let calls = below.fold(0, |calls: u64, node| calls.saturating_add(tree.calls(node)));
    let scheduling = facts.scheduling;
    let row = json!({
        "name": thread_name(profile, thread),
        "pool": pools.get(thread.0 as usize),
        "calls": calls,
        "total": times.total_nanos,
        "bar": times.total_error_nanos,
        "outside": shown.nanos(facts.unattributed),
        "queued": scheduling.map(|of| of.queued_nanos),
    });
    (times, row)
}
