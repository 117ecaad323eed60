//! The new frame tables: shifted, extended, or new (JVMS §4.7.4).

use super::context::Context;
use super::edits::{BlockKind, Cut};
use super::layout::Layout;
use super::map::Positions;
use super::snapshot::{Item, Snapshots, Source};
use crate::attribute::Attribute;
use crate::bci::Bci;
use crate::bytes::{checked_u2, push_u2, put_u2, put_u4, u1, u2};
use crate::code::Code;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::{CldcStackMap, StackMapTable, VerificationType};
use crate::pool::PoolIx;
use crate::tail::{PoolTail, push_attribute_header};

/// The frames at the starts of blocks, in order. `find` gives the number of the original frame at
/// an old position.
fn block_frames(
    cx: &Context<'_, '_>,
    find: impl Fn(u32) -> Option<usize>,
    frames: &mut Vec<(u32, Source)>,
) -> Result<()> {
    for (number, (block, &at)) in cx.edits.blocks.iter().zip(&cx.layout.blocks).enumerate() {
        match block.kind {
            BlockKind::Own { .. } => frames.push((at, Source::Block(number))),
            BlockKind::Stub { target, .. } => match find(target) {
                Some(found) => frames.push((at, Source::Original(found))),
                None if cx.tables.strict => return Err(missing(cx.code, target)),
                None => {}
            },
        }
    }
    Ok(())
}

/// The frames of islands. The jump over an island has the frame of the code after it, a trampoline
/// that of its target.
fn island_frames(
    layout: &Layout,
    code: &Code<'_>,
    find: impl Fn(u32) -> Option<usize>,
    frames: &mut Vec<(u32, Source)>,
) -> Result<()> {
    let length = code.bytes().len() as u32;
    let original = |bci| find(bci).map(Source::Original).ok_or_else(|| missing(code, bci));
    for island in &layout.widening.islands {
        let mut at = layout.map.positions().at(island.bci).base;
        if island.head(length) != 0 {
            frames.push((at, original(island.bci)?));
            at += island.head(length);
        }
        for &target in &island.targets {
            frames.push((at, original(target)?));
            at += 5;
        }
    }
    Ok(())
}

#[cold]
fn missing(code: &Code<'_>, bci: u32) -> Error {
    Error::new(ErrorKind::MissingFrame { bci }, code.code_range().start)
}

/// Appends the `StackMapTable`: `old` with its positions moved, and the frames of new code. Returns
/// the number of attributes written.
pub(super) fn stack_map_table(
    cx: &Context<'_, '_>,
    old: Option<&Attribute<'_>>,
    snapshots: &mut Snapshots,
    pool: &mut PoolTail<'_>,
    out: &mut Vec<u8>,
) -> Result<usize> {
    let (edits, layout) = (cx.edits, cx.layout);
    let is_longer = edits.more_locals != 0;
    let entry_at =
        edits.entry_frame.map(|bytes| Cut::Within(Bci(0), bytes).place(layout.map.positions()));
    let rebuild = cx.tables.wanted
        && (is_longer || !layout.widening.islands.is_empty() || entry_at.is_some());
    let stubs = edits.blocks.iter().any(|block| matches!(block.kind, BlockKind::Stub { .. }));
    snapshots.clear();
    if let Some(old) = old.filter(|_| cx.tables.wanted && (rebuild || stubs)) {
        let frames = StackMapTable::parse(cx.code.class(), old)?.frames();
        let is_stub = |bci| {
            edits
                .blocks
                .iter()
                .any(|block| matches!(block.kind, BlockKind::Stub { target, .. } if target == bci))
        };
        snapshots.take(cx.method, cx.code, frames, |bci| rebuild || is_stub(bci))?;
    }
    let mut new = std::mem::take(&mut snapshots.order);
    new.clear();
    if cx.tables.wanted {
        let find = |bci| snapshots.find(bci);
        block_frames(cx, find, &mut new)?;
        if rebuild {
            island_frames(layout, cx.code, find, &mut new)?;
            let originals = snapshots.frames.iter().enumerate();
            new.extend(originals.map(|(number, frame)| {
                (layout.map.positions().at(frame.bci).target, Source::Original(number))
            }));
            if let Some(at) = entry_at
                && new.iter().all(|&(known, _)| known != at)
            {
                snapshots.take_entry(cx.method)?;
                new.push((at, Source::Entry));
            }
            new.sort_by_key(|&(at, _)| at);
        }
    }
    let name = match old {
        Some(old) => old.name_ix,
        None if new.is_empty() => return Ok(0),
        None => pool.utf8(b"StackMapTable")?,
    };
    push_attribute_header(out, name, 0);
    let info = out.len();
    push_u2(out, 0);
    let mut table = Table {
        next: 0,
        count: 0,
        out,
        offset: old.map_or(cx.code.range().start, |old| old.start),
        padding: 0,
    };
    if let Some(old) = old.filter(|_| !rebuild) {
        shift(&mut table, cx.code, old, layout.map.positions())?;
    }
    // The locals of the frame before, if they are those of an original frame.
    let mut before: Option<&[Item]> = None;
    for &(at, source) in &new {
        match source {
            Source::Original(_) | Source::Entry => {
                let (locals, stack) = match source {
                    Source::Original(number) => snapshots.types(number),
                    _ => (snapshots.entry(), &[][..]),
                };
                if before.is_some_and(|before| before == locals) && stack.len() < 2 {
                    table.same_head(at, stack.len())?;
                    stack.iter().try_for_each(|item| table.item(item, cx, pool))?;
                } else {
                    table.full_head(at)?;
                    table.locals(locals, cx, pool)?;
                    table.type_count(stack.len())?;
                    stack.iter().try_for_each(|item| table.item(item, cx, pool))?;
                }
                before = is_longer.then_some(locals);
            }
            Source::Block(number) => {
                let (locals, stack) = edits.block_types(number);
                table.full_head(at)?;
                table.types(locals, layout)?;
                table.types(stack, layout)?;
                before = None;
            }
        }
    }
    let count = table.count;
    snapshots.order = new;
    finish(out, info, count, cx.code)
}

/// Fills in the attribute's length and its number of frames.
fn finish(out: &mut [u8], info: usize, count: usize, code: &Code<'_>) -> Result<usize> {
    let Ok(number) = u16::try_from(count) else {
        return Err(Error::new(ErrorKind::TooManyFrames(count), code.range().start));
    };
    let length = u32::try_from(out.len() - info)
        .map_err(|_| Error::new(ErrorKind::OutputTooLarge, code.range().start))?;
    put_u2(out, info, number);
    put_u4(out, info - 4, length);
    Ok(1)
}

/// A `StackMapTable` in progress.
struct Table<'o> {
    out: &'o mut Vec<u8>,
    /// New position of an `offset_delta` of 0.
    next: u32,
    count: usize,
    /// Offset of the original table, for errors.
    offset: usize,
    /// Unused local variables in the frames so far.
    padding: usize,
}

/// The most unused local variables in the frames of one method that gets new ones: a few bytes of a
/// damaged file could ask for gigabytes.
const MAX_PADDING: usize = 1 << 20;

impl Table<'_> {
    /// The `offset_delta` of a frame at this new position.
    fn delta(&mut self, at: u32) -> Result<u16> {
        let delta = at.checked_sub(self.next).and_then(|delta| u16::try_from(delta).ok());
        let delta = delta.ok_or_else(|| Error::new(ErrorKind::BadFramePosition, self.offset))?;
        self.next = at + 1;
        self.count += 1;
        Ok(delta)
    }

    /// Appends type and position of a `full_frame`; locals and stack follow.
    fn full_head(&mut self, at: u32) -> Result<()> {
        let delta = self.delta(at)?;
        self.out.push(255);
        push_u2(self.out, delta);
        Ok(())
    }

    fn type_count(&mut self, count: usize) -> Result<()> {
        let number = u16::try_from(count);
        push_u2(
            self.out,
            number.map_err(|_| Error::new(ErrorKind::TooManyLocals(count as u32), self.offset))?,
        );
        Ok(())
    }

    /// Appends type and position of a frame with the locals of the one before and at most one stack
    /// entry, which follows.
    fn same_head(&mut self, at: u32, stack: usize) -> Result<()> {
        let delta = self.delta(at)?;
        let (short, long) = if stack == 0 { (0, 251) } else { (64, 247) };
        match u8::try_from(delta) {
            Ok(delta @ 0..64) => self.out.push(short + delta),
            _ => {
                self.out.push(long);
                push_u2(self.out, delta);
            }
        }
        Ok(())
    }

    /// Appends the number of locals and the locals: those of the original, and the new ones behind
    /// them.
    fn locals(
        &mut self,
        locals: &[Item],
        cx: &Context<'_, '_>,
        pool: &mut PoolTail<'_>,
    ) -> Result<()> {
        let more = usize::from(cx.edits.more_locals);
        let slots: usize = locals.iter().map(Item::slots).sum();
        let unused = match more {
            0 => Some(0),
            _ => usize::from(cx.code.max_locals()).checked_sub(slots),
        };
        let unused = unused
            .ok_or_else(|| Error::new(ErrorKind::TooManyLocals(slots as u32), self.offset))?;
        self.padding += unused;
        if self.padding > MAX_PADDING {
            return Err(Error::new(ErrorKind::OutputTooLarge, self.offset));
        }
        self.type_count(locals.len() + unused + more)?;
        locals.iter().try_for_each(|item| self.item(item, cx, pool))?;
        self.out.resize(self.out.len() + unused, 0);
        self.out.resize(self.out.len() + more, 1);
        Ok(())
    }

    fn item(&mut self, item: &Item, cx: &Context<'_, '_>, pool: &mut PoolTail<'_>) -> Result<()> {
        item.resolve(cx.method, pool)?
            .write(self.out, |bci| cx.layout.map.positions().at(bci.0).instruction);
        Ok(())
    }

    fn types(&mut self, types: &[VerificationType], layout: &Layout) -> Result<()> {
        self.type_count(types.len())?;
        types.iter().for_each(|known| {
            known.write(self.out, |bci| layout.map.positions().at(bci.0).instruction)
        });
        Ok(())
    }
}

/// Appends the original frames with new deltas. A frame keeps its form if the new delta fits.
fn shift(
    table: &mut Table<'_>,
    code: &Code<'_>,
    old: &Attribute<'_>,
    positions: Positions<'_>,
) -> Result<()> {
    let end = old.info_range().end;
    let file = code.class().bytes().get(..end).unwrap_or_default();
    let length = code.bytes().len() as u32;
    let mut at = old.start + 8;
    let mut next = 0;
    for _ in 0..u2(file, old.start + 6)? {
        let tag = u1(file, at)?;
        let (old_delta, body) = match tag {
            0..=63 => (u32::from(tag), at + 1),
            64..=127 => (u32::from(tag - 64), at + 1),
            128..=246 => return Err(Error::new(ErrorKind::BadFrame(tag), at)),
            247..=255 => (u32::from(u2(file, at + 1)?), at + 3),
        };
        let bci = next + old_delta;
        if bci >= length {
            return Err(Error::new(ErrorKind::BadFramePosition, at));
        }
        next = bci + 1;
        let delta = table.delta(positions.at(bci).target)?;
        match tag {
            0..=63 if delta < 64 => table.out.push(delta as u8),
            64..=127 if delta < 64 => table.out.push(64 + delta as u8),
            _ => {
                table.out.push(match tag {
                    0..=63 => 251,
                    64..=127 => 247,
                    _ => tag,
                });
                push_u2(table.out, delta);
            }
        }
        at = match tag {
            64..=127 | 247 => copy_types(file, body, 1, positions, table.out)?,
            252..=254 => copy_types(file, body, u16::from(tag - 251), positions, table.out)?,
            255 => {
                let stack = copy_counted_types(file, body, positions, table.out)?;
                copy_counted_types(file, stack, positions, table.out)?
            }
            _ => body,
        };
    }
    if at == end { Ok(()) } else { Err(Error::new(ErrorKind::BadAttributeLength, at)) }
}

/// Copies a count and that many types. Returns the offset after them.
fn copy_counted_types(
    file: &[u8],
    at: usize,
    positions: Positions<'_>,
    out: &mut Vec<u8>,
) -> Result<usize> {
    let count = u2(file, at)?;
    push_u2(out, count);
    copy_types(file, at + 2, count, positions, out)
}

/// Copies types, with the positions of their `new` instructions moved. Returns the offset after
/// them.
fn copy_types(
    file: &[u8],
    at: usize,
    count: u16,
    positions: Positions<'_>,
    out: &mut Vec<u8>,
) -> Result<usize> {
    let start = at;
    let copied = out.len();
    let mut at = at;
    let mut moved = false;
    for _ in 0..count {
        at += match u1(file, at)? {
            0..=6 => 1,
            7 => 3,
            8 => {
                moved = true;
                3
            }
            tag => return Err(Error::new(ErrorKind::BadVerificationType(tag), at)),
        };
    }
    let bytes = file.get(start..at).ok_or_else(|| Error::truncated(start))?;
    out.extend_from_slice(bytes);
    if moved {
        let mut offset = 0;
        while let Some(&tag) = bytes.get(offset) {
            if tag == 8 {
                let new = positions.at(u32::from(checked_u2(bytes, offset + 1))).instruction;
                put_u2(out, copied + offset + 1, new as u16);
            }
            offset += if tag < 7 { 1 } else { 3 };
        }
    }
    Ok(at)
}

/// Appends the CLDC `StackMap`. All frames are full and absolute, so they are collected, sorted and
/// written.
pub(super) fn cldc_stack_map(
    cx: &Context<'_, '_>,
    old: &Attribute<'_>,
    out: &mut Vec<u8>,
) -> Result<usize> {
    let layout = cx.layout;
    let mut frames = CldcStackMap::parse(cx.code.class(), old)?.frames();
    // Position of each original frame, and offset of its types in the file.
    let mut originals = Vec::new();
    let mut types_at = frames.offset() + 2;
    while let Some(frame) = frames.next() {
        let bci = frame?.bci.0;
        if bci as usize >= cx.code.bytes().len() {
            return Err(Error::new(ErrorKind::BadFramePosition, types_at - 2));
        }
        originals.push((bci, types_at..frames.offset()));
        types_at = frames.offset() + 2;
    }
    let find = |wanted: u32| originals.iter().position(|&(bci, _)| bci == wanted);
    let mut all = Vec::with_capacity(originals.len());
    all.extend(
        originals
            .iter()
            .enumerate()
            .map(|(n, &(bci, _))| (layout.map.positions().at(bci).target, Source::Original(n))),
    );
    block_frames(cx, find, &mut all)?;
    island_frames(layout, cx.code, find, &mut all)?;
    if !all.is_sorted_by_key(|&(at, _)| at) {
        all.sort_by_key(|&(at, _)| at);
    }
    push_attribute_header(out, PoolIx(old.name_ix.0), 0);
    let info = out.len();
    push_u2(out, 0);
    let place = |bci: Bci| layout.map.positions().at(bci.0).instruction;
    let positions = layout.map.positions();
    for &(at, source) in &all {
        push_u2(out, at as u16);
        match source {
            Source::Original(number) => {
                let at = originals.get(number).map_or(0, |(_, types)| types.start);
                let stack = copy_counted_types(cx.code.class().bytes(), at, positions, out)?;
                copy_counted_types(cx.code.class().bytes(), stack, positions, out)?;
            }
            // Nothing puts one into this list.
            Source::Entry => {}
            Source::Block(number) => {
                let (locals, stack) = cx.edits.block_types(number);
                for types in [locals, stack] {
                    push_u2(out, types.len() as u16);
                    types.iter().for_each(|known| known.write(out, place));
                }
            }
        }
    }
    finish(out, info, all.len(), cx.code)
}
