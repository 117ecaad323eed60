//! Pinned entry probes: numeric arguments, or else the first number that is read from a field,
//! depend on the probe's result.
//!
//! The entry probe returns 0. Each number is combined with it by exclusive or, so its value stays
//! the same.

use crate::cursor::{Cursor, Part};
use crate::descriptor::{is_load, is_store, parameters, words};
use crate::finding::Fault;
use cafebabe::bytecode::Opcode;
use jfathom_plan::probe;

/// The local variable in which the 0 waits for the first number that is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    local: u16,
}

/// Whether a value of this type can be pinned (`boolean` cannot), in a root or elsewhere.
fn is_number(of: &str, is_root: bool) -> bool {
    matches!(of, "B" | "C" | "I" | "S" | "J") || (!is_root && matches!(of, "F" | "D"))
}

/// Passes what follows a pinned entry probe.
pub(crate) fn entry(
    cursor: &mut Cursor<'_>,
    descriptor: &str,
    is_static: bool,
) -> Result<Option<Waiting>, Fault> {
    let is_root = cursor.own.is_some_and(|own| own.kind.is_root);
    let mut numbers = Vec::new();
    let mut next = u16::from(!is_static);
    for parameter in parameters(descriptor) {
        if is_number(parameter, is_root) {
            numbers.push((next, parameter));
        }
        next = next.saturating_add(words(parameter));
    }
    if numbers.is_empty() {
        let local = cursor.before.data.max_locals.saturating_add(u16::from(cursor.task.is_some()));
        cursor.must(
            |op| is_store(op, "I", local),
            Part::Entry,
            "the store of what the entry probe gave",
        )?;
        return Ok(Some(Waiting { local }));
    }
    let count = numbers.len();
    for (number, (local, of)) in (1..).zip(numbers) {
        if number < count {
            cursor.must(
                |op| matches!(op, Opcode::Dup),
                Part::Entry,
                "a dup for the next argument",
            )?;
        }
        if of == "J" {
            cursor.must(|op| matches!(op, Opcode::I2l), Part::Entry, "i2l")?;
        }
        cursor.must(|op| is_load(op, of, local), Part::Entry, "the load of an argument")?;
        combine(cursor, of, Part::Entry)?;
        cursor.must(|op| is_store(op, of, local), Part::Entry, "the store of an argument")?;
    }
    Ok(None)
}

fn combine(cursor: &mut Cursor<'_>, of: &str, part: Part) -> Result<(), Fault> {
    match of {
        "F" => cursor.must_call(probe::PIN, probe::PIN_FLOAT_DESCRIPTOR, part),
        "D" => cursor.must_call(probe::PIN, probe::PIN_DOUBLE_DESCRIPTOR, part),
        "J" => cursor.must(|op| matches!(op, Opcode::Lxor), part, "lxor"),
        _ => cursor.must(|op| matches!(op, Opcode::Ixor), part, "ixor"),
    }
}

/// Passes the code that consumes the 0 behind the original's instruction `read`, if that is the
/// first read of a number from a field.
pub(crate) fn first_read(
    cursor: &mut Cursor<'_>,
    waiting: Waiting,
    read: &Opcode<'_>,
) -> Result<bool, Fault> {
    let (Opcode::Getfield(member) | Opcode::Getstatic(member)) = read else { return Ok(false) };
    let of: &str = &member.name_and_type.descriptor;
    if !is_number(of, cursor.own.is_some_and(|own| own.kind.is_root)) {
        return Ok(false);
    }
    cursor.must(
        |op| is_load(op, "I", waiting.local),
        Part::Pin,
        "the load of what the entry probe gave",
    )?;
    match of {
        "J" => cursor.must(|op| matches!(op, Opcode::I2l), Part::Pin, "i2l")?,
        "F" => cursor.must(|op| matches!(op, Opcode::Swap), Part::Pin, "swap")?,
        "D" => {
            cursor.must(|op| matches!(op, Opcode::DupX2), Part::Pin, "dup_x2")?;
            cursor.must(|op| matches!(op, Opcode::Pop), Part::Pin, "pop")?;
        }
        _ => {}
    }
    combine(cursor, of, Part::Pin)?;
    Ok(true)
}
