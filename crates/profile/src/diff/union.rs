//! The contexts of both sides as one tree.

use super::side::SideRuns;
use super::{CallsChange, ContextDiff, ContextFrame, MethodDiff, TimeDiff, adjust};
use crate::tree_builder::{self, NONE, TreeBuilder};
use crate::{Frame, MethodIx, Profile, Tree, frame};

/// The place of a thread, which is no context.
pub(super) const ABSENT: u32 = u32::MAX;

/// The tree of both sides in preorder.
pub(super) struct MergedContexts {
    /// Packed frames, with places of [`super::Diff::methods`], and depths.
    nodes: Vec<(u32, u32)>,
    /// The node of each node of each side.
    places: [Vec<u32>; 2],
}

impl MergedContexts {
    pub(super) fn new(profiles: [&Profile; 2], methods: &[MethodDiff]) -> Self {
        let mut grown = TreeBuilder::default();
        let mut places = [0, 1].map(|side: usize| {
            let mut of_method = vec![0; profiles[side].methods.len()];
            for (place, method) in methods.iter().enumerate() {
                if let Some(at) = if side == 0 { method.base } else { method.new } {
                    of_method[at.0 as usize] = place as u32;
                }
            }
            grow(&mut grown, &profiles[side].tree, |method| of_method[method.0 as usize])
        });
        let order = tree_builder::preorder(&grown);
        let mut rank = vec![ABSENT; grown.nodes.len()];
        for (at, (node, _)) in order.iter().enumerate() {
            rank[*node as usize] = at as u32;
        }
        for place in places.iter_mut().flatten().filter(|place| **place != ABSENT) {
            *place = rank[*place as usize];
        }
        let nodes = order
            .into_iter()
            .map(|(node, depth)| (grown.nodes[node as usize].frame, depth))
            .collect();
        Self { nodes, places }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node of each node of a side; [`NOWHERE`] for threads.
    pub(super) fn places(&self, side: usize) -> &[u32] {
        &self.places[side]
    }

    /// The contexts with the numbers of both sides.
    pub(super) fn contexts(&self, sides: &[SideRuns; 2]) -> Vec<ContextDiff> {
        let context = |(at, (packed, depth)): (usize, &(u32, u32))| {
            let [base, new] = [0, 1].map(|side: usize| &sides[side].nodes[at]);
            let calls = CallsChange::of(Some(base.calls), Some(new.calls));
            let is_there = [calls.base.is_some(), calls.new.is_some()];
            let time =
                |base, new| TimeDiff::of(is_there[0].then_some(base), is_there[1].then_some(new));
            let method = frame::value(*packed) as usize;
            ContextDiff {
                depth: *depth,
                frame: match frame::kind(*packed) {
                    frame::TASK => ContextFrame::Task(method),
                    _ => ContextFrame::Method(method),
                },
                calls,
                counted: CallsChange::of(Some(base.counted), Some(new.counted)),
                self_time: time(base.self_nanos, new.self_nanos),
                total_time: time(base.total_nanos, new.total_nanos),
            }
        };
        let mut contexts: Vec<ContextDiff> = self.nodes.iter().enumerate().map(context).collect();
        let own = adjust(contexts.iter().map(|context| context.self_time.probability).collect());
        let total = adjust(contexts.iter().map(|context| context.total_time.probability).collect());
        for (context, (own, total)) in contexts.iter_mut().zip(own.into_iter().zip(total)) {
            (context.self_time.probability, context.total_time.probability) = (own, total);
        }
        contexts
    }
}

/// Adds a side's contexts, and gives the node of each of its nodes.
fn grow(grown: &mut TreeBuilder, tree: &Tree, method: impl Fn(MethodIx) -> u32) -> Vec<u32> {
    let mut path: Vec<u32> = Vec::new();
    let place = |node| {
        path.truncate(tree.depth(node) as usize);
        let parent = path.last().copied().unwrap_or(NONE);
        let at = match tree.frame(node) {
            Frame::Thread(_) => {
                path.push(NONE);
                return ABSENT;
            }
            Frame::Method(of) => grown.child(parent, frame::pack(frame::METHOD, method(of))),
            Frame::Task(of) => grown.child(parent, frame::pack(frame::TASK, method(of))),
        };
        path.push(at);
        at
    };
    tree.nodes().map(place).collect()
}
