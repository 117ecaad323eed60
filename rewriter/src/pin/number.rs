//! Numeric types, and which of them can be pinned.

use crate::method_rewrite::MethodRewrite;
use classfile_writer::opcode;

/// A numeric type, as the operand stack has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    Int,
    Long,
    Float,
    Double,
}

impl Number {
    pub(crate) fn from_descriptor(field_descriptor: &[u8]) -> Option<Self> {
        match field_descriptor {
            b"B" | b"C" | b"I" | b"S" => Some(Self::Int),
            b"J" => Some(Self::Long),
            b"F" => Some(Self::Float),
            b"D" => Some(Self::Double),
            _ => None,
        }
    }

    const fn needs_call(self) -> bool {
        matches!(self, Self::Float | Self::Double)
    }

    pub(super) const fn store(self) -> u8 {
        match self {
            Self::Int => opcode::ISTORE,
            Self::Long => opcode::LSTORE,
            Self::Float => opcode::FSTORE,
            Self::Double => opcode::DSTORE,
        }
    }
}

/// Whether a number of that type can be pinned in the method.
///
/// In a root only instructions may do it. A call between the root's entry probe and its handler
/// might overflow the stack and leave the thread recording for ever.
pub(super) fn can_pin(method: &MethodRewrite<'_>, number: Number) -> bool {
    !number.needs_call() || !method.is_root()
}
