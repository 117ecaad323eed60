//! Edits on one method's code, applied together (JVMS §4.7.3, §4.11).

mod attributes;
mod context;
mod edits;
mod emit;
mod exceptions;
mod frames;
mod layout;
mod map;
mod snapshot;
mod tables;
mod widen;

use std::ops::Range;

use crate::bci::{Bci, NewBci};
use crate::bytes::{push_u2, push_u4, put_u4};
use crate::code::Code;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::VerificationType;
use crate::member::Member;
use crate::scan::Scan;
use crate::tail::PoolTail;

use context::Context;
use edits::{Block, BlockKind, Cover, Covered, Edits, EntryPart, Piece, Redirect};
use layout::Layout;
use snapshot::Snapshots;
use tables::Tables;

pub use edits::{Cut, Label, Landing};

/// A list of edits on one `Code` attribute, and the memory to apply them. One value serves any
/// number of methods. Call [`Splice::clear`] between them.
///
/// Inserted code is copied unchanged. It must leave the operand stack and the original's locals'
/// types as they were. It has no branches and no switches, except that code at bci 0 may branch to
/// [`Splice::frame_behind_entry`]. In classes that need no frames a block may branch within itself.
/// The last instruction of a block must not fall through. The splice adds a stub's `goto`.
///
/// The splice adapts the rest of the method. It re-encodes branches, and widens those that outgrow
/// 16 bits. It pads switches anew. Exception table, `StackMapTable`, CLDC `StackMap`,
/// `LineNumberTable`, `LocalVariableTable`, `LocalVariableTypeTable` and type annotations follow
/// their instructions. Other attributes are copied as bytes. No frame is recomputed.
#[derive(Debug, Default)]
pub struct Splice {
    edits: Edits,
    layout: Layout,
    snapshots: Snapshots,
}

impl Splice {
    /// A splice without edits.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes all edits and keeps the memory.
    pub fn clear(&mut self) {
        let edits = &mut self.edits;
        edits.bytes.clear();
        edits.pieces.clear();
        edits.blocks.clear();
        edits.covers.clear();
        edits.retargets.clear();
        edits.redirects.clear();
        edits.parts.clear();
        edits.types.clear();
        (edits.deepen_stack, edits.need_stack, edits.need_locals) = (0, 0, 0);
        edits.more_locals = 0;
        edits.entry_frame = None;
    }

    /// Whether there is no edit.
    pub fn is_empty(&self) -> bool {
        let edits = &self.edits;
        edits.pieces.is_empty()
            && edits.blocks.is_empty()
            && edits.covers.is_empty()
            && edits.retargets.is_empty()
            && edits.redirects.is_empty()
            && edits.parts.is_empty()
            && (edits.deepen_stack, edits.need_stack, edits.need_locals) == (0, 0, 0)
            && edits.more_locals == 0
            && edits.entry_frame.is_none()
    }

    /// Inserts `code` before the instruction at `at`. At one position, code with [`Landing::After`]
    /// comes before code with [`Landing::Before`]. Otherwise the order is that of the calls.
    pub fn insert(&mut self, at: Bci, code: &[u8], landing: Landing) {
        let range = self.store(code);
        self.edits.pieces.push(Piece {
            bci: at.0,
            landing,
            start: range.start as u32,
            end: range.end as u32,
        });
    }

    /// [`Splice::insert`] of the same code at several positions.
    pub fn insert_at_each(&mut self, positions: &[Bci], code: &[u8], landing: Landing) {
        let range = self.store(code);
        let (start, end) = (range.start as u32, range.end as u32);
        self.edits.pieces.extend(positions.iter().map(|at| Piece {
            bci: at.0,
            landing,
            start,
            end,
        }));
    }

    /// Appends a block of code to the method, with the frame at its start. A handler's stack is one
    /// throwable. The frame is written only if the class's version has frames.
    ///
    /// For a handler that covers everything, every frame is assignable to a frame of no locals and
    /// one `java/lang/Throwable`. A handler for the part of a constructor before `super()` needs
    /// `UninitializedThis` as its first local, and must end in `athrow` (JVMS §4.10.1.6).
    pub fn block(
        &mut self,
        code: &[u8],
        locals: &[VerificationType],
        stack: &[VerificationType],
    ) -> Label {
        let code = self.store(code);
        let types = &mut self.edits.types;
        let start = types.len();
        types.extend_from_slice(locals);
        let middle = types.len();
        types.extend_from_slice(stack);
        let kind = BlockKind::Own { locals: start..middle, stack: middle..types.len() };
        self.push_block(Block { code, kind })
    }

    /// Appends a stub for the handler at `handler`: `code`, then a jump to the handler. `code`
    /// finds the throwable on the stack and leaves it there. The stub has the handler's frame, and
    /// is covered like the handler's first instruction. No exception goes through it before
    /// [`Splice::retarget`].
    pub fn stub(&mut self, handler: Bci, code: &[u8]) -> Label {
        let code = self.store(code);
        self.push_block(Block { code, kind: BlockKind::Stub { target: handler.0, covered: true } })
    }

    /// Appends a stub for an edge to `target`, a position with a frame: `code`, then a jump there.
    /// `code` leaves stack and locals as it finds them. The stub has the frame of `target`, and the
    /// original entries that cover `target` cover it. No [`Splice::cover`] does, only
    /// [`Splice::cover_block`]. No control goes through it before [`Splice::redirect`] or
    /// [`Splice::send_part`].
    pub fn edge(&mut self, target: Bci, code: &[u8]) -> Label {
        let code = self.store(code);
        self.push_block(Block { code, kind: BlockKind::Stub { target: target.0, covered: false } })
    }

    /// Sends the branch at `from`, or each case of the switch there, to a block where it led to
    /// `target`. Code that outgrows 16-bit branches takes no redirection.
    pub fn redirect(&mut self, from: Bci, target: Bci, to: Label) {
        self.edits.redirects.push(Redirect { from: from.0, target: target.0, to });
    }

    /// Replaces one entry of the original exception table by parts, in the order of the calls. This
    /// is one of them. It leads to `to`, or where the whole entry would. Empty parts are left out.
    pub fn send_part(&mut self, entry: usize, part: Range<Cut>, to: Option<Label>) {
        let entry = u32::try_from(entry).unwrap_or(u32::MAX);
        self.edits.parts.push(EntryPart { entry, start: part.start, end: part.end, to });
    }

    /// Sends the exceptions of one entry of the original exception table to a block instead of its
    /// handler. Branches to the handler do not change. The last call for an entry counts.
    pub fn retarget(&mut self, entry: usize, to: Label) {
        self.edits.retargets.push((u32::try_from(entry).unwrap_or(u32::MAX), to));
    }

    /// Adds an entry at the end of the exception table that catches everything thrown in `range` of
    /// the original code. Code inserted at the start or end of the range is outside, code inserted
    /// within is inside. Stubs of handlers in the range are covered too. Entries are in the order
    /// of the calls. An empty range makes none.
    pub fn cover(&mut self, range: Range<Bci>, handler: Label) {
        self.cover_between(Cut::Instruction(range.start)..Cut::Start(range.end), handler);
    }

    /// [`Splice::cover`] with a choice of what is inside at both ends.
    pub fn cover_between(&mut self, range: Range<Cut>, handler: Label) {
        let covered = Covered::Code { start: range.start, end: range.end };
        self.edits.covers.push(Cover { covered, handler });
    }

    /// Adds an entry at the end of the exception table that catches everything thrown in a block.
    pub fn cover_block(&mut self, block: Label, handler: Label) {
        self.edits.covers.push(Cover { covered: Covered::Block(block), handler });
    }

    /// Bytes with [`Landing::After`] that are inserted at `at` so far.
    pub fn inserted_at(&self, at: Bci) -> u32 {
        let pieces = self.edits.pieces.iter();
        pieces
            .filter(|piece| piece.bci == at.0 && piece.landing == Landing::After)
            .map(|piece| piece.end - piece.start)
            .sum()
    }

    /// Raises `max_stack` by at least `slots`, for code that is inserted where the stack may be
    /// full.
    pub fn deepen_stack(&mut self, slots: u16) {
        self.edits.deepen_stack = self.edits.deepen_stack.max(slots);
    }

    /// Raises `max_stack` to at least `slots`.
    pub fn need_stack(&mut self, slots: u16) {
        self.edits.need_stack = self.edits.need_stack.max(slots);
    }

    /// Raises `max_locals` to at least `slots`.
    pub fn need_locals(&mut self, slots: u32) {
        self.edits.need_locals = self.edits.need_locals.max(slots);
    }

    /// Adds so many local variables behind all others, from the number [`Code::max_locals`] on.
    /// They are of type `int` in every frame, so code inserted at bci 0 must set them. Frames of
    /// blocks must name them, too.
    ///
    /// A CLDC `StackMap` does not get them: HotSpot, which runs what is written, does not read it.
    pub fn add_locals(&mut self, count: u16) {
        self.edits.more_locals = count;
    }

    /// Puts a frame behind what is inserted at bci 0 so far, so that inserted code can branch
    /// there. It has the locals on entry and the new ones, and no stack. A method has one at most.
    ///
    /// A CLDC `StackMap` does not get it.
    pub fn frame_behind_entry(&mut self) {
        self.edits.entry_frame = Some(self.inserted_at(Bci(0)));
    }

    fn store(&mut self, code: &[u8]) -> Range<usize> {
        let start = self.edits.bytes.len();
        self.edits.bytes.extend_from_slice(code);
        start..self.edits.bytes.len()
    }

    fn push_block(&mut self, block: Block) -> Label {
        self.edits.blocks.push(block);
        Label((self.edits.blocks.len() - 1) as u32)
    }

    /// Appends the new `Code` attribute, name and length included, to `out`: the replacement for
    /// [`Code::range`].
    ///
    /// `scan` must be of the same code. `pool` may get entries for frames. The edits stay, so
    /// positions and length can be requested afterwards.
    ///
    /// Fails if a limit of the format is exceeded (JVMS §4.11), if an edit does not fit the code,
    /// or if a table that must be shifted is damaged. Then `out` is unchanged. New pool entries
    /// stay, unused and harmless.
    pub fn apply<'c>(
        &mut self,
        method: &Member<'c>,
        code: &Code<'c>,
        scan: &Scan,
        pool: &mut PoolTail<'_>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let start = out.len();
        let result = self.write(method, code, scan, pool, out);
        if result.is_err() {
            out.truncate(start);
        }
        result
    }

    /// Bytes of code after the last [`Splice::apply`].
    pub fn code_length(&self) -> u32 {
        self.layout.length
    }

    /// Whether the last [`Splice::apply`] widened a branch.
    pub fn is_widened(&self) -> bool {
        !self.layout.widening.is_empty()
    }

    /// New target of a branch to an old position, after the last [`Splice::apply`].
    pub fn target(&self, old: Bci) -> NewBci {
        NewBci(self.layout.map.at(old.0).target)
    }

    /// New position of the instruction at an old position, after the last [`Splice::apply`].
    pub fn position(&self, old: Bci) -> NewBci {
        NewBci(self.layout.map.at(old.0).instruction)
    }

    fn write<'c>(
        &mut self,
        method: &Member<'c>,
        code: &Code<'c>,
        scan: &Scan,
        pool: &mut PoolTail<'_>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let Splice { edits, layout, snapshots } = self;
        let code_at = code.code_range().start;
        edits.check(code, scan).map_err(|kind| Error::new(kind, code_at))?;
        let tables = Tables::find(code, scan)?;
        layout.build(edits, code, scan, &tables)?;
        let start = out.len();
        push_u2(out, code.name_ix().0);
        push_u4(out, 0);
        edits.write_header(code, layout.length, out).map_err(|kind| Error::new(kind, code_at))?;
        emit::code(edits, layout, code, scan, out);
        exceptions::write(edits, layout, code, out)?;
        let cx = Context { edits, layout, method, code, tables: &tables };
        attributes::write(&cx, snapshots, pool, out)?;
        match u32::try_from(out.len() - start - 6) {
            Ok(length) => put_u4(out, start + 2, length),
            Err(_) => return Err(Error::new(ErrorKind::OutputTooLarge, code_at)),
        }
        Ok(())
    }
}
