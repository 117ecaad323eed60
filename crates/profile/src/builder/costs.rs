//! What each method costs so far, for those who decide while the program runs.

use jfathom_plan::MethodId;

use super::Builder;
use crate::tree_builder::NONE;
use crate::{Cost, Costs, Residual, TickRate, Ticks, frame};

/// A method's sums over all its nodes so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodCost {
    /// The method.
    pub method: MethodId,
    /// Its timed calls.
    pub calls: u64,
    /// Those of them that ended by an exception.
    pub throws: u64,
    /// Time in itself as measured, the probes' cost in it.
    pub self_time: Ticks,
    /// Timed calls that it made directly.
    pub timed_below: u64,
    /// Those of them that ended by an exception.
    pub throws_below: u64,
    /// Counted calls that it made directly.
    pub counted_below: u64,
    /// Exceptions that it caught.
    pub caught: u64,
}

impl Builder {
    /// The sums of all methods that have nodes, by id. Goes over the whole tree once, in the order
    /// of memory.
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
            caught: self.exits.get(method.get()).map_or(0, |exits| exits.caught),
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
            cost.counted_below = cost.counted_below.saturating_add(extra.counted);
            let caller = &nodes[node.parent as usize];
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

impl MethodCost {
    /// Its own time a call without the probes' cost, in nanoseconds, with the half width of its
    /// interval: what a rule for demotion compares. The residual is in the bar and not taken
    /// out.
    pub fn self_nanos(&self, costs: &Costs, rate: TickRate) -> Cost {
        let [calls, throws, below, throws_below, counted] =
            [self.calls, self.throws, self.timed_below, self.throws_below, self.counted_below]
                .map(|n| n as f64);
        let (returns, returns_below) = (calls - throws, below - throws_below);
        let parts = [
            (returns, costs.inner),
            (throws, costs.inner_throw),
            (returns_below, costs.outer),
            (throws_below, costs.outer_throw),
            (counted, costs.count),
        ];
        let own = self.self_time.0 as f64 * 1e9 / rate.hz() as f64;
        let nanos = own - parts.iter().map(|(times, cost)| times * cost.nanos).sum::<f64>();
        let squares: f64 = parts.iter().map(|(times, cost)| (times * cost.bar).powi(2)).sum();
        let calls = calls.max(1.0);
        let it = Residual::default().ordered_clock.of(nanos / calls, false);
        Cost {
            nanos: nanos / calls,
            bar: (squares.sqrt() / calls).hypot((it.lost - it.hidden).abs() + it.bar),
        }
    }
}
