//! Roots that are open when the session ends.

use jfathom_plan::MethodId;

use super::{Builder, Feed};
use crate::{Ticks, build::tree_builder::NONE, model::frame};

impl Builder {
    /// Gives each thread with an open root the time from its last record to the session's end. It
    /// is self time of the frame on top of the stack. The calls stay open. A thread that recorded
    /// after `end` keeps its times: other threads run on while a JVM shuts down.
    ///
    /// Call it when all records are fed. `end` is a time as those of records.
    pub fn time_open_roots(&mut self, end: Ticks, is_root: impl Fn(MethodId) -> bool) {
        self.settle(true);
        for thread in 0..self.threads.len() {
            let is_open = self.open_methods(self.threads[thread].current).any(&is_root);
            let Self { tree, counted, methods, quality, latencies, .. } = self;
            let state = &mut self.threads[thread];
            if is_open && end.0 > state.clock.last {
                Feed { tree, counted, methods, quality, latencies, state }.advance_to(end.0);
            }
        }
        let mut stacks = std::mem::take(&mut self.virtuals.stacks);
        for stack in stacks.values_mut() {
            let is_open = self.open_methods(stack.state.current).any(&is_root);
            let Self { tree, counted, methods, quality, latencies, .. } = self;
            let state = &mut stack.state;
            if is_open && end.0 > state.clock.last {
                Feed { tree, counted, methods, quality, latencies, state }.advance_to(end.0);
            }
        }
        self.virtuals.stacks = stacks;
    }

    /// The methods on the stack with this node on top, innermost first.
    fn open_methods(&self, current: u32) -> impl Iterator<Item = MethodId> {
        let mut at = current;
        std::iter::from_fn(move || {
            let node = self.tree.nodes.get(at as usize).filter(|_| at != NONE)?;
            at = node.parent;
            Some(node.frame)
        })
        .filter(|frame| frame::kind(*frame) == frame::METHOD)
        .filter_map(MethodId::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_trace::{ThreadInfo, layout};

    const BASE: u64 = 3 << layout::TIME_BITS;

    /// Self ticks by node of a thread that ran for 100 ticks in method 1, then called method 2 and
    /// stayed in it.
    fn self_ticks(end: u64, root: u32) -> (u64, u64) {
        let mut builder = Builder::new();
        let info = ThreadInfo { sequence: 1, thread_id: 1, kernel_id: 0, name: String::new() };
        let thread = builder.thread(&info);
        let entry = |id: u64, time: u64| layout::ENTRY | id << layout::TIMED_ID_SHIFT | time;
        let start = layout::ESCAPE_THREAD_START | 3 << 32 | 1;
        builder.feed(thread, &[start, entry(1, 50), entry(2, 150)]);
        builder.time_open_roots(Ticks(end), |id| id.get() == root);
        builder.check_counts().unwrap();
        let nodes = &builder.tree.nodes;
        (nodes[2].self_ticks, nodes[3].self_ticks)
    }

    #[test]
    fn an_open_root_lasts_until_the_end() {
        assert_eq!(self_ticks(BASE + 1150, 1), (100, 1000));
        assert_eq!(self_ticks(BASE + 1150, 2), (100, 1000));
    }

    #[test]
    fn other_threads_and_later_records_keep_their_times() {
        assert_eq!(self_ticks(BASE + 1150, 3), (100, 0));
        assert_eq!(self_ticks(BASE + 149, 1), (100, 0));
    }
}
