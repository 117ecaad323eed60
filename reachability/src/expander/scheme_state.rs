//! A set of methods that grows with the classes that are loaded: one scheme's.

use super::context::{ExpansionContext, slot};
use super::options::Scheme;
use crate::fast_hash::{FastMap, FastSet};
use crate::{Body, ClassId, Fact, MethodIx, NameId, World, access};

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

/// What a layer knows of a class.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClassMarks {
    /// Whether it is loaded, or about to be, because a subclass is.
    pub(super) loaded: bool,
    /// Whether its initialiser was reached, or has run.
    pub(super) initialised: bool,
    /// Whether the objects of all its lambdas count.
    pub(super) lambdas: bool,
}

#[derive(Debug)]
pub(super) struct SchemeState {
    scheme: Scheme,
    own_class: bool,
    /// Whether a root was reached.
    pub(super) begun: bool,
    /// By class.
    places: Vec<ClassMarks>,
    /// By method.
    marks: Vec<Mark>,
    /// By the name of a class that is not loaded: what waits for it.
    pub(super) waiting: FastMap<NameId, Vec<(MethodIx, Fact)>>,
    /// Classes that were given up with what waited for them used up.
    pub(super) lost: FastSet<NameId>,
    pub(super) demanded: FastSet<(ClassId, MethodIx)>,
    /// By class: the methods that are called on it virtually.
    pub(super) demands: Vec<Vec<MethodIx>>,
    /// By class: the loaded classes below it of which objects can be.
    pub(super) receivers: Vec<Vec<ClassId>>,
    /// To be walked through.
    work: Vec<MethodIx>,
    /// Chosen, and their own class not looked at.
    own: Vec<MethodIx>,
    /// Chosen since the last answer.
    pub(super) grown: Vec<MethodIx>,
}

impl SchemeState {
    pub(super) fn new(scheme: Scheme, own_class: bool) -> Self {
        Self {
            scheme,
            own_class,
            begun: false,
            places: Vec::new(),
            marks: Vec::new(),
            waiting: FastMap::default(),
            lost: FastSet::default(),
            demanded: FastSet::default(),
            demands: Vec::new(),
            receivers: Vec::new(),
            work: Vec::new(),
            own: Vec::new(),
            grown: Vec::new(),
        }
    }

    pub(super) fn place(&self, class: ClassId) -> ClassMarks {
        self.places.get(class.ix()).copied().unwrap_or_default()
    }

    pub(super) fn place_mut(&mut self, class: ClassId) -> &mut ClassMarks {
        slot(&mut self.places, class.ix())
    }

    /// The class of this name, if it is loaded.
    pub(super) fn loaded(&self, world: &World<'_>, name: NameId) -> Option<ClassId> {
        world.known(name).filter(|&class| self.place(class).loaded)
    }

    pub(super) fn mark(&self, method: MethodIx) -> Mark {
        self.marks.get(method.ix()).copied().unwrap_or_default()
    }

    /// Sets a mark; gives whether it was not set before.
    pub(super) fn set(&mut self, method: MethodIx, mark: u8) -> bool {
        slot(&mut self.marks, method.ix()).set(mark)
    }

    /// Nothing is known of these methods any more.
    pub(super) fn unmark(&mut self, methods: impl Iterator<Item = MethodIx>) {
        for method in methods {
            *slot(&mut self.marks, method.ix()) = Mark::default();
        }
    }

    /// All methods with a mark.
    pub(super) fn marked(&self, mark: u8) -> impl Iterator<Item = MethodIx> + '_ {
        let has = move |it: &(&Mark, u32)| it.0.has(mark);
        self.marks.iter().zip(0..).filter(has).map(|(_, at)| MethodIx(at))
    }

    /// Something reached can call the method.
    pub(super) fn reach(&mut self, ground: &ExpansionContext<'_>, method: MethodIx) {
        if ground.world.row(method).is(access::ABSTRACT) || !self.set(method, Mark::REACHED) {
            return;
        }
        if !ground.can_be_chosen(method) {
            self.work.push(method);
            return;
        }
        self.choose(method);
        if self.scheme == Scheme::Eager {
            self.work.push(method);
        }
    }

    /// The method is to be instrumented, and tells its first call.
    fn choose(&mut self, method: MethodIx) {
        if self.set(method, Mark::CHOSEN) {
            self.grown.push(method);
            if self.own_class {
                self.own.push(method);
            }
        }
    }

    /// A chosen method is called, or will not tell when it is.
    pub(super) fn first_call(&mut self, method: MethodIx) {
        if self.mark(method).has(Mark::CHOSEN) {
            self.work.push(method);
        }
    }

    pub(super) fn reach_roots(&mut self, ground: &ExpansionContext<'_>, class: ClassId) {
        let name = ground.world.get(class).name;
        for &sig in ground.roots.get(&name).into_iter().flatten() {
            if let Some(root) = ground.world.declared(class, sig) {
                self.begun = true;
                self.reach(ground, root);
            }
        }
    }

    /// Follows all that is to be followed.
    pub(super) fn settle(&mut self, ground: &mut ExpansionContext<'_>) {
        loop {
            if let Some(method) = self.work.pop() {
                self.walk(ground, method);
            } else if let Some(method) = self.own.pop() {
                self.look_ahead(ground, method);
            } else {
                return;
            }
        }
    }

    /// Follows what a method does, once.
    fn walk(&mut self, ground: &mut ExpansionContext<'_>, method: MethodIx) {
        if !self.set(method, Mark::WALKED) {
            return;
        }
        let row = ground.world.row(method);
        if !ground.world.is_program(row.class) {
            self.upcalls(ground, method);
        }
        if row.is(access::ABSTRACT | access::NATIVE) {
            return;
        }
        let code = ground.world.code(row.class);
        let position = ground.world.position(method);
        let Some(&body) = code.bodies.get(position) else { return };
        for &fact in code.facts(position) {
            self.fact(ground, method, fact);
        }
        if body.has(Body::LOOKS_UP_MEMBERS) {
            self.looked_up(ground, method, row.class);
        }
    }

    /// What a method calls in its own class will be called soon, as a rule.
    fn look_ahead(&mut self, ground: &mut ExpansionContext<'_>, method: MethodIx) {
        let class = ground.world.class_of_method(method);
        let name = ground.world.get(class).name;
        let code = ground.world.code(class);
        for &fact in code.facts(ground.world.position(method)) {
            if let Fact::Invoke(_, member) = fact
                && member.owner == name
                && let Some(declared) = ground.world.declared(class, member.sig)
            {
                self.reach(ground, declared);
            }
        }
    }
}
