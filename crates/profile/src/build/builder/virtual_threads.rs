//! Virtual threads: their records are in the rings of the threads that carry them.
//!
//! A SWITCH record begins a *segment*: from there on the ring has the records of one virtual
//! thread, until the next switch. The segments of a thread are in several rings, which are read one
//! after another, so one may be found before an earlier one. By
//! [`Sink::round`](jfathom_trace::Sink::round) all earlier ones are there one round later. A
//! segment waits for that, and then they are consumed in the order of their times.
//!
//! One kind of record can come later: counted calls. A carrier writes them when it next switches,
//! and by then the thread may be elsewhere. They belong to the node at which the segment has ended.
//!
//! All virtual threads stand below one thread of the tree, in which equal call paths are one. What
//! is known of a single one lasts as long as it has open calls.

mod carrier;
mod checks;
mod segment;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use jfathom_trace::{ThreadInfo, layout as l};
use serde::{Deserialize, Serialize};

use self::carrier::Carrier;
use self::segment::{Segment, can_come_late};
use super::feed::count;
use super::off_cpu::{OffCpuSpan, Pending};
use super::thread::ThreadState;
use super::{Builder, ThreadHandle};
use crate::build::tree_builder::{Moved, TreeBuilder};
use crate::model::frame;

/// The name of the thread that stands for all virtual ones.
const GROUP: &str = "virtual threads";
/// Stands for all carriers that have ended before this slice, where a segment names its carrier.
const GONE: u32 = u32::MAX;

/// The virtual threads of a JVM.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct VirtualThreads {
    /// Number of the thread in the builder that stands for all; none before the first.
    pub group: Option<u32>,
    /// Threads with open calls, by their numbers.
    pub stacks: BTreeMap<u64, Stack>,
    /// By number of the carrier in the builder, while it carries one.
    carriers: BTreeMap<u32, Carrier>,
    /// Threads that have carried one and have not ended, by their numbers in the builder.
    have_carried: BTreeSet<u32>,
    /// Segments that are not consumed, by thread.
    waiting: BTreeMap<u64, Vec<Segment>>,
    /// Nodes at which segments ended.
    ends: HashMap<(u32, u64), u32>,
    /// Rounds so far.
    pub round: u64,
}

/// A virtual thread with open calls.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Stack {
    /// The begin of its last segment.
    since: u64,
    pub state: ThreadState,
}

impl VirtualThreads {
    /// Whether the ring of this thread has another thread's records at the moment.
    pub fn carries(&self, thread: ThreadHandle) -> bool {
        let carrier = || self.carriers.get(&thread.0);
        !self.carriers.is_empty() && carrier().is_some_and(|carrier| !carrier.is_over)
    }

    /// The next record of the ring is a SWITCH, after records of its own thread.
    pub fn leave_own(&mut self, thread: ThreadHandle, own: &ThreadState) {
        self.carriers.insert(thread.0, Carrier::unknown(own));
        self.have_carried.insert(thread.0);
    }

    /// Records of the ring are missing, perhaps a SWITCH among them: those that follow may be any
    /// thread's. A ring of which other records were seen, but no SWITCH, is taken for that of a
    /// thread which carries none. The calls of the thread that it carried have a gap, too. Which
    /// others the missing records are of is not known.
    pub fn gap(&mut self, thread: ThreadHandle, own: &ThreadState) {
        let are_there = self.group.is_some() || !self.have_carried.is_empty();
        let may_carry = self.have_carried.contains(&thread.0) || own.records == 0;
        if are_there && may_carry {
            let carrier = self.carriers.entry(thread.0).or_insert_with(|| Carrier::unknown(own));
            carrier.lose(thread.0, &mut self.waiting);
        }
    }

    /// The thread has ended. Its last segments may not have come yet.
    pub fn ended(&mut self, thread: u64) {
        let last = Carrier { since: u64::MAX, round: self.round, ..Carrier::default() };
        let words = vec![l::ESCAPE_THREAD_END];
        self.waiting.entry(thread).or_default().push(Segment { words, ..last.segment(GONE) });
    }

    /// What goes on in another slice, but for the ends of segments: [`Self::carry_ends`]. The
    /// stacks stay here, too, for they are open at this slice's end.
    pub fn cut(&mut self, moved: impl Fn(u32) -> Option<u32>) -> Self {
        let at = |thread: u32| moved(thread);
        let waiting = std::mem::take(&mut self.waiting).into_iter().map(|(thread, segments)| {
            let moved = segments.into_iter().map(|segment| {
                let carrier = at(segment.carrier).unwrap_or(GONE);
                Segment { carrier, ..segment }
            });
            (thread, moved.collect())
        });
        let waiting = waiting.collect();
        let carriers = std::mem::take(&mut self.carriers);
        let carriers = carriers.into_iter().filter_map(|(of, carrier)| Some((at(of)?, carrier)));
        Self {
            group: self.group.and_then(at),
            stacks: self.stacks.clone(),
            carriers: carriers.collect(),
            have_carried: self.have_carried.iter().filter_map(|of| at(*of)).collect(),
            waiting,
            ends: HashMap::new(),
            round: self.round,
        }
    }

    /// Gives the slice that follows, whose tree is `next`, the ends of segments at nodes that it
    /// has below `root`: calls that are open. Counted calls that come late for another end are then
    /// the group's own.
    pub fn carry_ends(
        &self,
        to: &mut Self,
        moved: impl Fn(u32) -> Option<u32>,
        (tree, next, root): (&TreeBuilder, &mut TreeBuilder, u32),
    ) {
        for ((carrier, since), node) in &self.ends {
            let carrier = moved(*carrier).unwrap_or(GONE);
            let path = tree.path(*node);
            let found = path.iter().try_fold(root, |at, frame| next.find(at, *frame));
            to.ends.extend(found.map(|node| ((carrier, *since), node)));
        }
    }

    /// Nothing is known of when the carriers ran in the segments that wait.
    pub fn forget_switches(&mut self) {
        for segment in self.waiting.values_mut().flatten() {
            segment.off_cpu = [(OffCpuSpan::unknown_until(u64::MAX), 0)].into();
        }
    }

    /// Finds all nodes where they are after a fold.
    pub fn follow(&mut self, moved: &Moved) {
        self.ends.values_mut().for_each(|node| *node = moved.to(*node));
        self.stacks.values_mut().for_each(|stack| stack.state.follow(moved));
    }

    /// Forgets ends of segments of which nothing can come.
    fn forget_ends(&mut self) {
        if self.ends.len() <= 2 * self.carriers.len() + 16 {
            return;
        }
        let Self { ends, carriers, waiting, .. } = self;
        let waiting: HashSet<(u32, u64)> =
            (waiting.values().flatten()).map(|segment| (segment.carrier, segment.since)).collect();
        ends.retain(|end, _| {
            carriers.get(&end.0).is_some_and(|carrier| carrier.since == end.1)
                || waiting.contains(end)
        });
    }
}

impl Builder {
    /// All rings of the JVM were read once more.
    pub fn end_round(&mut self) {
        if self.virtuals.group.is_some() || !self.virtuals.waiting.is_empty() {
            self.settle(false);
        }
        self.virtuals.round = self.virtuals.round.saturating_add(1);
    }

    /// Consumes the segments of which all earlier ones are known, or all that there are.
    pub(super) fn settle(&mut self, all: bool) {
        let round = self.virtuals.round;
        let waiting = std::mem::take(&mut self.virtuals.waiting);
        for (thread, mut segments) in waiting {
            segments.sort_by_key(|segment| segment.since);
            let ready = segments.iter().rposition(|segment| all || segment.round < round);
            let later = segments.split_off(ready.map_or(0, |last| last + 1));
            if !later.is_empty() {
                self.virtuals.waiting.insert(thread, later);
            }
            for segment in segments {
                self.consume_segment(thread, segment);
            }
        }
        self.virtuals.forget_ends();
    }

    fn consume_segment(&mut self, thread: u64, mut segment: Segment) {
        self.make_room(segment.words.len().min(self.folding.piece()) + segment.counted.len(), None);
        let root = self.group();
        let key = (segment.carrier, segment.since);
        let stack = self.virtuals.stacks.remove(&thread);
        let is_late = match &stack {
            Some(stack) => stack.since > segment.since,
            None => {
                segment.since == u64::MAX
                    || self.virtuals.ends.contains_key(&key)
                        && segment.words.iter().all(|word| can_come_late(*word))
            }
        };
        if is_late {
            let node = self.virtuals.ends.get(&key).copied().unwrap_or(root);
            self.count_late(node, &segment);
            if let Some(mut stack) = stack {
                if segment.has_gap {
                    self.lose(&mut stack.state);
                }
                self.virtuals.stacks.insert(thread, stack);
            }
            return;
        }
        let mut state = stack.map_or_else(
            || {
                let name = String::new();
                let info = ThreadInfo { sequence: 0, thread_id: thread, kernel_id: 0, name };
                ThreadState::new(&info, root)
            },
            |stack| stack.state,
        );
        state.off_cpu = match self.has_cpu && segment.since != u64::MAX {
            true => Pending::of_segment(segment.since, std::mem::take(&mut segment.off_cpu)),
            false => Pending::default(),
        };
        if segment.since != u64::MAX {
            (state.clock.high, state.clock.is_high_stale) = (segment.high, false);
        }
        // Its last carrier may tell later what was counted before.
        state.count_in_open();
        self.consume(&mut state, &segment.words);
        for (id, calls) in &segment.counted {
            self.counted.add(state.flush_node(), *id, *calls, 0);
        }
        if segment.has_gap {
            self.lose(&mut state);
        }
        self.virtuals.ends.insert(key, state.flush_node());
        if state.current == state.root {
            // Excluded time that is still owed is forgotten with the state: it was in the calls
            // that are over, and those that follow must not be shorter for it.
            if let Some(group) = self.group_state() {
                let own = state.clock.excluded.saturating_sub(state.excluded_before);
                group.clock.excluded = group.clock.excluded.saturating_add(own);
            }
        } else {
            self.virtuals.stacks.insert(thread, Stack { since: segment.since, state });
        }
    }

    /// Records of a thread are missing: how long its open calls take is not known.
    fn lose(&mut self, state: &mut ThreadState) {
        state.gap();
        self.latencies.slowest.forget(&mut state.log);
    }

    /// Counted calls of a segment that has ended at `node`.
    fn count_late(&mut self, node: u32, segment: &Segment) {
        let frame = self.tree.nodes[node as usize].frame;
        for word in &segment.words {
            let Some(calls) = count(&mut self.counted, node, *word, 1) else { continue };
            if frame::kind(frame) == frame::METHOD {
                let sums = self.methods.row(frame);
                sums.counted_below = sums.counted_below.saturating_add(calls);
                sums.count_records += 1;
            }
        }
        self.counted.flush();
        for (id, calls) in &segment.counted {
            self.counted.add(node, *id, *calls, 0);
        }
    }

    fn group_state(&mut self) -> Option<&mut ThreadState> {
        self.threads.get_mut(self.virtuals.group? as usize)
    }

    /// The node that stands for all virtual threads.
    fn group(&mut self) -> u32 {
        if let Some(group) = self.group_state() {
            return group.root;
        }
        let info = ThreadInfo { sequence: 0, thread_id: 0, kernel_id: 0, name: GROUP.to_owned() };
        let handle = self.thread(&info);
        self.virtuals.group = Some(handle.0);
        let state = &mut self.threads[handle.0 as usize];
        // Nobody feeds it records of its own.
        state.over = true;
        state.root
    }

    /// All threads: those of rings, and the virtual ones with open calls.
    pub(super) fn states(&self) -> impl Iterator<Item = &ThreadState> {
        let virtuals = self.virtuals.stacks.values().map(|stack| &stack.state);
        self.threads.iter().chain(virtuals)
    }
}

#[cfg(test)]
mod tests;
