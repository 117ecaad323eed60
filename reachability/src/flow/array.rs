//! Arrays of objects that are made, with the arrays in them.

use super::Step;
use super::tracer::{Stop, Tracer};
use crate::code::Reader;
use classfile_writer::Instruction;

impl Reader<'_, '_> {
    pub(super) fn new_array(&mut self, it: &Instruction<'_>, op: u8, tracer: &mut Tracer) -> Result<(), Stop> {
        let Some(ix) = it.pool_index() else { return Ok(()) };
        let name = self.class.pool().class_name(ix)?;
        let to = tracer.fresh();
        let mut class = match (op, name.first()) {
            (0xc5, _) => name.to_vec(),
            (_, Some(b'[')) => [b"[", name].concat(),
            _ => [b"[L", name, b";"].concat(),
        };
        let dimensions = if op == 0xc5 { usize::from(it.bytes().get(3).copied().unwrap_or(1)) } else { 1 };
        tracer.pops(dimensions)?;
        tracer.push(to);
        let (mut array, mut left) = (to, dimensions);
        loop {
            let id = self.names.intern(&class);
            self.step(Step::New { to: array, class: id });
            left -= usize::from(left > 0);
            if left == 0 || !class.starts_with(b"[[") {
                return Ok(());
            }
            class.remove(0);
            let inner = tracer.fresh();
            self.step(Step::Store { array, from: inner });
            array = inner;
        }
    }
}
