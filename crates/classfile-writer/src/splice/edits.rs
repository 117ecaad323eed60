//! The caller's edits on one method's code.

use std::ops::Range;

use crate::bci::Bci;
use crate::bytes::{push_u2, push_u4};
use crate::code::Code;
use crate::error::ErrorKind;
use crate::frame::VerificationType;
use crate::scan::Scan;

/// The target of a branch to the position of an insertion. Handlers, frames and switch cases count
/// as branches.
///
/// Falling through from above always runs the inserted code. Positions that mean an instruction
/// always follow it: the `new` of an uninitialized type, type annotations, line numbers and local
/// variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Landing {
    /// After the inserted code, which runs only if control falls into it. For entry code: a loop
    /// back to bci 0 does not run it again. Such code must be reachable by falling through, or be
    /// at bci 0.
    After,
    /// Before the inserted code, so that branches run it too. For exit code before a return.
    Before,
}

/// A block of code at the end of a method, from `Splice::block` or `Splice::stub`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label(pub(super) u32);

/// All edits of the caller.
#[derive(Debug, Default)]
pub(super) struct Edits {
    /// Bytes of all pieces and blocks.
    pub bytes: Vec<u8>,
    /// Sorted by position and landing when the edits are applied; stable.
    pub pieces: Vec<Piece>,
    pub blocks: Vec<Block>,
    pub covers: Vec<Cover>,
    /// Exception table entries with their new blocks. Sorted when the edits are applied.
    pub retargets: Vec<(u32, Label)>,
    /// Verification types of block frames.
    pub types: Vec<VerificationType>,
    pub deepen_stack: u16,
    pub need_stack: u16,
    pub need_locals: u32,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub bci: u32,
    pub landing: Landing,
    pub start: u32,
    pub end: u32,
}

#[derive(Debug, Clone)]
pub(super) struct Block {
    pub code: Range<usize>,
    pub kind: BlockKind,
}

#[derive(Debug, Clone)]
pub(super) enum BlockKind {
    /// A block with its own frame: ranges of `Edits::types` for locals and stack.
    Own { locals: Range<usize>, stack: Range<usize> },
    /// A stub for the handler at that position.
    Stub { handler: u32 },
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Cover {
    pub start: u32,
    pub end: u32,
    pub handler: Label,
}

/// No method can have more new bytes. Below this bound no position overflows.
const MAX_NEW_BYTES: usize = 1 << 20;

impl Edits {
    /// Sorts the edits and checks that they fit the code.
    pub(super) fn check(&mut self, code: &Code<'_>, scan: &Scan) -> Result<(), ErrorKind> {
        let length = code.bytes().len() as u32;
        if scan.length != length {
            return Err(ErrorKind::ScanOfOtherCode);
        }
        let pieces = self.pieces.iter().map(|piece| (piece.end - piece.start) as usize);
        let blocks = self.blocks.iter().map(|block| block.code.len());
        let new = pieces.chain(blocks).sum::<usize>();
        if new > MAX_NEW_BYTES {
            return Err(ErrorKind::CodeTooLarge(code.bytes().len() + new));
        }
        if !self.pieces.is_sorted_by_key(|piece| (piece.bci, piece.landing)) {
            self.pieces.sort_by_key(|piece| (piece.bci, piece.landing));
        }
        if let Some(lost) = self.pieces.iter().find(|piece| !scan.is_instruction(Bci(piece.bci))) {
            return Err(ErrorKind::NotAnInstruction { bci: lost.bci });
        }
        self.retargets.sort_by_key(|&(entry, _)| entry);
        self.retargets.dedup_by(|later, earlier| {
            let same = later.0 == earlier.0;
            if same {
                earlier.1 = later.1;
            }
            same
        });
        let entries = code.exceptions().len();
        let is_block = |label: Label| (label.0 as usize) < self.blocks.len();
        let stubs_inside = self.blocks.iter().all(|block| match block.kind {
            BlockKind::Stub { handler } => handler < length,
            BlockKind::Own { .. } => true,
        });
        let retargets_fit =
            self.retargets.iter().all(|&(entry, to)| (entry as usize) < entries && is_block(to));
        let covers_fit =
            self.covers.iter().all(|cover| cover.end <= length && is_block(cover.handler));
        if stubs_inside && retargets_fit && covers_fit {
            Ok(())
        } else {
            Err(ErrorKind::NoSuchHandler)
        }
    }

    /// Writes the maxima and the code length.
    pub(super) fn write_header(
        &self,
        code: &Code<'_>,
        length: u32,
        out: &mut Vec<u8>,
    ) -> Result<(), ErrorKind> {
        let stack = (u32::from(code.max_stack()) + u32::from(self.deepen_stack))
            .max(u32::from(self.need_stack));
        let locals = u32::from(code.max_locals()).max(self.need_locals);
        if code.is_short_form() {
            out.push(u8::try_from(stack).map_err(|_| ErrorKind::StackTooDeep(stack))?);
            out.push(u8::try_from(locals).map_err(|_| ErrorKind::TooManyLocals(locals))?);
            push_u2(out, length as u16);
        } else {
            push_u2(out, u16::try_from(stack).map_err(|_| ErrorKind::StackTooDeep(stack))?);
            push_u2(out, u16::try_from(locals).map_err(|_| ErrorKind::TooManyLocals(locals))?);
            push_u4(out, length);
        }
        Ok(())
    }

    /// Locals and stack of a block's own frame.
    pub(super) fn block_types(&self, number: usize) -> (&[VerificationType], &[VerificationType]) {
        match self.blocks.get(number).map(|block| &block.kind) {
            Some(BlockKind::Own { locals, stack }) => (
                self.types.get(locals.clone()).unwrap_or_default(),
                self.types.get(stack.clone()).unwrap_or_default(),
            ),
            _ => (&[], &[]),
        }
    }

    pub(super) fn bytes(&self, range: Range<usize>) -> &[u8] {
        self.bytes.get(range).unwrap_or_default()
    }
}
