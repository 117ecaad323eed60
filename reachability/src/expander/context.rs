//! The expansion's context: the world, the roots, and classes that are asked for.

use crate::fast_hash::FastMap;
use crate::{MethodIx, NameId, SigId, World, access};

/// What the states of all schemes share.
pub(super) struct ExpansionContext<'s> {
    pub(super) world: World<'s>,
    pub(super) jdk_methods: bool,
    pub(super) providers: FastMap<NameId, Vec<NameId>>,
    pub(super) roots: FastMap<NameId, Vec<SigId>>,
    /// By method: whether it is not instrumented, though it was asked for.
    pub(super) refused: Vec<bool>,
    /// Classes that are to be asked for, and by name whether they were.
    pub(super) needs: Vec<NameId>,
    pub(super) asked: Vec<bool>,
}

/// What is known of a class.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TrackedClass {
    /// How many classes of the name are loaded. What is found of a class with none waits until one
    /// is.
    pub(super) copies: u32,
    /// In how many answers it was to be retransformed.
    pub(super) retransformed: u32,
}

impl ExpansionContext<'_> {
    /// Whether the world has such a method: events may name any, and those of classes that are
    /// gone.
    pub(super) fn has(&self, method: MethodIx) -> bool {
        let of_class =
            || self.world.methods_of(self.world.class_of_method(method)).any(|own| own == method);
        method.ix() < self.world.method_count() && of_class()
    }

    /// Whether the method can be instrumented, so that its first call is told.
    pub(super) fn can_be_chosen(&self, method: MethodIx) -> bool {
        let class = self.world.class_of_method(method);
        self.world.row(method).access & (access::ABSTRACT | access::NATIVE) == 0
            && !self.refused.get(method.ix()).copied().unwrap_or_default()
            && (self.world.is_program(class) || self.jdk_methods && self.world.is_from_file(class))
    }

    pub(super) fn need(&mut self, name: NameId) {
        if !std::mem::replace(slot(&mut self.asked, name.ix()), true) {
            self.needs.push(name);
        }
    }
}

/// An entry of a table that grows.
pub(super) fn slot<T: Default + Clone>(table: &mut Vec<T>, at: usize) -> &mut T {
    if table.len() <= at {
        table.resize(at + 1 + table.len() / 2, T::default());
    }
    &mut table[at]
}
