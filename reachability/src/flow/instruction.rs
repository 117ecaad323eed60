//! What one instruction does with the stack and the locals (JVMS 6.5).

use super::tracer::{Lost, Stop, Tracer};
use super::{LOCALS, NOTHING, STRING, Step};
use crate::code::Reader;
use classfile_writer::{Instruction, opcode};

impl Reader<'_, '_> {
    pub(super) fn instruction(&mut self, it: &Instruction<'_>, tracer: &mut Tracer) -> Result<(), Stop> {
        let op = it.widened().unwrap_or(it.opcode);
        let local = |base: u8| it.local().map_or(u32::from(op.wrapping_sub(base)), u32::from);
        match op {
            0x01 => tracer.push(NOTHING),
            0x02..=0x08 | 0x0b..=0x0d | 0x10 | 0x11 | 0x15 | 0x17 | 0x1a..=0x1d | 0x22..=0x25 => tracer.push_empty(1),
            0x09 | 0x0a | 0x0e | 0x0f | 0x14 | 0x16 | 0x18 | 0x1e..=0x21 | 0x26..=0x29 => tracer.push_empty(2),
            opcode::LDC | opcode::LDC_W => self.loaded_constant(it, tracer)?,
            0x19 | 0x2a..=0x2d => {
                let var = LOCALS + local(0x2a);
                if let Some(all) = tracer.all {
                    self.step(Step::Move { from: var, to: all });
                }
                tracer.push(var);
            }
            // Of arrays: numbers.
            0x2e | 0x30 | 0x33..=0x35 => self.replace(tracer, 2, 1)?,
            0x2f | 0x31 => self.replace(tracer, 2, 2)?,
            0x32 => {
                tracer.pop()?;
                let array = tracer.pop()?;
                let to = tracer.fresh();
                self.step(Step::Load { array, to });
                tracer.push(to);
            }
            0x36 | 0x38 | 0x3b..=0x3e | 0x43..=0x46 | 0x57 | 0xc2 | 0xc3 => tracer.pops(1)?,
            0x37 | 0x39 | 0x3f..=0x42 | 0x47..=0x4a | 0x58 => tracer.pops(2)?,
            0x3a | 0x4b..=0x4e => {
                let from = tracer.pop()?;
                self.step(Step::Move { from, to: LOCALS + local(0x4b) });
            }
            0x4f | 0x51 | 0x54..=0x56 => tracer.pops(3)?,
            0x50 | 0x52 => tracer.pops(4)?,
            0x53 => {
                let from = tracer.pop()?;
                tracer.pop()?;
                let array = tracer.pop()?;
                self.step(Step::Store { array, from });
            }
            0x59 => tracer.duplicate(1, 0)?,
            0x5a => tracer.duplicate(1, 1)?,
            0x5b => tracer.duplicate(1, 2)?,
            0x5c => tracer.duplicate(2, 0)?,
            0x5d => tracer.duplicate(2, 1)?,
            0x5e => tracer.duplicate(2, 2)?,
            0x5f => {
                let (one, two) = (tracer.pop()?, tracer.pop()?);
                tracer.push(one);
                tracer.push(two);
            }
            0x60..=0x73 => match op & 1 {
                0 => self.replace(tracer, 2, 1)?,
                _ => self.replace(tracer, 4, 2)?,
            },
            0x78 | 0x7a | 0x7c | 0x7e | 0x80 | 0x82 | 0x95 | 0x96 => self.replace(tracer, 2, 1)?,
            0x79 | 0x7b | 0x7d => self.replace(tracer, 3, 2)?,
            0x7f | 0x81 | 0x83 => self.replace(tracer, 4, 2)?,
            0x85 | 0x87 | 0x8c | 0x8d => self.replace(tracer, 1, 2)?,
            0x88 | 0x89 | 0x8e | 0x90 => self.replace(tracer, 2, 1)?,
            0x94 | 0x97 | 0x98 => self.replace(tracer, 4, 1)?,
            0xbc | 0xbe | 0xc1 => self.replace(tracer, 1, 1)?,
            0x99..=0x9e | 0xc6 | 0xc7 | 0x9f..=0xa6 => {
                tracer.pops(if matches!(op, 0x9f..=0xa6) { 2 } else { 1 })?;
                if let Some(to) = it.branch_target() {
                    self.jump(tracer, it.bci.0, to.0)?;
                }
            }
            0xa7 | 0xc8 => {
                if let Some(to) = it.branch_target() {
                    self.jump(tracer, it.bci.0, to.0)?;
                }
                self.end(tracer);
            }
            0xa8 | 0xa9 | 0xc9 if tracer.all.is_none() => return Err(Stop::Lost),
            0xaa | 0xab => {
                tracer.pops(1)?;
                if let Some(switch) = it.switch() {
                    let targets = switch.cases().map(|case| case.1).chain([switch.default()]);
                    for to in targets.flatten() {
                        self.jump(tracer, it.bci.0, to.0)?;
                    }
                }
                self.end(tracer);
            }
            0xb0 => {
                let from = tracer.pop()?;
                self.step(Step::Move { from, to: tracer.result });
                self.end(tracer);
            }
            0xac..=0xaf | 0xb1 | 0xbf => self.end(tracer),
            opcode::GETSTATIC | opcode::PUTSTATIC | 0xb4 | 0xb5 => self.field(it, op, tracer)?,
            opcode::INVOKEVIRTUAL | opcode::INVOKESPECIAL | opcode::INVOKESTATIC | opcode::INVOKEINTERFACE => {
                self.call(it, op, tracer)?;
            }
            opcode::INVOKEDYNAMIC => self.dynamic_call(it, tracer)?,
            opcode::NEW => {
                let Some(ix) = it.pool_index() else { return Ok(()) };
                let class = self.names.intern(self.class.pool().class_name(ix)?);
                let to = tracer.fresh();
                self.step(Step::New { to, class });
                tracer.push(to);
            }
            0xbd | 0xc5 => self.new_array(it, op, tracer)?,
            0xc0 => {
                let Some(ix) = it.pool_index() else { return Ok(()) };
                let from = tracer.pop()?;
                match self.class.pool().class_name(ix)? {
                    b"java/lang/String" => tracer.push(STRING),
                    class => {
                        let class = self.names.intern(class);
                        let to = if from == NOTHING { NOTHING } else { tracer.fresh() };
                        self.step(Step::Cast { from, to, class });
                        tracer.push(to);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// In the place of numbers, and of arrays of numbers, come numbers.
    fn replace(&mut self, tracer: &mut Tracer, pops: usize, pushes: usize) -> Result<(), Lost> {
        tracer.pops(pops)?;
        tracer.push_empty(pushes);
        Ok(())
    }
}
