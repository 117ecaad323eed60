//! Values of a field descriptor on the stack.

use super::tracer::Tracer;
use super::{NOTHING, STRING, Step, Var};
use crate::code::Reader;
use crate::descriptor::Kind;

impl Reader<'_, '_> {
    /// A variable for a value of a field descriptor, already on its way: nothing for numbers.
    pub(super) fn value(&mut self, tracer: &mut Tracer, kind: Kind<'_>) -> Var {
        match kind {
            Kind::Number(_) => NOTHING,
            Kind::Class(b"java/lang/String") => STRING,
            Kind::Class(_) => tracer.fresh(),
        }
    }

    pub(super) fn push_value(&mut self, tracer: &mut Tracer, kind: Kind<'_>, var: Var) {
        match kind {
            Kind::Number(slots) => tracer.push_empty(slots),
            Kind::Class(_) => tracer.push(var),
        }
    }

    pub(super) fn push_any(&mut self, tracer: &mut Tracer, kind: Kind<'_>) {
        let to = self.value(tracer, kind);
        if let (Kind::Class(name), true) = (kind, to > STRING) {
            let class = self.names.intern(name);
            self.step(Step::Any { to, class });
        }
        self.push_value(tracer, kind, to);
    }
}
