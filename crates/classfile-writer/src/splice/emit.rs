//! The new code array.

use super::edits::{BlockKind, Edits};
use super::layout::{Layout, jump_is_wide};
use super::map::{Change, Event};
use super::widen;
use crate::bytes::{push_u2, push_u4, put_u2, put_u4};
use crate::code::Code;
use crate::instruction::Switch;
use crate::opcode::{GOTO, GOTO_W, JSR, JSR_W, inverse_condition};
use crate::scan::Scan;

/// Appends the code array.
pub(super) fn code(
    edits: &Edits,
    layout: &Layout,
    code: &Code<'_>,
    scan: &Scan,
    out: &mut Vec<u8>,
) {
    let start = out.len();
    let old = code.bytes();
    let positions = layout.map.positions();
    let mut copied = 0;
    for event in &layout.map.events {
        out.extend_from_slice(old.get(copied..event.bci as usize).unwrap_or_default());
        island(layout, event, old.len() as u32, out);
        for piece in
            edits.pieces.get(event.pieces.0 as usize..event.pieces.1 as usize).unwrap_or_default()
        {
            out.extend_from_slice(edits.bytes(piece.start as usize..piece.end as usize));
        }
        copied =
            event.bci as usize + changed_instruction(edits, layout, event, old, scan, start, out);
    }
    out.extend_from_slice(old.get(copied..).unwrap_or_default());
    for (number, block) in edits.blocks.iter().enumerate() {
        debug_assert_eq!(Some(&((out.len() - start) as u32)), layout.blocks.get(number));
        out.extend_from_slice(edits.bytes(block.code.clone()));
        if let BlockKind::Stub { target, .. } = block.kind {
            jump((out.len() - start) as u32, positions.at(target).target, out);
        }
    }
    debug_assert_eq!(out.len() - start, layout.length as usize);
    patch_branches(edits, layout, scan, old.len() as u32, out.get_mut(start..).unwrap_or_default());
}

/// Appends a `goto`, or a `goto_w` if the jump needs 32 bits.
fn jump(from: u32, to: u32, out: &mut Vec<u8>) {
    if jump_is_wide(from, to) {
        out.push(GOTO_W);
        push_u4(out, to.wrapping_sub(from));
    } else {
        out.push(GOTO);
        push_u2(out, to.wrapping_sub(from) as u16);
    }
}

/// Appends the trampolines at an event.
fn island(layout: &Layout, event: &Event, code_length: u32, out: &mut Vec<u8>) {
    if event.island == 0 {
        return;
    }
    let (islands, positions) = (&layout.widening.islands, layout.map.positions());
    let Some(island) = islands.iter().find(|island| island.bci == event.bci) else { return };
    let mut at = (event.bci as i32 + event.shift) as u32;
    if island.head(code_length) != 0 {
        out.push(GOTO);
        push_u2(out, event.island as u16);
    }
    at += island.head(code_length);
    for &target in &island.targets {
        out.push(GOTO_W);
        push_u4(out, positions.at(target).target.wrapping_sub(at));
        at += 5;
    }
}

/// Appends the instruction of an event if it changes. Returns the number of old bytes that it
/// replaces.
fn changed_instruction(
    edits: &Edits,
    layout: &Layout,
    event: &Event,
    old: &[u8],
    scan: &Scan,
    start: usize,
    out: &mut Vec<u8>,
) -> usize {
    let from = (out.len() - start) as u32;
    match event.change {
        Change::None => 0,
        Change::Switch => {
            // The scan has accepted the switch.
            let Ok(Some(switch)) = Switch::parse(old, event.bci) else { return 0 };
            out.push(old.get(event.bci as usize).copied().unwrap_or_default());
            let padding = Switch::padding(from) as usize;
            out.extend_from_slice([0; 3].get(..padding).unwrap_or_default());
            let body = out.len();
            out.extend_from_slice(switch.body());
            for position in switch.offset_positions() {
                if let Some(target) = switch.target_at(position) {
                    let to = destination(edits, layout, event.bci, target.0);
                    put_u4(out, body + position, to.wrapping_sub(from));
                }
            }
            switch.end() - event.bci as usize
        }
        Change::Wide | Change::Inverted => {
            let Ok(index) = scan.branches.binary_search_by_key(&event.bci, |branch| branch.bci.0)
            else {
                return 0;
            };
            let Some(branch) = scan.branches.get(index) else { return 0 };
            let target = layout.map.positions().at(branch.target.0).target;
            if event.change == Change::Wide {
                out.push(if branch.opcode == JSR { JSR_W } else { GOTO_W });
                push_u4(out, target.wrapping_sub(from));
            } else {
                out.push(inverse_condition(branch.opcode));
                push_u2(out, 8);
                out.push(GOTO_W);
                push_u4(out, target.wrapping_sub(from + 3));
            }
            3
        }
    }
}

/// Overwrites the offsets of the branches that kept their length.
fn patch_branches(edits: &Edits, layout: &Layout, scan: &Scan, code_length: u32, code: &mut [u8]) {
    if layout.map.events.is_empty() && edits.redirects.is_empty() {
        return;
    }
    let plain = layout.widening.is_empty();
    let positions = layout.map.positions();
    for branch in &scan.branches {
        let from = positions.at(branch.bci.0).instruction;
        let to = if plain {
            destination(edits, layout, branch.bci.0, branch.target.0)
        } else if layout.widening.is_wide(branch.bci.0) {
            continue;
        } else {
            widen::destination(layout, code_length, branch)
        };
        let offset = to.wrapping_sub(from);
        match branch.opcode {
            GOTO_W | JSR_W => put_u4(code, from as usize + 1, offset),
            _ => put_u2(code, from as usize + 1, offset as u16),
        }
    }
}

/// New target of a branch or switch that needs no trampoline: a block, or the new position of the
/// old target.
fn destination(edits: &Edits, layout: &Layout, from: u32, target: u32) -> u32 {
    match edits.redirected(from, target) {
        Some(to) => layout.block(to),
        None => layout.map.positions().at(target).target,
    }
}
