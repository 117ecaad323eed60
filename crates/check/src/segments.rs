//! The code that is put in between: entry, exit, catch and hand-off probes, each in the one form that it may have.

use crate::code::Method;
use crate::cursor::{Cursor, Own, Part};
use crate::finding::Fault;
use crate::instruction::{is_return, pushed};
use crate::pins::{self, Waiting};
use cafebabe::bytecode::Opcode;
use cafebabe::constant_pool::ObjectArrayType;
use jfathom_plan::probe;

/// The parameter types of a method descriptor, in order. What is no descriptor has none from where it is none.
pub(crate) fn parameters(descriptor: &str) -> Vec<&str> {
    let mut rest = descriptor.strip_prefix('(').unwrap_or_default();
    let mut types = Vec::new();
    while !rest.is_empty() && !rest.starts_with(')') {
        let element = rest.trim_start_matches('[');
        let brackets = rest.len() - element.len();
        let length = if element.starts_with('L') { element.find(';').map(|end| end + 1) } else { Some(1) };
        let Some((of, behind)) = length.and_then(|length| rest.split_at_checked(brackets + length)) else { break };
        types.push(of);
        rest = behind;
    }
    types
}

/// How many local variables a type takes.
pub(crate) fn words(of: &str) -> u16 {
    if matches!(of, "J" | "D") { 2 } else { 1 }
}

/// Whether it loads a value of this type from the local variable.
pub(crate) fn is_load(op: &Opcode<'_>, of: &str, local: u16) -> bool {
    match (of.as_bytes().first(), op) {
        (Some(b'J'), Opcode::Lload(at))
        | (Some(b'F'), Opcode::Fload(at))
        | (Some(b'D'), Opcode::Dload(at))
        | (Some(b'L' | b'['), Opcode::Aload(at))
        | (Some(b'B' | b'C' | b'I' | b'S' | b'Z'), Opcode::Iload(at)) => *at == local,
        _ => false,
    }
}

/// Whether it stores a value of this type into the local variable.
pub(crate) fn is_store(op: &Opcode<'_>, of: &str, local: u16) -> bool {
    match (of.as_bytes().first(), op) {
        (Some(b'J'), Opcode::Lstore(at))
        | (Some(b'F'), Opcode::Fstore(at))
        | (Some(b'D'), Opcode::Dstore(at))
        | (Some(b'L' | b'['), Opcode::Astore(at))
        | (Some(b'B' | b'C' | b'I' | b'S' | b'Z'), Opcode::Istore(at)) => *at == local,
        _ => false,
    }
}

/// Passes the entry probes, and learns from them what the method's other probes must be.
pub(crate) fn entry(cursor: &mut Cursor<'_>, method: &Method<'_>) -> Result<Option<Waiting>, Fault> {
    if cursor.probe(1) == Some((probe::TASK_ENTRY, probe::TASK_ENTRY_DESCRIPTOR)) {
        if !method.hand_offs || method.is_static || !parameters(&method.descriptor).is_empty() {
            return Err(Fault::at(0, "opens a tree for a task, and is no task's method"));
        }
        let local = cursor.before.data.max_locals;
        cursor.must(|op| is_load(op, "L", 0), Part::Entry, "the load of this")?;
        cursor.must_call(probe::TASK_ENTRY, probe::TASK_ENTRY_DESCRIPTOR, Part::Entry)?;
        cursor.must(|op| is_store(op, "I", local), Part::Entry, "the store of what taskEntry gave")?;
        cursor.task = Some(local);
    }
    let (Some(id), Some((name, descriptor))) = (cursor.peek(0).and_then(pushed), cursor.probe(1)) else {
        return Ok(None);
    };
    if name == probe::HANDLE_CATCH {
        // The first instruction is a handler, of a method that has no entry probe: said where handlers are looked at.
        return Ok(None);
    }
    let rows = method.contract.rows(&method.class, &method.name, &method.descriptor);
    let Some(row) = rows.iter().find(|row| i32::try_from(row.id.get()) == Ok(id)) else {
        return Err(Fault::at(cursor.bci(), format!("passes id {id}, which the manifest does not give it")));
    };
    let kind = method.contract.kind(row);
    cursor.own = Some(Own { id, kind });
    let wanted = match row.pinned {
        true => (kind.pinned_entry, probe::PINNED_DESCRIPTOR),
        false => (kind.entry, probe::ID),
    };
    if (name, descriptor) != wanted {
        return Err(Fault::at(
            cursor.bci(),
            format!("calls {name}{descriptor} on entry, not {}{}", wanted.0, wanted.1),
        ));
    }
    cursor.take(2, Part::Entry);
    match row.pinned {
        true => pins::entry(cursor, &method.descriptor, method.is_static),
        false => Ok(None),
    }
}

/// Passes the probe of an exception handler, where it stands in front of the handler itself.
pub(crate) fn catch(cursor: &mut Cursor<'_>) -> Result<bool, Fault> {
    if !cursor.is_call_with_id(probe::HANDLE_CATCH) {
        return Ok(false);
    }
    let own = cursor.own.ok_or_else(|| Fault::at(cursor.bci(), "marks a catch in a method without an entry probe"))?;
    cursor.must_call_with_id(own, probe::HANDLE_CATCH, Part::Catch)?;
    Ok(true)
}

/// Passes the exit probes that must stand before the original's instruction `op`.
pub(crate) fn exit(cursor: &mut Cursor<'_>, op: &Opcode<'_>) -> Result<(), Fault> {
    if !is_return(op) {
        return Ok(());
    }
    if let Some(own) = cursor.own {
        cursor.must_call_with_id(own, own.kind.exit, Part::Exit)?;
    }
    if let Some(local) = cursor.task {
        cursor.must(|op| is_load(op, "I", local), Part::Exit, "the load of what taskEntry gave")?;
        cursor.must_call(probe::TASK_EXIT, probe::TASK_EXIT_DESCRIPTOR, Part::Exit)?;
    }
    Ok(())
}

/// Passes what marks the tasks that the original's call `op` hands over.
pub(crate) fn hand_off(cursor: &mut Cursor<'_>, method: &Method<'_>, op: &Opcode<'_>) -> Result<(), Fault> {
    let (Opcode::Invokevirtual(callee)
    | Opcode::Invokespecial(callee)
    | Opcode::Invokestatic(callee)
    | Opcode::Invokeinterface(callee, _)) = op
    else {
        return Ok(());
    };
    // The call as it was: nothing is marked here.
    if !method.hand_offs || cursor.peek(0).is_some_and(|next| crate::instruction::same(op, next)) {
        return Ok(());
    }
    let parameters = parameters(&callee.name_and_type.descriptor);
    if matches!(cursor.peek(0), Some(Opcode::Dup)) && parameters.is_empty() {
        cursor.take(1, Part::HandOff);
        cursor.must_call(probe::HAND_OFF, probe::HAND_OFF_DESCRIPTOR, Part::HandOff)?;
        return cursor.must(|op| matches!(op, Opcode::Pop), Part::HandOff, "pop");
    }
    let mut local = cursor.before.data.max_locals.saturating_add(u16::from(cursor.task.is_some()));
    let mut kept: Vec<(&str, u16)> = Vec::new();
    for (number, parameter) in parameters.iter().enumerate().rev() {
        if let Some((name, descriptor)) = cursor.probe(0) {
            mark(cursor, name, descriptor, parameter)?;
        }
        let is_kept = number > 0 && cursor.peek(0).is_some_and(|op| is_store(op, parameter, local));
        if !is_kept {
            break;
        }
        cursor.take(1, Part::HandOff);
        kept.push((parameter, local));
        local = local.saturating_add(words(parameter));
    }
    for (parameter, local) in kept.into_iter().rev() {
        cursor.must(|op| is_load(op, parameter, local), Part::HandOff, "the load of an argument that was kept")?;
    }
    Ok(())
}

/// Passes the marking of one task on top of the operand stack, and the cast back to its parameter's type.
fn mark(cursor: &mut Cursor<'_>, name: &str, descriptor: &str, parameter: &str) -> Result<(), Fault> {
    if (name, descriptor) == (probe::HAND_OFF_ALL, probe::HAND_OFF_ALL_DESCRIPTOR) {
        cursor.take(1, Part::HandOff);
        return Ok(());
    }
    let one_of = [probe::HAND_OFF, probe::HAND_OFF_PERIODIC, probe::HAND_OFF_FUNCTION];
    if !one_of.contains(&name) || descriptor != probe::HAND_OFF_DESCRIPTOR {
        return Err(Fault::at(cursor.bci(), format!("calls {name}{descriptor} before a call")));
    }
    cursor.take(1, Part::HandOff);
    let class = parameter.strip_prefix('L').and_then(|class| class.strip_suffix(';'));
    match class {
        None => Err(Fault::at(cursor.bci(), format!("marks an argument of type {parameter}, which is no task"))),
        Some(class) => cursor.must(
            |op| matches!(op, Opcode::Checkcast(ObjectArrayType::BinaryName(to)) if to == class),
            Part::HandOff,
            &format!("the cast to {class}"),
        ),
    }
}
