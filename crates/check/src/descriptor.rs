//! Parameter types, and the loads and stores of their values.

use cafebabe::bytecode::Opcode;

/// The parameter types of a method descriptor, in order. They end where the descriptor is
/// malformed.
pub(crate) fn parameters(descriptor: &str) -> Vec<&str> {
    let mut rest = descriptor.strip_prefix('(').unwrap_or_default();
    let mut types = Vec::new();
    while !rest.is_empty() && !rest.starts_with(')') {
        let element = rest.trim_start_matches('[');
        let brackets = rest.len() - element.len();
        let length =
            if element.starts_with('L') { element.find(';').map(|end| end + 1) } else { Some(1) };
        let Some((of, behind)) = length.and_then(|length| rest.split_at_checked(brackets + length))
        else {
            break;
        };
        types.push(of);
        rest = behind;
    }
    types
}

/// How many local variables a value of the type takes.
pub(crate) fn words(of: &str) -> u16 {
    if matches!(of, "J" | "D") { 2 } else { 1 }
}

/// Whether the instruction loads a value of this type from the local variable.
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

/// Whether the instruction stores a value of this type into the local variable.
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
