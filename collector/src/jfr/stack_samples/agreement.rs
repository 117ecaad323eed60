//! Whether the frames of a sample are the calls that were open at its time.

use super::{
    call_paths::{CallPaths, Step},
    open_calls::Open,
};
use jfathom_profile::{MethodIx, NodeIx};

/// What time says of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is outside of recorded calls: both say so, or its thread had none yet, or none any more.
    Outside,
    /// The same calls.
    Agree,
    /// The same but for innermost calls that are too short, or began or ended too close, to say.
    Short,
    /// Others.
    Disagree,
}

/// How far a stack's path and open calls are the same, from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Common {
    /// Steps of the path before the first one that is not open.
    steps: usize,
    /// Open calls before the first one that is not on the path.
    calls: usize,
}

/// Judges the place of a stack in the thread with this root by the calls that were open. Calls of
/// less than `short_nanos` are too short to say. Of several nodes to which its frames lead the one
/// with the best verdict is the place: which calls on the way were counted at that time only the
/// open calls say.
pub(super) fn judge(
    paths: &mut CallPaths,
    root: NodeIx,
    nodes: &[NodeIx],
    open: &Open,
    short_nanos: u64,
) -> (Verdict, Option<NodeIx>) {
    let calls = open.path.map(|ids| paths.frames_of(ids)).unwrap_or_default();
    if let Some(node) = paths.node_of(root, &calls).filter(|node| nodes.contains(node)) {
        return (Verdict::Agree, Some(node));
    }
    let mut best: Option<(Verdict, Option<NodeIx>)> = None;
    for node in nodes {
        let verdict = judge_one(paths, root, Some(*node), open, short_nanos);
        if matches!(verdict, Verdict::Agree | Verdict::Outside) {
            return (verdict, Some(*node));
        }
        if best.is_none_or(|(best, _)| best == Verdict::Disagree && verdict != best) {
            best = Some((verdict, Some(*node)));
        }
    }
    best.unwrap_or_else(|| (judge_one(paths, root, None, open, short_nanos), None))
}

fn judge_one(
    paths: &mut CallPaths,
    root: NodeIx,
    place: Option<NodeIx>,
    open: &Open,
    short_nanos: u64,
) -> Verdict {
    let steps = place.map(|node| paths.recorded_path(node)).unwrap_or_default();
    let ids = open.path.unwrap_or_default();
    let calls = paths.open_path(ids);
    if open.path.is_none() && open.is_beyond {
        return Verdict::Outside;
    }
    let same = common(&steps, &calls);
    match (same.steps == steps.len(), same.calls == calls.len()) {
        (true, true) if place.is_none() => return Verdict::Outside,
        (true, true) => return Verdict::Agree,
        // Nothing shorter than the resolution is among the open calls.
        (false, true) if !calls.is_empty() => return Verdict::Short,
        _ => {}
    }
    let is_close = open.near.iter().any(|ids| {
        let calls = paths.open_path(ids.unwrap_or_default());
        let is_outside = ids.is_none() && place.is_some();
        !is_outside && common(&steps, &calls).calls == calls.len()
    });
    if is_close || same.calls > 0 && is_tiny(paths, root, &steps, ids, same, short_nanos) {
        return Verdict::Short;
    }
    Verdict::Disagree
}

/// Whether what differs are calls that are short on average. To sample a thread is to stop it: the
/// call in which that happens is longer than others.
fn is_tiny(
    paths: &mut CallPaths,
    root: NodeIx,
    steps: &[Step],
    ids: &[jfathom_plan::MethodId],
    same: Common,
    short_nanos: u64,
) -> bool {
    let outermost = paths.first_calls(ids, same.calls + 1);
    let of_open = paths.node_of(root, outermost);
    let of_stack = steps.get(same.steps).map(|step| step.node);
    let is_short = |node: NodeIx| paths.mean_nanos(node) < short_nanos;
    of_open.is_some_and(is_short) && of_stack.is_none_or(is_short)
}

/// Holds open calls against the path of a stack. Calls that may have been counted may be missing.
fn common(steps: &[Step], open: &[Option<MethodIx>]) -> Common {
    let mut calls = 0;
    for (at, step) in steps.iter().enumerate() {
        if open.get(calls) == Some(&Some(step.method)) {
            calls += 1;
        } else if !step.may_be_counted {
            return Common { steps: at, calls };
        }
    }
    Common { steps: steps.len(), calls }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_calls_may_be_missing() {
        let [a, b, c] = [1, 2, 3].map(MethodIx);
        let step = |method, may_be_counted| Step { node: NodeIx(0), method, may_be_counted };
        let path = [step(a, false), step(b, true), step(c, false)];
        let open = |calls: &[MethodIx]| calls.iter().map(|of| Some(*of)).collect::<Vec<_>>();
        for (calls, steps, matched) in [
            (vec![a, b, c], 3, 3),
            (vec![a, c], 3, 2),
            (vec![a, b], 2, 2),
            (vec![a], 2, 1),
            (vec![], 0, 0),
            (vec![a, b, c, a], 3, 3),
            (vec![b, c], 0, 0),
            (vec![a, b, a], 2, 2),
        ] {
            let expected = Common { steps, calls: matched };
            assert_eq!(common(&path, &open(&calls)), expected, "{calls:?}");
        }
        assert_eq!(common(&path, &[None]), Common { steps: 0, calls: 0 });
        assert_eq!(common(&[step(b, true)], &[]), Common { steps: 1, calls: 0 });
    }
}
