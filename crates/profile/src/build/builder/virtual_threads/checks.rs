//! What of virtual threads a reader of a checkpoint looks at.

use super::VirtualThreads;

impl VirtualThreads {
    /// Largest counts, for a check of what was read.
    pub fn largest(&self) -> u64 {
        let states = self.stacks.values().map(|stack| &stack.state);
        let states = states.map(|state| state.records.max(state.count_records));
        let segments = self.waiting.values().flatten();
        let counted = segments.flat_map(|segment| &segment.counted).map(|(_, calls)| *calls);
        states.chain(counted).chain([self.round]).max().unwrap_or(0)
    }

    /// Ids of methods whose calls wait with their segments.
    pub fn counted_ids(&self) -> impl Iterator<Item = u32> {
        let segments = self.waiting.values().flatten();
        segments.flat_map(|segment| &segment.counted).map(|(id, _)| *id)
    }

    /// Numbers of threads of the builder that this refers to. A segment, or the end of one, only
    /// tells carriers apart by theirs.
    pub fn threads(&self) -> impl Iterator<Item = u32> {
        let have_carried = self.have_carried.iter().copied();
        self.group.into_iter().chain(self.carriers.keys().copied()).chain(have_carried)
    }

    /// Nodes at which segments ended.
    pub fn ends(&self) -> impl Iterator<Item = u32> {
        self.ends.values().copied()
    }

    /// Whether no segment is of a later round than this one: such a one would wait for long.
    pub fn has_past_rounds(&self) -> bool {
        let segments = self.waiting.values().flatten().map(|segment| segment.round);
        let carriers = self.carriers.values().map(|carrier| carrier.round);
        segments.chain(carriers).all(|round| round <= self.round)
    }
}
