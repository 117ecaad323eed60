//! What is done with the elements of a set, those that are there and those that come.

use super::{EMPTY, Element, OUTSIDE, Set};
use crate::ClassId;
use crate::reach::Walk;

/// What is done with each element of a set.
#[derive(Clone, Copy)]
pub(super) enum Use {
    /// Those of the class go there.
    Flow(Set, Option<ClassId>),
    /// A call on them.
    Call(u32),
    /// A call of a certain method on them.
    Bound(u32),
    /// The elements of the array go there.
    Load(Set),
    /// What is there becomes elements of the array.
    Store(Set),
}

impl Walk<'_, '_> {
    /// Moves elements until all is still.
    pub(in crate::reach) fn settle(&mut self) {
        while let Some((set, element)) = self.flows.as_mut().and_then(|flows| flows.work.pop()) {
            if set == OUTSIDE {
                if element.is_exact() {
                    self.expose(element.class());
                }
                continue;
            }
            let mut at = 0;
            while let Some(&once) = self.flows().uses[set as usize].get(at) {
                at += 1;
                self.apply(once, element);
            }
        }
    }

    pub(super) fn uses(&mut self, set: Set, once: Use) {
        if set == EMPTY {
            return;
        }
        self.flows().uses[set as usize].push(once);
        let mut at = 0;
        while let Some(&element) = self.flows().elements[set as usize].get(at) {
            at += 1;
            self.apply(once, element);
        }
    }

    pub(super) fn flows_to(&mut self, from: Set, to: Set, of: Option<ClassId>) {
        if from != to && to != EMPTY {
            self.uses(from, Use::Flow(to, of));
        }
    }

    fn apply(&mut self, once: Use, element: Element) {
        match once {
            Use::Flow(to, of) => {
                if let Some(element) = self.narrow(element, of) {
                    self.flows().insert(to, element);
                }
            }
            Use::Call(site) => self.call_on(site, element),
            Use::Bound(site) => self.call_bound(site, element),
            Use::Load(to) => {
                let class = element.class();
                match (self.component(class), element.is_exact()) {
                    (Some(of), true) => {
                        let elements = self.array(class, of);
                        self.flows_to(elements, to, None);
                    }
                    (Some(of), false) => self.flows().insert(to, Element::outside(of)),
                    (None, true) => {}
                    (None, false) => {
                        let object = self.world.object();
                        self.flows().insert(to, Element::outside(object));
                    }
                }
            }
            Use::Store(from) => {
                let class = element.class();
                match (self.component(class), element.is_exact()) {
                    (Some(of), true) => {
                        let elements = self.array(class, of);
                        self.flows_to(from, elements, Some(of));
                    }
                    (_, false) => self.flows_to(from, OUTSIDE, None),
                    (None, true) => {}
                }
            }
        }
    }
}
