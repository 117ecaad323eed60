//! Costs of each method so far, from which the collector chooses methods to demote.

use jfathom_plan::MethodId;

use super::Builder;
use crate::tree_builder::NONE;
use crate::{Ticks, frame};

/// A method's sums over all its nodes so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodCost {
    /// The method's id.
    pub method: MethodId,
    /// Timed calls of the method.
    pub calls: u64,
    /// Timed calls of the method that ended by an exception.
    pub throws: u64,
    /// Measured self time, probe cost included.
    pub self_time: Ticks,
    /// Timed calls that the method made directly.
    pub timed_below: u64,
    /// Timed calls that the method made directly and that ended by an exception.
    pub throws_below: u64,
    /// Counted calls that the method made directly.
    pub counted_below: u64,
    /// COUNTED records that the method's calls caused.
    pub count_records: u64,
    /// Exceptions that the method caught.
    pub caught: u64,
    /// Whether it was the first method of a task that was handed to another thread.
    pub is_task_entry: bool,
}

impl Builder {
    /// The sums of all methods that have nodes, ascending by id. Reads the whole tree once, in the
    /// order of memory.
    pub fn method_costs(&self) -> Vec<MethodCost> {
        let mut costs = self.exits.map(|_| None::<MethodCost>);
        let none = |method| MethodCost {
            method,
            calls: 0,
            throws: 0,
            self_time: Ticks(0),
            timed_below: 0,
            throws_below: 0,
            counted_below: 0,
            count_records: 0,
            caught: self.exits.get(method.get()).map_or(0, |exits| exits.caught),
            is_task_entry: false,
        };
        let nodes = &self.tree.nodes;
        for (ix, node) in (0..).zip(nodes).skip(1) {
            if frame::kind(node.frame) != frame::METHOD {
                continue;
            }
            let extra = self.tree.extra(ix);
            let Some(id) = MethodId::new(node.frame) else { continue };
            let cost = costs.row(node.frame).get_or_insert_with(|| none(id));
            cost.calls += node.calls;
            cost.throws += extra.throws;
            cost.self_time += Ticks(node.self_ticks);
            for (_, counted) in self.counted.of_node(ix) {
                cost.counted_below = cost.counted_below.saturating_add(counted.calls);
                cost.count_records = cost.count_records.saturating_add(counted.records);
            }
            let caller = &nodes[node.parent as usize];
            cost.is_task_entry |= frame::kind(caller.frame) == frame::TASK;
            if node.parent != NONE
                && frame::kind(caller.frame) == frame::METHOD
                && let Some(caller) = costs.row(caller.frame)
            {
                caller.timed_below += node.calls;
                caller.throws_below += extra.throws;
            }
        }
        costs.iter().filter_map(|(_, cost)| *cost).collect()
    }
}
