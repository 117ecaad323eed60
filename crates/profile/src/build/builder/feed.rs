//! The records of one thread, consumed into the tree.

use jfathom_trace::layout as l;
use jfathom_trace::record::{ID_MASK, Record, id_bits, is_flushed, time_bits, type_of};

use super::clock::NO_TIME;
use super::latencies::Latencies;
use super::method_sums::MethodSums;
use super::thread::Open;
use super::thread::ThreadState;
use crate::build::count_table::CountTable;
use crate::build::id_table::IdTable;
use crate::build::tree_builder::{NONE, Node, TreeBuilder};
use crate::{Metric, Quality, Ticks, model::frame};

const CALLS_MASK: u64 = (1 << l::ESCAPE_ID_SHIFT) - 1;
const PAYLOAD_MASK: u64 = (1 << l::ESCAPE_SHIFT) - 1;
const FEW_MASK: u64 = (1 << l::COUNTED_PAIR_BITS) - 1;

/// How frames ended that the record of a lower frame closed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// An exception passed through them.
    Exception,
    /// Unknown.
    Other,
}

/// What the current node got since the last timed record, and its method's sums do not have.
#[derive(Clone, Copy, Default)]
struct News {
    ticks: u64,
    /// Counted calls.
    calls: u64,
    /// COUNTED records.
    records: u64,
    /// COUNTED records of calls that belong to a node above.
    of_above: u64,
}

impl News {
    /// Adds all of it to the sums of the frame's method, and returns these. Frames of threads and
    /// tasks have none.
    #[inline(always)]
    fn take<'a>(
        &mut self,
        methods: &'a mut IdTable<MethodSums>,
        frame: u32,
    ) -> Option<&'a mut MethodSums> {
        let news = std::mem::take(self);
        if frame::kind(frame) != frame::METHOD {
            return None;
        }
        let sums = methods.row(frame);
        news.add_to(sums);
        Some(sums)
    }

    #[inline(always)]
    fn add_to(self, sums: &mut MethodSums) {
        sums.self_ticks = sums.self_ticks.wrapping_add(self.ticks);
        sums.counted_below = sums.counted_below.saturating_add(self.calls);
        sums.count_records += self.records + self.of_above;
    }

    /// COUNTED records.
    #[inline(always)]
    fn all_records(&self) -> u64 {
        self.records + self.of_above
    }
}

/// One thread's state, and the builder's tables.
pub(super) struct Feed<'a> {
    pub tree: &'a mut TreeBuilder,
    pub counted: &'a mut CountTable,
    pub methods: &'a mut IdTable<MethodSums>,
    pub quality: &'a mut Quality,
    pub latencies: &'a mut Latencies,
    pub state: &'a mut ThreadState,
}

impl Feed<'_> {
    /// Consumes records and returns how many: those before one that says something of virtual
    /// threads.
    pub(super) fn all(&mut self, words: &[u64]) -> usize {
        let taken = match self.state.off_cpu.may_split() {
            false => self.run::<false>(words),
            true => self.run::<true>(words),
        };
        self.counted.flush();
        taken
    }

    /// Consumes records and returns how many. Stops before a record that says something of virtual
    /// threads. With `SPLIT` there are times without a processor to take.
    #[inline(always)]
    pub(super) fn run<const SPLIT: bool>(&mut self, words: &[u64]) -> usize {
        let Self { tree, counted, methods, quality, latencies, state } = self;
        let mut current = state.current;
        let mut flush_node = state.flush_node();
        let mut last = state.clock.last;
        let mut high = state.clock.high;
        let mut excluded = state.clock.excluded;
        let mut next_off = state.off_cpu.next();
        let least = latencies.call_log.least();
        let before = state.records;
        let mut news = News::default();
        for (at, word) in words.iter().copied().enumerate() {
            let kind = type_of(word);
            if kind == l::TYPE_ESCAPE {
                if flush_node == current
                    && let Some(calls) = count(counted, current, word, 1)
                {
                    state.count_records += 1;
                    news.calls = news.calls.saturating_add(calls);
                    news.records += 1;
                    state.count_in_open();
                    continue;
                }
                if let Some(calls) = count(counted, flush_node, word, 0) {
                    state.count_records += 1;
                    news.of_above += 1;
                    state.count_in_open();
                    let mut feed = Feed { tree, counted, methods, quality, latencies, state };
                    feed.count_above(current, flush_node, calls);
                    continue;
                }
                if let Some(bytes) = allocated(word) {
                    let extra = tree.extra_mut(current);
                    extra.add_to(Metric::Allocated, bytes);
                    continue;
                }
                news.take(methods, tree.nodes[current as usize].frame);
                (state.current, state.clock.last, state.clock.high) = (current, last, high);
                state.records = before + at as u64;
                if is_of_virtual_threads(word) {
                    return at;
                }
                Feed { tree, counted, methods, quality, latencies, state }.escape(word);
                (current, last, high) = (state.current, state.clock.last, state.clock.high);
                flush_node = state.flush_node();
                excluded = state.clock.excluded;
                next_off = state.off_cpu.next();
                continue;
            }
            let time = high | time_bits(word);
            if SPLIT && time > next_off && time >= last {
                tree.extra_mut(current).add_off_cpu(state.off_cpu.take(last, time));
                next_off = state.off_cpu.next();
            }
            let node = &mut tree.nodes[current as usize];
            let is_late = time < last;
            if !is_late {
                news.ticks = time - last;
                node.self_ticks = node.self_ticks.wrapping_add(news.ticks);
                last = time;
            } else {
                last = state.clock.irregular(last, time, quality);
                if kind == l::TYPE_ENTRY && latencies.call_log.is_on() {
                    state.entered_late(before + at as u64, last);
                }
            }
            let mut now = Open {
                time: last.wrapping_sub(excluded),
                records: before + at as u64,
                has_counted: false,
                is_flushed: is_flushed(word),
                flush_node,
            };
            let id = id_bits(word);
            if kind == l::TYPE_ENTRY {
                // A counted call may be open. So may a lost one above the floor.
                let is_direct = now.is_flushed && !state.has_counted() && current != state.floor;
                if news.all_records() != 0 {
                    methods.row(id).flush_records += news.all_records();
                }
                if let Some(sums) = news.take(methods, node.frame) {
                    sums.timed_below += 1;
                }
                let child = node.child;
                current = match tree.nodes[child as usize].frame == id {
                    true => child,
                    false => find_callee(tree, latencies, methods, current, id),
                };
                tree.nodes[current as usize].calls += 1;
                if is_direct {
                    tree.direct.set(current);
                }
                match now.is_flushed {
                    true => flush_node = current,
                    false => tree.extra_mut(current)[Metric::Unflushed] += 1,
                }
                now.flush_node = flush_node;
                state.open.push(now);
                continue;
            }
            let mut parent = node.parent;
            if node.frame != id {
                news.take(methods, node.frame);
                state.current = current;
                let mut feed = Feed { tree, counted, methods, quality, latencies, state };
                let event =
                    if kind == l::TYPE_RETURN { Closing::Other } else { Closing::Exception };
                match feed.unwind(id, event, now) {
                    Some(found) => {
                        current = found;
                        parent = feed.tree.nodes[found as usize].parent;
                    }
                    None => {
                        feed.exit_without_entry(id, now);
                        current = feed.state.current;
                        flush_node = feed.state.flush_node();
                        continue;
                    }
                }
            }
            let sums = methods.row(id);
            sums.flush_records += news.all_records();
            std::mem::take(&mut news).add_to(sums);
            if kind == l::TYPE_RETURN {
                sums.returns += 1;
            } else {
                sums.throws += 1;
                tree.extra_mut(current)[Metric::Throws] += 1;
            }
            let open = state.open.pop().unwrap_or(Open::NEVER);
            let ticks = now.time.wrapping_sub(open.time);
            sums.call_ticks = sums.call_ticks.wrapping_add(ticks);
            if ticks >= tree.nodes[current as usize].notable || ticks >= least || is_late {
                latencies.ended(tree, state, current, (open, now));
            }
            current = parent;
            flush_node = state.flush_node();
        }
        (state.current, state.clock.last, state.clock.high) = (current, last, high);
        state.records = before + words.len() as u64;
        news.take(methods, tree.nodes[current as usize].frame);
        words.len()
    }

    /// Consumes what a COUNTED record says of a flushed call that is not on top of the stack.
    #[inline(never)]
    fn count_above(&mut self, current: u32, flush_node: u32, calls: u64) {
        // Writing the record took time in the node on top.
        self.tree.extra_mut(current)[Metric::CountRecords] += 1;
        let frame = self.tree.nodes[flush_node as usize].frame;
        if frame::kind(frame) == frame::METHOD {
            let sums = self.methods.row(frame);
            sums.counted_below = sums.counted_below.saturating_add(calls);
        }
    }

    /// Closes the frames above the nearest one of method `id`, and returns that one.
    #[inline(never)]
    fn unwind(&mut self, id: u32, event: Closing, now: Open) -> Option<u32> {
        let found = find_open(&self.tree.nodes, self.state.current, id)?;
        self.close_to(found, event, now);
        Some(found)
    }

    /// Handles an unmatched exit: its call began before the recording, or in a gap.
    #[cold]
    fn exit_without_entry(&mut self, id: u32, now: Open) {
        self.state.floor = common_ancestor(&self.tree.nodes, self.state.floor, self.state.current);
        self.close_to(self.state.floor, Closing::Other, now);
        self.state.count_in_open();
        self.methods.row(id).unmatched += 1;
        self.quality.unmatched_exits += 1;
    }

    /// Closes the frames above the node `until`.
    fn close_to(&mut self, until: u32, event: Closing, now: Open) {
        let mut at = self.state.current;
        while at != until && at != NONE {
            let node = self.tree.nodes[at as usize];
            let open = self.state.open.pop().unwrap_or(Open::NEVER);
            match frame::kind(node.frame) {
                frame::METHOD => {
                    let sums = self.methods.row(node.frame);
                    sums.inferred += 1;
                    sums.unwound += u64::from(event == Closing::Exception);
                    self.quality.inferred_exits += 1;
                }
                _ => self.quality.repaired_tasks += 1,
            }
            self.latencies.ended(self.tree, self.state, at, (open, now));
            at = node.parent;
        }
        self.state.current = until;
    }

    /// Consumes an escape record.
    #[inline(never)]
    fn escape(&mut self, word: u64) {
        match Record::decode(word) {
            Some(Record::ThreadStart { high, .. }) => self.state.set_high(high, false),
            Some(Record::ThreadEnd) => {
                // A task ends with a thread that only runs this task: no repair.
                let repaired = self.quality.repaired_tasks;
                self.close_to(self.state.root, Closing::Other, self.state.now());
                self.quality.repaired_tasks = repaired;
                self.state.ended = true;
            }
            Some(Record::TimeHigh { high }) => self.state.set_high(high, true),
            Some(Record::Adjust { ticks }) => {
                let before = self.state.clock.excluded;
                self.state.clock.exclude(ticks);
                if self.latencies.call_log.is_on() {
                    self.state.excluded_since(before);
                }
                if let Some(own) = self.state.off_cpu.own_clock() {
                    own.exclude(ticks);
                }
                self.quality.excluded += Ticks(ticks);
            }
            Some(Record::Caught { id, time }) => {
                let class = self.state.take_caught_class();
                self.advance(time);
                self.methods.row(id.get()).caught += 1;
                match find_open(&self.tree.nodes, self.state.current, id.get()) {
                    Some(frame) => {
                        self.close_to(frame, Closing::Exception, self.state.now());
                        if let Some(class) = class {
                            self.tree.add_caught(frame, class, 1);
                        }
                    }
                    None => self.quality.unmatched_catches += 1,
                }
            }
            Some(Record::CaughtClass { class }) => {
                self.state.caught_class = Some((self.state.records, class));
            }
            Some(Record::TaskOpen { id, time }) => {
                self.advance(time);
                let frame = frame::pack(frame::TASK, id.get());
                let task = find_child(self.tree, self.latencies, self.state.current, frame);
                self.tree.nodes[task as usize].calls += 1;
                self.state.current = task;
                self.state.open_flushed();
            }
            Some(Record::TaskClose { id, time }) => {
                self.advance(time);
                match find_open(
                    &self.tree.nodes,
                    self.state.current,
                    frame::pack(frame::TASK, id.get()),
                ) {
                    Some(task) => {
                        let now = self.state.now();
                        self.close_to(task, Closing::Other, now);
                        let open = self.state.open.pop().unwrap_or(Open::NEVER);
                        self.latencies.ended(self.tree, self.state, task, (open, now));
                        self.state.current = self.tree.nodes[task as usize].parent;
                    }
                    None => self.quality.repaired_tasks += 1,
                }
            }
            // Only the slowest calls need the number.
            Some(Record::HandOff { time, .. } | Record::TaskNumber { time, .. }) => {
                self.advance(time);
            }
            Some(Record::Parked { ticks }) => self.park(ticks),
            Some(Record::Ran { is_first, nanos }) => {
                let is_first_time = self.state.clock.last == NO_TIME;
                match self.state.off_cpu.own_clock() {
                    Some(own) if is_first => own.begin(is_first_time),
                    Some(own) => own.read(nanos),
                    None => {}
                }
            }
            Some(Record::Unsampled { id, ticks }) => {
                self.latencies.unsampled(id.get(), ticks);
            }
            _ => self.quality.unknown_records += 1,
        }
    }

    /// Adds parked time to the current node: as self time, and as a part of it.
    fn park(&mut self, ticks: u64) {
        let before = self.state.clock.last;
        let ticks = self.state.clock.park(ticks);
        if ticks == 0 {
            return;
        }
        // Parked, it had no carrier: what is known of a carrier's time then is not its own.
        self.state.off_cpu.take(before, self.state.clock.last);
        let current = self.state.current;
        let node = &mut self.tree.nodes[current as usize];
        node.self_ticks = node.self_ticks.wrapping_add(ticks);
        if frame::kind(node.frame) == frame::METHOD {
            let sums = self.methods.row(node.frame);
            sums.self_ticks = sums.self_ticks.wrapping_add(ticks);
        }
        let extra = self.tree.extra_mut(current);
        extra.add_to(Metric::Parked, ticks);
    }

    /// Advances to a coarse time. It may lie before the last record's, and is ignored then.
    fn advance(&mut self, low: u64) {
        self.advance_to(self.state.clock.high | low);
    }

    /// As [`Self::advance`], to a whole time.
    pub(super) fn advance_to(&mut self, time: u64) {
        let state = &mut *self.state;
        if state.clock.last == NO_TIME {
            state.clock.last = state.clock.irregular(NO_TIME, time, self.quality);
        } else if time > state.clock.last {
            let node = &mut self.tree.nodes[state.current as usize];
            let ticks = time - state.clock.last;
            node.self_ticks = node.self_ticks.wrapping_add(ticks);
            if frame::kind(node.frame) == frame::METHOD {
                let sums = self.methods.row(node.frame);
                sums.self_ticks = sums.self_ticks.wrapping_add(ticks);
            }
            if state.off_cpu.next() < time {
                let off_cpu = state.off_cpu.take(state.clock.last, time);
                self.tree.extra_mut(state.current).add_off_cpu(off_cpu);
            }
            state.clock.last = time;
        }
    }
}

/// Whether a record says which thread's records follow, or that a virtual thread has ended.
fn is_of_virtual_threads(word: u64) -> bool {
    let kind = word >> l::ESCAPE_SHIFT << l::ESCAPE_SHIFT;
    [l::ESCAPE_SWITCH, l::ESCAPE_SWITCH_TIME, l::ESCAPE_VIRTUAL_END].contains(&kind)
}

/// The bytes of an ALLOCATED record; none for another escape record.
#[inline(always)]
fn allocated(word: u64) -> Option<u64> {
    // The type of escape records is zero, so that these bits are the kind.
    let is_allocated = word >> l::ESCAPE_SHIFT == l::ESCAPE_ALLOCATED >> l::ESCAPE_SHIFT;
    is_allocated.then_some(word & PAYLOAD_MASK)
}

/// Consumes a COUNTED or COUNTED_PAIR record, for the next [`CountTable::flush`], and returns its
/// calls; none for another record. It counts for `records` of the node.
#[inline(always)]
pub(super) fn count(counted: &mut CountTable, node: u32, word: u64, records: u64) -> Option<u64> {
    // The type of escape records is zero, so that these bits are the kind.
    let kind = word >> l::ESCAPE_SHIFT;
    let id = (word >> l::ESCAPE_ID_SHIFT & ID_MASK) as u32;
    if kind == l::ESCAPE_COUNTED >> l::ESCAPE_SHIFT {
        let calls = word & CALLS_MASK;
        counted.add_later(node, id, calls, records);
        return Some(calls);
    }
    if kind == l::ESCAPE_COUNTED_PAIR >> l::ESCAPE_SHIFT {
        let (calls, other_calls) = (word >> l::COUNTED_PAIR_SHIFT & FEW_MASK, word & FEW_MASK);
        counted.add_later(node, id, calls, records);
        let other = (word >> l::COUNTED_PAIR_BITS & ID_MASK) as u32;
        counted.add_later(node, other, other_calls, 0);
        return Some(calls + other_calls);
    }
    None
}

/// [`TreeBuilder::child`], out of line. Latencies meet a node before its first call.
#[inline(never)]
fn find_child(tree: &mut TreeBuilder, latencies: &mut Latencies, parent: u32, frame: u32) -> u32 {
    let found = tree.child(parent, frame);
    if tree.nodes[found as usize].calls == 0 {
        latencies.meet(tree, found);
    }
    found
}

/// How far above a new node one of the same method is searched.
const MOST_ABOVE: usize = 64;

/// The child of `parent` for a method's call.
#[inline(never)]
fn find_callee(
    tree: &mut TreeBuilder,
    latencies: &mut Latencies,
    methods: &mut IdTable<MethodSums>,
    parent: u32,
    id: u32,
) -> u32 {
    let found = find_child(tree, latencies, parent, id);
    if tree.nodes[found as usize].calls == 0 && !methods.row(id).is_recursive {
        let above = |at: &u32| Some(tree.nodes.get(*at as usize)?.parent).filter(|at| *at != NONE);
        let mut path = std::iter::successors(Some(parent), above).take(MOST_ABOVE);
        let is_recursive =
            path.any(|at| tree.nodes.get(at as usize).is_some_and(|of| of.frame == id));
        methods.row(id).is_recursive = is_recursive;
    }
    found
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

/// The deepest common node of two paths in one thread's tree.
pub(super) fn common_ancestor(nodes: &[Node], mut a: u32, mut b: u32) -> u32 {
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
