//! Context of an expansion: world, roots, and requested classes.

use crate::{MethodIx, NameId, SigId, World, access};
use rustc_hash::FxHashMap;

/// Data that the states of all schemes share.
pub(super) struct ExpansionContext<'s> {
    pub(super) world: World<'s>,
    pub(super) jdk_methods: bool,
    pub(super) providers: FxHashMap<NameId, Vec<NameId>>,
    pub(super) roots: FxHashMap<NameId, Vec<SigId>>,
    /// By method: whether the agent cannot instrument it.
    pub(super) refused: Vec<bool>,
    /// Classes to request.
    pub(super) needs: Vec<NameId>,
    /// By name: whether its class was requested.
    pub(super) requested: Vec<bool>,
}

/// State of a class name.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TrackedClass {
    /// Number of loaded classes of that name. Methods of a class without any wait until one is
    /// loaded.
    pub(super) copies: u32,
    /// Number of answers in which it was retransformed.
    pub(super) retransformed: u32,
}

impl ExpansionContext<'_> {
    /// Whether the world has the method. An event may name one of an unloaded class.
    pub(super) fn has(&self, method: MethodIx) -> bool {
        let of_class =
            || self.world.methods_of(self.world.class_of_method(method)).any(|own| own == method);
        method.ix() < self.world.method_count() && of_class()
    }

    /// Whether the method can be instrumented, and so reports its first call.
    pub(super) fn can_be_chosen(&self, method: MethodIx) -> bool {
        let class = self.world.class_of_method(method);
        self.world.row(method).access & (access::ABSTRACT | access::NATIVE) == 0
            && !self.refused.get(method.ix()).copied().unwrap_or_default()
            && (self.world.is_program(class) || self.jdk_methods && self.world.is_from_file(class))
    }

    pub(super) fn need(&mut self, name: NameId) {
        if !std::mem::replace(slot(&mut self.requested, name.ix()), true) {
            self.needs.push(name);
        }
    }
}

/// The entry at an index. The table grows as needed.
pub(super) fn slot<T: Default + Clone>(table: &mut Vec<T>, at: usize) -> &mut T {
    if table.len() <= at {
        table.resize(at + 1 + table.len() / 2, T::default());
    }
    &mut table[at]
}
