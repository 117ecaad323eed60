//! Calls: what goes there and what comes back.

use super::tracer::{Lost, Stop, Tracer};
use super::{NOTHING, STRING, Step};
use crate::InvokeKind;
use crate::code::Reader;
use crate::descriptor::{Kind, kinds};
use classfile_writer::{Instruction, opcode};

/// Methods of the JDK that find a field by its name.
const FIELD_LOOKUPS: &[&[u8]] = &[
    b"newUpdater",
    b"findVarHandle",
    b"findStaticVarHandle",
    b"findGetter",
    b"findSetter",
    b"findStaticGetter",
    b"findStaticSetter",
    b"getDeclaredField",
    b"getField",
    b"objectFieldOffset",
];

impl Reader<'_, '_> {
    /// Takes the arguments of a call from the stack; where they begin and how many they are.
    fn arguments(&mut self, tracer: &mut Tracer, parameters: &[u8], receiver: bool) -> Result<(u32, u32), Lost> {
        let mut args = Vec::new();
        let all: Vec<Kind<'_>> = kinds(parameters).collect();
        for kind in all.into_iter().rev() {
            match kind {
                Kind::Number(slots) => {
                    tracer.pops(slots)?;
                    args.push(NOTHING);
                }
                Kind::Class(_) => args.push(tracer.pop()?),
            }
        }
        if receiver {
            args.push(tracer.pop()?);
        }
        let start = self.flows.args.len() as u32;
        self.flows.args.extend(args.iter().rev());
        Ok((start, args.len() as u32))
    }

    pub(super) fn call(&mut self, it: &Instruction<'_>, op: u8, tracer: &mut Tracer) -> Result<(), Stop> {
        let Some(ix) = it.pool_index() else { return Ok(()) };
        let texts = self.class.pool().member_names(ix)?;
        let target = self.reference(ix)?;
        self.looks_up_fields |= FIELD_LOOKUPS.contains(&texts.name);
        let kind = match op {
            opcode::INVOKEVIRTUAL => InvokeKind::Virtual,
            opcode::INVOKESPECIAL => InvokeKind::Special,
            opcode::INVOKESTATIC => InvokeKind::Static,
            _ => InvokeKind::Interface,
        };
        let (parameters, result) = crate::bootstrap::split(texts.descriptor);
        let (args, count) = self.arguments(tracer, parameters, kind != InvokeKind::Static)?;
        let to = match kinds(result).next() {
            Some(kind) => {
                let to = self.value(tracer, kind);
                self.push_value(tracer, kind, to);
                to
            }
            None => NOTHING,
        };
        let to = if to == STRING { NOTHING } else { to };
        self.step(Step::Call { kind, target, args, count, to });
        Ok(())
    }

    pub(super) fn dynamic_call(&mut self, it: &Instruction<'_>, tracer: &mut Tracer) -> Result<(), Stop> {
        let Some(ix) = it.pool_index() else { return Ok(()) };
        let pool = self.class.pool();
        let name_and_type = pool.name_and_type(pool.dynamic(ix)?.name_and_type)?;
        let descriptor = pool.utf8(name_and_type.descriptor)?;
        let (parameters, result) = crate::bootstrap::split(descriptor);
        let (args, count) = self.arguments(tracer, parameters, false)?;
        if let Some(number) = self.lambda_at(ix) {
            let to = tracer.fresh();
            self.step(Step::Lambda { number, args, count, to });
            tracer.push(to);
            return Ok(());
        }
        for at in args..args + count {
            let from = self.flows.args[at as usize];
            self.step(Step::Escape { from });
        }
        self.flows.args.truncate(args as usize);
        for (owner, field) in self.components(ix)? {
            let to = tracer.fresh();
            self.step(Step::Get { to, owner, field });
            self.step(Step::Escape { from: to });
        }
        if let Some(kind) = kinds(result).next() {
            self.push_any(tracer, kind);
        }
        Ok(())
    }
}
