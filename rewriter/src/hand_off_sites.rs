//! Call sites that hand tasks off, and the code in front of them.

use crate::descriptor::{Parameters, class_name, words};
use crate::hand_off::{HandOff, HandOffKind, TaskPosition, hand_off, may_hand_off};
use crate::member_refs::MemberRefs;
use crate::probes::{ProbeCode, ProbeMethod, ProbeRefs};
use classfile_writer::{
    Bci, ClassFile, Code, Error, Landing, MemberNames, PoolTail, Splice, opcode,
};

/// The method references of a class that may hand off a task. Whether the call is static decides
/// at the call site.
#[derive(Debug, Default)]
pub(crate) struct HandOffRefs(MemberRefs);

impl HandOffRefs {
    /// Looks through a class's pool.
    pub(crate) fn find(&mut self, class: &ClassFile<'_>) {
        let hands_off = |is_static, callee: &MemberNames<'_>| {
            hand_off(callee.class, callee.name, callee.descriptor, is_static).is_some()
        };
        self.0.find(class, |callee| {
            may_hand_off(callee.class, callee.name)
                && (hands_off(false, callee) || hands_off(true, callee))
        });
    }

    /// Forgets those of the last class.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Fills `sites` with the calls in `code` that hand something off.
    pub(crate) fn sites<'c>(
        &self,
        code: &Code<'c>,
        sites: &mut Vec<HandOffSite<'c>>,
    ) -> Result<(), Error> {
        sites.clear();
        if self.is_empty() {
            return Ok(());
        }
        for instruction in code.instructions() {
            let instruction = instruction?;
            let is_static = instruction.opcode == opcode::INVOKESTATIC;
            if !is_static
                && !matches!(
                    instruction.opcode,
                    opcode::INVOKEVIRTUAL | opcode::INVOKEINTERFACE | opcode::INVOKESPECIAL
                )
            {
                continue;
            }
            let Some(ix) = instruction.pool_index().filter(|ix| self.0.contains(*ix)) else {
                continue;
            };
            let names = code.class().pool().member_names(ix)?;
            if let Some(found) = hand_off(names.class, names.name, names.descriptor, is_static) {
                sites.push(HandOffSite {
                    bci: instruction.bci,
                    hand_off: found,
                    descriptor: names.descriptor,
                });
            }
        }
        Ok(())
    }
}

/// One call site.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HandOffSite<'c> {
    pub(crate) bci: Bci,
    hand_off: HandOff,
    descriptor: &'c [u8],
}

impl HandOffSite<'_> {
    /// Inserts the probe's code in front of the call. `free` is the first unused local variable.
    ///
    /// Values above a task on the stack wait in local variables. They are all arguments of the
    /// call, so none is an uninitialised object, and no frame lies between.
    pub(crate) fn insert(
        &self,
        splice: &mut Splice,
        refs: &mut ProbeRefs,
        pool: &mut PoolTail<'_>,
        free: u16,
        scratch: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let callee = refs.get(ProbeMethod::hand_off(self.hand_off.mark), pool)?;
        scratch.clear();
        match self.hand_off.what {
            TaskPosition::Receiver => {
                splice.deepen_stack(1);
                scratch.extend_from_slice(
                    &ProbeCode::default().push(&[opcode::DUP]).call(callee).bytes(),
                );
            }
            TaskPosition::Parameters(bits) => {
                let lowest = bits.trailing_zeros() as usize;
                let above: Vec<&[u8]> = Parameters::of(self.descriptor).skip(lowest).collect();
                let mut kept: Vec<(u8, u16)> = Vec::with_capacity(above.len());
                let mut next = u32::from(free);
                for (i, parameter) in above.iter().enumerate().rev() {
                    if bits >> (lowest + i) & 1 == 1 {
                        let mut call = ProbeCode::default().call(callee);
                        // The probe for collections returns a Collection.
                        if self.hand_off.mark != HandOffKind::All
                            && let Some(class) = class_name(parameter)
                        {
                            call = call.indexed(opcode::CHECKCAST, pool.class(class)?);
                        }
                        scratch.extend_from_slice(&call.bytes());
                    }
                    if i > 0 {
                        let offset = opcode_offset(parameter);
                        // `need_locals` fails for numbers past the last local variable.
                        let local = next.min(u32::from(u16::MAX)) as u16;
                        scratch.extend_from_slice(
                            &ProbeCode::default().local(opcode::ISTORE + offset, local).bytes(),
                        );
                        kept.push((offset, local));
                        next += u32::from(words(parameter));
                    }
                }
                for (offset, local) in kept.into_iter().rev() {
                    scratch.extend_from_slice(
                        &ProbeCode::default().local(opcode::ILOAD + offset, local).bytes(),
                    );
                }
                splice.need_locals(next);
            }
        }
        splice.insert(self.bci, scratch, Landing::Before);
        Ok(())
    }
}

/// The offset of a type's load and store from `iload` and `istore`, in the order `i`, `l`, `f`,
/// `d`, `a`.
fn opcode_offset(field_descriptor: &[u8]) -> u8 {
    match field_descriptor.first() {
        Some(b'J') => 1,
        Some(b'F') => 2,
        Some(b'D') => 3,
        Some(b'L' | b'[') => 4,
        _ => 0,
    }
}
