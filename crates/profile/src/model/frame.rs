//! Frames of the tree, and indices into a profile's tables.

use serde::{Deserialize, Serialize};

/// Index into a profile's method table.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct MethodIx(pub u32);

/// Index into a profile's thread table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ThreadIx(pub u32);

/// Index of a node in a tree, in preorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeIx(pub u32);

/// What a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub enum Frame {
    /// Everything that was recorded on a thread.
    Thread(ThreadIx),
    /// Calls of a method.
    Method(MethodIx),
    /// Tasks that this root method handed off, on the threads that ran them.
    Task(MethodIx),
}

const KIND_SHIFT: u32 = 30;
const VALUE_MASK: u32 = (1 << KIND_SHIFT) - 1;
pub(crate) const METHOD: u32 = 0;
pub(crate) const THREAD: u32 = 1;
pub(crate) const TASK: u32 = 2;
/// A summary node, in a tree under construction alone.
pub(crate) const FOLDED: u32 = 3;

/// A frame in 32 bits: two for the kind, thirty for the index or id.
pub(crate) const fn pack(kind: u32, value: u32) -> u32 {
    kind << KIND_SHIFT | value & VALUE_MASK
}

pub(crate) const fn kind(packed: u32) -> u32 {
    packed >> KIND_SHIFT
}

pub(crate) const fn value(packed: u32) -> u32 {
    packed & VALUE_MASK
}

impl Frame {
    pub(crate) const fn unpack(packed: u32) -> Option<Self> {
        let value = value(packed);
        match kind(packed) {
            METHOD => Some(Self::Method(MethodIx(value))),
            THREAD => Some(Self::Thread(ThreadIx(value))),
            TASK => Some(Self::Task(MethodIx(value))),
            _ => None,
        }
    }

    pub(crate) const fn pack(self) -> u32 {
        match self {
            Self::Thread(thread) => pack(THREAD, thread.0),
            Self::Method(method) => pack(METHOD, method.0),
            Self::Task(method) => pack(TASK, method.0),
        }
    }
}

impl From<Frame> for u32 {
    fn from(frame: Frame) -> Self {
        frame.pack()
    }
}

impl TryFrom<u32> for Frame {
    type Error = &'static str;

    fn try_from(packed: u32) -> Result<Self, &'static str> {
        Self::unpack(packed).ok_or("a frame of no kind")
    }
}
