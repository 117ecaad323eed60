//! The nodes of the tree.

use super::{
    column::{Columns, columns},
    events::{Event, KindEvents},
    samples::NodeSamples,
    stream::Stream,
    times::Corrected,
};
use jfathom_profile::{Metric, NodeIx, Ticks};
use jfathom_views::Pruned;
use serde::Serialize;

/// The nodes that are shown.
pub(super) fn nodes<'a>(shown: &'a Pruned<'_>) -> Stream<'a, Node> {
    // Places in the list of the ancestors of the node at hand, one for each level.
    let mut path: Vec<u64> = Vec::new();
    Stream::of((0..).zip(shown.nodes()).map(move |(place, node)| {
        path.truncate(shown.tree.depth(node) as usize);
        let parent = path.last().copied();
        path.push(place);
        Node::of(shown, node, parent)
    }))
}

object! {
    /// In preorder, children by first call. Where no node was dropped, `totalNanos` is `selfNanos`
    /// plus the children's `totalNanos`, except for rounding.
    Node(shown: &Pruned<'_>, node: NodeIx, parent: Option<u64>) {
        /// place here
        parent: Option<u64> = parent,
        kind: FrameKind = Frame::of(shown.tree.frame(node)).kind,
        /// place in `threads` or `methods`
        of: u32 = Frame::of(shown.tree.frame(node)).of,
        /// timed and counted; tasks; 1 for `thread`
        calls: u64 = shown.tree.calls(node),
        /// of `calls`; the times are theirs
        timed: u64 = shown.tree.timed(node),
        self_nanos: u64 = shown.profile.rate.nanos(shown.tree.self_time(node)).0,
        total_nanos: u64 = shown.profile.rate.nanos(shown.tree.total_time(node)).0,
        columns: Columns = columns(shown.profile, &shown.cells(node)),
        /// of the node itself, longest first
        events: Option<Vec<Event<'static>>> =
            shown.has_events().then(|| Event::all(shown.event_names(node))),
        /// with descendants
        total_events: Option<Vec<KindEvents>> = shown
            .has_events()
            .then(|| shown.total_event_kinds(node).into_iter().map(KindEvents::of).collect()),
        throws: u64 = shown.tree.number(Metric::Throws, node),
        /// longest ended call, measured; 0: unknown
        longest_nanos: u64 =
            shown.profile.rate.nanos(Ticks(shown.tree.number(Metric::Longest, node))).0,
        /// nodes in this [summary node](../how-to/long-recordings.md) (`jfathom`, `<folded>`),
        /// without calls and time; else 0
        folded: u64 = shown.tree.number(Metric::Folded, node),
        corrected: Option<Corrected> = shown.times(node).map(Corrected::of),
        /// with descendants, if any
        #[serde(skip_serializing_if = "Option::is_none")]
        samples: Option<NodeSamples> = shown
            .samples
            .as_ref()
            .filter(|of| !of.total(node).is_zero())
            .map(|of| NodeSamples::of(of, of.total(node), node)),
    }
}

object! {
    Frame(frame: jfathom_profile::Frame) {
        kind: FrameKind = match frame {
            jfathom_profile::Frame::Thread(_) => FrameKind::Thread,
            jfathom_profile::Frame::Method(_) => FrameKind::Method,
            jfathom_profile::Frame::Task(_) => FrameKind::Task,
        },
        /// place in `methods`
        of: u32 = match frame {
            jfathom_profile::Frame::Thread(thread) => thread.0,
            jfathom_profile::Frame::Method(of) | jfathom_profile::Frame::Task(of) => of.0,
        },
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum FrameKind {
    /// in the tree alone
    Thread,
    Method,
    /// handed off by root `of`
    Task,
}

/// The frames of a call path, outermost first.
pub(super) fn frames(path: &[jfathom_profile::Frame]) -> Vec<Frame> {
    path.iter().copied().map(Frame::of).collect()
}
