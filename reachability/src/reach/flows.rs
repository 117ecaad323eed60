//! How objects flow through the program's code: a type set for each variable, field and array type; one set for all code
//! of the JDK and for all that is not looked into.

mod array;
mod call;
mod element;
mod field;
mod filter;
mod lambda;
mod link;
mod method;
mod outside;
mod site;
mod uses;

use super::Walk;
use crate::fast::{FastMap, FastSet};
use crate::{ClassId, MethodIx, NameId, SigId};
use element::Element;
use site::Site;
use std::rc::Rc;
use uses::Use;

/// A set of types: of a variable, a field, the elements of an array type.
type Set = u32;
/// Holds nothing and is never added to.
const EMPTY: Set = 0;
/// What code that is not looked into has.
const OUTSIDE: Set = 1;
/// `String` alone.
const STRINGS: Set = 2;

#[derive(Default)]
pub(super) struct Flows {
    elements: Vec<Vec<Element>>,
    uses: Vec<Vec<Use>>,
    /// By set: the classes of which it has all that is outside.
    cones: Vec<Vec<ClassId>>,
    object: Option<ClassId>,
    held: FastSet<u64>,
    work: Vec<(Set, Element)>,
    sites: Vec<Site>,
    /// By method: where its variables begin.
    methods: FastMap<MethodIx, Set>,
    /// Methods that code which is not looked into calls.
    entered: FastSet<MethodIx>,
    fields: FastMap<(ClassId, SigId), Set>,
    /// Names of fields that reflection reads and writes.
    shared: FastSet<NameId>,
    arrays: FastMap<ClassId, Set>,
    /// By class of a lambda: what it captured.
    captured: FastMap<ClassId, Rc<[Set]>>,
    linked: FastSet<(u32, MethodIx, ClassId)>,
    /// By class: the calls on what of the outside is of the class.
    waiting: FastMap<ClassId, Vec<u32>>,
    outside_sites: FastMap<(ClassId, MethodIx), u32>,
    outside: FastSet<ClassId>,
    fits: FastMap<(ClassId, ClassId), bool>,
    dispatch_nodes: FastMap<(u32, ClassId, MethodIx), u32>,
    /// Whether whatever is allocated is outside too.
    pub(super) open: bool,
}

impl Flows {
    pub(super) fn new(string: ClassId, object: ClassId) -> Self {
        let mut flows = Self { object: Some(object), ..Self::default() };
        flows.add_sets(3);
        flows.insert(STRINGS, Element::exact(string));
        flows
    }

    /// Adds some empty sets; gives the first.
    fn add_sets(&mut self, count: u32) -> Set {
        let first = self.elements.len();
        self.elements.resize(first + count as usize, Vec::new());
        self.uses.resize(first + count as usize, Vec::new());
        self.cones.resize(first + count as usize, Vec::new());
        first as Set
    }

    /// Adds an element, unless the set has it already as part of the outside.
    fn insert(&mut self, set: Set, element: Element) {
        if set > OUTSIDE {
            let cones = &self.cones[set as usize];
            if !cones.is_empty() {
                let class = element.class();
                let covers = |&cone: &ClassId| {
                    cone == class || self.object == Some(cone) || self.fits.get(&(class, cone)) == Some(&true)
                };
                if (!element.is_exact() || self.outside.contains(&class)) && cones.iter().any(covers) {
                    return;
                }
            }
            if !element.is_exact() {
                self.cones[set as usize].push(element.class());
            }
        } else if set == OUTSIDE && (!element.is_exact() || self.outside.contains(&element.class())) {
            return;
        }
        if set != EMPTY && self.held.insert(u64::from(set) << 32 | u64::from(element.0)) {
            self.elements[set as usize].push(element);
            self.work.push((set, element));
        }
    }
}

impl Walk<'_, '_> {
    fn flows(&mut self) -> &mut Flows {
        self.flows.as_mut().expect("only asked for where there are flows")
    }
}
