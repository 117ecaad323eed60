//! What of a set is of a class.

use super::Element;
use crate::ClassId;
use crate::reach::Walk;
use crate::world::State;

impl Walk<'_, '_> {
    /// What of an element is of a class.
    pub(super) fn narrow(&mut self, element: Element, of: Option<ClassId>) -> Option<Element> {
        let Some(of) = of else { return Some(element) };
        let class = element.class();
        if self.fits(class, of) {
            return Some(element);
        }
        if element.is_exact() {
            return None;
        }
        let open = |walk: &Self, it| walk.world.is_interface(it);
        let array = |walk: &Self, it| matches!(walk.world.get(it).state, State::Array);
        let disjoint =
            !self.fits(of, class) && (array(self, class) || array(self, of) || !open(self, class) && !open(self, of));
        (!disjoint).then_some(Element::outside(of))
    }

    /// Whether objects of the first are objects of the second, as far as is known.
    fn fits(&mut self, class: ClassId, of: ClassId) -> bool {
        if class == of || of == self.world.object() || self.world.is_missing(of) {
            return true;
        }
        if let Some(&known) = self.flows().fits.get(&(class, of)) {
            return known;
        }
        let fits = match (self.component(class), self.component(of)) {
            (Some(class), Some(of)) => self.fits(class, of),
            (Some(_), None) => {
                matches!(self.world.class_name(of).as_str(), "java/lang/Cloneable" | "java/io/Serializable")
            }
            _ => self.world.is_subtype(class, of) || self.has_gap(class),
        };
        self.flows().fits.insert((class, of), fits);
        fits
    }

    /// Whether a supertype of the class is missing.
    fn has_gap(&mut self, class: ClassId) -> bool {
        self.world.supertypes(class).iter().any(|&it| self.world.is_missing(it))
    }
}
