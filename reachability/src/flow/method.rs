//! The flow of one method, instruction by instruction.

use super::tracer::{Stop, Tracer};
use super::{Flow, LOCALS, NOTHING, STRING, Step};
use crate::code::Reader;
use crate::descriptor::{Kind, kinds};
use crate::fast::FastMap;
use crate::mirror::access;
use classfile_writer::{Code, Error, PoolIx};

impl Reader<'_, '_> {
    /// Lists the flow of a method.
    pub(crate) fn flow(&mut self, code: &Code<'_>, flags: u16, descriptor: &[u8]) -> Result<(), Error> {
        let (start, args) = (self.flows.steps.len(), self.flows.args.len());
        let result = LOCALS + u32::from(code.max_locals());
        let mut tracer = Tracer::new(result, None);
        let mut done = self.trace(code, &mut tracer);
        if matches!(done, Err(Stop::Lost)) {
            self.flows.steps.truncate(start);
            self.flows.args.truncate(args);
            let all = result + 1;
            tracer = Tracer::new(result, Some(all));
            for local in 0..parameter_slots(flags, descriptor).min(u32::from(code.max_locals())) {
                self.step(Step::Move { from: LOCALS + local, to: all });
            }
            self.step(Step::Move { from: STRING, to: all });
            self.step(Step::Move { from: all, to: result });
            done = self.trace(code, &mut tracer);
        }
        if let Err(Stop::Error(error)) = done {
            return Err(error);
        }
        if self.looks_up_fields {
            for at in 0..self.member_names.len() {
                let name = self.names.intern(self.member_names[at]);
                self.step(Step::Shared { name });
            }
        }
        let len = (self.flows.steps.len() - start) as u32;
        let flow = Flow { vars: tracer.next, result, start: start as u32, len };
        if let Some(last) = self.flows.methods.last_mut() {
            *last = flow;
        }
        Ok(())
    }

    pub(super) fn step(&mut self, step: Step) {
        let moves_nothing = match step {
            Step::Move { from, to } => from == NOTHING || from == to,
            Step::Cast { from, .. } | Step::Put { from, .. } | Step::Store { from, .. } | Step::Escape { from } => {
                from == NOTHING
            }
            _ => false,
        };
        if !moves_nothing {
            self.flows.steps.push(step);
        }
    }

    fn trace(&mut self, code: &Code<'_>, tracer: &mut Tracer) -> Result<(), Stop> {
        let mut handlers: FastMap<u32, Vec<PoolIx>> = FastMap::default();
        for entry in code.exceptions() {
            let types = handlers.entry(entry.handler.0).or_default();
            if !types.contains(&entry.catch_type) {
                types.push(entry.catch_type);
            }
        }
        for instruction in code.instructions() {
            let it = instruction?;
            if tracer.all.is_none()
                && let Some(waiting) = tracer.labels.remove(&it.bci.0)
            {
                self.meet(tracer, waiting)?;
            }
            if let Some(types) = handlers.get(&it.bci.0) {
                let caught = tracer.fresh();
                for &ix in types {
                    let class = match ix {
                        PoolIx(0) => self.names.intern(b"java/lang/Throwable"),
                        ix => self.names.intern(self.class.pool().class_name(ix)?),
                    };
                    self.step(Step::Any { to: caught, class });
                }
                if tracer.all.is_none() {
                    self.meet(tracer, vec![caught])?;
                }
            }
            // What only later jumps lead to begins with nothing on the stack.
            tracer.reachable = true;
            self.instruction(&it, tracer)?;
        }
        Ok(())
    }
}

/// How many local variables the parameters take.
fn parameter_slots(flags: u16, descriptor: &[u8]) -> u32 {
    let (parameters, _) = crate::bootstrap::split(descriptor);
    let slots = kinds(parameters).map(|kind| if let Kind::Number(slots) = kind { slots as u32 } else { 1 });
    slots.sum::<u32>() + u32::from(flags & access::STATIC == 0)
}
