//! The methods of lambdas' objects.

use super::{EMPTY, Set};
use crate::descriptor::{Kind, kinds};
use crate::flow::LOCALS;
use crate::reach::Walk;
use crate::reach::facts::Here;
use crate::{ClassId, Handle, InvokeKind, Reason};
use std::rc::Rc;

impl Walk<'_, '_> {
    /// The method of a lambda's object: it calls the target with what was captured and what it is given.
    pub(in crate::reach) fn lambda_body(&mut self, here: Here, handle: Handle, captured: &[Set]) {
        let Some((base, result)) = self.parameters(here.method) else { return };
        let row = self.world.row(here.method);
        let descriptor = self.world.names().descriptor_of(row.sig).to_vec();
        let mut args = captured.to_vec();
        let mut local = LOCALS + 1;
        for kind in kinds(crate::bootstrap::split(&descriptor).0) {
            match kind {
                Kind::Number(slots) => {
                    args.push(EMPTY);
                    local += slots as u32;
                }
                Kind::Class(_) => {
                    args.push(base + local);
                    local += 1;
                }
            }
        }
        let (kind, mut to) = match handle.kind {
            5 => (InvokeKind::Virtual, base + result),
            6 => (InvokeKind::Static, base + result),
            7 => (InvokeKind::Special, base + result),
            8 => (InvokeKind::Special, base + result),
            9 => (InvokeKind::Interface, base + result),
            _ => return,
        };
        if handle.kind == 8 {
            let class = self.world.class_of(handle.member.owner);
            self.init(here.node, class, Reason::Init);
            self.made(here, class, to);
            args.insert(0, to);
            to = EMPTY;
        }
        self.flow_call(here, kind, handle.member, args.into(), to, Reason::Lambda);
    }

    pub(in crate::reach) fn captured(&self, class: ClassId) -> Option<Rc<[Set]>> {
        self.flows.as_ref()?.captured.get(&class).cloned()
    }
}
