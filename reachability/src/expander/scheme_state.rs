//! The methods that one scheme has reached. They grow with the loaded classes.

use super::context::{ExpansionContext, slot};
use super::options::Scheme;
use crate::{Body, ClassId, Fact, MethodIx, NameId, World, access};
use rustc_hash::{FxHashMap, FxHashSet};

/// State of a method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mark(u8);

impl Mark {
    /// A reached method can call it.
    pub(super) const REACHED: u8 = 1;
    /// It is instrumented.
    pub(super) const CHOSEN: u8 = 2;
    /// Its callees are reached.
    pub(super) const FOLLOWED: u8 = 4;

    pub(super) const fn has(self, mark: u8) -> bool {
        self.0 & mark != 0
    }

    /// Sets a mark. Returns whether it is new.
    fn set(&mut self, mark: u8) -> bool {
        let new = !self.has(mark);
        self.0 |= mark;
        new
    }

    fn remove(&mut self, mark: u8) {
        self.0 &= !mark;
    }
}

/// State of a class.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClassMarks {
    /// Whether it is loaded, or will be because a subclass is.
    pub(super) loaded: bool,
    /// Whether its initialiser was reached, or has run.
    pub(super) initialised: bool,
    /// Whether all its lambdas have objects.
    pub(super) lambdas: bool,
}

#[derive(Debug)]
pub(super) struct SchemeState {
    scheme: Scheme,
    own_class: bool,
    /// Whether any root is reached.
    pub(super) has_root: bool,
    /// By class.
    class_marks: Vec<ClassMarks>,
    /// By method.
    method_marks: Vec<Mark>,
    /// By name of a class that is not loaded: the facts that wait for it.
    pub(super) waiting: FxHashMap<NameId, Vec<(MethodIx, Fact)>>,
    /// Unloaded classes whose waiting facts are used up.
    pub(super) lost: FxHashSet<NameId>,
    pub(super) demanded: FxHashSet<(ClassId, MethodIx)>,
    /// By class: the methods that are called on it virtually.
    pub(super) demands: Vec<Vec<MethodIx>>,
    /// By class: its loaded concrete subtypes.
    pub(super) receivers: Vec<Vec<ClassId>>,
    /// Methods to follow.
    work: Vec<MethodIx>,
    /// Chosen methods whose callees in their own class are not reached yet.
    own: Vec<MethodIx>,
    /// Chosen since the last answer.
    pub(super) new_methods: Vec<MethodIx>,
}

impl SchemeState {
    pub(super) fn new(scheme: Scheme, own_class: bool) -> Self {
        Self {
            scheme,
            own_class,
            has_root: false,
            class_marks: Vec::new(),
            method_marks: Vec::new(),
            waiting: FxHashMap::default(),
            lost: FxHashSet::default(),
            demanded: FxHashSet::default(),
            demands: Vec::new(),
            receivers: Vec::new(),
            work: Vec::new(),
            own: Vec::new(),
            new_methods: Vec::new(),
        }
    }

    pub(super) fn marks_of(&self, class: ClassId) -> ClassMarks {
        self.class_marks.get(class.ix()).copied().unwrap_or_default()
    }

    pub(super) fn marks_of_mut(&mut self, class: ClassId) -> &mut ClassMarks {
        slot(&mut self.class_marks, class.ix())
    }

    /// The class of this name, if it is loaded.
    pub(super) fn loaded(&self, world: &World<'_>, name: NameId) -> Option<ClassId> {
        world.known(name).filter(|&class| self.marks_of(class).loaded)
    }

    pub(super) fn mark(&self, method: MethodIx) -> Mark {
        self.method_marks.get(method.ix()).copied().unwrap_or_default()
    }

    /// Sets a mark; gives whether it was not set before.
    pub(super) fn set(&mut self, method: MethodIx, mark: u8) -> bool {
        slot(&mut self.method_marks, method.ix()).set(mark)
    }

    /// Removes all marks of these methods.
    pub(super) fn unmark(&mut self, methods: impl Iterator<Item = MethodIx>) {
        for method in methods {
            *slot(&mut self.method_marks, method.ix()) = Mark::default();
        }
    }

    /// All methods with a mark.
    pub(super) fn marked(&self, mark: u8) -> impl Iterator<Item = MethodIx> + '_ {
        let has = move |entry: &(&Mark, u32)| entry.0.has(mark);
        self.method_marks.iter().zip(0..).filter(has).map(|(_, at)| MethodIx(at))
    }

    /// Reaches a method: a reached method can call it.
    pub(super) fn reach(&mut self, context: &ExpansionContext<'_>, method: MethodIx) {
        if context.world.row(method).is(access::ABSTRACT) || !self.set(method, Mark::REACHED) {
            return;
        }
        if !context.can_be_chosen(method) {
            self.work.push(method);
            return;
        }
        self.choose(method);
        if self.scheme == Scheme::Eager {
            self.work.push(method);
        }
    }

    /// Chooses a method, which then reports its first call.
    fn choose(&mut self, method: MethodIx) {
        if self.set(method, Mark::CHOSEN) {
            self.new_methods.push(method);
            if self.own_class {
                self.own.push(method);
            }
        }
    }

    /// Follows a chosen method that was called, or that will not report its first call.
    pub(super) fn first_call(&mut self, method: MethodIx) {
        if self.mark(method).has(Mark::CHOSEN) {
            self.work.push(method);
        }
    }

    /// Follows a method again whose code has grown. A chosen one is followed at its next call
    /// under [`Scheme::Lazy`]: the caller has it report that.
    pub(super) fn follow_anew(&mut self, context: &ExpansionContext<'_>, method: MethodIx) {
        let mark = self.mark(method);
        if self.own_class && mark.has(Mark::CHOSEN) {
            self.own.push(method);
        }
        if !mark.has(Mark::FOLLOWED) {
            return;
        }
        slot(&mut self.method_marks, method.ix()).remove(Mark::FOLLOWED);
        if self.scheme == Scheme::Eager || !context.can_be_chosen(method) {
            self.work.push(method);
        }
    }

    pub(super) fn reach_roots(&mut self, context: &ExpansionContext<'_>, class: ClassId) {
        let name = context.world.get(class).name;
        for &sig in context.roots.get(&name).into_iter().flatten() {
            if let Some(root) = context.world.declared(class, sig) {
                self.has_root = true;
                self.reach(context, root);
            }
        }
    }

    /// Follows methods until none is left.
    pub(super) fn settle(&mut self, context: &mut ExpansionContext<'_>) {
        loop {
            if let Some(method) = self.work.pop() {
                self.follow(context, method);
            } else if let Some(method) = self.own.pop() {
                self.look_ahead(context, method);
            } else {
                return;
            }
        }
    }

    /// Follows the facts of a method, once.
    fn follow(&mut self, context: &mut ExpansionContext<'_>, method: MethodIx) {
        if !self.set(method, Mark::FOLLOWED) {
            return;
        }
        let row = context.world.row(method);
        if !context.world.is_program(row.class) {
            self.upcalls(context, method);
        }
        if row.is(access::ABSTRACT | access::NATIVE) {
            return;
        }
        let code = context.world.code(row.class);
        let position = context.world.position(method);
        let Some(&body) = code.bodies.get(position) else { return };
        for &fact in code.facts(position) {
            self.fact(context, method, fact);
        }
        if body.has(Body::LOOKS_UP_MEMBERS) {
            self.looked_up(context, method, row.class);
        }
    }

    /// Reaches the callees in the own class: they are usually called soon.
    fn look_ahead(&mut self, context: &mut ExpansionContext<'_>, method: MethodIx) {
        let class = context.world.class_of_method(method);
        let name = context.world.get(class).name;
        let code = context.world.code(class);
        for &fact in code.facts(context.world.position(method)) {
            if let Fact::Invoke(_, member) = fact
                && member.owner == name
                && let Some(declared) = context.world.declared(class, member.sig)
            {
                self.reach(context, declared);
            }
        }
    }
}
