//! From records to the calling context tree of one JVM.
//!
//! Each thread has a *current node*; the path from it to the thread's root is the simulated stack, so a call costs one
//! step down and an exit one step up. The time between two records goes to the current node. What the records leave out
//! is repaired and counted: an exit or a catch of a frame further down closes the frames above it, and an exit whose entry
//! is not there closes all that were opened since the thread's beginning or the last gap.

mod checkpoint;
mod finish;
mod thread;

use jfathom_trace::ThreadInfo;
use jfathom_trace::layout as l;
use jfathom_trace::record::{Record, id_bits, time_bits, type_of};

pub use self::checkpoint::Checkpoint;
pub use self::finish::Context;
use self::thread::{NO_TIME, ThreadState};
use crate::growth::{Growth, NONE, Node};
use crate::{Quality, Ticks, frame};

/// Handle of a thread in a [`Builder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadHandle(u32);

/// What is counted for a method beyond its nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Exits {
    returns: u64,
    throws: u64,
    inferred: u64,
    unmatched: u64,
    caught: u64,
}

/// Builds the tree of one JVM from its threads' records.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    tree: Growth,
    threads: Vec<ThreadState>,
    /// By method id; grows when a method is met.
    exits: Vec<Exits>,
    quality: Quality,
}

impl Builder {
    /// Bytes of memory that a node takes.
    pub const NODE_BYTES: usize = size_of::<Node>();

    /// An empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new thread. Its records must be fed in order.
    pub fn thread(&mut self, info: &ThreadInfo) -> ThreadHandle {
        let handle = ThreadHandle(self.threads.len() as u32);
        let root = self.tree.add(NONE, frame::pack(frame::THREAD, handle.0));
        self.tree.nodes[root as usize].calls = 1;
        self.threads.push(ThreadState::new(info, root));
        handle
    }

    /// The threads that have not ended, with their numbers in the JVM.
    pub(crate) fn unended(&self) -> impl Iterator<Item = (u64, ThreadHandle)> {
        let threads = (0..).map(ThreadHandle).zip(&self.threads).filter(|(_, state)| !state.over);
        threads.map(|(handle, state)| (state.sequence, handle))
    }

    /// `lost` records of the thread are missing here. Its stack is kept: later exits of frames that are open bring it in
    /// order, and exits of frames that are not are taken for those of lost entries. The time until its next record goes to
    /// no node.
    pub fn gap(&mut self, thread: ThreadHandle, lost: u64) {
        self.quality.lost_with_collector = self.quality.lost_with_collector.saturating_add(lost);
        if let Some(state) = self.threads.get_mut(thread.0 as usize) {
            state.gap();
        }
    }

    /// The thread has ended; nothing is fed to it any more. Frames that are open stay open unless its records say that it
    /// came to its end.
    pub fn end_thread(&mut self, thread: ThreadHandle) {
        if let Some(state) = self.threads.get_mut(thread.0 as usize) {
            state.over = true;
        }
    }

    /// Number of nodes in the tree so far, threads included.
    pub fn node_count(&self) -> usize {
        self.tree.nodes.len() - 1
    }

    /// Number of threads so far.
    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// Number of threads that have not ended.
    pub fn live_threads(&self) -> usize {
        self.threads.iter().filter(|thread| !thread.over).count()
    }

    /// Records fed so far.
    pub fn record_count(&self) -> u64 {
        self.quality.records
    }

    /// What had to be repaired or is missing so far. What the JVM and the collector count for themselves is theirs to add.
    pub fn quality_mut(&mut self) -> &mut Quality {
        &mut self.quality
    }

    /// Takes in records of a thread (a handle of this builder).
    pub fn feed(&mut self, thread: ThreadHandle, words: &[u64]) {
        let Some(state) = self.threads.get_mut(thread.0 as usize) else { return };
        self.quality.records += words.len() as u64;
        let Self { tree, exits, quality, .. } = self;
        let mut current = state.current;
        let mut last = state.last;
        let mut high = state.high;
        for word in words.iter().copied() {
            let kind = type_of(word);
            if kind == l::TYPE_ESCAPE {
                (state.current, state.last, state.high) = (current, last, high);
                escape(tree, exits, quality, state, word);
                (current, last, high) = (state.current, state.last, state.high);
                continue;
            }
            let time = high | time_bits(word);
            let node = &mut tree.nodes[current as usize];
            if time >= last {
                node.self_ticks = node.self_ticks.wrapping_add(time - last);
                last = time;
            } else {
                last = state.irregular(last, time, quality);
            }
            let id = id_bits(word);
            if kind == l::TYPE_ENTRY {
                let child = node.child;
                current = match tree.nodes[child as usize].frame == id {
                    true => child,
                    false => find_child(tree, exits, current, id),
                };
                tree.nodes[current as usize].calls += 1;
                continue;
            }
            if node.frame == id {
                current = node.parent;
            } else {
                match unwind(&tree.nodes, exits, quality, current, id) {
                    Some(parent) => current = parent,
                    None => {
                        state.floor = common_ancestor(&tree.nodes, state.floor, current);
                        current = close_all(&tree.nodes, exits, quality, current, state.floor);
                        exits_of(exits, id).unmatched += 1;
                        quality.unmatched_exits += 1;
                        continue;
                    }
                }
            }
            // The node of this method is there, so its counts are there.
            let counts = &mut exits[id as usize];
            if kind == l::TYPE_RETURN {
                counts.returns += 1;
            } else {
                counts.throws += 1;
            }
        }
        (state.current, state.last, state.high) = (current, last, high);
    }
}

/// The child of `parent` for `frame`, added if it is not there; it is then the one entered last.
#[inline(never)]
fn find_child(tree: &mut Growth, exits: &mut Vec<Exits>, parent: u32, frame: u32) -> u32 {
    if frame::kind(frame) == frame::METHOD {
        exits_of(exits, frame);
    }
    tree.child(parent, frame)
}

fn exits_of(exits: &mut Vec<Exits>, id: u32) -> &mut Exits {
    let index = id as usize;
    if exits.len() <= index {
        exits.resize(index + 1, Exits::default());
    }
    &mut exits[index]
}

/// The nearest node for `frame` at or below the top of the stack.
fn find_open(nodes: &[Node], current: u32, frame: u32) -> Option<u32> {
    let mut at = current;
    while at != NONE {
        let node = &nodes[at as usize];
        if node.frame == frame {
            return Some(at);
        }
        at = node.parent;
    }
    None
}

/// The deepest node that both paths go through; both are of one thread's tree.
fn common_ancestor(nodes: &[Node], mut a: u32, mut b: u32) -> u32 {
    // A parent is older than its children, and so has the smaller number.
    while a != b {
        if a > b {
            a = nodes[a as usize].parent;
        } else {
            b = nodes[b as usize].parent;
        }
    }
    a
}

/// Closes the frames above the nearest one of method `id`, which has exited, and returns the node below it.
#[inline(never)]
fn unwind(nodes: &[Node], exits: &mut [Exits], quality: &mut Quality, current: u32, id: u32) -> Option<u32> {
    let found = find_open(nodes, current, id)?;
    close_all(nodes, exits, quality, current, found);
    Some(nodes[found as usize].parent)
}

/// Closes the frames from `current` down to `until`, which stays, and returns it.
fn close_all(nodes: &[Node], exits: &mut [Exits], quality: &mut Quality, current: u32, until: u32) -> u32 {
    let mut at = current;
    while at != until && at != NONE {
        let node = &nodes[at as usize];
        match frame::kind(node.frame) {
            frame::METHOD => {
                exits[node.frame as usize].inferred += 1;
                quality.inferred_exits += 1;
            }
            _ => quality.repaired_tasks += 1,
        }
        at = node.parent;
    }
    until
}

/// Takes in an escape.
#[cold]
fn escape(tree: &mut Growth, exits: &mut Vec<Exits>, quality: &mut Quality, state: &mut ThreadState, word: u64) {
    match Record::decode(word) {
        Some(Record::ThreadStart { high, .. }) => state.set_high(high, false),
        Some(Record::ThreadEnd) => {
            // A task may be all that the thread is for: its end is no repair.
            let repaired = quality.repaired_tasks;
            state.current = close_all(&tree.nodes, exits, quality, state.current, state.root);
            quality.repaired_tasks = repaired;
            state.ended = true;
        }
        Some(Record::TimeHigh { high }) => state.set_high(high, true),
        Some(Record::Adjust { ticks }) => {
            state.adjust(ticks);
            quality.adjusted += Ticks(ticks);
        }
        Some(Record::Caught { id, time }) => {
            advance(&mut tree.nodes, state, quality, time);
            exits_of(exits, id.get()).caught += 1;
            match find_open(&tree.nodes, state.current, id.get()) {
                Some(frame) => state.current = close_all(&tree.nodes, exits, quality, state.current, frame),
                None => quality.unmatched_catches += 1,
            }
        }
        Some(Record::TaskOpen { id, time }) => {
            advance(&mut tree.nodes, state, quality, time);
            let task = find_child(tree, exits, state.current, frame::pack(frame::TASK, id.get()));
            tree.nodes[task as usize].calls += 1;
            state.current = task;
        }
        Some(Record::TaskClose { id, time }) => {
            advance(&mut tree.nodes, state, quality, time);
            match find_open(&tree.nodes, state.current, frame::pack(frame::TASK, id.get())) {
                Some(task) => {
                    close_all(&tree.nodes, exits, quality, state.current, task);
                    state.current = tree.nodes[task as usize].parent;
                }
                None => quality.repaired_tasks += 1,
            }
        }
        _ => quality.unknown_records += 1,
    }
}

/// Moves a thread's time on to a coarse time, which may lie before the last record's.
fn advance(nodes: &mut [Node], state: &mut ThreadState, quality: &mut Quality, low: u64) {
    let time = state.high | low;
    if state.last == NO_TIME {
        state.last = state.irregular(NO_TIME, time, quality);
    } else if time > state.last {
        let node = &mut nodes[state.current as usize];
        node.self_ticks = node.self_ticks.wrapping_add(time - state.last);
        state.last = time;
    }
}
