//! Why threads did not run, and what they threw, by kind.

use crate::{CpuTimes, Shown};
use jfathom_profile::{
    EventKind, EventName, EventSum, Frame, MethodIx, NodeEvent, NodeIx, SpanEvent,
};
use std::collections::BTreeMap;

/// The events of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindSum {
    /// What they tell.
    pub kind: EventKind,
    /// How many they are.
    pub count: u64,
    /// Their time in ns; zero for exceptions.
    pub nanos: f64,
}

/// The events of one kind and class.
#[derive(Clone, Debug, PartialEq)]
pub struct NameSum {
    /// What they tell.
    pub name: EventName,
    /// How many they are.
    pub count: u64,
    /// Their time in ns; zero for exceptions.
    pub nanos: f64,
}

/// Events of one name, wherever they are.
trait Row {
    fn parts(&self) -> (&EventName, EventSum);
}

impl Row for NodeEvent {
    fn parts(&self) -> (&EventName, EventSum) {
        (&self.name, self.sum)
    }
}

impl Row for SpanEvent {
    fn parts(&self) -> (&EventName, EventSum) {
        (&self.name, self.sum)
    }
}

/// The events of a slow call by kind, the longest first, with ns per tick.
pub(crate) fn slow_kinds(events: &[SpanEvent], tick: f64) -> Vec<KindSum> {
    by_kind(events.iter(), tick)
}

/// The events of a slow call by kind and class, the longest first, with ns per tick.
pub(crate) fn slow_names(events: &[SpanEvent], tick: f64) -> Vec<NameSum> {
    by_name(events.iter(), tick)
}

/// Sums by kind, the longest first, then the most.
fn by_kind<'a, R: Row + 'a>(rows: impl Iterator<Item = &'a R>, tick: f64) -> Vec<KindSum> {
    let mut sums: BTreeMap<EventKind, (u64, f64)> = BTreeMap::new();
    for (name, sum) in rows.map(Row::parts) {
        let (count, nanos) = sums.entry(name.kind).or_default();
        *count = count.saturating_add(sum.count);
        *nanos += sum.time.0 as f64 * tick;
    }
    let sums = sums.into_iter().map(|(kind, (count, nanos))| KindSum { kind, count, nanos });
    let mut sums: Vec<KindSum> = sums.collect();
    sums.sort_by(|a, b| b.nanos.total_cmp(&a.nanos).then(b.count.cmp(&a.count)));
    sums
}

/// Sums by kind and class, in the order of [`by_kind`].
fn by_name<'a, R: Row + 'a>(rows: impl Iterator<Item = &'a R>, tick: f64) -> Vec<NameSum> {
    let mut sums: BTreeMap<&EventName, (u64, f64)> = BTreeMap::new();
    for (name, sum) in rows.map(Row::parts) {
        let (count, nanos) = sums.entry(name).or_default();
        *count = count.saturating_add(sum.count);
        *nanos += sum.time.0 as f64 * tick;
    }
    let sums = sums.into_iter();
    let sums = sums.map(|(name, (count, nanos))| NameSum { name: name.clone(), count, nanos });
    let mut sums: Vec<NameSum> = sums.collect();
    sums.sort_by(|a, b| b.nanos.total_cmp(&a.nanos).then(b.count.cmp(&a.count)));
    sums
}

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
pub fn unexplained(cpu: Option<CpuTimes>, kinds: &[KindSum]) -> Option<f64> {
    let waits = kinds.iter().filter(|sum| sum.kind.has_time() && !sum.kind.is_pause());
    // A thread that loads a class mostly runs.
    let waits = waits.filter(|sum| sum.kind != EventKind::ClassLoading);
    let explained: f64 = waits.map(|sum| sum.nanos).sum();
    cpu.and_then(CpuTimes::blocked).map(|blocked| (blocked - explained).max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocked_time_without_a_wait_is_unexplained() {
        let sum = |kind, nanos| KindSum { kind, count: 1, nanos };
        let kinds = [sum(EventKind::Park, 30.0), sum(EventKind::Gc, 50.0)];
        let times = |blocked| Some(CpuTimes::blocked_for(blocked));
        assert_eq!(unexplained(times(100.0), &kinds), Some(70.0));
        assert_eq!(unexplained(times(10.0), &kinds), Some(0.0));
        assert_eq!(unexplained(None, &kinds), None);
    }
}
