//! Frames of an inverted flame graph: methods at the bottom, their callers on them.

use super::drawn::{Drawn, detail};
use jfathom_calibration::Times;
use jfathom_profile::{Frame, NodeIx};
use jfathom_views::{Pruned, StackWeight};
use std::collections::HashMap;

/// Call paths with less than this part of the whole are added up in one frame.
const LEAST: f64 = 1e-4;

#[derive(Debug)]
struct Inverted {
    frame: Frame,
    value: f64,
    calls: u64,
    timed: u64,
    /// As total time: the self time of the method at the bottom by this back trace.
    times: Times,
    callers: Vec<usize>,
}

/// The frames of the back traces of all methods by their self times or calls. Small call paths are
/// one frame that says how many they are.
pub(crate) fn frames(visible: &Pruned, weight: StackWeight) -> Vec<Drawn> {
    let tree = &visible.tree;
    let value_of = |node: NodeIx| match (weight, tree.frame(node)) {
        (StackWeight::SelfTime, _) => visible.self_time(node).max(0.0),
        (StackWeight::Calls, Frame::Thread(_)) => 0.0,
        (StackWeight::Calls, _) => tree.calls(node) as f64,
    };
    let nodes: Vec<NodeIx> = visible.all_nodes().collect();
    let whole: f64 = nodes.iter().map(|node| value_of(*node)).sum();
    let mut arena: Vec<Inverted> = Vec::new();
    let mut places: HashMap<(Option<usize>, Frame), usize> = HashMap::new();
    let mut bottom: Vec<usize> = Vec::new();
    let (mut small, mut small_value) = (0_u64, 0.0);
    let mut path: Vec<Frame> = Vec::new();
    for node in nodes {
        path.truncate(tree.depth(node) as usize);
        path.push(tree.frame(node));
        let value = value_of(node);
        if value < LEAST * whole {
            if value > 0.0 {
                small += 1;
                small_value += value;
            }
            continue;
        }
        let times = visible.times_or_measured(node);
        let own = Times {
            total_nanos: times.self_nanos,
            total_error_nanos: times.self_error_nanos,
            ..Times::default()
        };
        let mut at = None;
        for frame in path.iter().rev() {
            let next = *places.entry((at, *frame)).or_insert_with(|| {
                arena.push(Inverted {
                    frame: *frame,
                    value: 0.0,
                    calls: 0,
                    timed: 0,
                    times: Times::default(),
                    callers: Vec::new(),
                });
                let added = arena.len() - 1;
                match at {
                    Some(below) => {
                        let below: &mut Inverted = &mut arena[below];
                        below.callers.push(added);
                    }
                    None => bottom.push(added),
                }
                added
            });
            let to = &mut arena[next];
            to.value += value;
            to.calls = to.calls.saturating_add(tree.calls(node));
            to.timed = to.timed.saturating_add(tree.timed(node));
            to.times = to.times.plus(own);
            at = Some(next);
        }
    }
    let mut frames = in_order(visible, &arena, bottom);
    if small > 0 {
        frames.push(Drawn {
            depth: 0,
            value: small_value,
            name: format!("{small} call paths"),
            detail: "each less than 0.01 % of all".to_owned(),
            trust: None,
        });
    }
    frames
}

/// The arena in preorder, the largest first.
fn in_order(visible: &Pruned, arena: &[Inverted], bottom: Vec<usize>) -> Vec<Drawn> {
    let by_size = |mut nodes: Vec<usize>| {
        nodes.sort_by(|a, b| arena[*a].value.total_cmp(&arena[*b].value));
        nodes
    };
    let mut stack: Vec<(usize, usize)> =
        by_size(bottom).into_iter().map(|node| (node, 0)).collect();
    let mut frames = Vec::with_capacity(arena.len());
    while let Some((at, depth)) = stack.pop() {
        let Inverted { frame, value, calls, timed, times, .. } = arena[at];
        frames.push(Drawn {
            depth,
            value,
            name: visible.frame_name(frame),
            detail: detail(times, visible.is_corrected(), visible.whole, Some((calls, timed))),
            trust: (timed > 0 || times.total_nanos > 0.0)
                .then_some([times.total_nanos, times.total_error_nanos]),
        });
        let callers = by_size(arena[at].callers.clone());
        stack.extend(callers.into_iter().map(|caller| (caller, depth + 1)));
    }
    frames
}
