//! Checkpoints: saved states of a builder.

use std::io::{Read, Write};

use jfathom_plan::{MethodId, Problem};
use jfathom_trace::{RingIx, RingPosition};
use serde::{Deserialize, Serialize};

use super::Builder;
use super::folding::Folding;
use super::latencies::StoredLatencies;
use super::method_sums::MethodSums;
use super::slice_begin::SliceBegin;
use super::thread::ThreadState;
use super::virtual_threads::VirtualThreads;
use crate::build::tree_builder::{DirectCalls, NONE, NodeExtra, SUMMARY};
use crate::store::envelope::{self, Kind};
use crate::{BudgetOutcome, Demotion, FileError, Metric, Mode, Quality, model::frame};

// Level 1: a checkpoint is written every second and read once at most.
const KIND: Kind =
    Kind { name: "jfathom checkpoint", magic: *b"JFCHKP\x1a\n", version: 25, level: 1 };

/// A builder with the positions up to which the rings were drained.
///
/// [`Builder::checkpoint`] copies [`Builder::NODE_BYTES`] per node, and the counted calls. Draining
/// stops only for that copy: another thread can write it.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The state. Feeding can continue from it.
    pub builder: Builder,
    /// How far each ring was drained.
    pub positions: Vec<RingPosition>,
}

impl Builder {
    /// A checkpoint of the records so far, without the slowest calls: they may be much larger than
    /// the tree.
    pub fn checkpoint(&self, positions: Vec<RingPosition>) -> Checkpoint {
        let builder = Self {
            tree: self.tree.clone(),
            counted: self.counted.clone(),
            threads: self.threads.clone(),
            virtuals: self.virtuals.clone(),
            methods: self.methods.clone(),
            quality: self.quality.clone(),
            latencies: self.latencies.without_slowest(),
            demotions: self.demotions.clone(),
            modes: self.modes.clone(),
            budget: self.budget,
            slice: self.slice.clone(),
            folding: self.folding,
            has_cpu: self.has_cpu,
            own_clock: self.own_clock,
        };
        Checkpoint { builder, positions }
    }
}

impl Builder {
    /// A thread's state that was read, if it stands in its own tree.
    fn checked(&self, state: &ThreadState) -> Result<ThreadState, Problem> {
        let is_in_tree = |at: u32| self.root_of(at) == state.root;
        if !is_in_tree(state.current) || !is_in_tree(state.floor) {
            return Err(format!("thread {} does not stand in its own tree", state.thread_id).into());
        }
        if !state.open.iter().all(|open| is_in_tree(open.flush_node)) {
            return Err(format!("thread {} tells of another's calls", state.thread_id).into());
        }
        if self.tree.path(state.current).len() != state.open.len() {
            let thread = state.thread_id;
            return Err(
                format!("thread {thread} has other calls open than those of its stack").into()
            );
        }
        Ok(state.clone())
    }

    /// The root above a node; [`NONE`] if there is no such node.
    pub(super) fn root_of(&self, node: u32) -> u32 {
        let parent = |at: u32| self.tree.nodes.get(at as usize).map_or(NONE, |node| node.parent);
        let mut at = node;
        // Parents come before their children, so this ends.
        while parent(at) != NONE {
            at = parent(at);
        }
        at
    }
}

impl Checkpoint {
    /// Writes the checkpoint.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), FileError> {
        let stored = Stored::from_checkpoint(self);
        let body = postcard::to_stdvec(&stored)
            .map_err(|error| FileError::Content(error.to_string().into()))?;
        envelope::write(&KIND, &body, out)
    }

    /// Reads what [`Checkpoint::write`] wrote, and checks it. Memory grows with the bytes of the
    /// file.
    pub fn read(input: &mut dyn Read) -> Result<Self, FileError> {
        let file = envelope::read(&KIND, input)?;
        let mut body = file.body()?;
        let stored: Stored = body.value()?;
        body.end()?;
        stored.checkpoint().map_err(FileError::Content)
    }
}

/// Larger counts are damage. Counting on from smaller ones cannot overflow.
const COUNT_MAX: u64 = 1 << 62;

/// The content of a checkpoint file. Reading makes the links between siblings anew.
#[derive(Serialize, Deserialize)]
struct Stored {
    positions: Vec<(u32, u64, u64)>,
    threads: Vec<ThreadState>,
    virtuals: VirtualThreads,
    frames: Vec<u32>,
    /// Distance back to the parent; zero for a root.
    parents: Vec<u32>,
    calls: Vec<u64>,
    self_ticks: Vec<u64>,
    /// Method id and counts, for methods that have any.
    exits: Vec<(u32, [u64; 6])>,
    /// Bits by node: see [`crate::build::tree_builder::TreeBuilder::direct`].
    direct: Vec<u64>,
    /// For nodes that have any.
    extras: Vec<(u32, NodeExtra)>,
    /// Node, number of a class, and how many of its exceptions the node has caught.
    caught: Vec<(u32, u32, u64)>,
    has_cpu: bool,
    own_clock: Option<u64>,
    folding: Folding,
    /// Node, method id, counted calls and COUNTED records.
    counted: Vec<(u32, u32, u64, u64)>,
    demotions: Vec<(u32, Demotion)>,
    modes: Vec<(u32, Mode)>,
    budget: Option<BudgetOutcome>,
    slice: Option<SliceBegin>,
    quality: Quality,
    /// By node: one more than its longest call. Watched nodes have theirs with the latencies.
    notable: Vec<u64>,
    latencies: StoredLatencies,
}

impl Stored {
    fn from_checkpoint(checkpoint: &Checkpoint) -> Self {
        let Builder {
            tree,
            counted,
            threads,
            virtuals,
            methods,
            quality,
            latencies,
            demotions,
            modes,
            budget,
            slice,
            folding,
            has_cpu,
            own_clock,
        } = &checkpoint.builder;
        let nodes = tree.nodes.get(1..).unwrap_or_default();
        let parents = (1..)
            .zip(nodes)
            .map(|(ix, node)| if node.parent == NONE { 0 } else { ix - node.parent });
        let methods = methods.iter().filter(|(_, sums)| **sums != MethodSums::default());
        Self {
            positions: checkpoint
                .positions
                .iter()
                .map(|at| (at.ring.0, at.sequence, at.position))
                .collect(),
            threads: threads.clone(),
            virtuals: virtuals.clone(),
            frames: nodes.iter().map(|node| node.frame).collect(),
            parents: parents.collect(),
            calls: nodes.iter().map(|node| node.calls).collect(),
            self_ticks: nodes.iter().map(|node| node.self_ticks).collect(),
            exits: methods
                .map(|(id, sums)| {
                    (
                        id,
                        [
                            sums.returns,
                            sums.throws,
                            sums.inferred,
                            sums.unwound,
                            sums.unmatched,
                            sums.caught,
                        ],
                    )
                })
                .collect(),
            direct: tree.direct.words().to_vec(),
            extras: tree.extras().collect(),
            caught: tree.caught(),
            has_cpu: *has_cpu,
            own_clock: *own_clock,
            folding: *folding,
            counted: counted
                .entries()
                .into_iter()
                .map(|(node, id, counted)| (node, id, counted.calls, counted.records))
                .collect(),
            demotions: demotions.iter().map(|(id, demotion)| (*id, *demotion)).collect(),
            modes: modes.iter().map(|(id, mode)| (*id, *mode)).collect(),
            budget: *budget,
            slice: slice.clone(),
            quality: quality.clone(),
            notable: nodes.iter().map(|node| node.notable.max(1)).collect(),
            latencies: StoredLatencies::of(latencies),
        }
    }

    fn checkpoint(self) -> Result<Checkpoint, Problem> {
        let builder = self.builder()?;
        let positions = self.positions.iter().map(|(ring, sequence, position)| RingPosition {
            ring: RingIx(*ring),
            sequence: *sequence,
            position: *position,
        });
        Ok(Checkpoint { builder, positions: positions.collect() })
    }

    fn builder(&self) -> Result<Builder, Problem> {
        let len = self.frames.len();
        if [self.parents.len(), self.calls.len(), self.self_ticks.len(), self.notable.len()]
            != [len; 4]
        {
            return Err("columns of unequal length".into());
        }
        let counts = self.exits.iter().flat_map(|(_, counts)| counts).chain(&self.calls);
        let of_threads = self.threads.iter().map(|state| state.records.max(state.count_records));
        let of_threads = of_threads.max().unwrap_or(0).max(self.virtuals.largest());
        let others = self.quality.largest().max(self.latencies.largest()).max(of_threads);
        if counts.copied().max().unwrap_or(0).max(others) > COUNT_MAX {
            return Err("a count that no recording reaches".into());
        }
        let mut builder = Builder { quality: self.quality.clone(), ..Builder::default() };
        for (id, [returns, throws, inferred, unwound, unmatched, caught]) in
            self.exits.iter().copied()
        {
            if MethodId::new(id).is_none() || unwound > inferred {
                return Err(format!("exits of method id {id}").into());
            }
            *builder.methods.row(id) = MethodSums {
                returns,
                throws,
                inferred,
                unwound,
                unmatched,
                caught,
                ..MethodSums::default()
            };
        }
        let columns =
            self.frames.iter().zip(&self.parents).zip(self.calls.iter().zip(&self.self_ticks));
        for (((frame, back), (calls, self_ticks)), notable) in columns.zip(&self.notable) {
            if *calls == 0 && *frame != SUMMARY {
                return Err(format!("node {} without a call", builder.tree.nodes.len()).into());
            }
            self.add(&mut builder, *frame, *back)?;
            let node = builder.tree.nodes.last_mut().ok_or("no node")?;
            (node.calls, node.self_ticks, node.notable) = (*calls, *self_ticks, (*notable).max(1));
        }
        builder.tree.direct =
            DirectCalls::from_words(self.direct.clone(), builder.tree.nodes.len());
        builder.latencies = self.latencies.read(&mut builder.tree)?;
        self.read_extras(&mut builder)?;
        self.read_caught(&mut builder)?;
        builder.folding = self.folding;
        self.read_counted(&mut builder)?;
        self.read_modes(&mut builder)?;
        for (ix, state) in (0..).zip(&self.threads) {
            let is_root = builder.tree.nodes.get(state.root as usize).is_some_and(|node| {
                node.parent == NONE
                    && node.frame == frame::pack(frame::THREAD, ix)
                    && state.root != NONE
            });
            if !is_root {
                return Err(format!("thread {ix} without a tree").into());
            }
            builder.threads.push(builder.checked(state)?);
        }
        self.read_virtual_threads(&mut builder)?;
        if self.slice.as_ref().is_some_and(|slice| !slice.fits(&builder.tree)) {
            return Err("open calls that are not in the tree".into());
        }
        builder.slice = self.slice.clone();
        builder.check_counts()?;
        builder.sum_nodes();
        (builder.has_cpu, builder.own_clock) = (self.has_cpu, self.own_clock);
        // Nobody tells the switches of what was recorded since.
        builder.forget_switches();
        Ok(builder)
    }

    fn read_virtual_threads(&self, builder: &mut Builder) -> Result<(), Problem> {
        let virtuals = &self.virtuals;
        let root = virtuals.group.and_then(|group| self.threads.get(group as usize));
        let root = root.map_or(NONE, |group| group.root);
        let is_known = |thread: u32| (thread as usize) < self.threads.len();
        let has_node = |node: u32| node != NONE && builder.root_of(node) == root;
        let stands_there = |state: &ThreadState| state.root == root && root != NONE && !state.over;
        let mut states = virtuals.stacks.values().map(|stack| &stack.state);
        if !virtuals.threads().all(is_known)
            || !virtuals.ends().all(has_node)
            || !states.all(stands_there)
            || !virtuals.has_past_rounds()
        {
            return Err("virtual threads that are not in the tree".into());
        }
        if let Some(id) = virtuals.counted_ids().find(|id| MethodId::new(*id).is_none()) {
            return Err(format!("counted calls of method id {id}").into());
        }
        let mut virtuals = virtuals.clone();
        for stack in virtuals.stacks.values_mut() {
            stack.state = builder.checked(&stack.state)?;
        }
        builder.virtuals = virtuals;
        Ok(())
    }

    fn read_extras(&self, builder: &mut Builder) -> Result<(), Problem> {
        for (at, extra) in &self.extras {
            let tree = &mut builder.tree;
            let node = tree.nodes.get(*at as usize).filter(|_| *at != NONE);
            let Some(node) = node else { return Err(format!("numbers of node {at}").into()) };
            let is_summary = tree.is_summary(*at);
            let is_below = is_summary || tree.is_summary(node.parent);
            let fits = extra[Metric::Throws].max(extra[Metric::Unflushed]) <= node.calls
                && extra[Metric::Parked] <= node.self_ticks
                && (is_summary || extra[Metric::Folded] == 0)
                && (is_below || extra[Metric::CallsBeside] == 0);
            // All other sums saturate.
            let counts =
                [Metric::Counted, Metric::CountRecords, Metric::Folded, Metric::CallsBeside];
            if !fits || counts.into_iter().any(|metric| extra[metric] > COUNT_MAX) {
                return Err(format!("numbers of node {at} that do not fit").into());
            }
            *tree.extra_mut(*at) = *extra;
        }
        Ok(())
    }

    fn read_caught(&self, builder: &mut Builder) -> Result<(), Problem> {
        for (node, class, count) in self.caught.iter().copied() {
            if node == NONE || node as usize >= builder.tree.nodes.len() || count > COUNT_MAX {
                return Err(format!("{count} exceptions caught in node {node}").into());
            }
            builder.tree.add_caught(node, class, count);
        }
        Ok(())
    }

    fn read_counted(&self, builder: &mut Builder) -> Result<(), Problem> {
        for (node, id, calls, records) in self.counted.iter().copied() {
            let known = node != NONE && (node as usize) < builder.tree.nodes.len();
            if !known || MethodId::new(id).is_none() || calls.max(records) > COUNT_MAX {
                return Err(
                    format!("{calls} counted calls of method id {id} in node {node}").into()
                );
            }
            builder.counted.add(node, id, calls, records);
        }
        Ok(())
    }

    fn read_modes(&self, builder: &mut Builder) -> Result<(), Problem> {
        let ids =
            (self.demotions.iter().map(|(id, _)| *id)).chain(self.modes.iter().map(|(id, _)| *id));
        if let Some(id) = ids.into_iter().find(|id| MethodId::new(*id).is_none()) {
            return Err(format!("method id {id}").into());
        }
        builder.demotions = self.demotions.iter().copied().collect();
        builder.modes = self.modes.iter().copied().collect();
        builder.budget = self.budget;
        let is_finite = builder.demotions.values().all(Demotion::is_finite)
            && self.budget.is_none_or(|budget| budget.is_finite());
        match is_finite {
            true => Ok(()),
            false => Err("a measured number that is none".into()),
        }
    }

    fn add(&self, builder: &mut Builder, frame: u32, back: u32) -> Result<(), Problem> {
        let ix = builder.tree.nodes.len() as u32;
        let parent = match back {
            0 => NONE,
            back if back < ix => ix - back,
            _ => return Err(format!("node {ix} with a parent {back} before it").into()),
        };
        let value = frame::value(frame);
        let fits = match frame::kind(frame) {
            frame::THREAD => parent == NONE && (value as usize) < self.threads.len(),
            frame::METHOD | frame::TASK => parent != NONE && value < 1 << MethodId::BITS,
            frame::FOLDED => parent != NONE && value == 0 && !builder.tree.is_summary(parent),
            _ => false,
        };
        if !fits {
            return Err(format!("node {ix} with frame {frame:#x}").into());
        }
        builder.tree.add(parent, frame);
        Ok(())
    }
}
