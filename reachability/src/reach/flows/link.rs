//! Arguments that go to a method's parameters, and results that come back.

use super::{Element, OUTSIDE, Set};
use crate::descriptor::{Kind, kinds};
use crate::flow::{LOCALS, Var};
use crate::reach::Walk;
use crate::{ClassId, MethodIx, access};

impl Walk<'_, '_> {
    /// Arguments go to the parameters of a method, and its result comes back. A receiver of an exact class goes alone;
    /// `at` then tells the call sites apart.
    pub(super) fn link(&mut self, target: MethodIx, args: &[Set], to: Set, receiver: Option<ClassId>, at: u32) {
        let row = self.world.row(target);
        let is_static = row.is(access::STATIC);
        let known = match receiver {
            // The other arguments went there with the first receiver.
            Some(_) => !self.flows().linked.insert((at, target, ClassId(u32::MAX))),
            None => false,
        };
        let followed = self.parameters(target);
        let descriptor = self.world.names().descriptor_of(row.sig).to_vec();
        let (parameters, result) = crate::bootstrap::split(&descriptor);
        if followed.is_none() && self.keeps_nothing(target) {
            // `getClass` has a result all the same.
            return self.result_from_outside(result, to);
        }
        let mut rest = args;
        let mut local = LOCALS;
        if !is_static {
            let this = followed.as_ref().map_or(OUTSIDE, |it| it.0 + local);
            match (receiver, rest.split_first()) {
                (Some(class), _) => self.flows().insert(this, Element::exact(class)),
                (None, Some((&set, _))) => self.flows_to(set, this, Some(row.class)),
                (None, None) => {}
            }
            rest = rest.get(1..).unwrap_or_default();
            local += 1;
        }
        if known {
            return;
        }
        for (kind, &set) in kinds(parameters).zip(rest) {
            match kind {
                Kind::Number(slots) => local += slots as u32,
                Kind::Class(name) => {
                    let of = self.world.class(name);
                    let parameter = followed.as_ref().map_or(OUTSIDE, |it| it.0 + local);
                    self.flows_to(set, parameter, Some(of));
                    local += 1;
                }
            }
        }
        match (followed, kinds(result).next()) {
            (Some((base, result)), Some(Kind::Class(name))) => {
                let of = self.world.class(name);
                self.flows_to(base + result, to, Some(of));
            }
            _ => self.result_from_outside(result, to),
        }
    }

    /// The sets of a method whose objects are followed: where they begin, and the variable of its result.
    pub(super) fn parameters(&mut self, method: MethodIx) -> Option<(Set, Var)> {
        let class = self.world.class_of_method(method);
        if self.flows().captured.contains_key(&class) {
            let descriptor = self.world.names().descriptor_of(self.world.row(method).sig);
            let slots = kinds(crate::bootstrap::split(descriptor).0).map(|kind| match kind {
                Kind::Number(slots) => slots as u32,
                Kind::Class(_) => 1,
            });
            let result = LOCALS + 1 + slots.sum::<u32>();
            return Some((self.sets_of(method, result + 1), result));
        }
        let (_, flow) = self.flow_of(method)?;
        Some((self.sets_of(method, flow.vars), flow.result))
    }

    pub(super) fn sets_of(&mut self, method: MethodIx, vars: u32) -> Set {
        if let Some(&known) = self.flows().methods.get(&method) {
            return known;
        }
        let base = self.flows().add_sets(vars);
        self.flows().methods.insert(method, base);
        base
    }
}
