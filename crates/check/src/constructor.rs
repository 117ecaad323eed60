//! Which parts of a constructor a handler may cover: `this` must be one thing wherever control can
//! come from (JVMS 4.10.1.9).

use crate::instruction::{jump, switch};
use crate::method::Method;
use crate::read::Body;
use cafebabe::bytecode::Opcode;

/// Whether a constructor can be divided at its call of `super()` or `this()` beyond doubt: it is
/// the only one, and no branch, switch or handler leads from one side to the other. None where it
/// cannot; else whether the part before may be covered too.
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
        if is_behind(end.saturating_sub(1)) != is_behind(start)
            || is_behind(handler) != is_behind(start)
        {
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
