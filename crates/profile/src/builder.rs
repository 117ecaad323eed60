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
mod feed;
mod finish;
mod thread;

use std::collections::BTreeMap;

use jfathom_plan::MethodId;
use jfathom_trace::ThreadInfo;

pub use self::checkpoint::Checkpoint;
pub use self::costs::MethodCost;
use self::demotion_epochs::DemotionEpochs;
use self::feed::Feed;
pub use self::finish::Context;
use self::thread::ThreadState;
use crate::id_table::IdTable;
use crate::record_interval::IntervalReservoir;
use crate::tree_builder::{NONE, Node, TreeBuilder};
use crate::{Demotion, Mode, Quality, frame};

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
