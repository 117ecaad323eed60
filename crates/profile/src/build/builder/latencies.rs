//! How long calls of watched nodes take, gathered while records are consumed.
//!
//! Watched are the frames at the bottom of threads' stacks, which with roots are the root's calls,
//! tasks, and the methods that the user names. Nodes of several threads with equal call paths share
//! a histogram.

use std::collections::{BTreeMap, HashMap, HashSet};

use hdrhistogram::Histogram;
use jfathom_plan::{MethodId, Problem};
use serde::{Deserialize, Serialize};

use super::call_log::CallLog;
use super::slowest::Slowest;
use super::thread::Open;
use super::thread::ThreadState;
use crate::build::pair_table::{Pair, PairTable};
use crate::build::tree_builder::{BETWEEN, Moved, NONE, TreeBuilder};
use crate::{Bucket, Durations, Frame, Latency, Ticks, model::frame};

/// Significant decimal digits of a bucket: its durations differ by less than a 128th.
const DIGITS: u8 = 2;
/// Histograms, and frames of all their call paths: bounds on memory. With the bound on ticks
/// they take 90 MB at most.
const MAX_HISTOGRAMS: usize = 1024;
const MAX_FRAMES: usize = 1 << 20;
/// Longer durations are in the last bucket. The longest call of a path is exact.
const MAX_TICKS: u64 = (1 << 48) - 1;

/// The calls of one call path.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    /// Packed frames below the thread, outermost first.
    path: Vec<u32>,
    longest: u64,
    calls: Histogram<u64>,
    /// The same buckets, with the sum of the calls' records in each.
    records: Histogram<u64>,
}

/// A watched node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Watched {
    pub node: u32,
    /// Index of its histogram.
    pub histogram: u32,
    /// Its longest call.
    pub longest: u64,
}

/// The histograms of one JVM.
#[derive(Clone, Debug, Default)]
pub(super) struct Latencies {
    histograms: Vec<Recorded>,
    /// Index in `histograms` by call path.
    paths: HashMap<Vec<u32>, u32>,
    frames: usize,
    watched: Vec<Watched>,
    /// Index in `watched`, by node and zero.
    places: PairTable<u32>,
    /// Nodes without a histogram, since there are too many.
    unwatched: u64,
    /// Calls that root sampling left out, and their ticks, by the root's id.
    unsampled: BTreeMap<u32, (u64, u64)>,
    pub slowest: Slowest,
    pub call_log: CallLog,
    /// Ids of methods whose calls are watched wherever they are.
    named: HashSet<u32>,
}

impl Recorded {
    fn new(path: Vec<u32>) -> Option<Self> {
        // Their bounds grow with what is recorded.
        let (calls, records) = (Histogram::new(DIGITS).ok()?, Histogram::new(DIGITS).ok()?);
        Some(Self { path, longest: 0, calls, records })
    }

    fn record(&mut self, ticks: u64, calls: u64, records: u64) {
        let ticks = ticks.min(MAX_TICKS);
        // Recording fails only where no memory of this size can be had.
        let _ = self.calls.record_n(ticks, calls);
        let _ = self.records.record_n(ticks, records);
    }

    /// As a profile has it, with other frames; none if one of them has no other.
    pub fn latency(&self, frame: impl Fn(u32) -> Option<u32>) -> Option<Latency> {
        let path = self.path.iter().map(|packed| Frame::unpack(frame(*packed)?));
        Some(Latency { path: path.collect::<Option<_>>()?, calls: self.durations() })
    }

    fn durations(&self) -> Durations {
        let buckets = self.calls.iter_recorded().map(|at| Bucket {
            upper: Ticks(at.value_iterated_to()),
            calls: at.count_at_value(),
            records: self.records.count_at(at.value_iterated_to()),
        });
        let mut buckets: Vec<Bucket> = buckets.collect();
        if let Some(last) = buckets.last_mut() {
            last.upper = last.upper.max(Ticks(self.longest));
        }
        Durations::new(Ticks(self.longest), buckets)
    }
}

impl Latencies {
    /// Watches a new node if calls of its kind are watched.
    pub fn meet(&mut self, tree: &mut TreeBuilder, node: u32) {
        let of = tree.nodes[node as usize];
        let parent = tree.nodes[of.parent as usize].frame;
        let is_root =
            frame::kind(of.frame) == frame::METHOD && frame::kind(parent) == frame::THREAD;
        let is_named = !self.named.is_empty() && self.named.contains(&of.frame);
        if is_root || is_named || frame::kind(of.frame) == frame::TASK {
            self.watch(tree, node);
        }
    }

    /// Watches the calls of these methods from now on, wherever they are.
    pub fn name(&mut self, tree: &mut TreeBuilder, methods: &[MethodId]) {
        let new = methods.iter().map(|method| method.get());
        let new: HashSet<u32> = new.filter(|method| self.named.insert(*method)).collect();
        if new.is_empty() {
            return;
        }
        for node in 1..tree.nodes.len() as u32 {
            let of = tree.nodes[node as usize];
            let is_folded = tree.is_summary(of.parent);
            // One that is watched has a zero there.
            if new.contains(&of.frame) && of.notable != 0 && !is_folded {
                let before = of.notable;
                self.watch(tree, node);
                if let Some(watched) = self.watched.last_mut().filter(|last| last.node == node) {
                    watched.longest = before.saturating_sub(1);
                }
            }
        }
    }

    /// Nothing is known so far, and the same is to be watched and kept.
    pub fn emptied(&self) -> Self {
        Self { slowest: self.slowest.emptied(), named: self.named.clone(), ..Self::default() }
    }

    /// A copy in which no slow call is kept so far.
    pub fn without_slowest(&self) -> Self {
        Self {
            histograms: self.histograms.clone(),
            paths: self.paths.clone(),
            frames: self.frames,
            watched: self.watched.clone(),
            places: self.places.clone(),
            unwatched: self.unwatched,
            unsampled: self.unsampled.clone(),
            slowest: self.slowest.emptied(),
            call_log: CallLog::default(),
            named: self.named.clone(),
        }
    }

    fn watch(&mut self, tree: &mut TreeBuilder, node: u32) {
        match self.histogram(tree.path(node)) {
            Some(histogram) => self.add(tree, Watched { node, histogram, longest: 0 }),
            None => self.unwatched += 1,
        }
    }

    /// The histogram of a call path, made if it is missing and there is room for it.
    fn histogram(&mut self, path: Vec<u32>) -> Option<u32> {
        if let Some(known) = self.paths.get(&path) {
            return Some(*known);
        }
        if self.histograms.len() >= MAX_HISTOGRAMS || self.frames + path.len() > MAX_FRAMES {
            return None;
        }
        let index = self.histograms.len() as u32;
        self.histograms.push(Recorded::new(path.clone())?);
        self.frames += path.len();
        self.paths.insert(path, index);
        Some(index)
    }

    fn add(&mut self, tree: &mut TreeBuilder, watched: Watched) {
        tree.nodes[watched.node as usize].notable = 0;
        *self.places.entry(Pair::new(watched.node, 0)) = self.watched.len() as u32;
        self.watched.push(watched);
    }

    /// Adds an ended call of this thread that lasted at least as long as the node's
    /// [`Node`](crate::build::tree_builder::Node) says, or as calls that are logged: it has a new
    /// maximum, is watched, or logged.
    #[cold]
    #[inline(never)]
    pub fn ended(
        &mut self,
        tree: &mut TreeBuilder,
        state: &ThreadState,
        node: u32,
        (open, now): (Open, Open),
    ) {
        self.call_log.add(state, node, open, now);
        if open.time == Open::UNKNOWN {
            return;
        }
        let ticks = now.time.saturating_sub(open.time);
        let of = &mut tree.nodes[node as usize];
        if of.notable != 0 {
            of.notable = of.notable.max(ticks.saturating_add(1));
            return;
        }
        let Some(place) = self.places.get(Pair::new(node, 0)) else { return };
        let watched = &mut self.watched[place as usize];
        watched.longest = watched.longest.max(ticks);
        let recorded = &mut self.histograms[watched.histogram as usize];
        recorded.longest = recorded.longest.max(ticks);
        recorded.record(ticks, 1, now.records.saturating_sub(open.records));
        self.slowest.ended(|| recorded.path.clone(), open, now, ticks);
    }

    /// Adds a call of a root that root sampling left out. It had no probes but the root's.
    pub fn unsampled(&mut self, root: u32, ticks: u64) {
        let (calls, sum) = self.unsampled.entry(root).or_default();
        (*calls, *sum) = (*calls + 1, sum.saturating_add(ticks));
        let Some(histogram) = self.histogram(vec![root]) else { return };
        let recorded = &mut self.histograms[histogram as usize];
        recorded.longest = recorded.longest.max(ticks);
        recorded.record(ticks, 1, 0);
    }

    /// Roots with calls that root sampling left out: id, these calls and their ticks.
    pub fn all_unsampled(&self) -> impl Iterator<Item = (u32, u64, Ticks)> {
        self.unsampled.iter().map(|(id, (calls, ticks))| (*id, *calls, Ticks(*ticks)))
    }

    /// The watched nodes.
    pub fn nodes(&self) -> impl Iterator<Item = u32> {
        self.watched.iter().map(|watched| watched.node)
    }

    /// Finds the watched nodes where they are after a fold.
    pub fn follow(&mut self, moved: &Moved) {
        self.call_log.follow(moved);
        self.places = PairTable::default();
        for (place, watched) in (0..).zip(&mut self.watched) {
            watched.node = moved.to(watched.node);
            *self.places.entry(Pair::new(watched.node, 0)) = place;
        }
    }

    /// Takes the call paths from the tree, in which nodes may stand below others than before. No
    /// calls may follow.
    pub fn follow_paths(&mut self, tree: &TreeBuilder) {
        let mut found: Vec<Option<Vec<u32>>> = vec![None; self.histograms.len()];
        for watched in &self.watched {
            let at = watched.histogram as usize;
            let (Some(of), Some(best)) = (self.histograms.get(at), found.get_mut(at)) else {
                continue;
            };
            let path = tree.path(watched.node);
            // On one thread it may be known who called, and not on another one. What is shown must
            // be true of both: `⋯` always is, and a call that one thread has made is in the code.
            let rank = |path: &Vec<u32>| (path.contains(&BETWEEN), *path == of.path);
            if best.as_ref().is_none_or(|best| rank(&path) > rank(best)) {
                *best = Some(path);
            }
        }
        let mut moved = HashMap::new();
        for (of, path) in self.histograms.iter_mut().zip(found) {
            if let Some(path) = path.filter(|path| !path.is_empty() && *path != of.path) {
                moved.insert(std::mem::replace(&mut of.path, path.clone()), path);
            }
        }
        self.slowest.follow_paths(&moved);
    }

    /// Gives each watched node its longest call, as others have it. No calls may follow.
    pub fn give_longest(&self, tree: &mut TreeBuilder) {
        for watched in &self.watched {
            let notable = &mut tree.nodes[watched.node as usize].notable;
            // Two watched nodes may have become one.
            *notable = (*notable).max(watched.longest.saturating_add(1));
        }
    }

    /// The histograms that have calls.
    pub fn recorded(&self) -> impl Iterator<Item = &Recorded> {
        self.histograms.iter().filter(|recorded| !recorded.calls.is_empty())
    }

    /// Nodes that should be watched and are not.
    pub fn unwatched(&self) -> u64 {
        self.unwatched
    }
}

/// What a checkpoint has of histograms.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct StoredLatencies {
    /// Call path, and calls.
    histograms: Vec<(Vec<u32>, Durations)>,
    watched: Vec<Watched>,
    unwatched: u64,
    /// Root's id, calls that were left out, and their ticks.
    unsampled: Vec<(u32, u64, u64)>,
}

impl StoredLatencies {
    pub fn of(latencies: &Latencies) -> Self {
        let histograms = latencies.histograms.iter();
        let unsampled = latencies.all_unsampled();
        Self {
            histograms: histograms.map(|of| (of.path.clone(), of.durations())).collect(),
            watched: latencies.watched.clone(),
            unwatched: latencies.unwatched,
            unsampled: unsampled.map(|(id, calls, ticks)| (id, calls, ticks.0)).collect(),
        }
    }

    /// The largest number of calls or nodes.
    pub fn largest(&self) -> u64 {
        let calls = self.unsampled.iter().map(|(_, calls, _)| *calls);
        calls.max().unwrap_or(0).max(self.unwatched)
    }

    /// The histograms, for the nodes of this tree. An error names a contradiction.
    pub fn read(&self, tree: &mut TreeBuilder) -> Result<Latencies, Problem> {
        let mut latencies = Latencies { unwatched: self.unwatched, ..Latencies::default() };
        for (path, calls) in &self.histograms {
            let is_frame = |packed: &u32| {
                let kind = frame::kind(*packed);
                [frame::METHOD, frame::TASK].contains(&kind)
                    && MethodId::new(frame::value(*packed)).is_some()
            };
            let is_sound = calls.is_valid() || *calls == Durations::default();
            if path.is_empty() || !path.iter().all(is_frame) || !is_sound {
                return Err("a histogram that contradicts itself".into());
            }
            let before = latencies.histograms.len();
            let index = latencies.histogram(path.clone()).map(|index| index as usize);
            let Some(recorded) = latencies.histograms.last_mut().filter(|_| index == Some(before))
            else {
                return Err("two histograms of one call path, or too many".into());
            };
            recorded.longest = calls.longest().0;
            for bucket in calls.buckets() {
                recorded.record(bucket.upper.0, bucket.calls, bucket.records);
            }
        }
        for watched in &self.watched {
            let is_known = (watched.histogram as usize) < latencies.histograms.len();
            let node = tree.nodes.get(watched.node as usize).filter(|_| watched.node != NONE);
            // A node that is watched already has a zero here.
            if !is_known || node.is_none_or(|node| node.notable == 0) {
                return Err(format!("node {} with a histogram", watched.node).into());
            }
            latencies.add(tree, *watched);
        }
        for (id, calls, ticks) in &self.unsampled {
            if MethodId::new(*id).is_none() {
                return Err(format!("{calls} unsampled calls of method id {id}").into());
            }
            latencies.unsampled.insert(*id, (*calls, *ticks));
        }
        Ok(latencies)
    }
}
