//! Why threads did not run, and what they threw, by kind.

use crate::{
    Shown,
    event_sums::{KindSum, NameSum, by_kind, by_name},
};
use jfathom_profile::{EventKind, Frame, MethodIx, NodeEvent, NodeIx};
use std::collections::BTreeMap;

impl Shown<'_> {
    /// Whether anybody asked why threads did not run, or what they threw and caught.
    pub fn has_events(&self) -> bool {
        self.profile.events.are_asked()
    }

    /// The events of a node by kind, the longest first.
    pub fn event_kinds(&self, node: NodeIx) -> Vec<KindSum> {
        by_kind(self.tree.events(node).iter(), self.tick())
    }

    /// The events of a node and its descendants by kind, the longest first.
    pub fn total_event_kinds(&self, node: NodeIx) -> Vec<KindSum> {
        by_kind(self.tree.total_events(node).iter(), self.tick())
    }

    /// The events of a node by kind and class, the longest first.
    pub fn event_names(&self, node: NodeIx) -> Vec<NameSum> {
        by_name(self.tree.events(node).iter(), self.tick())
    }

    /// The events of a node and its descendants by kind and class, the longest first.
    pub fn total_event_names(&self, node: NodeIx) -> Vec<NameSum> {
        by_name(self.tree.total_events(node).iter(), self.tick())
    }

    /// The events of a method by kind and class, the longest first: by itself, and with all that it
    /// calls, recursive calls counted once.
    pub fn method_event_names(&self, method: MethodIx) -> [Vec<NameSum>; 2] {
        let (mut own, mut total) = (Vec::new(), Vec::new());
        for root in &self.roots {
            // In preorder, calls before the end of an outer one are recursive.
            let mut inside_until = 0;
            for node in self.tree.subtree(*root).map(NodeIx) {
                if self.tree.frame(node) != Frame::Method(method) {
                    continue;
                }
                own.extend(self.tree.events(node));
                if node.0 >= inside_until {
                    inside_until = self.tree.subtree(node).end;
                    total.extend(self.tree.total_events(node));
                }
            }
        }
        [own, total].map(|rows| by_name(rows.into_iter(), self.tick()))
    }

    /// The events of all roots that are shown by kind and class, the longest first.
    pub fn all_event_names(&self) -> Vec<NameSum> {
        let rows = self.roots.iter().flat_map(|root| self.tree.total_events(*root));
        by_name(rows, self.tick())
    }

    /// The events of methods themselves, by kind, the longest first.
    pub fn method_event_kinds(&self) -> BTreeMap<MethodIx, Vec<KindSum>> {
        let mut rows: BTreeMap<MethodIx, Vec<&NodeEvent>> = BTreeMap::new();
        if !self.has_events() {
            return BTreeMap::new();
        }
        for node in self.all_nodes() {
            let events = self.tree.events(node);
            if let (Frame::Method(method), false) = (self.tree.frame(node), events.is_empty()) {
                rows.entry(method).or_default().extend(events);
            }
        }
        let tick = self.tick();
        rows.into_iter().map(|(of, rows)| (of, by_kind(rows.into_iter(), tick))).collect()
    }
}

/// The blocked time that waits do not explain, in ns; none if it is not known how long threads were
/// blocked: nobody asked, or it is one with preempted time. Pauses are in no time.
pub fn unexplained(blocked: Option<f64>, kinds: &[KindSum]) -> Option<f64> {
    let waits = kinds.iter().filter(|sum| sum.kind.has_time() && !sum.kind.is_pause());
    // A thread that loads a class mostly runs.
    let waits = waits.filter(|sum| sum.kind != EventKind::ClassLoading);
    let explained: f64 = waits.map(|sum| sum.nanos).sum();
    blocked.map(|blocked| (blocked - explained).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocked_time_without_a_wait_is_unexplained() {
        let sum = |kind, nanos| KindSum { kind, count: 1, nanos };
        let kinds = [sum(EventKind::Park, 30.0), sum(EventKind::Gc, 50.0)];
        assert_eq!(unexplained(Some(100.0), &kinds), Some(70.0));
        assert_eq!(unexplained(Some(10.0), &kinds), Some(0.0));
        assert_eq!(unexplained(None, &kinds), None);
    }
}
