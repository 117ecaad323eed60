//! What an instruction is, and whether two are the same.

use crate::constants::{same_array_type, same_invoke_dynamic, same_loadable, same_member};
use cafebabe::bytecode::Opcode;
use cafebabe::constant_pool::{LiteralConstant, Loadable};
use std::mem::discriminant;

/// The offset of a branch with one target.
pub(crate) fn jump(op: &Opcode<'_>) -> Option<i32> {
    use Opcode::*;
    match *op {
        Goto(to) | Jsr(to) | IfAcmpeq(to) | IfAcmpne(to) | IfIcmpeq(to) | IfIcmpge(to)
        | IfIcmpgt(to) | IfIcmple(to) | IfIcmplt(to) | IfIcmpne(to) | Ifeq(to) | Ifge(to)
        | Ifgt(to) | Ifle(to) | Iflt(to) | Ifne(to) | Ifnonnull(to) | Ifnull(to) => Some(to),
        _ => None,
    }
}

/// The keys of a switch, and its offsets: the default first, then one for each key.
pub(crate) fn switch(op: &Opcode<'_>) -> Option<(Vec<i32>, Vec<i32>)> {
    match op {
        Opcode::Tableswitch(table) => {
            let offsets = std::iter::once(table.default).chain(table.jumps.iter().copied());
            Some((vec![table.low, table.high], offsets.collect()))
        }
        Opcode::Lookupswitch(table) => {
            let offsets =
                std::iter::once(table.default).chain(table.match_offsets.iter().map(|pair| pair.1));
            Some((table.match_offsets.iter().map(|pair| pair.0).collect(), offsets.collect()))
        }
        _ => None,
    }
}

/// Whether it returns from the method.
pub(crate) fn is_return(op: &Opcode<'_>) -> bool {
    use Opcode::*;
    matches!(op, Ireturn | Lreturn | Freturn | Dreturn | Areturn | Return)
}

/// Whether control never goes on to the next instruction.
pub(crate) fn ends_flow(op: &Opcode<'_>) -> bool {
    use Opcode::*;
    is_return(op) || matches!(op, Athrow | Goto(_) | Ret(_) | Tableswitch(_) | Lookupswitch(_))
}

/// Whether it may throw anything but what its return may (JVMS 6.5), or an error of the machine
/// (JVMS 6.3).
pub(crate) fn can_throw(op: &Opcode<'_>) -> bool {
    use Opcode::*;
    match op {
        Ldc(constant) | LdcW(constant) | Ldc2W(constant) => {
            !matches!(constant, Loadable::LiteralConstant(_))
        }
        Aaload | Aastore | Baload | Bastore | Caload | Castore | Daload | Dastore | Faload
        | Fastore | Iaload | Iastore | Laload | Lastore | Saload | Sastore | Anewarray(_)
        | Arraylength | Athrow | Checkcast(_) | Getfield(_) | Getstatic(_) | Idiv
        | Instanceof(_) | Invokedynamic(_) | Invokeinterface(..) | Invokespecial(_)
        | Invokestatic(_) | Invokevirtual(_) | Irem | Ldiv | Lrem | Monitorenter | Monitorexit
        | Multianewarray(..) | New(_) | Newarray(_) | Putfield(_) | Putstatic(_) => true,
        _ => false,
    }
}

/// The number that it pushes, in one of the three forms in which ids are pushed.
pub(crate) fn pushed(op: &Opcode<'_>) -> Option<i32> {
    match op {
        Opcode::Bipush(value) => Some(i32::from(*value)),
        Opcode::Sipush(value) => Some(i32::from(*value)),
        Opcode::Ldc(Loadable::LiteralConstant(LiteralConstant::Integer(value)))
        | Opcode::LdcW(Loadable::LiteralConstant(LiteralConstant::Integer(value))) => Some(*value),
        _ => None,
    }
}

/// Whether one condition is the other's opposite.
pub(crate) fn is_inverse(a: &Opcode<'_>, b: &Opcode<'_>) -> bool {
    use Opcode::*;
    let pair = |a: &Opcode<'_>, b: &Opcode<'_>| {
        matches!(
            (a, b),
            (Ifeq(_), Ifne(_))
                | (Iflt(_), Ifge(_))
                | (Ifgt(_), Ifle(_))
                | (IfIcmpeq(_), IfIcmpne(_))
                | (IfIcmplt(_), IfIcmpge(_))
                | (IfIcmpgt(_), IfIcmple(_))
                | (IfAcmpeq(_), IfAcmpne(_))
                | (Ifnull(_), Ifnonnull(_))
        )
    };
    pair(a, b) || pair(b, a)
}

/// Whether two instructions do the same. Where they lead is not compared: the offsets of jumps and
/// switches, which move with the code; the keys of a switch are.
pub(crate) fn same(a: &Opcode<'_>, b: &Opcode<'_>) -> bool {
    use Opcode::*;
    match (a, b) {
        (Aload(a), Aload(b))
        | (Astore(a), Astore(b))
        | (Dload(a), Dload(b))
        | (Dstore(a), Dstore(b))
        | (Fload(a), Fload(b))
        | (Fstore(a), Fstore(b))
        | (Iload(a), Iload(b))
        | (Istore(a), Istore(b))
        | (Lload(a), Lload(b))
        | (Lstore(a), Lstore(b))
        | (Ret(a), Ret(b)) => a == b,
        (Getfield(a), Getfield(b))
        | (Getstatic(a), Getstatic(b))
        | (Putfield(a), Putfield(b))
        | (Putstatic(a), Putstatic(b))
        | (Invokespecial(a), Invokespecial(b))
        | (Invokestatic(a), Invokestatic(b))
        | (Invokevirtual(a), Invokevirtual(b)) => same_member(a, b),
        (Invokeinterface(a, m), Invokeinterface(b, n)) => m == n && same_member(a, b),
        (Invokedynamic(a), Invokedynamic(b)) => same_invoke_dynamic(a, b),
        (Ldc(a), Ldc(b)) | (LdcW(a), LdcW(b)) | (Ldc2W(a), Ldc2W(b)) => same_loadable(a, b),
        (Anewarray(a), Anewarray(b))
        | (Checkcast(a), Checkcast(b))
        | (Instanceof(a), Instanceof(b)) => same_array_type(a, b),
        (Multianewarray(a, m), Multianewarray(b, n)) => m == n && same_array_type(a, b),
        (New(a), New(b)) => a == b,
        (Newarray(a), Newarray(b)) => a == b,
        (Bipush(a), Bipush(b)) => a == b,
        (Sipush(a), Sipush(b)) => a == b,
        (Iinc(a, m), Iinc(b, n)) => (a, m) == (b, n),
        (Tableswitch(a), Tableswitch(b)) => {
            (a.low, a.high, a.jumps.len()) == (b.low, b.high, b.jumps.len())
        }
        (Lookupswitch(a), Lookupswitch(b)) => {
            let keys = |pairs: &[(i32, i32)]| pairs.iter().map(|pair| pair.0).collect::<Vec<_>>();
            keys(&a.match_offsets) == keys(&b.match_offsets)
        }
        // What is left has no operand, or only an offset.
        _ => discriminant(a) == discriminant(b),
    }
}
