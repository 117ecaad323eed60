//! Back traces: the callers of a method, and their callers, up to the threads.

use crate::Shown;
use jfathom_calibration::Times;
use jfathom_profile::{Frame, MethodIx, NodeIx};
use std::collections::HashMap;

/// A node of the tree of back traces: a frame on the way from the method up to the threads.
#[derive(Clone, Debug, PartialEq)]
pub struct Backtrace {
    /// The method itself at depth 0, then its callers.
    pub frame: Frame,
    /// Distance from the method.
    pub depth: u32,
    /// Calls of the method by this back trace, timed and counted.
    pub calls: u64,
    /// Those that were timed.
    pub timed: u64,
    /// The method's own self and total times by this back trace. Of recursive calls only the
    /// outermost has a total.
    pub times: Times,
}

/// The back traces of a method, in preorder; the costliest callers first. The first node has the
/// method's sums. Empty if the method is not in what is shown.
pub fn backtraces(shown: &Shown, method: MethodIx) -> Vec<Backtrace> {
    let tree = &shown.tree;
    let mut arena: Vec<Inverted> = Vec::new();
    let mut children: HashMap<(usize, Frame), usize> = HashMap::new();
    let mut path: Vec<NodeIx> = Vec::new();
    let mut outer_end = 0;
    for node in shown.all_nodes() {
        path.truncate(tree.depth(node) as usize);
        if path.is_empty() {
            // The roots need not be in the order of their numbers.
            outer_end = 0;
        }
        path.push(node);
        if tree.frame(node) != Frame::Method(method) {
            continue;
        }
        let own = shown.times_or_measured(node);
        let times = match node.0 < outer_end {
            true => own.self_only(),
            false => own,
        };
        outer_end = outer_end.max(tree.subtree(node).end);
        let mut at = None;
        for frame in path.iter().rev().map(|node| tree.frame(*node)) {
            let next = match at {
                None if arena.is_empty() => {
                    arena.push(Inverted::new(frame));
                    0
                }
                None => 0,
                Some(parent) => *children.entry((parent, frame)).or_insert_with(|| {
                    arena.push(Inverted::new(frame));
                    let added = arena.len() - 1;
                    arena[parent].children.push(added);
                    added
                }),
            };
            let to = &mut arena[next];
            to.calls = to.calls.saturating_add(tree.calls(node));
            to.timed = to.timed.saturating_add(tree.timed(node));
            to.times = to.times.plus(times);
            at = Some(next);
        }
    }
    in_preorder(&arena)
}

#[derive(Debug)]
struct Inverted {
    frame: Frame,
    calls: u64,
    timed: u64,
    times: Times,
    children: Vec<usize>,
}

impl Inverted {
    fn new(frame: Frame) -> Self {
        Self { frame, calls: 0, timed: 0, times: Times::default(), children: Vec::new() }
    }
}

fn in_preorder(arena: &[Inverted]) -> Vec<Backtrace> {
    let mut rows = Vec::with_capacity(arena.len());
    let mut stack: Vec<(usize, u32)> = arena.first().map(|_| (0, 0)).into_iter().collect();
    while let Some((at, depth)) = stack.pop() {
        let node = &arena[at];
        let Inverted { frame, calls, timed, times, .. } = *node;
        rows.push(Backtrace { frame, depth, calls, timed, times });
        let mut callers = node.children.clone();
        callers.sort_by(|a, b| {
            let (a, b) = (&arena[*a], &arena[*b]);
            let cost = |of: &Inverted| of.times.total_nanos;
            cost(a).total_cmp(&cost(b)).then(a.calls.cmp(&b.calls))
        });
        stack.extend(callers.into_iter().map(|caller| (caller, depth + 1)));
    }
    rows
}
