//! Pinned entry probes: the method's first numeric input depends on the probe's result, so that no
//! compiler moves work of the method ahead of the clock read.
//!
//! A pinned entry probe returns 0. Compilers cannot know that, because the thread recorder is never
//! inlined. Every argument of a numeric type (JLS 4.2: not `boolean`) is combined with the result
//! by exclusive or. A method without such an argument keeps the 0 in a local variable for the first
//! number that it reads from a field. No value changes, not even the payload of a NaN.
//!
//! The method's result needs no pin: it lies on the operand stack at the call of the exit probe,
//! and a compiler must be able to tell the interpreter what lies there when a call returns.

mod number;
mod read;

use crate::descriptor::{Parameters, words};
use crate::method_rewrite::MethodRewrite;
use crate::probes::{ProbeCode, ProbeMethod, ProbeRefs};
use crate::trivial;
use classfile_writer::{ACC_STATIC, Bci, Error, Landing, PoolTail, Scan, Splice, opcode};
use number::{Number, can_pin};
use read::FieldRead;

/// Whether a method's entry probe is pinned, or why not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PinOutcome {
    /// The plan does not ask for it.
    #[default]
    NotRequested,
    Pinned,
    /// It takes no number, and reads none from a field before it branches or calls (a root: no
    /// integer).
    NoNumber,
    /// A constructor or class initializer: what runs before `super()` is no work of its own.
    Constructor,
    /// An empty body, a getter or a setter: nothing to move.
    Trivial,
    /// The code would not fit a limit.
    Size,
}

/// The numbers that are combined with the entry probe's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PinSource {
    /// All arguments that can be pinned.
    Arguments,
    /// The first number that is read from a field. The result waits in the new variable `local`.
    Read { read: FieldRead, local: u16 },
}

impl PinSource {
    /// The numbers to pin in a method, as far as its shape goes; else why there are none. `scan`
    /// must be of the method's code.
    pub(crate) fn find(method: &MethodRewrite<'_>, scan: &Scan) -> Result<Self, PinOutcome> {
        if !method.pin || method.probes.is_none() {
            Err(PinOutcome::NotRequested)
        } else if method.member.name.first() == Some(&b'<') {
            Err(PinOutcome::Constructor)
        } else if trivial::is_trivial(method.code.bytes()) {
            Err(PinOutcome::Trivial)
        } else if arguments(method).next().is_some() {
            Ok(Self::Arguments)
        } else {
            let read = FieldRead::first(method, scan).ok_or(PinOutcome::NoNumber)?;
            match method.code.max_locals() {
                u16::MAX => Err(PinOutcome::Size),
                local => Ok(Self::Read { read, local }),
            }
        }
    }

    /// Inserts `entry`, which leaves the entry probe's result on the otherwise empty operand stack,
    /// and the code that consumes the result.
    pub(crate) fn insert(
        self,
        method: &MethodRewrite<'_>,
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
                let depth = append_arguments(method, refs, pool, scratch)?;
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
                        (load.push(&[opcode::SWAP]).call(refs.get(ProbeMethod::PinFloat, pool)?), 1)
                    }
                    Number::Double => (
                        load.push(&[opcode::DUP_X2, opcode::POP])
                            .call(refs.get(ProbeMethod::PinDouble, pool)?),
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

/// Appends code that combines each argument with the number on the otherwise empty operand stack,
/// and consumes that number. Returns how deep the stack gets, in words.
fn append_arguments(
    method: &MethodRewrite<'_>,
    refs: &mut ProbeRefs,
    pool: &mut PoolTail<'_>,
    out: &mut Vec<u8>,
) -> Result<u16, Error> {
    let mut depth = 1;
    let mut all = arguments(method).peekable();
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
                (access(code, opcode::FLOAD, local).call(refs.get(ProbeMethod::PinFloat, pool)?), 2)
            }
            Number::Double => (
                access(code, opcode::DLOAD, local).call(refs.get(ProbeMethod::PinDouble, pool)?),
                3,
            ),
        };
        out.extend_from_slice(&access(code, number.store(), local).bytes());
        depth = depth.max(below + words);
    }
    Ok(depth)
}

/// The arguments that can be pinned, with their local variables.
fn arguments(method: &MethodRewrite<'_>) -> impl Iterator<Item = (u16, Number)> {
    let mut next = u16::from(method.member.access & ACC_STATIC == 0);
    Parameters::of(method.member.descriptor).filter_map(move |parameter| {
        let local = next;
        // A method with more than 255 words of parameters does not link, but it may be read.
        next = next.saturating_add(words(parameter));
        Number::from_descriptor(parameter)
            .filter(|&number| can_pin(method, number))
            .map(|number| (local, number))
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
