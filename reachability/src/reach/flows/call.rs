//! Calls in the program's code.

use super::site::{LATER, Site};
use super::uses::Use;
use super::{EMPTY, Set};
use crate::reach::Walk;
use crate::reach::facts::Here;
use crate::world::State;
use crate::{InvokeKind, MethodRef, Reason, access};
use std::rc::Rc;

impl Walk<'_, '_> {
    pub(super) fn flow_call(
        &mut self,
        here: Here,
        kind: InvokeKind,
        reference: MethodRef,
        args: Rc<[Set]>,
        to: Set,
        reason: Reason,
    ) {
        let Some((owner, resolved)) = self.resolved(here, kind, reference) else { return };
        let target = match kind {
            InvokeKind::Static => {
                let class = self.world.class_of_method(resolved);
                self.init(here.node, class, Reason::Init);
                resolved
            }
            InvokeKind::Special => match self.world.select_special(here.class, owner, resolved) {
                Ok(selected) => selected,
                Err(_) => return,
            },
            InvokeKind::Virtual | InvokeKind::Interface => {
                if matches!(self.world.get(owner).state, State::Array) {
                    // `clone` gives an array with the same elements.
                    let receiver = args.first().copied().unwrap_or(EMPTY);
                    self.flows_to(receiver, to, None);
                    return self.goto(here.node, resolved, reason);
                }
                if !self.is_bound(owner, resolved) {
                    let flows = self.flows();
                    let at = flows.sites.len() as u32;
                    let receiver = args.first().copied().unwrap_or(EMPTY);
                    flows.sites.push(Site { node: LATER, from: here.node, reason, owner, method: resolved, args, to });
                    return self.uses(receiver, Use::Call(at));
                }
                resolved
            }
        };
        if self.world.row(target).is(access::ABSTRACT) {
            return;
        }
        if kind == InvokeKind::Static {
            self.goto(here.node, target, reason);
            return self.link(target, &args, to, None, 0);
        }
        let flows = self.flows();
        let at = flows.sites.len() as u32;
        let receiver = args.first().copied().unwrap_or(EMPTY);
        flows.sites.push(Site { node: LATER, from: here.node, reason, owner, method: target, args, to });
        self.uses(receiver, Use::Bound(at));
    }
}
