//! Fields that are read and written.

use super::tracer::{Stop, Tracer};
use super::{NOTHING, Step};
use crate::code::Reader;
use crate::descriptor::{Kind, kinds};
use classfile_writer::{Instruction, opcode};

impl Reader<'_, '_> {
    pub(super) fn field(&mut self, it: &Instruction<'_>, op: u8, tracer: &mut Tracer) -> Result<(), Stop> {
        let Some(ix) = it.pool_index() else { return Ok(()) };
        let texts = self.class.pool().member_names(ix)?;
        let Some(kind) = kinds(texts.descriptor).next() else { return Ok(()) };
        let read = op == opcode::GETSTATIC || op == 0xb4;
        let mut from = NOTHING;
        if !read {
            match kind {
                Kind::Number(slots) => tracer.pops(slots)?,
                Kind::Class(_) => from = tracer.pop()?,
            }
        }
        if op == 0xb4 || op == 0xb5 {
            tracer.pop()?;
        }
        let tracked = matches!(kind, Kind::Class(name) if name != b"java/lang/String");
        let (owner, field) = (self.names.intern(texts.class), self.names.sig_of(texts.name, texts.descriptor));
        if read {
            let to = self.value(tracer, kind);
            if tracked {
                self.step(Step::Get { to, owner, field });
            }
            self.push_value(tracer, kind, to);
        } else if tracked {
            self.step(Step::Put { from, owner, field });
        }
        Ok(())
    }
}
