//! What the tree has between two calls, for the spans of the slowest calls: counted methods, and
//! nodes [`BETWEEN`].
//!
//! Spans are made of records alone. So each one is looked up in the tree before calls get their
//! places there, and followed to its place.

use std::collections::{HashMap, HashSet};

use super::super::Builder;
use super::Slowest;
use super::replay::RawSpan;
use crate::build::tree_builder::{BETWEEN, Joined, NONE, TreeBuilder};
use crate::model::frame;

/// The nodes of the spans of each kept call; [`NONE`] where the tree has none: after a fold, and of
/// calls from before a cut.
#[derive(Debug, Default)]
pub(in crate::build::builder) struct SpanNodes(Vec<Vec<u32>>);

/// The children of nodes that were asked for, by parent and frame.
struct Children<'a> {
    tree: &'a TreeBuilder,
    known: HashSet<u32>,
    nodes: HashMap<(u32, u32), u32>,
}

impl Children<'_> {
    fn find(&mut self, parent: u32, frame: u32) -> u32 {
        if parent == NONE {
            return NONE;
        }
        if self.known.insert(parent) {
            let frame = |node: u32| self.tree.nodes[node as usize].frame;
            let all = self.tree.children(parent);
            self.nodes.extend(all.map(|node| ((parent, frame(node)), node)));
        }
        self.nodes.get(&(parent, frame)).copied().unwrap_or(NONE)
    }
}

impl Builder {
    /// The nodes of the slowest calls, before calls get their places.
    pub(in crate::build::builder) fn slow_spans(&self) -> SpanNodes {
        let root = |thread: u32| self.threads.get(thread as usize).map_or(NONE, |of| of.root);
        let mut children =
            Children { tree: &self.tree, known: HashSet::new(), nodes: HashMap::new() };
        let mut all = Vec::new();
        for (path, of) in &self.latencies.slowest.kept {
            let above = path.split_last().map_or(&[][..], |(_, above)| above);
            for call in &of.calls {
                let top = above.iter().fold(root(call.thread), |at, of| children.find(at, *of));
                all.push(of_spans(&mut children, top, &call.spans));
            }
        }
        SpanNodes(all)
    }
}

/// The nodes of spans, the first of which is below `top`.
fn of_spans(children: &mut Children, top: u32, spans: &[RawSpan]) -> Vec<u32> {
    let mut open = vec![top];
    let node = |span: &RawSpan| {
        open.truncate(span.depth as usize + 1);
        let node = children.find(open.last().copied().unwrap_or(NONE), span.frame);
        open.push(node);
        node
    };
    spans.iter().map(node).collect()
}

impl Slowest {
    /// Gives the spans what the tree has between them. The nodes are those from before calls got
    /// their places; `joined` tells which are one now.
    pub fn show_counted(&mut self, tree: &TreeBuilder, nodes: SpanNodes, joined: &Joined) {
        let calls = self.kept.values_mut().flat_map(|of| &mut of.calls);
        for (call, nodes) in calls.zip(nodes.0) {
            let nodes: Vec<u32> = nodes.into_iter().map(|node| joined.to(node)).collect();
            call.spans = with_counted(tree, &call.spans, &nodes);
        }
    }

    /// Gives the call paths their new frames, and makes room for the spans that calls have now.
    pub fn follow_paths(&mut self, moved: &HashMap<Vec<u32>, Vec<u32>>) {
        self.spans = 0;
        for (path, of) in std::mem::take(&mut self.kept) {
            let path = moved.get(&path).unwrap_or(&path);
            of.calls.into_iter().for_each(|call| self.insert(path.clone(), call));
        }
    }
}

/// The spans with what is between them and their callers' nodes.
fn with_counted(tree: &TreeBuilder, spans: &[RawSpan], nodes: &[u32]) -> Vec<RawSpan> {
    let mut shown = Vec::with_capacity(spans.len());
    // The span and the node at each depth, and the depth that is shown.
    let mut open: Vec<(RawSpan, u32, u32)> = Vec::new();
    for (span, node) in spans.iter().zip(nodes) {
        open.truncate(span.depth as usize);
        let mut depth = 0;
        if let Some((caller, above, caller_depth)) = open.last() {
            depth = caller_depth + 1;
            for frame in between(tree, (caller, *above), (span, *node)) {
                let calls = RawSpan { frame, depth, counted: 0, thrown: false, ..*span };
                shown.push(RawSpan { is_counted: true, ..calls });
                depth += 1;
            }
        }
        shown.push(RawSpan { depth, ..*span });
        open.push((*span, *node, depth));
    }
    shown
}

/// The frames between a span and its caller, outermost first.
fn between(
    tree: &TreeBuilder,
    (caller, above): (&RawSpan, u32),
    (span, node): (&RawSpan, u32),
) -> Vec<u32> {
    if let Some(frames) = above_node(tree, node, above) {
        return frames;
    }
    // Nobody has judged this call. It may be that of a counted method.
    let is_method = |of: &RawSpan| frame::kind(of.frame) == frame::METHOD;
    let may_have_counted = caller.counted > 0 || !caller.is_flushed;
    match may_have_counted && is_method(caller) && is_method(span) {
        true => vec![BETWEEN],
        false => Vec::new(),
    }
}

/// The frames above a node and below another one, outermost first; none if it is not below that.
fn above_node(tree: &TreeBuilder, node: u32, above: u32) -> Option<Vec<u32>> {
    let parent = |node: u32| tree.nodes.get(node as usize).map_or(NONE, |of| of.parent);
    let mut frames = Vec::new();
    let mut at = parent(node);
    while at != above {
        frames.push(tree.nodes.get(at as usize).filter(|_| at != NONE)?.frame);
        at = parent(at);
    }
    frames.reverse();
    (above != NONE).then_some(frames)
}

#[cfg(test)]
mod tests;
