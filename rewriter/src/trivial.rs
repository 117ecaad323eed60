//! Trivial methods: empty bodies, plain getters and setters.

use classfile_writer::{ClassFile, PoolIx, opcode};

/// An empty body, or a plain getter or setter of a field: `return`, `this.f`, `C.f`, `this.f = x`,
/// `C.f = x`.
pub(crate) fn is_trivial(code: &[u8]) -> bool {
    field_of(code).is_some()
}

/// Whether a body is trivial and cannot throw: its field, if any, is the class's own, and the
/// object is `this`. In a static method local variable 0 is an argument, which may be null.
pub(crate) fn cannot_throw(class: &ClassFile<'_>, code: &[u8], is_static: bool) -> bool {
    let on_local_0 = matches!(
        *code,
        [opcode::ALOAD_0, opcode::GETFIELD, _, _, _]
            | [opcode::ALOAD_0, _, opcode::PUTFIELD, _, _, _]
    );
    if is_static && on_local_0 {
        return false;
    }
    match field_of(code) {
        None => false,
        Some(None) => true,
        Some(Some(field)) => {
            let owner = class
                .pool()
                .member_ref(field)
                .and_then(|member| class.pool().class_name(member.class));
            owner.is_ok() && owner == class.name()
        }
    }
}

/// The field of a trivial body; `Some(None)` for an empty body, `None` for one that is not
/// trivial.
fn field_of(code: &[u8]) -> Option<Option<PoolIx>> {
    let is_return = |opcode| (opcode::IRETURN..=opcode::ARETURN).contains(&opcode);
    let field = |high, low| Some(Some(PoolIx(u16::from_be_bytes([high, low]))));
    match *code {
        [opcode::RETURN] => Some(None),
        [opcode::ALOAD_0, opcode::GETFIELD, high, low, last] if is_return(last) => field(high, low),
        [opcode::GETSTATIC, high, low, last] if is_return(last) => field(high, low),
        [opcode::ALOAD_0, load, opcode::PUTFIELD, high, low, opcode::RETURN] if loads(load, 1) => {
            field(high, low)
        }
        [load, opcode::PUTSTATIC, high, low, opcode::RETURN] if loads(load, 0) => field(high, low),
        _ => None,
    }
}

/// Whether an opcode is one of `iload_N`, `lload_N`, `fload_N`, `dload_N`, `aload_N`.
fn loads(opcode: u8, local: u8) -> bool {
    (opcode::ILOAD_0..=opcode::ALOAD_3).contains(&opcode) && (opcode - opcode::ILOAD_0) % 4 == local
}
