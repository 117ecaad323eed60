//! Ties a method's numeric arguments to its entry probe, so that no compiler starts on the method's work before the probe
//! has read the clock.
//!
//! The entry probe of a pinned method returns 0, which compilers cannot know because the recorder is never inlined; every
//! argument of a numeric type (JLS 4.2: not `boolean`) is combined with it by exclusive or. No value changes, not even the
//! payload of a NaN. The result needs no such tie: it lies on the operand stack at the call of the exit probe, and a
//! compiler must be able to tell the interpreter what lies there when a call returns.

use crate::descriptor::{Parameters, words};
use crate::method::Order;
use crate::probes::{Probe, ProbeRefs, Snippet};
use crate::trivial;
use classfile_writer::{ACC_STATIC, Error, PoolTail, opcode};
use jfathom_plan::ProbeKind;

/// Whether a method's arguments are tied to its entry, or why not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pin {
    /// The plan does not ask for it.
    #[default]
    NotAsked,
    Pinned,
    /// It takes no number (a root: no integer).
    NoNumber,
    /// What runs before `super()` is no work of its own.
    Constructor,
    /// An empty body, a getter or a setter: nothing to move.
    Trivial,
    /// The code would not fit a limit.
    Size,
}

/// Whether the method of `order` can be pinned as far as its shape goes.
pub(crate) fn shape(order: &Order<'_>) -> Pin {
    if !order.pin || order.probes.is_none() {
        Pin::NotAsked
    } else if order.member.name.first() == Some(&b'<') {
        Pin::Constructor
    } else if trivial::is_trivial(order.code.bytes()) {
        Pin::Trivial
    } else if arguments(order).next().is_none() {
        Pin::NoNumber
    } else {
        Pin::Pinned
    }
}

/// Appends what follows the call of the entry probe, whose result lies on the otherwise empty operand stack and is taken
/// from there. Gives how deep the stack gets.
pub(crate) fn append(
    order: &Order<'_>,
    refs: &mut ProbeRefs,
    pool: &mut PoolTail<'_>,
    out: &mut Vec<u8>,
) -> Result<u16, Error> {
    let mut depth = 1;
    let mut all = arguments(order).peekable();
    while let Some((local, number)) = all.next() {
        let mut code = Snippet::default();
        let mut below = 0;
        if all.peek().is_some() {
            code = code.push(&[opcode::DUP]);
            below = 1;
        }
        let (code, words) = match number {
            Number::Int => (access(code, opcode::ILOAD, local).push(&[opcode::IXOR]), 2),
            Number::Long => (access(code.push(&[opcode::I2L]), opcode::LLOAD, local).push(&[opcode::LXOR]), 4),
            Number::Float => (access(code, opcode::FLOAD, local).call(refs.get(Probe::PIN_FLOAT, pool)?), 2),
            Number::Double => (access(code, opcode::DLOAD, local).call(refs.get(Probe::PIN_DOUBLE, pool)?), 3),
        };
        out.extend_from_slice(&access(code, number.store(), local).bytes());
        depth = depth.max(below + words);
    }
    Ok(depth)
}

/// A numeric type, as the operand stack has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Int,
    Long,
    Float,
    Double,
}

impl Number {
    fn of(field_descriptor: &[u8]) -> Option<Self> {
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

    const fn store(self) -> u8 {
        match self {
            Self::Int => opcode::ISTORE,
            Self::Long => opcode::LSTORE,
            Self::Float => opcode::FSTORE,
            Self::Double => opcode::DSTORE,
        }
    }
}

/// The arguments that can be tied, with their local variables.
///
/// Those of a root are tied by instructions only: between its entry probe and its handler, a call might overflow the stack
/// and leave the thread recording for ever.
fn arguments<'c>(order: &Order<'c>) -> impl Iterator<Item = (u16, Number)> + 'c {
    let calls = !matches!(order.probes, Some((_, ProbeKind::Root)));
    let mut next = u16::from(order.member.access & ACC_STATIC == 0);
    Parameters::of(order.member.descriptor).filter_map(move |parameter| {
        let local = next;
        // A method with more than 255 words of parameters does not link, but it may be read.
        next = next.saturating_add(words(parameter));
        Number::of(parameter).filter(|number| calls || !number.needs_call()).map(|number| (local, number))
    })
}

/// `opcode` (the general load or store) on a local variable, in its shortest form.
fn access(code: Snippet, opcode: u8, local: u16) -> Snippet {
    let (general, first) =
        if opcode >= opcode::ISTORE { (opcode::ISTORE, opcode::ISTORE_0) } else { (opcode::ILOAD, opcode::ILOAD_0) };
    match u8::try_from(local) {
        Ok(local) if local < 4 => code.push(&[first + 4 * (opcode - general) + local]),
        _ => code.local(opcode, local),
    }
}
