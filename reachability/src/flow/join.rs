//! Where the stack of a jump meets another one.

use super::tracer::{Lost, Tracer};
use super::{Step, Var};
use crate::code::Reader;

impl Reader<'_, '_> {
    /// The stack that falls through meets that of jumps.
    pub(super) fn meet(&mut self, tracer: &mut Tracer, other: Vec<Var>) -> Result<(), Lost> {
        if !tracer.reachable {
            tracer.stack = other;
            tracer.reachable = true;
            return Ok(());
        }
        let mut stack = std::mem::take(&mut tracer.stack);
        self.merge(tracer, &mut stack, &other)?;
        tracer.stack = stack;
        Ok(())
    }

    fn merge(&mut self, tracer: &mut Tracer, stack: &mut [Var], other: &[Var]) -> Result<(), Lost> {
        if stack.len() != other.len() {
            return Err(Lost);
        }
        for (one, &two) in stack.iter_mut().zip(other) {
            if *one != two {
                let both = tracer.fresh();
                self.step(Step::Move { from: *one, to: both });
                self.step(Step::Move { from: two, to: both });
                *one = both;
            }
        }
        Ok(())
    }

    pub(super) fn jump(&mut self, tracer: &mut Tracer, from: u32, to: u32) -> Result<(), Lost> {
        if tracer.all.is_some() {
            return Ok(());
        }
        if to <= from {
            return if tracer.stack.is_empty() { Ok(()) } else { Err(Lost) };
        }
        match tracer.labels.remove(&to) {
            None => {
                tracer.labels.insert(to, tracer.stack.clone());
            }
            Some(mut known) => {
                let stack = tracer.stack.clone();
                self.merge(tracer, &mut known, &stack)?;
                tracer.labels.insert(to, known);
            }
        }
        Ok(())
    }

    pub(super) fn end(&mut self, tracer: &mut Tracer) {
        tracer.stack.clear();
        tracer.reachable = false;
    }
}
