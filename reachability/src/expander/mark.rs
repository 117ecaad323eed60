//! What is known of a method, and how it becomes more.

use super::{Expander, Scheme, slot};
use crate::world::State;
use crate::{Body, MethodIx, access};

/// What happened to a method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark(u8);

impl Mark {
    /// Something reached can call it.
    pub(super) const REACHED: u8 = 1;
    /// It is to be instrumented.
    pub(super) const CHOSEN: u8 = 2;
    /// What it can call is reached.
    pub(super) const WALKED: u8 = 4;
    /// It is not instrumented, though it was asked for.
    pub(super) const REFUSED: u8 = 8;

    pub(super) const fn has(self, mark: u8) -> bool {
        self.0 & mark != 0
    }

    /// Sets a mark; gives whether it was not set before.
    fn set(&mut self, mark: u8) -> bool {
        let new = !self.has(mark);
        self.0 |= mark;
        new
    }
}

impl Expander<'_> {
    pub(super) fn mark(&self, method: MethodIx) -> Mark {
        self.marks.get(method.ix()).copied().unwrap_or_default()
    }

    pub(super) fn set(&mut self, method: MethodIx, mark: u8) -> bool {
        slot(&mut self.marks, method.ix()).set(mark)
    }

    /// Whether the world has such a method: events may name any.
    fn exists(&self, method: MethodIx) -> bool {
        method.ix() < self.world.method_count()
    }

    /// Whether the method's first call can be told.
    fn can_be_chosen(&self, method: MethodIx) -> bool {
        let class = self.world.class_of_method(method);
        self.world.has_code(method)
            && !self.mark(method).has(Mark::REFUSED)
            && match self.world.get(class).state {
                State::Made | State::Array | State::Missing => false,
                State::Loaded(_) | State::Defined { .. } => self.jdk_methods || self.world.is_program(class),
            }
    }

    /// Something reached can call the method.
    pub(super) fn reach(&mut self, method: MethodIx) {
        if self.world.row(method).is(access::ABSTRACT) || !self.set(method, Mark::REACHED) {
            return;
        }
        if !self.can_be_chosen(method) {
            self.work.push(method);
            return;
        }
        self.choose(method);
        if self.scheme == Scheme::Eager {
            self.work.push(method);
        }
    }

    fn choose(&mut self, method: MethodIx) {
        if self.set(method, Mark::CHOSEN) {
            self.totals.chosen += 1;
            self.grown.push(method);
        }
    }

    pub(super) fn first_call(&mut self, method: MethodIx) {
        if self.exists(method) && self.mark(method).has(Mark::CHOSEN) {
            self.work.push(method);
        }
    }

    pub(super) fn reflected(&mut self, method: MethodIx) {
        if !self.exists(method) {
            return;
        }
        let class = self.world.class_of_method(method);
        if self.world.row(method).is(access::STATIC) {
            self.initialise(class);
        }
        self.call_virtually(class, method);
    }

    pub(super) fn refused(&mut self, method: MethodIx) {
        if self.exists(method) && self.set(method, Mark::REFUSED) && self.mark(method).has(Mark::CHOSEN) {
            self.work.push(method);
        }
    }

    /// Follows what a method does, once.
    pub(super) fn walk(&mut self, method: MethodIx) {
        if !self.set(method, Mark::WALKED) {
            return;
        }
        let row = self.world.row(method);
        if !self.world.is_program(row.class) {
            self.upcalls(method);
        }
        if row.is(access::ABSTRACT | access::NATIVE) {
            return;
        }
        let code = self.world.code(row.class);
        let position = self.world.position(method);
        let Some(&body) = code.bodies.get(position) else { return };
        for &fact in code.facts(position) {
            self.fact(method, fact);
        }
        if body.has(Body::LOOKS_UP_MEMBERS) {
            self.looked_up(method, row.class);
        }
    }
}
