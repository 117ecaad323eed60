//! The fields of the program: one set for each.

use super::uses::Use;
use super::{Element, OUTSIDE, Set};
use crate::descriptor::{Kind, kinds};
use crate::reach::Walk;
use crate::{ClassId, NameId, SigId};

impl Walk<'_, '_> {
    /// The set of a field, and its type.
    pub(super) fn field(&mut self, owner: NameId, field: SigId) -> (Set, Option<ClassId>) {
        let (name, descriptor) = self.world.names().parts(field);
        let descriptor = self.world.names().text(descriptor).to_vec();
        let of = match kinds(&descriptor).next() {
            Some(Kind::Class(name)) => Some(self.world.class(name)),
            _ => None,
        };
        let owner = self.world.class_of(owner);
        let found = self.field_class(owner, field);
        let foreign = found.is_none();
        let field = (found.unwrap_or(owner), field);
        let set = match self.flows().fields.get(&field) {
            Some(&known) => known,
            None => {
                let set = self.flows().add_sets(1);
                self.flows().fields.insert(field, set);
                if self.flows().shared.contains(&name) {
                    self.share_field(set, of);
                }
                set
            }
        };
        if foreign {
            self.share_field(set, of);
        }
        (set, of)
    }

    /// The class of the program that declares a field (JVMS 5.4.3.2).
    fn field_class(&mut self, owner: ClassId, field: SigId) -> Option<ClassId> {
        let supertypes = self.world.supertypes(owner);
        let declares =
            |walk: &mut Self, class| walk.world.is_program(class) && walk.world.flow(class).fields.contains(&field);
        supertypes.iter().copied().find(|&class| declares(self, class))
    }

    fn share_field(&mut self, set: Set, of: Option<ClassId>) {
        if let Some(of) = of {
            self.flows().insert(set, Element::outside(of));
            let shared = self.flows().uses[set as usize].iter().any(|it| matches!(it, Use::Flow(OUTSIDE, _)));
            if !shared {
                self.flows_to(set, OUTSIDE, None);
            }
        }
    }

    pub(super) fn share_fields(&mut self, name: NameId) {
        if !self.flows().shared.insert(name) {
            return;
        }
        let fields: Vec<(SigId, Set)> = self.flows().fields.iter().map(|it| (it.0.1, *it.1)).collect();
        for (field, set) in fields {
            let (of_name, descriptor) = self.world.names().parts(field);
            let descriptor = self.world.names().text(descriptor).to_vec();
            if of_name == name
                && let Some(Kind::Class(class)) = kinds(&descriptor).next()
            {
                let of = self.world.class(class);
                self.share_field(set, Some(of));
            }
        }
    }
}
