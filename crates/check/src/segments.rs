//! The code that is put in between: entry, exit, catch and hand-off probes, each in the one form
//! that it may have.

use crate::cursor::{CatchProbe, Cursor, Own, Part};
use crate::descriptor::{is_load, is_store, words};
use crate::finding::Fault;
use crate::hand_offs::{self, Marks};
use crate::instruction::{is_return, jump, pushed, switch};
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
    let unset = unset(cursor)?;
    let before_count = cursor.at();
    let (Some(id), Some((name, descriptor))) = (cursor.peek(0).and_then(pushed), cursor.probe(1))
    else {
        return match unset {
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
        (false, true) => (kind.count_call, probe::COUNT_CALL_DESCRIPTOR),
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
    if let Some(local) = token {
        let Some(unset) = unset else {
            return Err(Fault::at(cursor.after.bci(before_count), "its token is not set before"));
        };
        let counted = branch(cursor, |op| matches!(op, Opcode::Ifne(_)), "ifne")?;
        cursor.must(|op| pushed(op) == Some(id), Part::Entry, "the id for its entry probe")?;
        cursor.must_call(kind.entry, probe::ENTRY, Part::Entry)?;
        cursor.must(|op| is_store(op, "I", local), Part::Entry, "the store of the token")?;
        let end = cursor.bci();
        if counted != end || unset.disabled.is_some_and(|to| to != end) {
            return Err(Fault::at(end, "a branch over the entry probe leads elsewhere"));
        }
        cursor.entry_frame = Some(end);
    } else if unset.is_some() {
        return Err(Fault::at(cursor.bci(), "sets a token, and its probes take none"));
    }
    cursor.own = Some(Own { id, kind, counted: row.counted, token });
    Ok(())
}

/// What sets a token to 0 before the probes that may set it.
struct Unset {
    /// To which bci it jumps where no session is open or to come; none live.
    disabled: Option<usize>,
}

/// Passes what sets the token of a call that is not timed; none if that is not next.
fn unset(cursor: &mut Cursor<'_>) -> Result<Option<Unset>, Fault> {
    let is_enabled = |op: &Opcode<'_>| {
        matches!(op, Opcode::Getstatic(member) if member.class_name == cursor.runtime()
            && member.name_and_type.name == probe::ENABLED
            && member.name_and_type.descriptor == probe::ENABLED_DESCRIPTOR)
    };
    let local = cursor.free_local();
    let has_constant = cursor.peek(2).is_some_and(is_enabled);
    let counts = [probe::COUNT_CALL, probe::COUNT_INNER_CALL];
    let is_live =
        cursor.is_live() && cursor.probe(3).is_some_and(|(name, _)| counts.contains(&name));
    if !has_constant && !is_live {
        return Ok(None);
    }
    cursor.must(
        |op| matches!(op, Opcode::Iconst0),
        Part::Entry,
        "the token of a call that is not timed",
    )?;
    cursor.must(|op| is_store(op, "I", local), Part::Entry, "the store of that token")?;
    if !has_constant {
        return Ok(Some(Unset { disabled: None }));
    }
    cursor.take(1, Part::Entry);
    let to = branch(cursor, |op| matches!(op, Opcode::Ifeq(_)), "ifeq")?;
    Ok(Some(Unset { disabled: Some(to) }))
}

/// Passes a branch of this kind. Returns the bci to which it leads.
fn branch(
    cursor: &mut Cursor<'_>,
    is_it: impl FnOnce(&Opcode<'_>) -> bool,
    what: &str,
) -> Result<usize, Fault> {
    let at = cursor.at();
    let offset = cursor.peek(0).and_then(jump);
    cursor.must(is_it, Part::Entry, what)?;
    let to = offset.and_then(|offset| cursor.after.target(at, offset));
    let to = to.map(|index| cursor.after.bci(index));
    to.ok_or_else(|| Fault::at(cursor.after.bci(at), "a branch leads to no instruction"))
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
