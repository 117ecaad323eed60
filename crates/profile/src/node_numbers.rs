//! The numbers of a node.

use crate::{Bytes, OffCpu, Ticks};

/// The numbers of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeNumbers {
    /// Timed calls along the node's path; for a thread 1.
    pub timed: u64,
    /// Self time.
    pub self_time: Ticks,
    /// Counted calls along the node's path, which have no time.
    pub counted: u64,
    /// COUNTED records of calls from the node. Each one took some time in it.
    pub count_records: u64,
    /// Timed calls that were not flushed: what they counted is in a node above.
    pub unflushed: u64,
    /// Timed calls that ended by an exception.
    pub throws: u64,
    /// The longest timed call that ended; zero if that is not known.
    pub longest: Ticks,
    /// Nodes that a summary node stands for, with those below it; zero for any other node.
    pub folded: u64,
    /// In a summary node: timed calls of nodes directly below it that were made by its parent.
    /// Directly below a summary node: timed calls of this node's siblings, or itself, that it made.
    /// Zero elsewhere.
    pub calls_beside: u64,
    /// How much of the self time virtual threads were parked; never more than the self time.
    pub parked: Ticks,
    /// Bytes that threads have allocated on the Java heap while the node was on top of their
    /// stacks.
    pub allocated: Bytes,
    /// How much of the self time threads had no processor.
    pub off_cpu: OffCpu,
}

impl NodeNumbers {
    /// All calls along the node's path, timed and counted.
    pub fn calls(&self) -> u64 {
        self.timed.saturating_add(self.counted)
    }

    /// The same numbers with other times.
    #[must_use]
    pub fn map_times(self, time: impl Fn(Ticks) -> Ticks) -> Self {
        Self {
            self_time: time(self.self_time),
            longest: time(self.longest),
            parked: time(self.parked),
            off_cpu: self.off_cpu.map_times(time),
            ..self
        }
    }

    /// Adds the numbers of another node. Sums saturate; the longest call is that of both.
    pub fn add(&mut self, other: &Self) {
        self.timed = self.timed.saturating_add(other.timed);
        self.self_time += other.self_time;
        self.counted = self.counted.saturating_add(other.counted);
        self.count_records = self.count_records.saturating_add(other.count_records);
        self.unflushed = self.unflushed.saturating_add(other.unflushed);
        self.throws = self.throws.saturating_add(other.throws);
        self.longest = self.longest.max(other.longest);
        self.folded = self.folded.saturating_add(other.folded);
        self.calls_beside = self.calls_beside.saturating_add(other.calls_beside);
        self.parked += other.parked;
        self.allocated += other.allocated;
        self.off_cpu += other.off_cpu;
    }
}
