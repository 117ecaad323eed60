//! A method before and after, for people.

use crate::align::align;
use crate::code::Method;
use crate::contract::Contract;
use crate::cursor::Part;
use crate::instruction::{jump, switch};
use crate::read::{Body, read};
use cafebabe::bytecode::Opcode;
use cafebabe::constant_pool::{LiteralConstant, Loadable, MemberRef, ObjectArrayType};

/// A method of the original and of the output.
#[derive(Clone, Debug)]
pub struct Listing {
    /// `run(I)V`.
    pub method: String,
    /// Its instructions before, then its exception table.
    pub before: Vec<Row>,
    /// The same after.
    pub after: Vec<Row>,
    /// Why no probe is marked, where the two could not be aligned.
    pub fault: Option<String>,
}

/// One line of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Where the instruction begins; none for an entry of the exception table.
    pub bci: Option<usize>,
    /// The instruction.
    pub text: String,
    /// What it is there for, where the original has it not: `entry`, `exit`, `catch`, ….
    pub probe: Option<&'static str>,
}

/// The methods with code that `wanted` chooses by name and descriptor, of a class in the original
/// and in the output.
///
/// # Errors
/// A class that the reader refuses, in its words.
pub fn listing(
    original: &[u8],
    output: &[u8],
    contract: &Contract<'_>,
    wanted: impl Fn(&str, &str) -> bool,
) -> Result<Vec<Listing>, String> {
    let (before, after) = (read(original)?, read(output)?);
    let mut listings = Vec::new();
    for old in &before.methods {
        let method = Method::new(&before, old, contract);
        let same = after
            .methods
            .iter()
            .find(|new| new.name == old.name && new.descriptor == old.descriptor);
        let (Some(old), Some(new)) = (Body::of(old), same.and_then(Body::of)) else { continue };
        if !wanted(&method.name, &method.descriptor) {
            continue;
        }
        let aligned = align(old, new, &method);
        let parts =
            aligned.as_ref().map(|alignment| alignment.parts.as_slice()).unwrap_or_default();
        listings.push(Listing {
            method: format!("{}{}", method.name, method.descriptor),
            before: rows(old, |_| None),
            after: rows(new, |at| parts.get(at).and_then(|part| mark(*part))),
            fault: aligned.as_ref().err().map(ToString::to_string),
        });
    }
    Ok(listings)
}

fn mark(part: Part) -> Option<&'static str> {
    match part {
        Part::Original(_) => None,
        Part::Entry => Some("entry"),
        Part::Pin => Some("pin"),
        Part::Exit => Some("exit"),
        Part::Catch => Some("catch"),
        Part::HandOff => Some("hand-off"),
        Part::Island => Some("far jump"),
        Part::Stub => Some("catch"),
        Part::Throw => Some("throw"),
    }
}

fn rows(body: Body<'_>, mark: impl Fn(usize) -> Option<&'static str>) -> Vec<Row> {
    let code = body.instructions.iter().enumerate().map(|(at, (bci, op))| Row {
        bci: Some(*bci),
        text: text_at(op, Some(*bci)),
        probe: mark(at),
    });
    let throws = |handler: u16| body.index_at(usize::from(handler)).and_then(&mark);
    let handlers = body.exceptions().iter().map(|entry| Row {
        bci: None,
        text: format!(
            "{}..{} → {} {}",
            entry.start_pc,
            entry.end_pc,
            entry.handler_pc,
            entry.catch_type.as_deref().unwrap_or("any")
        ),
        probe: throws(entry.handler_pc),
    });
    code.chain(handlers).collect()
}

/// An instruction by itself, its targets relative.
pub(crate) fn text(op: &Opcode<'_>) -> String {
    text_at(op, None)
}

fn text_at(op: &Opcode<'_>, bci: Option<usize>) -> String {
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
