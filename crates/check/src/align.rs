//! Which instruction of the output is which of the original, and what lies between them.

use crate::alignment::{Alignment, Block, Island, Position};
use crate::cursor::{Cursor, Part};
use crate::descriptor;
use crate::finding::Fault;
use crate::instruction::{is_inverse, jump, same, switch};
use crate::method::Method;
use crate::mnemonic;
use crate::read::Body;
use crate::segments;
use cafebabe::bytecode::Opcode;
use jfathom_plan::probe;
use std::collections::{BTreeMap, BTreeSet};

/// Branches of longer code may not reach their targets (JVMS 4.10.1.9: offsets of 16 bits).
const REACH: usize = i16::MAX as usize;

/// Goes through both codes side by side.
pub(crate) fn align(
    before: Body<'_>,
    after: Body<'_>,
    method: &Method<'_>,
) -> Result<Alignment, Fault> {
    let mut cursor = Cursor::new(before, after, method.contract.runtime());
    let handlers: BTreeSet<usize> = before
        .exceptions()
        .iter()
        .filter_map(|entry| before.index_at(usize::from(entry.handler_pc)))
        .collect();
    let mut positions = Vec::with_capacity(before.len() + 1);
    let (mut islands, mut marked) = (Vec::new(), BTreeMap::new());
    for index in 0..=before.len() {
        let base = cursor.bci();
        if after.length() > REACH {
            islands.extend(island(&mut cursor, index));
        }
        if index == 0 {
            segments::entry(&mut cursor, method)?;
        }
        let target = cursor.bci();
        let Some(op) = before.op(index) else {
            positions.push(Position { base, target, instruction: target });
            break;
        };
        if handlers.contains(&index)
            && let Some(probe) = segments::catch(&mut cursor)?
        {
            marked.insert(index, probe);
        }
        segments::resumed(&mut cursor, method, op)?;
        segments::exit(&mut cursor, op)?;
        segments::hand_off(&mut cursor, method, op)?;
        positions.push(Position { base, target, instruction: cursor.bci() });
        instruction(&mut cursor, index, op)?;
    }
    let mut blocks = Vec::new();
    while cursor.at() < after.len() {
        blocks.push(block(&mut cursor)?);
    }
    let Cursor { parts, own, resumed, task, entry_frame, unmarked, .. } = cursor;
    let alignment = Alignment {
        parts,
        positions,
        islands,
        blocks,
        own,
        resumed,
        task,
        marked,
        entry_frame,
        unmarked,
    };
    targets(before, after, &alignment)?;
    Ok(alignment)
}

/// Passes the original's instruction.
fn instruction(cursor: &mut Cursor<'_>, index: usize, op: &Opcode<'_>) -> Result<(), Fault> {
    let Some(next) = cursor.peek(0) else { return Err(cursor.lacks(&mnemonic::text(op))) };
    let at = cursor.at();
    let is_long = cursor.after.length() > REACH;
    if is_long
        && is_inverse(op, next)
        && jump(next) == Some(8)
        && matches!(cursor.peek(1), Some(Opcode::Goto(_)))
    {
        cursor.take(2, Part::Original(index));
        return Ok(());
    }
    let (before, after) = (cursor.before, cursor.after);
    let same_form =
        before.size(index) == after.size(at) && before.first_byte(index) == after.first_byte(at);
    // The padding of a switch depends on where it is.
    let other_form =
        switch(op).is_some() || (is_long && matches!(op, Opcode::Goto(_) | Opcode::Jsr(_)));
    if !same(op, next) || !(same_form || other_form) {
        let was = format!("the original's {} at bci {}", mnemonic::text(op), before.bci(index));
        return Err(cursor.lacks(&was));
    }
    if switch(op).is_some() && has_plain_padding(before, index) && !has_plain_padding(after, at) {
        return Err(Fault::at(after.bci(at), "the padding of a switch is not zero"));
    }
    cursor.take(1, Part::Original(index));
    Ok(())
}

/// Whether the bytes that align the operands of a switch are zero.
fn has_plain_padding(body: Body<'_>, index: usize) -> bool {
    let from = body.bci(index) + 1;
    let padding = body.data.code.get(from..from.next_multiple_of(4)).unwrap_or_default();
    padding.iter().all(|&byte| byte == 0)
}

/// Passes the trampolines in front of the original's instruction `index`, if there are any.
fn island(cursor: &mut Cursor<'_>, index: usize) -> Option<Island> {
    let after = cursor.after;
    let is_end = index == cursor.before.len();
    let start = cursor.at();
    let (first, over) = match (is_end, cursor.peek(0)) {
        (true, _) => (start, None),
        (false, Some(Opcode::Goto(_))) => {
            (start + 1, Some(after.target(start, jump(after.op(start)?)?)?))
        }
        _ => return None,
    };
    let mut slots = Vec::new();
    let mut at = first;
    while over != Some(at)
        && let Some(Opcode::Goto(offset)) = after.op(at)
        && after.size(at) == 5
        && let Some(target) = after.target(at, *offset)
    {
        slots.push((after.bci(at), after.bci(target)));
        at += 1;
    }
    if slots.is_empty() || over.is_some_and(|over| over != at) {
        return None;
    }
    cursor.take(at - start, Part::Island);
    Some(Island { before: index, head: over.map(|_| after.bci(start)), slots, end: after.bci(at) })
}

/// Passes a block behind the original's code.
fn block(cursor: &mut Cursor<'_>) -> Result<Block, Fault> {
    let start = cursor.bci();
    if let Some(own) = cursor.own
        && let Some(probe) = cursor.take_catch(Ok(own), Part::Stub)?
    {
        let at = cursor.at();
        let target = cursor.peek(0).filter(|op| matches!(op, Opcode::Goto(_))).and_then(jump);
        let target = target.and_then(|offset| cursor.after.target(at, offset));
        cursor.must(|op| matches!(op, Opcode::Goto(_)), Part::Stub, "the jump to the handler")?;
        let handler = target.map(|target| cursor.after.bci(target));
        return match handler {
            Some(_) => Ok(Block { start, end: cursor.bci(), handler, probe: Some(probe) }),
            None => Err(Fault::at(start, "a jump leads to no instruction")),
        };
    }
    let part = Part::Throw;
    match (cursor.own.filter(|own| !own.counted), cursor.task) {
        (None, None) => {
            return Err(Fault::at(start, format!("has code behind its end: {}", cursor.here())));
        }
        (own, task) => {
            if let Some(own) = own {
                cursor.must_end(own, own.kind.throw, part)?;
            }
            if let Some(local) = task {
                cursor.must(
                    |op| descriptor::is_load(op, "I", local),
                    part,
                    "the load of what taskEntry gave",
                )?;
                cursor.must_call(probe::TASK_EXIT, probe::TASK_EXIT_DESCRIPTOR, part)?;
            }
        }
    }
    cursor.must(|op| matches!(op, Opcode::Athrow), part, "athrow")?;
    Ok(Block { start, end: cursor.bci(), handler: None, probe: None })
}

/// Holds where each branch and each switch leads against where it led.
fn targets(before: Body<'_>, after: Body<'_>, alignment: &Alignment) -> Result<(), Fault> {
    let wrong = |at: usize, to: Option<usize>, wanted: Option<Position>| {
        let name = |bci: Option<usize>| {
            bci.map_or_else(|| "nowhere".to_owned(), |bci| format!("bci {bci}"))
        };
        let (to, wanted) =
            (name(to.map(|to| after.bci(to))), name(wanted.map(|place| place.target)));
        Fault::at(after.bci(at), format!("leads to {to}, and its original to what is now {wanted}"))
    };
    let wanted = |index: usize, offset: i32| {
        before.target(index, offset).and_then(|to| alignment.position(to))
    };
    let mut last = None;
    for (at, part) in alignment.parts.iter().enumerate() {
        let &Part::Original(index) = part else { continue };
        // The second instruction of a condition that was turned around is looked at with the first.
        if last.replace(index) == Some(index) {
            continue;
        }
        let (Some(old), Some(new)) = (before.op(index), after.op(at)) else { continue };
        if let (Some(old_offset), Some(new_offset)) = (jump(old), jump(new)) {
            let place = wanted(index, old_offset);
            let is_turned = alignment.parts.get(at + 1) == Some(part);
            let (from, offset) = match is_turned {
                true => (at + 1, after.op(at + 1).and_then(jump).unwrap_or(0)),
                false => (at, new_offset),
            };
            let to = after.target(from, offset);
            let bci = to.map(|to| through(alignment, after.bci(to)));
            if bci.is_none() || bci != place.map(|place| place.target) {
                return Err(wrong(at, to, place));
            }
        } else if let (Some((_, olds)), Some((_, news))) = (switch(old), switch(new)) {
            for (old, new) in olds.into_iter().zip(news) {
                let (place, to) = (wanted(index, old), after.target(at, new));
                if to.is_none() || to.map(|to| after.bci(to)) != place.map(|place| place.target) {
                    return Err(wrong(at, to, place));
                }
            }
        }
    }
    Ok(())
}

/// Where a branch to `bci` leads in the end: a trampoline leads on.
fn through(alignment: &Alignment, bci: usize) -> usize {
    let slots = alignment.islands.iter().flat_map(|island| &island.slots);
    slots.into_iter().find(|slot| slot.0 == bci).map_or(bci, |slot| slot.1)
}
