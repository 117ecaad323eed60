//! The parts of a constructor that a handler may cover. Before the call of `super()` or `this()`
//! the type of `this` is another than behind it, and a frame has only one of both (JVMS 4.10.1.9).

use crate::instruction::{jump, switch};
use crate::method::Method;
use crate::read::Body;
use cafebabe::bytecode::Opcode;

/// Whether the part before a constructor's call of `super()` or `this()` may be covered, besides
/// the part behind it: only if it does not write local variable 0.
///
/// `None` if the parts are not certain. They are if there is one call, no handler covers it, and no
/// branch, switch or handler leads from one part to the other.
pub(crate) fn parts(before: Body<'_>, method: &Method<'_>) -> Option<bool> {
    let call = super_call(before)?;
    let is_behind = |index: usize| index > call;
    let mut pending = 0_usize;
    let mut covers_prologue = true;
    for (index, (_, op)) in before.instructions.iter().enumerate() {
        match op {
            Opcode::New(_) => pending += 1,
            Opcode::Invokespecial(callee)
                if callee.name_and_type.name == "<init>" && index != call =>
            {
                pending = pending.checked_sub(1)?;
            }
            Opcode::Jsr(_) | Opcode::Ret(_) => return None,
            Opcode::Istore(0)
            | Opcode::Lstore(0)
            | Opcode::Fstore(0)
            | Opcode::Dstore(0)
            | Opcode::Astore(0) => {
                covers_prologue &= is_behind(index);
            }
            _ => {}
        }
        let offsets =
            jump(op).into_iter().chain(switch(op).map(|(_, offsets)| offsets).unwrap_or_default());
        for offset in offsets {
            if is_behind(before.target(index, offset)?) != is_behind(index) {
                return None;
            }
        }
    }
    for entry in before.exceptions() {
        let (start, end) = (
            before.index_at(usize::from(entry.start_pc))?,
            before.index_at(usize::from(entry.end_pc))?,
        );
        let handler = before.index_at(usize::from(entry.handler_pc))?;
        if (start..end).contains(&call) || is_behind(handler) != is_behind(start) {
            return None;
        }
    }
    let Some(Opcode::Invokespecial(callee)) = before.op(call) else { return None };
    let is_known = callee.class_name == method.class
        || method.superclass.as_deref() == Some(&callee.class_name);
    (pending == 0 && is_known).then_some(covers_prologue)
}

/// The call of `super()` or `this()`: the first of an `<init>` for which no `new` is pending.
pub(crate) fn super_call(before: Body<'_>) -> Option<usize> {
    let mut pending = 0_usize;
    for (index, (_, op)) in before.instructions.iter().enumerate() {
        match op {
            Opcode::New(_) => pending += 1,
            Opcode::Invokespecial(callee) if callee.name_and_type.name == "<init>" => {
                match pending.checked_sub(1) {
                    Some(left) => pending = left,
                    None => return Some(index),
                }
            }
            _ => {}
        }
    }
    None
}
