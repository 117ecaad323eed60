//! Constants that are put on the stack.

use super::tracer::{Stop, Tracer};
use super::{STRING, Step};
use crate::code::Reader;
use crate::descriptor::{Kind, kinds};
use classfile_writer::{Instruction, Tag};

impl Reader<'_, '_> {
    pub(super) fn loaded_constant(&mut self, it: &Instruction<'_>, tracer: &mut Tracer) -> Result<(), Stop> {
        let Some(ix) = it.pool_index() else { return Ok(()) };
        let pool = self.class.pool();
        match pool.tag(ix) {
            Some(Tag::String) => tracer.push(STRING),
            Some(Tag::Class) => {
                let class = self.names.intern(b"java/lang/Class");
                let to = tracer.fresh();
                self.step(Step::New { to, class });
                tracer.push(to);
            }
            Some(Tag::Integer | Tag::Float) => tracer.push_empty(1),
            Some(Tag::Dynamic) => {
                let name_and_type = pool.name_and_type(pool.dynamic(ix)?.name_and_type)?;
                let descriptor = pool.utf8(name_and_type.descriptor)?;
                if let Some(kind) = kinds(descriptor).next() {
                    self.push_any(tracer, kind);
                }
            }
            _ => {
                let object = Kind::Class(b"java/lang/Object");
                self.push_any(tracer, object);
            }
        }
        Ok(())
    }
}
