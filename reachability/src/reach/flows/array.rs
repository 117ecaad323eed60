//! The elements of arrays: one set for each array type.

use super::{Element, OUTSIDE, Set};
use crate::ClassId;
use crate::descriptor::{Kind, kinds};
use crate::reach::Walk;
use crate::world::State;

impl Walk<'_, '_> {
    /// The class of an array type's elements; none for arrays of numbers and what is no array.
    pub(super) fn component(&mut self, class: ClassId) -> Option<ClassId> {
        if !matches!(self.world.get(class).state, State::Array) {
            return None;
        }
        let name = self.world.names().text(self.world.get(class).name).get(1..)?.to_vec();
        match kinds(&name).next()? {
            Kind::Class(name) => Some(self.world.class(name)),
            Kind::Number(_) => None,
        }
    }

    /// The set of the elements of an array type.
    pub(super) fn array(&mut self, class: ClassId, of: ClassId) -> Set {
        if let Some(&known) = self.flows().arrays.get(&class) {
            return known;
        }
        let set = self.flows().add_sets(1);
        self.flows().arrays.insert(class, set);
        if self.flows().outside.contains(&class) {
            self.share_array(set, of);
        }
        set
    }

    pub(super) fn share_array(&mut self, set: Set, of: ClassId) {
        self.flows().insert(set, Element::outside(of));
        self.flows_to(set, OUTSIDE, None);
    }
}
