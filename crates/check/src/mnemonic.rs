//! Instructions as text.

use crate::instruction::{jump, switch};
use cafebabe::bytecode::Opcode;
use cafebabe::constant_pool::{LiteralConstant, Loadable, MemberRef, ObjectArrayType};

/// An instruction with relative targets.
pub(crate) fn text(op: &Opcode<'_>) -> String {
    text_at(op, None)
}

/// An instruction at `bci`, with absolute targets if that is known.
pub(crate) fn text_at(op: &Opcode<'_>, bci: Option<usize>) -> String {
    let mnemonic = mnemonic(op);
    match operands(op, bci) {
        Some(operands) => format!("{mnemonic} {operands}"),
        None => mnemonic,
    }
}

/// The instruction's name (JVMS 6.5), from that of the reader: `IfIcmpeq` is `if_icmpeq`, `Iconst0`
/// is `iconst_0`.
fn mnemonic(op: &Opcode<'_>) -> String {
    let shown = format!("{op:?}");
    let name: String = shown.chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
    let is_const = name.get(1..6) == Some("const");
    let mut mnemonic = String::with_capacity(name.len() + 2);
    for (at, c) in name.chars().enumerate() {
        if at > 0
            && (c.is_ascii_uppercase()
                || is_const && c.is_ascii_digit() && !mnemonic.ends_with("_m"))
        {
            mnemonic.push('_');
        }
        mnemonic.push(c.to_ascii_lowercase());
    }
    mnemonic
}

fn operands(op: &Opcode<'_>, bci: Option<usize>) -> Option<String> {
    use Opcode::*;
    let target = |offset: i32| match bci.and_then(|bci| i64::try_from(bci).ok()) {
        Some(bci) => (bci + i64::from(offset)).to_string(),
        None => format!("{offset:+}"),
    };
    if let Some(offset) = jump(op) {
        return Some(target(offset));
    }
    if let Some((_, offsets)) = switch(op) {
        return Some(offsets.into_iter().map(target).collect::<Vec<_>>().join(" "));
    }
    Some(match op {
        Aload(local) | Astore(local) | Dload(local) | Dstore(local) | Fload(local)
        | Fstore(local) | Iload(local) | Istore(local) | Lload(local) | Lstore(local)
        | Ret(local) => local.to_string(),
        Getfield(to) | Getstatic(to) | Putfield(to) | Putstatic(to) => {
            format!("{}:{}", member(to), to.name_and_type.descriptor)
        }
        Invokespecial(to) | Invokestatic(to) | Invokevirtual(to) | Invokeinterface(to, _) => {
            format!("{}{}", member(to), to.name_and_type.descriptor)
        }
        Invokedynamic(to) => format!("{}{}", to.name_and_type.name, to.name_and_type.descriptor),
        Ldc(constant) | LdcW(constant) | Ldc2W(constant) => loadable(constant),
        Anewarray(of) | Checkcast(of) | Instanceof(of) | Multianewarray(of, _) => match of {
            ObjectArrayType::ArrayType(of) => of.to_string(),
            ObjectArrayType::BinaryName(name) => name.to_string(),
        },
        New(class) => class.to_string(),
        Newarray(of) => format!("{of:?}").to_ascii_lowercase(),
        Bipush(value) => value.to_string(),
        Sipush(value) => value.to_string(),
        Iinc(local, by) => format!("{local} {by:+}"),
        _ => return None,
    })
}

fn member(to: &MemberRef<'_>) -> String {
    format!("{}.{}", to.class_name, to.name_and_type.name)
}

fn loadable(constant: &Loadable<'_>) -> String {
    match constant {
        Loadable::LiteralConstant(LiteralConstant::Integer(value)) => value.to_string(),
        Loadable::LiteralConstant(LiteralConstant::Long(value)) => format!("{value}L"),
        Loadable::LiteralConstant(LiteralConstant::Float(value)) => format!("{value}f"),
        Loadable::LiteralConstant(LiteralConstant::Double(value)) => value.to_string(),
        Loadable::LiteralConstant(LiteralConstant::String(value)) => format!("{value:?}"),
        Loadable::LiteralConstant(LiteralConstant::StringBytes(value)) => format!("{value:?}"),
        Loadable::ClassInfo(name) => format!("class {name}"),
        Loadable::MethodType(descriptor) => format!("type {descriptor}"),
        Loadable::MethodHandle(handle) => {
            format!(
                "handle {}.{}{}",
                handle.class_name, handle.member_ref.name, handle.member_ref.descriptor
            )
        }
        Loadable::Dynamic(dynamic) => {
            format!("dynamic {}:{}", dynamic.name_and_type.name, dynamic.name_and_type.descriptor)
        }
    }
}
