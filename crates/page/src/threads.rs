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
    let own = Scope { threads: ThreadTrees::Each, ..scope.clone() };
    let own = Shown::new(shown.profile, corrected, &own);
    let pools = match scope.threads {
        ThreadTrees::Pools => shown.pool_names(),
        ThreadTrees::Each | ThreadTrees::Merged => pool_names(shown.profile, scope),
    };
    let mut threads: Vec<(Times, Value)> = own
        .roots
        .iter()
        .filter_map(|root| match own.tree.frame(*root) {
            Frame::Thread(thread) => Some(thread_row(&own, *root, thread, &pools)),
            _ => None,
        })
        .collect();
    threads.sort_by(|(a, _), (b, _)| b.total_nanos.total_cmp(&a.total_nanos));
    threads.into_iter().map(|(_, row)| row).collect()
}

/// By thread, the name of its pool.
fn pool_names(profile: &Profile, scope: &Scope) -> Vec<String> {
    let scope = Scope { threads: ThreadTrees::Pools, filters: Vec::new(), ..scope.clone() };
    Shown::new(profile, None, &scope).pool_names()
}

fn thread_row(shown: &Shown, root: NodeIx, thread: ThreadIx, pools: &[String]) -> (Times, Value) {
    let profile = shown.profile;
    let facts = profile.thread(thread);
    let times = shown.times_or_measured(root);
    let below = shown.tree.subtree(root).skip(1).map(NodeIx);
    let calls = below.fold(0, |calls: u64, node| calls.saturating_add(shown.tree.calls(node)));
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
