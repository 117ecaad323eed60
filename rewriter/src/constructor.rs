//! Where a constructor calls `super()` or `this()`, and whether that is certain (JVMS 4.10.1.9).

use classfile_writer::{Bci, Code, Instruction, PoolIx, Scan, opcode};

/// Which parts of a constructor a handler may cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Code before the call at `call` runs on an uninitialised `this`, code behind it does not. The
    /// prologue may be covered if it does not write local variable 0.
    Certain { call: Bci, cover_prologue: bool },
    /// No call and no return: every path throws before instruction.
    OnlyPrologue { cover_prologue: bool },
    /// Anything else: a class with a handler might not link. Entry and exit probes are safe.
    Uncertain,
}

/// The shape of a constructor other than `Object`'s.
///
/// The call is the one `invokespecial` of an `<init>` for which no `new` is pending. It is certain
/// when it is the only one, names this class or the superclass, and no branch, switch or handler
/// leads from one side of it to the other.
pub(crate) fn shape(code: &Code<'_>, scan: &Scan) -> Shape {
    look(code, scan).unwrap_or(Shape::Uncertain)
}

fn look(code: &Code<'_>, scan: &Scan) -> Option<Shape> {
    let class = code.class();
    let call = scan.super_call;
    let end = code.bytes().len() as u32;
    if scan.super_calls > 1 || scan.pending_new != 0 || scan.has_subroutine {
        return None;
    }
    let behind = |bci: Bci| call.is_some_and(|call| bci > call);
    for &at in &scan.switches {
        let switch = code.switch_at(at)?;
        let side = behind(at);
        let leaves = |target: Option<Bci>| target.is_none_or(|target| behind(target) != side);
        if leaves(switch.default()) || switch.cases().any(|(_, target)| leaves(target)) {
            return None;
        }
    }
    let mut prologue = code
        .instructions()
        .map_while(Result::ok)
        .take_while(|instruction| !behind(instruction.bci));
    let cover_prologue = !prologue.any(|instruction| writes_local_0(&instruction));
    if scan.branches.iter().any(|branch| behind(branch.bci) != behind(branch.target)) {
        return None;
    }
    for entry in code.exceptions() {
        let side = behind(entry.start);
        let last = Bci(entry.end.0.saturating_sub(1));
        if behind(last) != side || behind(entry.handler) != side {
            return None;
        }
    }
    let Some(call) = call else {
        return scan.returns.is_empty().then_some(Shape::OnlyPrologue { cover_prologue });
    };
    let at = call.0 as usize;
    let callee = u16::from_be_bytes(code.bytes().get(at + 1..at + 3)?.try_into().ok()?);
    let owner =
        class.pool().class_name(class.pool().member_ref(PoolIx(callee)).ok()?.class).ok()?;
    let known = class.name().is_ok_and(|own| own == owner)
        || class.super_name().is_ok_and(|parent| parent == Some(owner));
    (known && call.0 + 3 <= end).then_some(Shape::Certain { call, cover_prologue })
}

fn writes_local_0(instruction: &Instruction<'_>) -> bool {
    let opcode = instruction.widened().unwrap_or(instruction.opcode);
    match opcode {
        opcode::ISTORE..=opcode::ASTORE => instruction.local() == Some(0),
        opcode::ISTORE_0
        | opcode::LSTORE_0
        | opcode::FSTORE_0
        | opcode::DSTORE_0
        | opcode::ASTORE_0 => true,
        _ => false,
    }
}
