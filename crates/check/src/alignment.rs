//! An output's code beside its original: which instruction is which, and where each went.

use crate::cursor::{CatchProbe, Own, Part};
use std::collections::BTreeMap;

/// Where a position of the original went: bcis in the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// Before everything that is inserted there: where a range ends that ends there.
    pub(crate) base: usize,
    /// Where branches lead that lead there: behind entry probes and trampolines, before other
    /// probes.
    pub(crate) target: usize,
    /// Where its instruction is.
    pub(crate) instruction: usize,
}

/// Trampolines at one place: `goto_w` instructions.
#[derive(Clone, Debug)]
pub(crate) struct Island {
    /// The original's instruction that they stand before.
    pub(crate) before: usize,
    /// Where the jump over them is; none at the end of the code.
    pub(crate) head: Option<usize>,
    /// Where each of them is, and where it leads.
    pub(crate) slots: Vec<(usize, usize)>,
    pub(crate) end: usize,
}

/// A block at the end of the output's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Where a stub leads; none for a block that throws on.
    pub(crate) handler: Option<usize>,
    /// The catch probe of a stub.
    pub(crate) probe: Option<CatchProbe>,
}

/// Every instruction of the output, and the position of every instruction of the original.
#[derive(Debug)]
pub(crate) struct Alignment {
    /// What each instruction of the output is.
    pub(crate) parts: Vec<Part>,
    /// For each instruction of the original, and for the end of its code.
    pub(crate) positions: Vec<Position>,
    pub(crate) islands: Vec<Island>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) own: Option<Own>,
    /// The id of the method's resumptions, if a probe counts them.
    pub(crate) resumed: Option<u32>,
    pub(crate) task: Option<u16>,
    /// The handlers that have a probe in front of them.
    pub(crate) marked: BTreeMap<usize, CatchProbe>,
    /// The bci behind an entry probe that is jumped over.
    pub(crate) entry_frame: Option<usize>,
    /// The bci of the first call that should be marked as a hand-off, and is not.
    pub(crate) unmarked: Option<usize>,
}

impl Alignment {
    /// How many local variables the probes keep.
    pub(crate) fn new_locals(&self) -> usize {
        let token = self.own.and_then(|own| own.token);
        usize::from(self.task.is_some()) + usize::from(token.is_some())
    }

    /// The position of the instruction with this number.
    pub(crate) fn position(&self, index: usize) -> Option<Position> {
        self.positions.get(index).copied()
    }
}
