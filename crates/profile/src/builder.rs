//! From records to the calling context tree of one JVM.
//!
//! Each thread has a *current node*. The path from it to the thread's root is the simulated stack:
//! an entry goes one node down, an exit one node up. The time between two records goes to the
//! current node.
//!
//! Missing records are repaired and counted. An exit or a catch of a frame further down closes the
//! frames above it. An exit without an entry closes all frames that were opened since the thread's
//! beginning or the last gap.
//!
//! A frame closed in this way has an *inferred* exit. Its time ends with the record that closed it.
//! An inferred exit is a loss, except for a constructor that an exception closed. No handler can
//! cover the call of `super()` or `this()` (JVMS 4.10.1.6), so no probe sees an exception leave
//! there. The next record shows that the constructor has ended. If code without probes catches the
//! exception before, its calls are counted below the constructor.
//!
//! A *demoted* method is only counted. Each thread's records say, as an epoch, when the thread
//! begins to count it. From that record on, the builder closes frames of demoted methods when they
//! are on top of the stack, and ignores their exits and catches. A late entry is a counted call.
//!
//! A counted call belongs to the frame on top of the stack, which is the innermost timed one. A
//! thread's COUNTED records have the calls since the record before. Its counters have those that
//! have no record when the thread or its JVM ends. So each call is counted exactly once.

mod checkpoint;
mod costs;
mod demotion_epochs;
mod feed;
mod finish;
mod latencies;
mod open_roots;
mod thread;

use std::collections::BTreeMap;

use jfathom_plan::MethodId;
use jfathom_trace::{Counter, ThreadInfo};

pub use self::checkpoint::Checkpoint;
pub use self::costs::CallSums;
use self::demotion_epochs::DemotionEpochs;
use self::feed::Feed;
pub use self::finish::Context;
use self::latencies::Latencies;
use self::thread::ThreadState;
use crate::count_table::CountTable;
use crate::id_table::IdTable;
use crate::tree_builder::{NONE, Node, TreeBuilder};
use crate::{BudgetOutcome, Demotion, Mode, Quality, frame};

/// Handle of a thread in a [`Builder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadHandle(u32);

/// Counts of a method that its nodes do not have, and sums over its nodes that are needed while the
/// tree grows. What each record changes lies in one cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
struct MethodSums {
    returns: u64,
    /// Measured self time.
    self_ticks: u64,
    /// Timed calls that the method made directly.
    timed_below: u64,
    /// Counted calls that the method made directly.
    counted_below: u64,
    /// COUNTED records that these calls caused.
    count_records: u64,
    throws: u64,
    inferred: u64,
    caught: u64,
    /// Inferred exits that the record of an exception closed.
    unwound: u64,
    demoted: u64,
    unmatched: u64,
}

/// Builds the tree of one JVM from its threads' records.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    tree: TreeBuilder,
    counted: CountTable,
    threads: Vec<ThreadState>,
    /// By method id.
    methods: IdTable<MethodSums>,
    quality: Quality,
    latencies: Latencies,
    demotion_epochs: DemotionEpochs,
    /// By method id.
    demotions: BTreeMap<u32, Demotion>,
    /// Methods that are not timed from the start, by id.
    modes: BTreeMap<u32, Mode>,
    /// None if nobody watches a budget.
    budget: Option<BudgetOutcome>,
}

impl Builder {
    /// Memory per node, in bytes.
    pub const NODE_BYTES: usize = size_of::<Node>();

    /// An empty tree.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a thread. Its records must be fed in order.
    pub fn thread(&mut self, info: &ThreadInfo) -> ThreadHandle {
        let handle = ThreadHandle(self.threads.len() as u32);
        let root = self.tree.add(NONE, frame::pack(frame::THREAD, handle.0));
        self.tree.nodes[root as usize].calls = 1;
        self.threads.push(ThreadState::new(info, root));
        handle
    }

    /// Threads that have not ended, by thread number.
    pub(crate) fn unended(&self) -> impl Iterator<Item = (u64, ThreadHandle)> {
        let threads = (0..).map(ThreadHandle).zip(&self.threads).filter(|(_, state)| !state.over);
        threads.map(|(handle, state)| (state.sequence, handle))
    }

    /// Marks a place where `lost` records of the thread are missing. Open frames stay open until
    /// their exits; an exit of another frame counts as that of a lost entry. The time until the
    /// next record goes to no node.
    pub fn gap(&mut self, thread: ThreadHandle, lost: u64) {
        self.quality.lost_with_collector = self.quality.lost_with_collector.saturating_add(lost);
        if let Some(state) = self.threads.get_mut(thread.0 as usize) {
            state.gap();
        }
    }

    /// Ends a thread. Its open frames stay open, unless its last record is that of its end.
    pub fn end_thread(&mut self, thread: ThreadHandle) {
        if let Some(state) = self.threads.get_mut(thread.0 as usize) {
            state.over = true;
        }
    }

    /// Nodes so far, threads included.
    pub fn node_count(&self) -> usize {
        self.tree.nodes.len() - 1
    }

    /// Threads so far.
    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// Threads that have not ended.
    pub fn live_threads(&self) -> usize {
        self.threads.iter().filter(|thread| !thread.over).count()
    }

    /// Records fed so far.
    pub fn record_count(&self) -> u64 {
        self.quality.records
    }

    /// Repairs and losses so far. The caller adds what JVM and collector counted.
    pub fn quality_mut(&mut self) -> &mut Quality {
        &mut self.quality
    }

    /// Sets the initial mode of a method that is not timed. Its calls have no records: the mode
    /// goes into the profile's method table.
    pub fn set_mode(&mut self, method: MethodId, mode: Mode) {
        self.modes.insert(method.get(), mode);
    }

    /// Demotes a method: it is timed before `epoch` and counted from it on. Must be called before
    /// any thread can see the epoch.
    pub fn demote(&mut self, epoch: u32, method: MethodId, demotion: Demotion) {
        self.demotion_epochs.set(method.get(), epoch);
        self.demotions.insert(method.get(), demotion);
    }

    /// How the recording has kept its budget so far. The caller computes it.
    pub fn set_budget(&mut self, budget: BudgetOutcome) {
        self.budget = Some(budget);
    }

    /// Adds the counted calls that have no record, when all records of the thread are fed. They
    /// belong to the frame on top of the stack.
    pub fn add_counters(&mut self, thread: ThreadHandle, counters: &[(MethodId, Counter)]) {
        let Some(state) = self.threads.get(thread.0 as usize) else { return };
        for (id, counter) in counters {
            if !state.has_record(*id, *counter) {
                self.counted.add(state.current, id.get(), counter.calls(), 0);
            }
        }
    }

    /// Calls in COUNTED records so far by method, in no order; a method may come several times.
    pub fn counted_calls(&self) -> impl Iterator<Item = (MethodId, u64)> {
        let entries = self.counted.iter();
        entries.filter_map(|(_, id, counted)| Some((MethodId::new(id)?, counted.calls)))
    }

    /// Consumes records of a thread of this builder.
    pub fn feed(&mut self, thread: ThreadHandle, words: &[u64]) {
        let Some(state) = self.threads.get_mut(thread.0 as usize) else { return };
        self.quality.records += words.len() as u64;
        let Self { tree, counted, methods, quality, latencies, demotion_epochs, .. } = self;
        let mut feed = Feed { tree, counted, methods, quality, latencies, demotion_epochs, state };
        let taken = match feed.state.epoch {
            0 => feed.run::<false>(words),
            _ => 0,
        };
        feed.run::<true>(words.get(taken..).unwrap_or_default());
        feed.counted.flush();
        if let Some(last) = words.last() {
            feed.state.last_word = *last;
        }
    }
}
