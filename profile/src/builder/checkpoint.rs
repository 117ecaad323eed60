//! A builder's state, kept against the death of its process.

use std::io::{Read, Write};

use jfathom_trace::{RingIx, RingPosition};
use serde::{Deserialize, Serialize};

use super::thread::ThreadState;
use super::{Builder, Exits};
use crate::envelope::{self, FileError, Kind};
use crate::growth::NONE;
use crate::{Quality, frame};

// Level 1: a checkpoint is written every second and read once at most.
const KIND: Kind = Kind { name: "jfathom checkpoint", magic: *b"JFCHKP\x1a\n", version: 1, level: 1 };

/// A builder with the ring positions up to which it has been fed.
///
/// Taking one ([`Builder::checkpoint`]) is a copy of [`Builder::NODE_BYTES`] a node, at the speed of memory; writing it
/// can be left to another thread, so that draining stops only for the copy.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The state; feeding can go on from here.
    pub builder: Builder,
    /// What had been taken from the rings.
    pub positions: Vec<RingPosition>,
}

impl Builder {
    /// A checkpoint of what has been fed so far.
    pub fn checkpoint(&self, positions: Vec<RingPosition>) -> Checkpoint {
        Checkpoint { builder: self.clone(), positions }
    }
}

impl Builder {
    /// The root above a node; none if there is no such node.
    fn root_of(&self, node: u32) -> u32 {
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
        let stored = Stored::of(self);
        let body = postcard::to_stdvec(&stored).map_err(|error| FileError::Content(error.to_string()))?;
        envelope::write(&KIND, &body, out)
    }

    /// Reads what [`Checkpoint::write`] wrote. Memory grows with what is in the file, and the content is checked.
    pub fn read(input: &mut dyn Read) -> Result<Self, FileError> {
        let body = envelope::read(&KIND, input)?;
        let stored: Stored = postcard::from_bytes(&body).map_err(|error| FileError::Content(error.to_string()))?;
        stored.checkpoint().map_err(FileError::Content)
    }
}

/// Larger counts are damage; counting on from smaller ones cannot overflow.
const COUNT_MAX: u64 = 1 << 62;

/// The content of a checkpoint file. The links between siblings are made again on reading.
#[derive(Serialize, Deserialize)]
struct Stored {
    positions: Vec<(u32, u64, u64)>,
    threads: Vec<ThreadState>,
    frames: Vec<u32>,
    /// Distance back to the parent; zero for a root.
    parents: Vec<u32>,
    calls: Vec<u64>,
    self_ticks: Vec<u64>,
    /// Method id and counts, for methods that have any.
    exits: Vec<(u32, [u64; 5])>,
    quality: Quality,
}

impl Stored {
    fn of(checkpoint: &Checkpoint) -> Self {
        let Builder { tree, threads, exits, quality } = &checkpoint.builder;
        let nodes = tree.nodes.get(1..).unwrap_or_default();
        let parents = (1..).zip(nodes).map(|(ix, node)| if node.parent == NONE { 0 } else { ix - node.parent });
        let exits = (0..).zip(exits).filter(|(_, exits)| **exits != Exits::default());
        Self {
            positions: checkpoint.positions.iter().map(|at| (at.ring.0, at.sequence, at.position)).collect(),
            threads: threads.clone(),
            frames: nodes.iter().map(|node| node.frame).collect(),
            parents: parents.collect(),
            calls: nodes.iter().map(|node| node.calls).collect(),
            self_ticks: nodes.iter().map(|node| node.self_ticks).collect(),
            exits: exits.map(|(id, e)| (id, [e.returns, e.throws, e.inferred, e.unmatched, e.caught])).collect(),
            quality: quality.clone(),
        }
    }

    fn checkpoint(self) -> Result<Checkpoint, String> {
        let builder = self.builder()?;
        let positions = self.positions.iter().map(|(ring, sequence, position)| RingPosition {
            ring: RingIx(*ring),
            sequence: *sequence,
            position: *position,
        });
        Ok(Checkpoint { builder, positions: positions.collect() })
    }

    fn builder(&self) -> Result<Builder, String> {
        let len = self.frames.len();
        if [self.parents.len(), self.calls.len(), self.self_ticks.len()] != [len; 3] {
            return Err("columns of unequal length".to_owned());
        }
        let counts = self.exits.iter().flat_map(|(_, counts)| counts).chain(&self.calls);
        if counts.copied().max().unwrap_or(0).max(self.quality.largest()) > COUNT_MAX {
            return Err("a count that no recording reaches".to_owned());
        }
        let mut builder = Builder { quality: self.quality.clone(), ..Builder::default() };
        for (id, [returns, throws, inferred, unmatched, caught]) in self.exits.iter().copied() {
            if id >= 1 << jfathom_plan::MethodId::BITS {
                return Err(format!("method id {id}"));
            }
            *super::exits_of(&mut builder.exits, id) = Exits { returns, throws, inferred, unmatched, caught };
        }
        let columns = self.frames.iter().zip(&self.parents).zip(self.calls.iter().zip(&self.self_ticks));
        for ((frame, back), (calls, self_ticks)) in columns {
            self.add(&mut builder, *frame, *back)?;
            let node = builder.tree.nodes.last_mut().ok_or("no node")?;
            (node.calls, node.self_ticks) = (*calls, *self_ticks);
        }
        for (ix, state) in (0..).zip(&self.threads) {
            let is_root = builder.tree.nodes.get(state.root as usize).is_some_and(|node| {
                node.parent == NONE && node.frame == frame::pack(frame::THREAD, ix) && state.root != NONE
            });
            let stands = |at: u32| builder.root_of(at) == state.root;
            if !is_root || !stands(state.current) || !stands(state.floor) {
                return Err(format!("thread {ix} does not stand in its own tree"));
            }
            builder.threads.push(state.clone());
        }
        builder.check_counts()?;
        Ok(builder)
    }

    fn add(&self, builder: &mut Builder, frame: u32, back: u32) -> Result<(), String> {
        let ix = builder.tree.nodes.len() as u32;
        let parent = match back {
            0 => NONE,
            back if back < ix => ix - back,
            _ => return Err(format!("node {ix} with a parent {back} before it")),
        };
        let value = frame::value(frame);
        let fits = match frame::kind(frame) {
            frame::THREAD => parent == NONE && (value as usize) < self.threads.len(),
            frame::METHOD | frame::TASK => parent != NONE && value < 1 << jfathom_plan::MethodId::BITS,
            _ => false,
        };
        if !fits {
            return Err(format!("node {ix} with frame {frame:#x}"));
        }
        if frame::kind(frame) == frame::METHOD {
            super::exits_of(&mut builder.exits, frame);
        }
        builder.tree.add(parent, frame);
        Ok(())
    }
}
