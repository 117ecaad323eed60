//! One recording in several profiles, none of which lacks a call.

use std::collections::BTreeMap;

use super::slice_begin::SliceBegin;
use super::thread::ThreadState;
use super::{Builder, ThreadHandle};
use crate::build::tree_builder::NONE;
use crate::{SliceStart, model::frame};

impl Builder {
    /// Says where the present slice has begun. The first slice of a recording begins so, too.
    pub fn begin_slice(&mut self, start: SliceStart) {
        self.slice.get_or_insert_default().start = start;
    }

    /// Where the present slice has begun; none if the recording is not cut.
    pub fn slice_start(&self) -> Option<&SliceStart> {
        self.slice.as_ref().map(|slice| &slice.start)
    }

    /// Ends a slice here: returns the builder of what was consumed so far, and goes on with an
    /// empty one. Calls that are open are in both. Threads that have ended are in the first alone;
    /// by its old handle, each of the others has a new one. The next slice is of the same
    /// recording; [`Builder::begin_slice`] says where it has begun.
    pub fn cut(&mut self) -> (Self, BTreeMap<ThreadHandle, ThreadHandle>) {
        let mut next = Self {
            demotions: self.demotions.clone(),
            modes: self.modes.clone(),
            budget: self.budget,
            slice: Some(SliceBegin {
                number: self.slice.as_ref().map_or(0, |slice| slice.number) + 1,
                start: self.slice_start().cloned().unwrap_or_default(),
                ..SliceBegin::default()
            }),
            folding: self.folding.emptied(),
            has_cpu: self.has_cpu,
            own_clock: self.own_clock,
            ..Self::default()
        };
        next.latencies = self.latencies.emptied();
        let mut handles = BTreeMap::new();
        let group = self.virtuals.group;
        for (old, state) in (0..).zip(&self.threads) {
            if state.over && Some(old) != group {
                continue;
            }
            let new = next.threads.len() as u32;
            let root = next.tree.add(NONE, frame::pack(frame::THREAD, new));
            next.tree.nodes[root as usize].calls = 1;
            let moved = self.moved(state, root, &mut next);
            next.threads.push(moved);
            handles.insert(ThreadHandle(old), ThreadHandle(new));
        }
        let root_of_group = group
            .and_then(|group| handles.get(&ThreadHandle(group)))
            .map(|group| (group.0, next.threads[group.0 as usize].root));
        let mut virtuals =
            self.virtuals.cut(|thread| handles.get(&ThreadHandle(thread)).map(|handle| handle.0));
        if let Some((_, root)) = root_of_group {
            for stack in virtuals.stacks.values_mut() {
                stack.state = self.moved(&stack.state, root, &mut next);
            }
            let at = |thread| handles.get(&ThreadHandle(thread)).map(|handle| handle.0);
            self.virtuals.carry_ends(&mut virtuals, at, (&self.tree, &mut next.tree, root));
        }
        next.virtuals = virtuals;
        self.hand_over_logs(&handles, &mut next);
        let before = std::mem::replace(self, next);
        (before, handles)
    }

    /// Gives the next slice the records of calls that are open.
    fn hand_over_logs(&mut self, handles: &BTreeMap<ThreadHandle, ThreadHandle>, next: &mut Self) {
        let Self { threads, virtuals, latencies, .. } = next;
        for (old, new) in handles {
            let states = (self.threads.get_mut(old.0 as usize), threads.get_mut(new.0 as usize));
            if let (Some(old), Some(new)) = states {
                new.log = latencies.slowest.adopt(&mut old.log);
            }
        }
        for (thread, old) in &mut self.virtuals.stacks {
            if let Some(new) = virtuals.stacks.get_mut(thread) {
                new.state.log = latencies.slowest.adopt(&mut old.state.log);
            }
        }
    }

    /// A thread's state, with its open calls in the next tree below `root`.
    fn moved(&self, state: &ThreadState, root: u32, next: &mut Self) -> ThreadState {
        let path = self.tree.path(state.current);
        let floor = super::feed::common_ancestor(&self.tree.nodes, state.floor, state.current);
        let below_floor = self.tree.path(floor).len();
        let mut state = state.clone();
        let (mut at, mut new_floor) = (root, root);
        let mut olds: Vec<u32> = Vec::with_capacity(path.len());
        let mut news: Vec<(u32, u32)> = Vec::with_capacity(path.len());
        let mut above = state.current;
        while olds.len() < path.len() {
            olds.push(above);
            above = self.tree.nodes[above as usize].parent;
        }
        for ((depth, packed), old) in (1..).zip(path).zip(olds.into_iter().rev()) {
            let known = next.tree.find(at, packed);
            let node = known.unwrap_or_else(|| next.tree.child(at, packed));
            if known.is_none() {
                next.latencies.meet(&mut next.tree, node);
            }
            next.tree.nodes[node as usize].calls += 1;
            if let Some(slice) = &mut next.slice {
                *slice.carried.entry(node).or_default() += 1;
            }
            if self.tree.direct.has(old) {
                next.tree.direct.set(node);
            }
            at = node;
            news.push((old, node));
            if depth == below_floor {
                new_floor = node;
            }
        }
        for open in &mut state.open {
            let new = news.iter().find(|(old, _)| *old == open.flush_node);
            open.flush_node = new.map_or(root, |(_, new)| *new);
        }
        state.excluded_before = state.clock.excluded;
        (state.root, state.current, state.floor) = (root, at, new_floor);
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_trace::record::Record;
    use jfathom_trace::{ThreadInfo, layout as l};

    fn id(id: u32) -> jfathom_plan::MethodId {
        jfathom_plan::MethodId::new(id).unwrap()
    }

    fn paths(builder: &Builder) -> Vec<(Vec<u32>, u64, u64)> {
        let nodes = (1_u32..).zip(&builder.tree.nodes[1..]);
        nodes
            .filter(|(_, node)| frame::kind(node.frame) == frame::METHOD)
            .map(|(at, node)| (builder.tree.path(at), node.calls, node.self_ticks))
            .collect()
    }

    #[test]
    fn open_calls_are_in_both_slices_and_their_time_is_in_one() {
        let mut builder = Builder::new();
        let info = |sequence| ThreadInfo {
            sequence,
            thread_id: sequence,
            kernel_id: 0,
            name: String::new(),
        };
        let ended = builder.thread(&info(1));
        builder.feed(ended, &[l::ESCAPE_THREAD_START | 1]);
        builder.end_thread(ended);
        let thread = builder.thread(&info(2));
        let entry = |of, time| Record::Entry { id: id(of), time }.encode();
        let exit = |of, time| Record::Return { id: id(of), time }.encode();
        builder.feed(thread, &[l::ESCAPE_THREAD_START | 2, entry(1, 10), entry(2, 20)]);
        builder.feed(thread, &[exit(2, 30), entry(2, 40)]);
        let (first, handles) = builder.cut();
        first.check_counts().unwrap();
        assert_eq!(paths(&first), [(vec![1], 1, 20), (vec![1, 2], 2, 10)]);
        assert_eq!(first.slice, None);
        assert_eq!(handles, BTreeMap::from([(thread, ThreadHandle(0))]));
        builder.check_counts().unwrap();
        builder.feed(ThreadHandle(0), &[exit(2, 70), exit(1, 100), entry(3, 110), exit(3, 120)]);
        builder.check_counts().unwrap();
        let second = [(vec![1], 1, 30), (vec![1, 2], 1, 30), (vec![3], 1, 10)];
        assert_eq!(paths(&builder), second);
        let slice = builder.slice.as_ref().unwrap().slice(&builder.tree);
        assert_eq!((slice.number, slice.carried_calls()), (1, 2));
        let (second, _) = builder.cut();
        assert_eq!(second.slice.as_ref().unwrap().number, 1);
        assert_eq!(builder.slice.unwrap().slice(&builder.tree).carried, []);
    }

    /// A reader of the file, and one of the checkpoint, know of which recording the slice is.
    #[test]
    fn slices_know_their_recording() {
        let mut builder = Builder::new();
        builder.keep_slowest(3);
        let start = SliceStart { recording: 1_700, began_millis: 1_701, ..SliceStart::default() };
        builder.begin_slice(start.clone());
        let (first, _) = builder.cut();
        for (number, builder) in [(0, first), (1, builder)] {
            let mut bytes = Vec::new();
            builder.checkpoint(Vec::new()).write(&mut bytes).unwrap();
            let read = crate::Checkpoint::read(&mut bytes.as_slice()).unwrap();
            assert_eq!(read.builder.slice_start(), Some(&start));
            let (meta, names) = Default::default();
            let rate = crate::TickRate::NANOS;
            let context = crate::Context { meta, rate, names: &names, virtual_calls: &[] };
            let profile = builder.finish(context);
            let mut bytes = Vec::new();
            profile.write(&mut bytes).unwrap();
            let read = crate::Profile::read(&mut bytes.as_slice()).unwrap();
            let slice = read.slice.as_ref().unwrap();
            assert_eq!((slice.number, slice.recording), (number, 1_700));
            assert_eq!(read.latencies.most_slowest, 3);
            assert_eq!(read, profile);
        }
    }
}
