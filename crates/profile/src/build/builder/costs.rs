//! Sums over each method's calls so far. By them the collector chooses methods to demote.

use jfathom_plan::MethodId;
use rustc_hash::FxHashMap;

use super::Builder;
use super::method_sums::MethodSums;
use crate::build::tree_builder::SUMMARY;
use crate::{Metric, Ticks, model::frame};

/// How far a tree has been looked through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeSize {
    nodes: usize,
    folds: u64,
}

/// Sums over timed calls that have ended: those of one method or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallSums {
    /// The calls.
    pub calls: u64,
    /// Measured self time, probe cost included.
    pub self_time: Ticks,
    /// Time from their entries to their exits; that of a call in one of them counts for both.
    pub call_time: Ticks,
    /// Timed calls that they made directly.
    pub timed_below: u64,
    /// Counted calls that they made directly, as far as they are in a record.
    pub counted_below: u64,
    /// COUNTED records of these calls.
    pub count_records: u64,
    /// COUNTED records that were written because these timed calls began or ended.
    pub flush_records: u64,
    /// Exceptions that they caught.
    pub caught: u64,
}

impl CallSums {
    fn of(sums: &MethodSums) -> Self {
        Self {
            calls: sums.returns + sums.throws + sums.inferred,
            self_time: Ticks(sums.self_ticks),
            call_time: Ticks(sums.call_ticks),
            timed_below: sums.timed_below,
            counted_below: sums.counted_below,
            count_records: sums.count_records,
            flush_records: sums.flush_records,
            caught: sums.caught,
        }
    }

    /// The sums of both.
    pub fn plus(self, other: Self) -> Self {
        self.with(other, u64::wrapping_add)
    }

    /// The sums without those of `before`, an earlier state.
    pub fn since(self, before: Self) -> Self {
        self.with(before, u64::wrapping_sub)
    }

    fn with(self, other: Self, combine: fn(u64, u64) -> u64) -> Self {
        Self {
            calls: combine(self.calls, other.calls),
            self_time: Ticks(combine(self.self_time.0, other.self_time.0)),
            call_time: Ticks(combine(self.call_time.0, other.call_time.0)),
            timed_below: combine(self.timed_below, other.timed_below),
            counted_below: combine(self.counted_below, other.counted_below),
            count_records: combine(self.count_records, other.count_records),
            flush_records: combine(self.flush_records, other.flush_records),
            caught: combine(self.caught, other.caught),
        }
    }
}

impl Builder {
    /// All methods with nodes and their sums so far, ascending by id.
    pub fn method_costs(&self) -> impl Iterator<Item = (MethodId, CallSums)> {
        let methods = self.methods.iter();
        methods.filter_map(|(id, sums)| Some((MethodId::new(id)?, CallSums::of(sums))))
    }

    /// Those of one method.
    pub fn costs_of(&self, method: MethodId) -> CallSums {
        self.sums_of(method).map_or_else(CallSums::default, CallSums::of)
    }

    fn sums_of(&self, method: MethodId) -> Option<&MethodSums> {
        self.methods.get(method.get())
    }

    /// Whether a timed call of the method was made within another one.
    pub fn is_recursive(&self, method: MethodId) -> bool {
        self.sums_of(method).is_some_and(|sums| sums.is_recursive)
    }

    /// Each method's counted calls so far, as far as they are in a record. Looks at all pairs of a
    /// node and a counted method.
    pub fn counted_calls(&self) -> FxHashMap<MethodId, u64> {
        let mut calls = FxHashMap::default();
        for (_, id, counted) in self.counted.iter() {
            if let Some(id) = MethodId::new(id) {
                let sum: &mut u64 = calls.entry(id).or_default();
                *sum = sum.saturating_add(counted.calls);
            }
        }
        calls
    }

    /// The methods of tasks that were handed to another thread: those called first in a task. Takes
    /// only nodes that were not there at an earlier call, which returned `from`; after a fold, all.
    pub fn task_entries(&self, from: TreeSize, mut found: impl FnMut(MethodId)) -> TreeSize {
        let now = TreeSize { nodes: self.tree.nodes.len(), folds: self.folding.folds };
        let nodes = &self.tree.nodes;
        let first = if from.folds == now.folds { from.nodes } else { 0 };
        for node in nodes.get(first..).unwrap_or_default() {
            let kinds = [node.frame, nodes[node.parent as usize].frame].map(frame::kind);
            if kinds == [frame::METHOD, frame::TASK] {
                MethodId::new(node.frame).into_iter().for_each(&mut found);
            }
        }
        now
    }

    /// Makes the methods' sums over nodes anew from the tree.
    pub(super) fn sum_nodes(&mut self) {
        let nodes = &self.tree.nodes;
        for node in nodes.iter().skip(1) {
            if frame::kind(node.frame) == frame::METHOD {
                let sums = self.methods.row(node.frame);
                sums.self_ticks = sums.self_ticks.wrapping_add(node.self_ticks);
                let caller = nodes[node.parent as usize].frame;
                if frame::kind(caller) == frame::METHOD {
                    self.methods.row(caller).timed_below += node.calls;
                }
            }
        }
        for (at, extra) in self.tree.extras().filter(|(_, extra)| extra[Metric::CallsBeside] != 0) {
            let node = &nodes[at as usize];
            let caller =
                if node.frame == SUMMARY { nodes[node.parent as usize].frame } else { node.frame };
            if frame::kind(caller) == frame::METHOD {
                self.methods.row(caller).timed_below += extra[Metric::CallsBeside];
            }
        }
        for (at, extra) in self.tree.extras().filter(|(_, extra)| extra[Metric::CountRecords] != 0)
        {
            let frame = nodes[at as usize].frame;
            if frame::kind(frame) == frame::METHOD {
                let sums = self.methods.row(frame);
                sums.count_records = sums.count_records.saturating_add(extra[Metric::CountRecords]);
            }
        }
        for (node, _, counted) in self.counted.iter() {
            let frame = nodes[node as usize].frame;
            if frame::kind(frame) == frame::METHOD {
                let sums = self.methods.row(frame);
                sums.counted_below = sums.counted_below.saturating_add(counted.calls);
                sums.count_records = sums.count_records.saturating_add(counted.records);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::builder::ThreadHandle;
    use jfathom_trace::{ThreadInfo, layout};

    /// Words that are records of all types, of few methods, in random order.
    #[test]
    fn sums_are_those_of_the_nodes() {
        let mut builder = Builder::new();
        let thread =
            |sequence| ThreadInfo { sequence, thread_id: 1, kernel_id: 0, name: String::new() };
        let threads: Vec<ThreadHandle> =
            (1..4).map(|sequence| builder.thread(&thread(sequence))).collect();
        let mut state = 1_u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state >> 8
        };
        for round in 0..20_000_u64 {
            let id = random() % 7;
            let unflushed = if random() % 3 == 0 { layout::UNFLUSHED } else { 0 };
            let timed = id << layout::TIMED_ID_SHIFT | unflushed | round;
            let words = match random() % 16 {
                0..4 => [layout::ESCAPE_COUNTED | id << layout::ESCAPE_ID_SHIFT | 3],
                4 => [random() >> 2],
                5..10 => [layout::RETURN | timed],
                10 => [layout::THROW | timed],
                _ => [layout::ENTRY | timed],
            };
            let at = random() as usize % threads.len();
            builder.feed(threads[at], &words);
        }
        let live: Vec<(MethodId, CallSums)> = builder.method_costs().collect();
        for (id, _) in builder.methods.clone().iter() {
            let sums = builder.methods.row(id);
            (sums.self_ticks, sums.timed_below, sums.counted_below, sums.count_records) =
                (0, 0, 0, 0);
        }
        builder.sum_nodes();
        assert_eq!(builder.method_costs().collect::<Vec<_>>(), live);
        assert!(live.iter().any(|(_, sums)| sums.timed_below > 0 && sums.counted_below > 0));
    }
}
