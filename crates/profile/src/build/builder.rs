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
//! A method may be timed in one call and counted in the next. A timed call has an entry and an
//! exit whatever the method's mode is by then.
//!
//! A counted call belongs to the frame on top of the stack, which is the innermost timed one. A
//! thread's COUNTED records have the calls since the record before. Its counters have those that
//! have no record when the thread or its JVM ends. So each call is counted exactly once.

mod call_log;
mod callers;
mod checkpoint;
mod clock;
mod costs;
mod cut;
mod feed;
mod finish;
mod folding;
mod keep_timeline;
mod latencies;
mod logging;
mod method_sums;
mod off_cpu;
mod open_roots;
mod room;
mod slice_begin;
mod slowest;
mod split;
#[cfg(test)]
mod test_records;
mod thread;
mod timeline;
mod virtual_threads;

use std::collections::BTreeMap;

use jfathom_plan::MethodId;
use jfathom_trace::record::Record;
use jfathom_trace::{Counter, ThreadInfo};

pub use self::checkpoint::Checkpoint;
pub use self::costs::{CallSums, TreeSize};
use self::feed::Feed;
pub use self::finish::Context;
use self::folding::Folding;
use self::latencies::Latencies;
use self::method_sums::MethodSums;
pub use self::off_cpu::OffCpuSpan;
use self::off_cpu::Pending;
use self::slice_begin::SliceBegin;
use self::thread::ThreadState;
pub use self::timeline::{BuilderNode, Part, Timeline};
use self::virtual_threads::VirtualThreads;
use crate::build::count_table::CountTable;
use crate::build::id_table::IdTable;
use crate::build::tree_builder::{NONE, Node, TreeBuilder};
use crate::{BudgetOutcome, Demotion, Mode, Quality, SlowCallClocks, model::frame};

/// Handle of a thread in a [`Builder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ThreadHandle(u32);

/// Builds the tree of one JVM from its threads' records.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    tree: TreeBuilder,
    counted: CountTable,
    threads: Vec<ThreadState>,
    virtuals: VirtualThreads,
    /// By method id.
    methods: IdTable<MethodSums>,
    quality: Quality,
    latencies: Latencies,
    /// By method id.
    demotions: BTreeMap<u32, Demotion>,
    /// Methods that are not timed from the start, by id.
    modes: BTreeMap<u32, Mode>,
    /// None if nobody watches a budget.
    budget: Option<BudgetOutcome>,
    /// None before the recording is cut the first time.
    slice: Option<SliceBegin>,
    folding: Folding,
    /// Whether times are split into running ones and others.
    has_cpu: bool,
    /// How many ticks times have in a second, if the threads' own clocks split them.
    own_clock: Option<u64>,
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
        let mut state = ThreadState::new(info, root);
        if self.has_cpu {
            state.off_cpu = Pending::unwatched(self.own_clock);
        }
        self.threads.push(state);
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
            self.virtuals.gap(thread, state);
            state.gap();
            self.latencies.slowest.forget(&mut state.log);
        }
    }

    /// Ends a thread. Its open frames stay open, unless its last record is that of its end.
    pub fn end_thread(&mut self, thread: ThreadHandle) {
        self.end_carrier(thread);
        if let Some(state) = self.threads.get_mut(thread.0 as usize) {
            state.over = true;
            state.off_cpu = Pending::default();
            self.latencies.slowest.forget(&mut state.log);
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

    /// Notes that a method is counted from now on.
    pub fn demote(&mut self, method: MethodId, demotion: Demotion) {
        self.demotions.insert(method.get(), demotion);
    }

    /// Notes that a demoted method is timed again.
    pub fn promote(&mut self, method: MethodId) {
        self.demotions.remove(&method.get());
    }

    /// Notes the demotion of those of `methods` that have none and no mode yet. For a session whose
    /// modes are known but not when they changed.
    pub fn demote_unannounced(
        &mut self,
        methods: impl IntoIterator<Item = MethodId>,
        demotion: Demotion,
    ) {
        for method in methods {
            if !self.modes.contains_key(&method.get()) {
                self.demotions.entry(method.get()).or_insert(demotion);
            }
        }
    }

    /// How the recording has kept its budget so far. The caller computes it.
    pub fn set_budget(&mut self, budget: BudgetOutcome) {
        self.budget = Some(budget);
    }

    /// Adds the counted calls that have no record, when all records of the thread are fed. They
    /// belong to the innermost flushed call.
    pub fn add_counters(&mut self, thread: ThreadHandle, counters: &[(MethodId, Counter)]) {
        if self.add_carried_counters(thread, counters) {
            return;
        }
        self.make_room(counters.len(), None);
        let Some(state) = self.threads.get(thread.0 as usize) else { return };
        for (id, counter) in counters {
            if !state.has_record(*id, *counter) {
                self.counted.add(state.flush_node(), id.get(), counter.calls(), 0);
            }
        }
    }

    /// Consumes records of the ring of a thread of this builder. Those of virtual threads wait for
    /// [`Builder::end_round`].
    pub fn feed(&mut self, thread: ThreadHandle, words: &[u64]) {
        if self.threads.len() <= thread.0 as usize {
            return;
        }
        self.quality.records += words.len() as u64;
        let mut rest = words;
        while !rest.is_empty() {
            if self.virtuals.carries(thread) {
                rest = self.take_carried(thread, rest);
                continue;
            }
            let piece = rest.len().min(self.folding.piece());
            self.make_room(piece, None);
            let taken = self.consume_own(thread, &rest[..piece]);
            rest = rest.get(taken..).unwrap_or_default();
            if taken == piece {
                continue;
            }
            match rest.first().and_then(|word| Record::decode(*word)) {
                Some(Record::Switch { .. }) => {
                    let own = &mut self.threads[thread.0 as usize];
                    own.count_in_open();
                    self.virtuals.leave_own(thread, own);
                }
                Some(Record::VirtualEnd { thread }) => {
                    self.virtuals.ended(thread);
                    rest = &rest[1..];
                }
                Some(_) => {
                    self.quality.unknown_records += 1;
                    rest = &rest[1..];
                }
                None => {}
            }
        }
        if let Some(last) = words.last() {
            self.threads[thread.0 as usize].last_word = *last;
        }
    }

    /// Consumes records of a ring's own thread, and returns how many: those before one that says
    /// something of virtual threads.
    fn consume_own(&mut self, thread: ThreadHandle, words: &[u64]) -> usize {
        let Self { tree, counted, threads, methods, quality, latencies, .. } = self;
        let state = &mut threads[thread.0 as usize];
        let feed = Feed { tree, counted, methods, quality, latencies, state };
        { feed }.log_all(thread.0, words)
    }

    /// The same for a thread's state that is not in this builder at the moment.
    fn consume(&mut self, state: &mut ThreadState, words: &[u64]) -> usize {
        let group = self.virtuals.group.unwrap_or(0);
        let mut all = 0;
        for words in words.chunks(self.folding.piece()) {
            self.make_room(words.len(), Some(state));
            let Self { tree, counted, methods, quality, latencies, .. } = self;
            let feed = Feed { tree, counted, methods, quality, latencies, state };
            let taken = { feed }.log_all(group, words);
            all += taken;
            if taken < words.len() {
                break;
            }
        }
        all
    }

    /// Keeps how long the calls of these methods take from now on, by call path, as of roots.
    pub fn watch(&mut self, methods: &[MethodId]) {
        self.latencies.name(&mut self.tree, methods);
    }

    /// Keeps the `most` slowest calls of each root and task, with all below them.
    pub fn keep_slowest(&mut self, most: usize) {
        self.latencies.slowest.keep(most);
    }

    /// How the times in the kept calls follow from those of the session's clock.
    pub fn slow_call_clocks(&self) -> SlowCallClocks {
        SlowCallClocks::new(self.latencies.slowest.excluded())
    }
}
