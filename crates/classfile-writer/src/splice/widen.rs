//! Branches that outgrow 16 bits.
//!
//! `goto` and `jsr` get their wide forms. A condition has no wide form. Without frames it is
//! inverted and jumps over a `goto_w`. With frames the code after it would need a frame that the
//! class does not have. So the condition jumps to a trampoline: a `goto_w` in an island near it. An
//! island lies at a position with an original frame, or at the end of the code. A trampoline has
//! the frame of its target. So no frame is ever computed.

use super::edits::Edits;
use super::layout::{Layout, jump_is_wide};
use super::map::Change;
use super::tables::Tables;
use crate::code::Code;
use crate::error::{Error, ErrorKind, Result};
use crate::opcode::{GOTO, GOTO_W, JSR, JSR_W};
use crate::scan::{Branch, Scan};

/// The decisions so far. They only grow from round to round.
#[derive(Debug, Default)]
pub(super) struct Widening {
    /// Branches that grow, ascending.
    pub wide: Vec<Wide>,
    /// Places for trampolines, ascending.
    pub islands: Vec<Island>,
    /// Conditions with a trampoline, ascending.
    pub detours: Vec<Detour>,
    /// New number of each exception table entry, if islands have split some. Else empty.
    pub moved_entries: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Wide {
    pub bci: u32,
    pub change: Change,
}

/// Trampolines before the instruction at `bci`, or after the last instruction.
#[derive(Debug)]
pub(super) struct Island {
    pub bci: u32,
    /// Old positions of their targets, one `goto_w` each.
    pub targets: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Detour {
    /// The condition.
    pub bci: u32,
    /// Old position of the island.
    pub island: u32,
    /// Its final target.
    pub target: u32,
}

/// With more trampolines a `goto` could not jump over an island.
const MAX_TRAMPOLINES: usize = 6_000;

impl Island {
    /// Bytes of the jump over the island. There is none at the end of the code.
    pub(super) fn head(&self, code_length: u32) -> u32 {
        if self.bci == code_length { 0 } else { 3 }
    }

    pub(super) fn size(&self, code_length: u32) -> u32 {
        self.head(code_length) + 5 * self.targets.len() as u32
    }
}

impl Widening {
    pub(super) fn clear(&mut self) {
        self.wide.clear();
        self.islands.clear();
        self.detours.clear();
        self.moved_entries.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.wide.is_empty() && self.detours.is_empty()
    }

    /// Whether the branch has its own event, which writes its bytes.
    pub(super) fn is_wide(&self, bci: u32) -> bool {
        self.wide.binary_search_by_key(&bci, |wide| wide.bci).is_ok()
    }

    fn detour(&self, bci: u32) -> Option<&Detour> {
        let index = self.detours.binary_search_by_key(&bci, |detour| detour.bci).ok()?;
        self.detours.get(index)
    }
}

/// New target of a branch that stays short: its own target, or its trampoline.
pub(super) fn destination(layout: &Layout, code_length: u32, branch: &Branch) -> u32 {
    let Some(detour) = layout.widening.detour(branch.bci.0) else {
        return layout.map.at(branch.target.0).target;
    };
    let base = layout.map.at(detour.island).base;
    let islands = &layout.widening.islands;
    let island = islands
        .binary_search_by_key(&detour.island, |island| island.bci)
        .ok()
        .and_then(|at| islands.get(at));
    island.map_or(base, |island| {
        let slot = island.targets.iter().position(|&target| target == detour.target).unwrap_or(0);
        base + island.head(code_length) + 5 * slot as u32
    })
}

/// Widens every branch that does not reach its target in this layout. Returns whether there was
/// one. The allowed reach shrinks from round to round, so branches that push each other out of
/// range end in few rounds.
pub(super) fn step(
    layout: &mut Layout,
    edits: &Edits,
    code: &Code<'_>,
    scan: &Scan,
    tables: &Tables<'_>,
    round: i64,
) -> Result<bool> {
    let reach = (i64::from(i16::MAX) - 256 * round).max(0);
    let mut widened = false;
    let mut places: Option<Vec<u32>> = None;
    for branch in &scan.branches {
        let bci = branch.bci.0;
        if matches!(branch.opcode, GOTO_W | JSR_W)
            || layout.widening.is_wide(bci)
            || layout.widening.detour(bci).is_some()
        {
            continue;
        }
        let offset = i64::from(layout.map.at(branch.target.0).target)
            - i64::from(layout.map.at(bci).instruction);
        if offset.abs() <= reach {
            continue;
        }
        widened = true;
        let change = match branch.opcode {
            GOTO | JSR => Change::Wide,
            _ if !tables.any() => Change::Inverted,
            _ => {
                let places = match &mut places {
                    Some(places) => places,
                    None => places.insert(tables.island_places(edits, code)?),
                };
                detour(&mut layout.widening, places, branch, code)?;
                continue;
            }
        };
        let at = layout.widening.wide.partition_point(|wide| wide.bci < bci);
        layout.widening.wide.insert(at, Wide { bci, change });
    }
    Ok(widened)
}

/// Gives a condition a trampoline at the nearest possible position.
fn detour(widening: &mut Widening, places: &[u32], branch: &Branch, code: &Code<'_>) -> Result<()> {
    let too_far =
        || Error::new(ErrorKind::BranchTooFar { bci: branch.bci.0 }, code.code_range().start);
    let (bci, target) = (branch.bci.0, branch.target.0);
    let place =
        places.iter().copied().min_by_key(|&place| place.abs_diff(bci)).ok_or_else(too_far)?;
    let at = widening.islands.partition_point(|island| island.bci < place);
    if widening.islands.get(at).is_none_or(|island| island.bci != place) {
        widening.islands.insert(at, Island { bci: place, targets: Vec::new() });
    }
    let island = widening.islands.get_mut(at).ok_or_else(too_far)?;
    if !island.targets.contains(&target) {
        island.targets.push(target);
    }
    if island.targets.len() > MAX_TRAMPOLINES {
        return Err(too_far());
    }
    let at = widening.detours.partition_point(|detour| detour.bci < bci);
    widening.detours.insert(at, Detour { bci, island: place, target });
    Ok(())
}

/// Fails if a condition does not reach its trampoline.
pub(super) fn check_detours(layout: &Layout, code: &Code<'_>, scan: &Scan) -> Result<()> {
    if layout.widening.detours.is_empty() {
        return Ok(());
    }
    let length = code.bytes().len() as u32;
    for branch in
        scan.branches.iter().filter(|branch| layout.widening.detour(branch.bci.0).is_some())
    {
        if jump_is_wide(
            layout.map.at(branch.bci.0).instruction,
            destination(layout, length, branch),
        ) {
            return Err(Error::new(
                ErrorKind::BranchTooFar { bci: branch.bci.0 },
                code.code_range().start,
            ));
        }
    }
    Ok(())
}
