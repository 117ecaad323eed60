//! From records to the calling context tree of one JVM.
//!
//! Each thread has a *current node*; the path from it to the thread's root is the simulated stack,
//! so a call costs one step down and an exit one step up. The time between two records goes to the
//! current node. What the records leave out is repaired and counted: an exit or a catch of a frame
//! further down closes the frames above it, and an exit whose entry is not there closes all that
//! were opened since the thread's beginning or the last gap.
//!
//! A frame that is closed so has an *inferred* exit: its time ends with the event that closed it.
//! For a constructor this is no fault where that event is an exception on its way, thrown out of or
//! caught in a frame further down: no handler can cover the call of `super()` or `this()`, so no
//! probe sees an exception leave the constructor there. In any other case something is missing.
//! Between such an exception and that event nothing says that the constructor has ended: should
//! code without probes catch the exception and go on, what it calls is counted below the
//! constructor.
//!
//! A method that is *demoted* is only counted from then on. Each thread's records say when it takes
//! that over, as an epoch: from there the thread's frames of methods demoted up to the epoch are
//! closed as soon as they are on top of the stack, an entry that still comes is a counted call, and
//! exits and catches of such methods are passed over. Who records keeps count of the calls from
//! then on, so each call is counted exactly once.

mod checkpoint;
mod costs;
mod demotion_epochs;
mod finish;
mod thread;

use std::collections::BTreeMap;

use jfathom_plan::MethodId;
use jfathom_trace::ThreadInfo;
use jfathom_trace::layout as l;
use jfathom_trace::record::{Record, id_bits, time_bits, type_of};

pub use self::checkpoint::Checkpoint;
pub use self::costs::MethodCost;
use self::demotion_epochs::DemotionEpochs;
pub use self::finish::Context;
use self::thread::{NO_TIME, ThreadState};
use crate::id_table::IdTable;
use crate::record_interval::IntervalReservoir;
use crate::tree_builder::{NONE, Node, TreeBuilder};
use crate::{Demotion, Mode, Quality, Ticks, frame};

/// Handle of a thread in a [`Builder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadHandle(u32);

/// What is counted for a method beyond its nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Exits {
    returns: u64,
    throws: u64,
    inferred: u64,
    /// Those of `inferred` that an exception's record closed.
    unwound: u64,
    demoted: u64,
    unmatched: u64,
    caught: u64,
}

/// Builds the tree of one JVM from its threads' records.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    tree: TreeBuilder,
    threads: Vec<ThreadState>,
    /// By method id.
    exits: IdTable<Exits>,
    quality: Quality,
    /// Since when methods are demoted.
    switches: DemotionEpochs,
    /// What is known of each demotion, by method id.
    demotions: BTreeMap<u32, Demotion>,
    /// Methods that are not timed from the start, by id.
    modes: BTreeMap<u32, Mode>,
    sampler: IntervalReservoir,
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

    /// `lost` records of the thread are missing here. Its stack is kept: later exits of frames that
    /// are open bring it in order, and exits of frames that are not are taken for those of lost
    /// entries. The time until its next record goes to no node.
    pub fn gap(&mut self, thread: ThreadHandle, lost: u64) {
        self.quality.lost_with_collector = self.quality.lost_with_collector.saturating_add(lost);
        if let Some(state) = self.threads.get_mut(thread.0 as usize) {
            state.gap();
        }
    }

    /// The thread has ended; nothing is fed to it any more. Frames that are open stay open unless
    /// its records say that it came to its end.
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

    /// What had to be repaired or is missing so far. What the JVM and the collector count for
    /// themselves is theirs to add.
    pub fn quality_mut(&mut self) -> &mut Quality {
        &mut self.quality
    }

    /// How the calls of a method are recorded from the start, where that is not with times. Such
    /// calls have no records; this is for the profile's method table.
    pub fn set_mode(&mut self, method: MethodId, mode: Mode) {
        self.modes.insert(method.get(), mode);
    }

    /// A method is timed until `epoch` and counted from then on. To be told before any thread can
    /// see the epoch: each thread's records say when it takes it over.
    pub fn demote(&mut self, epoch: u32, method: MethodId, demotion: Demotion) {
        self.switches.set(method.get(), epoch);
        self.demotions.insert(method.get(), demotion);
    }

    /// What a thread's counters hold: all calls that it counted so far, by method. It takes the
    /// place of what was told of the thread before.
    pub fn set_counts(
        &mut self,
        thread: ThreadHandle,
        counts: impl IntoIterator<Item = (MethodId, u64)>,
    ) {
        if let Some(state) = self.threads.get_mut(thread.0 as usize) {
            state.counts = counts
                .into_iter()
                .filter(|(_, calls)| *calls != 0)
                .map(|(id, n)| (id.get(), n))
                .collect();
        }
    }

    /// Takes in records of a thread (a handle of this builder).
    pub fn feed(&mut self, thread: ThreadHandle, words: &[u64]) {
        let Some(state) = self.threads.get_mut(thread.0 as usize) else { return };
        self.quality.records += words.len() as u64;
        self.sampler.pass(words);
        let Self { tree, exits, quality, switches, .. } = self;
        let mut feed = Feed { tree, exits, quality, switches, state };
        let taken = match feed.state.epoch {
            0 => feed.run::<false>(words),
            _ => 0,
        };
        feed.run::<true>(words.get(taken..).unwrap_or_default());
    }
}

/// What an event that closes frames above its own says of them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// An exception went through them.
    Exception,
    /// Only that they have ended.
    Other,
}

/// What records of one thread are taken in with.
struct Feed<'a> {
    tree: &'a mut TreeBuilder,
    exits: &'a mut IdTable<Exits>,
    quality: &'a mut Quality,
    switches: &'a DemotionEpochs,
    state: &'a mut ThreadState,
}

impl Feed<'_> {
    /// Takes in records, and says how many: all, or as many as there are up to the first that says
    /// that methods are demoted. From there on `DEMOTED` must be set: then methods are asked
    /// for before they get frames.
    #[inline(always)]
    fn run<const DEMOTED: bool>(&mut self, words: &[u64]) -> usize {
        let Self { tree, exits, quality, switches, state } = self;
        let mut current = state.current;
        let mut last = state.last;
        let mut high = state.high;
        for (at, word) in words.iter().copied().enumerate() {
            let kind = type_of(word);
            if kind == l::TYPE_ESCAPE {
                (state.current, state.last, state.high) = (current, last, high);
                Feed { tree, exits, quality, switches, state }.escape(word);
                (current, last, high) = (state.current, state.last, state.high);
                if !DEMOTED && state.epoch != 0 {
                    return at + 1;
                }
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
            if DEMOTED && switches.demoted(id, state.epoch) {
                if kind == l::TYPE_ENTRY {
                    tree.extra_mut(current).counted += 1;
                    state.count_late(id);
                }
                continue;
            }
            if kind == l::TYPE_ENTRY {
                let child = node.child;
                current = match tree.nodes[child as usize].frame == id {
                    true => child,
                    false => find_child(tree, current, id),
                };
                tree.nodes[current as usize].calls += 1;
                continue;
            }
            let mut parent = node.parent;
            if node.frame != id {
                state.current = current;
                let mut feed = Feed { tree, exits, quality, switches, state };
                let event =
                    if kind == l::TYPE_RETURN { Closing::Other } else { Closing::Exception };
                match feed.unwind(id, event) {
                    Some(found) => {
                        current = found;
                        parent = feed.tree.nodes[found as usize].parent;
                    }
                    None => {
                        feed.exit_without_entry(id);
                        current = feed.state.current;
                        continue;
                    }
                }
            }
            let counts = exits.row(id);
            if kind == l::TYPE_RETURN {
                counts.returns += 1;
            } else {
                counts.throws += 1;
                tree.extra_mut(current).throws += 1;
            }
            current = parent;
            if DEMOTED {
                state.current = current;
                let mut feed = Feed { tree, exits, quality, switches, state };
                feed.close_demoted();
                current = feed.state.current;
            }
        }
        (state.current, state.last, state.high) = (current, last, high);
        words.len()
    }

    /// Closes the frames above the nearest one of method `id`, which has exited, and returns that
    /// one.
    #[inline(never)]
    fn unwind(&mut self, id: u32, event: Closing) -> Option<u32> {
        let found = find_open(&self.tree.nodes, self.state.current, id)?;
        self.close_to(found, event);
        Some(found)
    }

    /// An exit whose entry is not there: of a call that began before the recording, or in a gap.
    #[cold]
    fn exit_without_entry(&mut self, id: u32) {
        self.state.floor = common_ancestor(&self.tree.nodes, self.state.floor, self.state.current);
        self.close_to(self.state.floor, Closing::Other);
        self.close_demoted();
        self.exits.row(id).unmatched += 1;
        self.quality.unmatched_exits += 1;
    }

    /// Closes the frames on the stack down to the node `until`, which stays.
    fn close_to(&mut self, until: u32, event: Closing) {
        let mut at = self.state.current;
        while at != until && at != NONE {
            let node = &self.tree.nodes[at as usize];
            match frame::kind(node.frame) {
                frame::METHOD if self.switches.demoted(node.frame, self.state.epoch) => {
                    self.exits.row(node.frame).demoted += 1;
                }
                frame::METHOD => {
                    let exits = self.exits.row(node.frame);
                    exits.inferred += 1;
                    exits.unwound += u64::from(event == Closing::Exception);
                    self.quality.inferred_exits += 1;
                }
                _ => self.quality.repaired_tasks += 1,
            }
            at = node.parent;
        }
        self.state.current = until;
    }

    /// Closes frames of demoted methods on the top of the stack: their time from here on is the
    /// caller's.
    fn close_demoted(&mut self) {
        loop {
            let node = &self.tree.nodes[self.state.current as usize];
            if !self.switches.demoted(node.frame, self.state.epoch) {
                return;
            }
            self.exits.row(node.frame).demoted += 1;
            self.state.current = node.parent;
        }
    }

    /// Takes in an escape.
    #[inline(never)]
    fn escape(&mut self, word: u64) {
        match Record::decode(word) {
            Some(Record::Counted { calls }) => {
                let extra = self.tree.extra_mut(self.state.current);
                extra.counted = extra.counted.saturating_add(calls);
                extra.notes += 1;
            }
            Some(Record::Mode { epoch }) => {
                let epoch = u32::try_from(epoch).unwrap_or(u32::MAX).min(DemotionEpochs::LAST);
                self.state.epoch = self.state.epoch.max(epoch);
                self.close_demoted();
            }
            Some(Record::ThreadStart { high, .. }) => self.state.set_high(high, false),
            Some(Record::ThreadEnd) => {
                // A task may be all that the thread is for: its end is no repair.
                let repaired = self.quality.repaired_tasks;
                self.close_to(self.state.root, Closing::Other);
                self.quality.repaired_tasks = repaired;
                self.state.ended = true;
            }
            Some(Record::TimeHigh { high }) => self.state.set_high(high, true),
            Some(Record::Adjust { ticks }) => {
                self.state.adjust(ticks);
                self.quality.adjusted += Ticks(ticks);
            }
            Some(Record::Caught { id, time }) => {
                self.advance(time);
                if self.switches.demoted(id.get(), self.state.epoch) {
                    return;
                }
                self.exits.row(id.get()).caught += 1;
                match find_open(&self.tree.nodes, self.state.current, id.get()) {
                    Some(frame) => self.close_to(frame, Closing::Exception),
                    None => self.quality.unmatched_catches += 1,
                }
            }
            Some(Record::TaskOpen { id, time }) => {
                self.advance(time);
                let task =
                    find_child(self.tree, self.state.current, frame::pack(frame::TASK, id.get()));
                self.tree.nodes[task as usize].calls += 1;
                self.state.current = task;
            }
            Some(Record::TaskClose { id, time }) => {
                self.advance(time);
                match find_open(
                    &self.tree.nodes,
                    self.state.current,
                    frame::pack(frame::TASK, id.get()),
                ) {
                    Some(task) => {
                        self.close_to(task, Closing::Other);
                        self.state.current = self.tree.nodes[task as usize].parent;
                        self.close_demoted();
                    }
                    None => self.quality.repaired_tasks += 1,
                }
            }
            _ => self.quality.unknown_records += 1,
        }
    }

    /// Moves the thread's time on to a coarse time, which may lie before the last record's.
    fn advance(&mut self, low: u64) {
        let state = &mut *self.state;
        let time = state.high | low;
        if state.last == NO_TIME {
            state.last = state.irregular(NO_TIME, time, self.quality);
        } else if time > state.last {
            let node = &mut self.tree.nodes[state.current as usize];
            node.self_ticks = node.self_ticks.wrapping_add(time - state.last);
            state.last = time;
        }
    }
}

/// The child of `parent` for `frame`, added if it is not there; it is then the one entered last.
#[inline(never)]
fn find_child(tree: &mut TreeBuilder, parent: u32, frame: u32) -> u32 {
    tree.child(parent, frame)
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
