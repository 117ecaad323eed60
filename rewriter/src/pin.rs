//! Ties a method's numeric arguments to its entry probe, or the first number that it reads from a
//! field, so that no compiler starts on the method's work before the probe has read the clock.
//!
//! The entry probe of a pinned method returns 0, which compilers cannot know because the recorder
//! is never inlined; every argument of a numeric type (JLS 4.2: not `boolean`) is combined with it
//! by exclusive or. Where there is none, the 0 waits in a local variable for the first number from
//! a field. No value changes, not even the payload of a NaN. The result needs no such tie: it lies
//! on the operand stack at the call of the exit probe, and a compiler must be able to tell the
//! interpreter what lies there when a call returns.

mod read;

use crate::descriptor::{Parameters, words};
use crate::method::MethodRewrite;
use crate::probes::{Probe, ProbeCode, ProbeRefs};
use crate::trivial;
use classfile_writer::{ACC_STATIC, Bci, Error, Landing, PoolTail, Scan, Splice, opcode};
use jfathom_plan::ProbeKind;
use read::FieldRead;

/// Whether a method is tied to its entry, or why not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PinOutcome {
    /// The plan does not ask for it.
    #[default]
    NotRequested,
    Pinned,
    /// It takes no number and reads none first from a field (a root: no integer).
    NoNumber,
    /// What runs before `super()` is no work of its own.
    Constructor,
    /// An empty body, a getter or a setter: nothing to move.
    Trivial,
    /// The code would not fit a limit.
    Size,
}

/// What of a method is tied to its entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PinSource {
    /// All arguments that can be.
    Arguments,
    /// The first number from a field, by way of a local variable that the method does not have.
    Read { read: FieldRead, local: u16 },
}

impl PinSource {
    /// What to tie of the method of `order`, as far as its shape goes; else why nothing is. `scan`
    /// must be of its code.
    pub(crate) fn of(order: &MethodRewrite<'_>, scan: &Scan) -> Result<Self, PinOutcome> {
        if !order.pin || order.probes.is_none() {
            Err(PinOutcome::NotRequested)
        } else if order.member.name.first() == Some(&b'<') {
            Err(PinOutcome::Constructor)
        } else if trivial::is_trivial(order.code.bytes()) {
            Err(PinOutcome::Trivial)
        } else if arguments(order).next().is_some() {
            Ok(Self::Arguments)
        } else {
            let read = FieldRead::first(order, scan).ok_or(PinOutcome::NoNumber)?;
            match order.code.max_locals() {
                u16::MAX => Err(PinOutcome::Size),
                local => Ok(Self::Read { read, local }),
            }
        }
    }

    /// Puts `entry`, which leaves the entry probe's result on the otherwise empty operand stack,
    /// into `splice`, and what takes the result from there.
    pub(crate) fn insert(
        self,
        order: &MethodRewrite<'_>,
        entry: ProbeCode,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
        splice: &mut Splice,
        scratch: &mut Vec<u8>,
    ) -> Result<(), Error> {
        scratch.clear();
        scratch.extend_from_slice(&entry.bytes());
        match self {
            Self::Arguments => {
                let depth = append_arguments(order, refs, pool, scratch)?;
                splice.need_stack(depth);
                splice.insert(Bci(0), scratch, Landing::After);
            }
            Self::Read { read, local } => {
                scratch.extend_from_slice(
                    &access(ProbeCode::default(), opcode::ISTORE, local).bytes(),
                );
                splice.need_stack(1);
                splice.insert(Bci(0), scratch, Landing::After);
                let load = access(ProbeCode::default(), opcode::ILOAD, local);
                let (code, words) = match read.number {
                    Number::Int => (load.push(&[opcode::IXOR]), 1),
                    Number::Long => (load.push(&[opcode::I2L, opcode::LXOR]), 2),
                    Number::Float => {
                        (load.push(&[opcode::SWAP]).call(refs.get(Probe::PIN_FLOAT, pool)?), 1)
                    }
                    Number::Double => (
                        load.push(&[opcode::DUP_X2, opcode::POP])
                            .call(refs.get(Probe::PIN_DOUBLE, pool)?),
                        2,
                    ),
                };
                splice.need_locals(u32::from(local) + 1);
                splice.deepen_stack(words);
                splice.insert(read.end, &code.bytes(), Landing::After);
            }
        }
        Ok(())
    }
}

/// Appends what combines each argument with the number on the otherwise empty operand stack, which
/// takes it from there. Gives how deep the stack gets.
fn append_arguments(
    order: &MethodRewrite<'_>,
    refs: &mut ProbeRefs,
    pool: &mut PoolTail<'_>,
    out: &mut Vec<u8>,
) -> Result<u16, Error> {
    let mut depth = 1;
    let mut all = arguments(order).peekable();
    while let Some((local, number)) = all.next() {
        let mut code = ProbeCode::default();
        let mut below = 0;
        if all.peek().is_some() {
            code = code.push(&[opcode::DUP]);
            below = 1;
        }
        let (code, words) = match number {
            Number::Int => (access(code, opcode::ILOAD, local).push(&[opcode::IXOR]), 2),
            Number::Long => {
                (access(code.push(&[opcode::I2L]), opcode::LLOAD, local).push(&[opcode::LXOR]), 4)
            }
            Number::Float => {
                (access(code, opcode::FLOAD, local).call(refs.get(Probe::PIN_FLOAT, pool)?), 2)
            }
            Number::Double => {
                (access(code, opcode::DLOAD, local).call(refs.get(Probe::PIN_DOUBLE, pool)?), 3)
            }
        };
        out.extend_from_slice(&access(code, number.store(), local).bytes());
        depth = depth.max(below + words);
    }
    Ok(depth)
}

/// A numeric type, as the operand stack has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
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

/// Whether a number of that type can be tied in the method of `order`.
///
/// In a root that is done by instructions only: between its entry probe and its handler, a call
/// might overflow the stack and leave the thread recording for ever.
fn can_tie(order: &MethodRewrite<'_>, number: Number) -> bool {
    !number.needs_call() || !matches!(order.probes, Some((_, ProbeKind::Root)))
}

/// The arguments that can be tied, with their local variables.
fn arguments(order: &MethodRewrite<'_>) -> impl Iterator<Item = (u16, Number)> {
    let mut next = u16::from(order.member.access & ACC_STATIC == 0);
    Parameters::of(order.member.descriptor).filter_map(move |parameter| {
        let local = next;
        // A method with more than 255 words of parameters does not link, but it may be read.
        next = next.saturating_add(words(parameter));
        Number::of(parameter).filter(|&number| can_tie(order, number)).map(|number| (local, number))
    })
}

/// `opcode` (the general load or store) on a local variable, in its shortest form.
fn access(code: ProbeCode, opcode: u8, local: u16) -> ProbeCode {
    let (general, first) = if opcode >= opcode::ISTORE {
        (opcode::ISTORE, opcode::ISTORE_0)
    } else {
        (opcode::ILOAD, opcode::ILOAD_0)
    };
    match u8::try_from(local) {
        Ok(local) if local < 4 => code.push(&[first + 4 * (opcode - general) + local]),
        _ => code.local(opcode, local),
    }
}
