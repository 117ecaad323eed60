//! The caller's edits on one method's code.

use std::ops::Range;

use super::map::Positions;
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

/// A boundary of a covered range, at a position of the original code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// Before everything that is inserted there.
    Start(Bci),
    /// That many bytes behind [`Cut::Start`], in code inserted with [`Landing::After`].
    Within(Bci, u32),
    /// Where branches to the position land.
    Landing(Bci),
    /// Behind everything that is inserted there.
    Instruction(Bci),
}

impl Cut {
    /// The position in the original code.
    pub(super) fn bci(self) -> u32 {
        match self {
            Self::Start(at) | Self::Within(at, _) | Self::Landing(at) | Self::Instruction(at) => {
                at.0
            }
        }
    }

    /// The position in the new code.
    pub(super) fn place(self, positions: Positions<'_>) -> u32 {
        match self {
            Self::Start(at) => positions.at(at.0).base,
            Self::Within(at, bytes) => {
                let place = positions.at(at.0);
                place.base.saturating_add(bytes).min(place.target)
            }
            Self::Landing(at) => positions.at(at.0).target,
            Self::Instruction(at) => positions.at(at.0).instruction,
        }
    }
}

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
    /// Sorted by branch and target when the edits are applied.
    pub redirects: Vec<Redirect>,
    /// Sorted by entry when the edits are applied; stable.
    pub parts: Vec<EntryPart>,
    /// Verification types of block frames.
    pub types: Vec<VerificationType>,
    pub deepen_stack: u16,
    pub need_stack: u16,
    pub need_locals: u32,
    /// New local variables of type `int`, behind those of the original.
    pub more_locals: u16,
    /// How many inserted bytes lie before the frame at the entry, if there is one.
    pub entry_frame: Option<u32>,
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
    /// A stub that ends in a jump to `target`, whose frame it has. `covered` says whether covers of
    /// the target's instruction are also its own.
    Stub { target: u32, covered: bool },
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Cover {
    pub covered: Covered,
    pub handler: Label,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Covered {
    /// A range of the original code.
    Code {
        start: Cut,
        end: Cut,
    },
    Block(Label),
}

impl Cover {
    /// Whether the cover has the instruction at an old position inside.
    pub(super) fn surrounds(&self, bci: u32) -> bool {
        match self.covered {
            Covered::Code { start, end } => (start.bci()..end.bci()).contains(&bci),
            Covered::Block(_) => false,
        }
    }
}

/// One target of a branch or switch that leads to a block instead.
#[derive(Debug, Clone, Copy)]
pub(super) struct Redirect {
    pub from: u32,
    pub target: u32,
    pub to: Label,
}

/// A part of an entry of the original exception table.
#[derive(Debug, Clone, Copy)]
pub(super) struct EntryPart {
    pub entry: u32,
    pub start: Cut,
    pub end: Cut,
    pub to: Option<Label>,
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
            BlockKind::Stub { target, .. } => target < length,
            BlockKind::Own { .. } => true,
        });
        let retargets_fit =
            self.retargets.iter().all(|&(entry, to)| (entry as usize) < entries && is_block(to));
        let fits = |start: Cut, end: Cut| start.bci() <= length && end.bci() <= length;
        let covers_fit = self.covers.iter().all(|cover| {
            is_block(cover.handler)
                && match cover.covered {
                    Covered::Code { start, end } => fits(start, end),
                    Covered::Block(block) => is_block(block),
                }
        });
        self.redirects.sort_by_key(|redirect| (redirect.from, redirect.target));
        self.parts.sort_by_key(|part| part.entry);
        let redirects_fit = self.redirects.iter().all(|redirect| is_block(redirect.to));
        let parts_fit = self.parts.iter().all(|part| {
            (part.entry as usize) < entries
                && fits(part.start, part.end)
                && part.to.is_none_or(is_block)
        });
        if stubs_inside && retargets_fit && covers_fit && redirects_fit && parts_fit {
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
        let locals = u32::from(code.max_locals()) + u32::from(self.more_locals);
        let locals = locals.max(self.need_locals);
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

    /// The block to which the branch or switch at `from` leads instead of `target`.
    pub(super) fn redirected(&self, from: u32, target: u32) -> Option<Label> {
        if self.redirects.is_empty() {
            return None;
        }
        let key = |redirect: &Redirect| (redirect.from, redirect.target);
        let found = self.redirects.binary_search_by_key(&(from, target), key).ok()?;
        self.redirects.get(found).map(|redirect| redirect.to)
    }

    /// The parts of an entry of the original exception table; none if it stays whole.
    pub(super) fn parts_of(&self, entry: u32) -> &[EntryPart] {
        let start = self.parts.partition_point(|part| part.entry < entry);
        let rest = self.parts.get(start..).unwrap_or_default();
        rest.get(..rest.partition_point(|part| part.entry == entry)).unwrap_or_default()
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
