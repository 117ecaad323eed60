//! The code that is put in between: entry, exit, catch and hand-off probes, each in the one form
//! that it may have.

use crate::cursor::{CatchProbe, Cursor, Own, Part};
use crate::descriptor::{is_load, is_store, words};
use crate::finding::Fault;
use crate::hand_offs::{self, Marks};
use crate::instruction::{is_return, pushed, switch};
use crate::method::Method;
use cafebabe::bytecode::Opcode;
use cafebabe::constant_pool::ObjectArrayType;
use jfathom_plan::{probe, resumption_name};

/// Passes the entry probes, and learns from them what the method's other probes must be.
pub(crate) fn entry(cursor: &mut Cursor<'_>, method: &Method<'_>) -> Result<(), Fault> {
    if cursor.probe(1) == Some((probe::TASK_ENTRY, probe::TASK_ENTRY_DESCRIPTOR)) {
        if !method.runs_tasks() {
            return Err(Fault::at(0, "opens a tree for a task, and is no task's method"));
        }
        let local = cursor.free_local();
        cursor.must(|op| is_load(op, "L", 0), Part::Entry, "the load of this")?;
        cursor.must_call(probe::TASK_ENTRY, probe::TASK_ENTRY_DESCRIPTOR, Part::Entry)?;
        cursor.must(
            |op| is_store(op, "I", local),
            Part::Entry,
            "the store of what taskEntry gave",
        )?;
        cursor.task = Some(local);
    }
    let jump = jump_over(cursor)?;
    let (Some(id), Some((name, descriptor))) = (cursor.peek(0).and_then(pushed), cursor.probe(1))
    else {
        return match jump {
            Some(_) => Err(cursor.lacks("the entry probe that was jumped over")),
            None => Ok(()),
        };
    };
    if name == probe::HANDLE_CATCH || name == probe::HANDLE_ANY {
        // The first instruction is a handler, of a method that has no entry probe: said where
        // handlers are looked at.
        return Ok(());
    }
    let rows = method.contract.rows(&method.class, &method.name, &method.descriptor);
    let Some(row) = rows.iter().find(|row| i32::try_from(row.id.get()) == Ok(id)) else {
        return Err(Fault::at(
            cursor.bci(),
            format!("passes id {id}, which the manifest does not give it"),
        ));
    };
    let kind = method.contract.kind(row);
    let gives_token = !row.counted && !kind.is_root;
    let wanted = match (row.counted, gives_token) {
        (true, _) => (kind.counted_entry, probe::ID),
        (false, true) => (kind.entry, probe::ENTRY),
        (false, false) => (kind.entry, probe::ID),
    };
    if (name, descriptor) != wanted {
        return Err(Fault::at(
            cursor.bci(),
            format!("calls {name}{descriptor} on entry, not {}{}", wanted.0, wanted.1),
        ));
    }
    cursor.take(2, Part::Entry);
    let token = gives_token.then(|| cursor.free_local());
    cursor.own = Some(Own { id, kind, counted: row.counted, token });
    if let Some(local) = token {
        cursor.must(|op| is_store(op, "I", local), Part::Entry, "the store of the token")?;
    }
    if jump.is_some() != (gives_token && cursor.has_constant()) {
        return Err(Fault::at(cursor.bci(), "jumps over an entry probe, or should and does not"));
    }
    if jump.is_some_and(|to| to != cursor.bci()) {
        return Err(Fault::at(cursor.bci(), "the jump over the entry probe leads elsewhere"));
    }
    cursor.entry_frame = jump;
    Ok(())
}

/// Passes what jumps over an entry probe where no session is open or to come. Returns the bci to
/// which it jumps; none where nothing does.
fn jump_over(cursor: &mut Cursor<'_>) -> Result<Option<usize>, Fault> {
    let is_constant = |op: &Opcode<'_>| {
        matches!(op, Opcode::Getstatic(member) if member.class_name == cursor.runtime()
            && member.name_and_type.name == probe::ENABLED
            && member.name_and_type.descriptor == probe::ENABLED_DESCRIPTOR)
    };
    if !cursor.peek(2).is_some_and(is_constant) {
        return Ok(None);
    }
    let local = cursor.free_local();
    cursor.must(
        |op| matches!(op, Opcode::Iconst0),
        Part::Entry,
        "the token of a call that is not timed",
    )?;
    cursor.must(|op| is_store(op, "I", local), Part::Entry, "the store of that token")?;
    cursor.take(1, Part::Entry);
    let at = cursor.at();
    let offset = match cursor.peek(0) {
        Some(Opcode::Ifeq(offset)) => *offset,
        _ => return Err(cursor.lacks("ifeq")),
    };
    cursor.take(1, Part::Entry);
    let to = cursor.after.target(at, offset).map(|index| cursor.after.bci(index));
    to.map(Some).ok_or_else(|| Fault::at(cursor.after.bci(at), "a jump leads to no instruction"))
}

/// Passes the probe of an exception handler, where it stands in front of the handler itself.
pub(crate) fn catch(cursor: &mut Cursor<'_>) -> Result<Option<CatchProbe>, Fault> {
    let own = cursor
        .own
        .filter(|own| !own.counted)
        .ok_or_else(|| Fault::at(cursor.bci(), "marks a catch in a method that is not timed"));
    cursor.take_catch(own, Part::Catch)
}

/// Passes the probe before the switch over a continuation's label, where it stands before the
/// original's instruction `op`. A method has one at the most.
pub(crate) fn resumed(
    cursor: &mut Cursor<'_>,
    method: &Method<'_>,
    op: &Opcode<'_>,
) -> Result<(), Fault> {
    if switch(op).is_none() || cursor.probe(2) != Some((probe::RESUMED, probe::RESUMED_DESCRIPTOR))
    {
        return Ok(());
    }
    let name = resumption_name(&method.name);
    let rows = method.contract.rows(&method.class, &name, &method.descriptor);
    let id = cursor.peek(1).and_then(pushed).and_then(|id| u32::try_from(id).ok());
    let row = rows.iter().map(|row| row.id.get()).find(|&row| Some(row) == id);
    if cursor.resumed.is_some() || row.is_none() {
        return Err(Fault::at(cursor.bci(), "counts resumptions that the manifest does not name"));
    }
    cursor.resumed = row;
    cursor.must(|op| matches!(op, Opcode::Dup), Part::Resumed, "the copy of a label")?;
    cursor.take(2, Part::Resumed);
    Ok(())
}

/// Passes the exit probes that must stand before the original's instruction `op`.
pub(crate) fn exit(cursor: &mut Cursor<'_>, op: &Opcode<'_>) -> Result<(), Fault> {
    if !is_return(op) {
        return Ok(());
    }
    if let Some(own) = cursor.own.filter(|own| !own.counted) {
        cursor.must_end(own, own.kind.exit, Part::Exit)?;
    }
    if let Some(local) = cursor.task {
        cursor.must(|op| is_load(op, "I", local), Part::Exit, "the load of what taskEntry gave")?;
        cursor.must_call(probe::TASK_EXIT, probe::TASK_EXIT_DESCRIPTOR, Part::Exit)?;
    }
    Ok(())
}

/// Passes what marks the tasks that the original's call `op` hands over. A call that should be
/// marked and is not is kept by the cursor: whether that is a fault depends on the rest of the
/// method.
pub(crate) fn hand_off(
    cursor: &mut Cursor<'_>,
    method: &Method<'_>,
    op: &Opcode<'_>,
) -> Result<(), Fault> {
    let Some(marks) = hand_offs::marks(op).filter(|_| method.hand_offs) else { return Ok(()) };
    if cursor.peek(0).is_some_and(|next| crate::instruction::same(op, next)) {
        cursor.unmarked = cursor.unmarked.or(Some(cursor.bci()));
        return Ok(());
    }
    let parameters = match marks {
        Marks::Receiver => {
            cursor.must(|op| matches!(op, Opcode::Dup), Part::HandOff, "dup")?;
            let (name, descriptor) =
                (probe::HAND_OFF_RECEIVER, probe::HAND_OFF_RECEIVER_DESCRIPTOR);
            return cursor.must_call(name, descriptor, Part::HandOff);
        }
        Marks::Parameters(parameters) => parameters,
    };
    let lowest = parameters.iter().position(|(_, probe)| probe.is_some()).unwrap_or(0);
    let mut local = cursor.free_local();
    let mut kept: Vec<(&str, u16)> = Vec::new();
    for (number, &(parameter, probe)) in parameters.iter().enumerate().skip(lowest).rev() {
        if let Some(probe) = probe {
            mark(cursor, probe, parameter)?;
        }
        if number > lowest {
            let what = "the store of an argument above a task";
            cursor.must(|op| is_store(op, parameter, local), Part::HandOff, what)?;
            kept.push((parameter, local));
            local = local.saturating_add(words(parameter));
        }
    }
    for (parameter, local) in kept.into_iter().rev() {
        cursor.must(
            |op| is_load(op, parameter, local),
            Part::HandOff,
            "the load of an argument that was kept",
        )?;
    }
    Ok(())
}

/// Passes the marking of one task on top of the operand stack, and the cast back to its parameter's
/// type.
fn mark(cursor: &mut Cursor<'_>, name: &str, parameter: &str) -> Result<(), Fault> {
    if name == probe::HAND_OFF_ALL {
        return cursor.must_call(name, probe::HAND_OFF_ALL_DESCRIPTOR, Part::HandOff);
    }
    cursor.must_call(name, probe::HAND_OFF_DESCRIPTOR, Part::HandOff)?;
    let class =
        parameter.strip_prefix('L').and_then(|class| class.strip_suffix(';')).unwrap_or(parameter);
    cursor.must(
        |op| matches!(op, Opcode::Checkcast(ObjectArrayType::BinaryName(to)) if to == class),
        Part::HandOff,
        &format!("the cast to {class}"),
    )
}
