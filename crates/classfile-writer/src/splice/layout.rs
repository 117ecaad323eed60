//! Layout of the new code.

use super::edits::{BlockKind, Edits, Label, Landing};
use super::map::{Change, Event, Map};
use super::tables::Tables;
use super::widen::{self, Widening};
use crate::code::Code;
use crate::error::{Error, ErrorKind, Result};
use crate::scan::Scan;

/// The largest code array (JVMS §4.9.1).
pub(super) const MAX_CODE: u32 = 65_535;

/// No position. It is beyond all code.
const NONE: u32 = u32::MAX;

/// The layout of the new code.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub map: Map,
    /// The start of each block.
    pub blocks: Vec<u32>,
    /// Bytes of the whole new code.
    pub length: u32,
    pub widening: Widening,
}

impl Layout {
    /// Lays the code out, and repeats with wider branches until all reach their targets.
    pub(super) fn build(
        &mut self,
        edits: &Edits,
        code: &Code<'_>,
        scan: &Scan,
        tables: &Tables<'_>,
    ) -> Result<()> {
        self.widening.clear();
        self.place(edits, code, scan)?;
        // In code of this size every branch fits 16 bits.
        if self.length > i16::MAX as u32 {
            // A trampoline's frame is that of an old position, and a block has none.
            if let Some(redirect) = edits.redirects.first() {
                let kind = ErrorKind::BranchTooFar { bci: redirect.from };
                return Err(Error::new(kind, code.code_range().start));
            }
            let mut round = 0;
            while widen::step(self, edits, code, scan, tables, round)? {
                self.place(edits, code, scan)?;
                round += 1;
            }
            widen::check_detours(self, code, scan)?;
        }
        self.map.settle(code.bytes().len());
        Ok(())
    }

    /// Sorts pieces, switches, trampolines and widened branches, and adds up the shifts.
    fn place(&mut self, edits: &Edits, code: &Code<'_>, scan: &Scan) -> Result<()> {
        let length = code.bytes().len() as u32;
        let events = &mut self.map.events;
        events.clear();
        let (mut piece, mut switch, mut island, mut wide) = (0, 0, 0, 0);
        let mut shift = 0i32;
        loop {
            let pieces = edits.pieces.get(piece).map_or(NONE, |piece| piece.bci);
            let switches = scan.switches.get(switch).map_or(NONE, |at| at.0);
            let islands = self.widening.islands.get(island).map_or(NONE, |island| island.bci);
            let wides = self.widening.wide.get(wide).map_or(NONE, |wide| wide.bci);
            let bci = pieces.min(switches).min(islands).min(wides);
            if bci == NONE {
                break;
            }
            let mut event = Event {
                bci,
                shift,
                island: 0,
                skip: 0,
                run: 0,
                shift_after: 0,
                pieces: (piece as u32, 0),
                change: Change::None,
            };
            if let Some(found) =
                self.widening.islands.get(island).filter(|island| island.bci == bci)
            {
                event.island = found.size(length);
                event.skip = event.island;
                island += 1;
            }
            while let Some(found) = edits.pieces.get(piece).filter(|piece| piece.bci == bci) {
                match found.landing {
                    Landing::After => event.skip += found.end - found.start,
                    Landing::Before => event.run += found.end - found.start,
                }
                piece += 1;
            }
            event.pieces.1 = piece as u32;
            if scan.switches.get(switch).is_some_and(|at| at.0 == bci) {
                event.change = Change::Switch;
                switch += 1;
            }
            if let Some(found) = self.widening.wide.get(wide).filter(|wide| wide.bci == bci) {
                event.change = found.change;
                wide += 1;
            }
            shift += (event.skip + event.run) as i32;
            shift += event.change.growth(bci, (bci as i32 + shift) as u32);
            event.shift_after = shift;
            events.push(event);
        }
        let mut at = (length as i32 + shift) as u32;
        self.blocks.clear();
        for block in &edits.blocks {
            self.blocks.push(at);
            at += block.code.len() as u32;
            if let BlockKind::Stub { target, .. } = block.kind {
                at += if jump_is_wide(at, self.map.at(target).target) { 5 } else { 3 };
            }
        }
        self.length = at;
        if at > MAX_CODE {
            return Err(Error::new(ErrorKind::CodeTooLarge(at as usize), code.code_range().start));
        }
        Ok(())
    }

    /// The start of a block. Blocks were checked to exist.
    pub(super) fn block(&self, label: Label) -> u32 {
        self.blocks.get(label.0 as usize).copied().unwrap_or(0)
    }

    pub(super) fn block_end(&self, number: usize) -> u32 {
        self.blocks.get(number + 1).copied().unwrap_or(self.length)
    }
}

/// Whether a jump from one new position to another needs 32 bits.
pub(super) fn jump_is_wide(from: u32, to: u32) -> bool {
    i16::try_from(i64::from(to) - i64::from(from)).is_err()
}
