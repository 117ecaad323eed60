//! The new exception table (JVMS §4.7.3).

use super::edits::{BlockKind, Covered, Edits};
use super::layout::Layout;
use crate::bytes::{push_u2, put_u2};
use crate::code::{Code, ExceptionEntry};
use crate::error::{Error, ErrorKind, Result};

/// Appends the table: original entries, entries of stubs, covers.
pub(super) fn write(
    edits: &Edits,
    layout: &mut Layout,
    code: &Code<'_>,
    out: &mut Vec<u8>,
) -> Result<()> {
    let count_at = out.len();
    push_u2(out, 0);
    let mut table = Table { out, count: 0, holes: holes(layout, code) };
    let mut moved = Vec::new();
    let positions = layout.map.positions();
    for (number, entry) in code.exceptions().enumerate() {
        if !table.holes.is_empty() || !edits.parts.is_empty() {
            moved.push(table.count as u32);
        }
        let (start, end) = (positions.at(entry.start.0), positions.at(entry.end.0).base);
        let start = if entry.start < entry.end { start.target } else { start.base };
        let handler =
            match edits.retargets.binary_search_by_key(&(number as u32), |&(entry, _)| entry) {
                Ok(found) => edits.retargets.get(found).map_or(0, |&(_, to)| layout.block(to)),
                Err(_) => positions.at(entry.handler.0).target,
            };
        let parts = edits.parts_of(number as u32);
        if parts.is_empty() {
            table.entry(start, end, handler, entry.catch_type.0);
        }
        for part in parts {
            let (start, end) = (part.start.place(positions), part.end.place(positions));
            let handler = part.to.map_or(handler, |to| layout.block(to));
            if start < end {
                table.entry(start, end, handler, entry.catch_type.0);
            }
        }
    }
    stubs(edits, layout, code, &mut table);
    for cover in &edits.covers {
        let (start, end) = match cover.covered {
            Covered::Code { start, end } => (start.place(positions), end.place(positions)),
            Covered::Block(block) => (layout.block(block), layout.block_end(block.0 as usize)),
        };
        if start < end {
            table.entry(start, end, layout.block(cover.handler), 0);
        }
    }
    let (out, count) = (table.out, table.count);
    match u16::try_from(count) {
        Ok(count) => put_u2(out, count_at, count),
        Err(_) => {
            return Err(Error::new(ErrorKind::ExceptionTableTooLong(count), code.exceptions_at()));
        }
    }
    // It has been cleared with the rest of the widening.
    if !moved.is_empty() {
        layout.widening.moved_entries = moved;
    }
    Ok(())
}

/// New positions of the islands inside the code. No range may include them, because their frames
/// differ.
fn holes(layout: &Layout, code: &Code<'_>) -> Vec<(u32, u32)> {
    let length = code.bytes().len() as u32;
    let inside = layout.widening.islands.iter().filter(|island| island.bci != length);
    inside
        .map(|island| (layout.map.positions().at(island.bci).base, island.size(length)))
        .map(|(at, size)| (at, at + size))
        .collect()
}

/// Covers each stub like the first instruction of its handler. Otherwise an exception in a stub
/// would leave a monitor locked, if the code around the handler unlocks it.
fn stubs(edits: &Edits, layout: &Layout, code: &Code<'_>, table: &mut Table<'_>) {
    for (number, block) in edits.blocks.iter().enumerate() {
        let BlockKind::Stub { target: handler, covered } = block.kind else { continue };
        let (start, end) =
            (layout.blocks.get(number).copied().unwrap_or(0), layout.block_end(number));
        let surrounds = |entry: &ExceptionEntry| (entry.start.0..entry.end.0).contains(&handler);
        for entry in code.exceptions().filter(surrounds) {
            table.entry(
                start,
                end,
                layout.map.positions().at(entry.handler.0).target,
                entry.catch_type.0,
            );
        }
        for cover in edits.covers.iter().filter(|cover| covered && cover.surrounds(handler)) {
            table.entry(start, end, layout.block(cover.handler), 0);
        }
    }
}

struct Table<'o> {
    out: &'o mut Vec<u8>,
    /// Entries so far. Those beyond the limit are counted and not written.
    count: usize,
    holes: Vec<(u32, u32)>,
}

impl Table<'_> {
    /// Appends an entry, in parts if trampolines lie in its range.
    fn entry(&mut self, mut start: u32, end: u32, handler: u32, catch_type: u16) {
        for hole in 0..self.holes.len() {
            let Some(&(from, to)) = self.holes.get(hole) else { break };
            if start <= from && to <= end && from < end {
                if start < from {
                    self.push(start, from, handler, catch_type);
                }
                start = to;
            }
        }
        if self.holes.is_empty() || start < end {
            self.push(start, end, handler, catch_type);
        }
    }

    fn push(&mut self, start: u32, end: u32, handler: u32, catch_type: u16) {
        self.count += 1;
        if self.count > usize::from(u16::MAX) {
            return;
        }
        // All positions are within the code's length, which was checked.
        for value in [start as u16, end as u16, handler as u16, catch_type] {
            push_u2(self.out, value);
        }
    }
}
