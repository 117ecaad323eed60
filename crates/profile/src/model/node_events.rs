//! The events of a tree's nodes: rows for the few nodes that have any.

use jfathom_plan::Problem;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::{EventName, EventSum, NodeEvent, NodeIx, Ticks};

/// Events by node and name, ascending, each pair once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NodeEvents(Vec<NodeEvent>);

impl NodeEvents {
    /// Rows that ascend by node and name, each pair once.
    pub fn from_sorted(rows: Vec<NodeEvent>) -> Self {
        Self(rows)
    }

    /// The rows of some nodes.
    pub fn of(&self, nodes: Range<u32>) -> &[NodeEvent] {
        let at = |node: u32| self.0.partition_point(|row| row.node.0 < node);
        self.0.get(at(nodes.start)..at(nodes.end)).unwrap_or_default()
    }

    pub fn all(&self) -> &[NodeEvent] {
        &self.0
    }

    /// Adds the sums of rows as those of one node, which must not come before that of another one.
    pub fn push_sums<'a>(&mut self, node: u32, rows: impl Iterator<Item = &'a NodeEvent>) {
        let mut sums: BTreeMap<&EventName, EventSum> = BTreeMap::new();
        rows.for_each(|row| sums.entry(&row.name).or_default().add(row.sum));
        let node = NodeIx(node);
        self.0.extend(sums.into_iter().map(|(name, sum)| NodeEvent {
            node,
            name: name.clone(),
            sum,
        }));
    }

    /// Adds the rows of some nodes of another tree, whose first one is `to` here.
    pub fn copy(&mut self, other: &Self, nodes: Range<u32>, to: u32) {
        let first = nodes.start;
        self.0.extend(other.of(nodes).iter().map(|row| NodeEvent {
            node: NodeIx(row.node.0 - first + to),
            name: row.name.clone(),
            sum: row.sum,
        }));
    }

    /// With other times.
    pub fn map_times(&mut self, time: impl Fn(Ticks) -> Ticks) {
        self.0.iter_mut().for_each(|row| row.sum.time = time(row.sum.time));
    }

    /// Rows as they were read, of a tree of so many nodes. An error names a contradiction.
    pub fn checked(rows: Vec<NodeEvent>, nodes: usize) -> Result<Self, Problem> {
        let is_ascending = rows.is_sorted_by(|a, b| (a.node, &a.name) < (b.node, &b.name));
        let is_inside = rows.last().is_none_or(|row| (row.node.0 as usize) < nodes);
        match is_ascending && is_inside {
            true => Ok(Self(rows)),
            false => Err("events of nodes that are in no order".into()),
        }
    }
}

/// The same while a tree is made, by the numbers that its nodes have then.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventTable(BTreeMap<(u32, EventName), EventSum>);

impl EventTable {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn add(&mut self, node: u32, name: EventName, sum: EventSum) {
        self.0.entry((node, name)).or_default().add(sum);
    }

    /// Finds the nodes where they are after a fold.
    pub fn follow(&mut self, to: impl Fn(u32) -> u32) {
        for ((node, name), sum) in std::mem::take(&mut self.0) {
            self.add(to(node), name, sum);
        }
    }

    /// The rows of the finished tree. `order` has the nodes in preorder.
    pub fn rows(&self, order: &[(u32, u32)]) -> NodeEvents {
        let mut rows = Vec::new();
        for (place, (node, _)) in (0..).zip(order) {
            let from = (*node, EventName::of(crate::EventKind::Monitor));
            let own = self.0.range(from..).take_while(|((of, _), _)| of == node);
            rows.extend(own.map(|((_, name), sum)| NodeEvent {
                node: NodeIx(place),
                name: name.clone(),
                sum: *sum,
            }));
        }
        NodeEvents(rows)
    }
}
