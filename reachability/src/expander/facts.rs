//! Interpretation of facts over the loaded classes.

use super::context::{ExpansionContext, slot};
use super::scheme_state::SchemeState;
use crate::facts::{FactTarget, interpret, upcalls};
use crate::{
    Body, ClassCode, ClassId, Fact, MethodIx, MethodRef, NameId, Reason, Unresolved, World, access,
};

impl SchemeState {
    /// Follows one fact of a method.
    pub(super) fn fact(&mut self, context: &mut ExpansionContext<'_>, from: MethodIx, fact: Fact) {
        interpret(&mut InContext { state: self, context }, from, fact);
    }

    /// Follows the calls that the JVM makes when this JDK method runs.
    pub(super) fn upcalls(&mut self, context: &mut ExpansionContext<'_>, method: MethodIx) {
        upcalls(&mut InContext { state: self, context }, method, method);
    }

    /// The class if it is loaded. Otherwise the fact waits for it.
    fn loaded_or_wait(
        &mut self,
        context: &mut ExpansionContext<'_>,
        from: MethodIx,
        fact: Fact,
        name: NameId,
    ) -> Option<ClassId> {
        let loaded = self.loaded(&context.world, name);
        if loaded.is_none() && !context.world.names().text(name).starts_with(b"[") {
            self.waiting.entry(name).or_default().push((from, fact));
        }
        loaded
    }

    fn body(&mut self, context: &mut ExpansionContext<'_>, method: MethodIx) -> Body {
        let code = context.world.code(context.world.class_of_method(method));
        code.bodies.get(context.world.position(method)).copied().unwrap_or_default()
    }

    /// Follows a virtual call on any loaded subtype of `owner`.
    pub(super) fn call_virtually(
        &mut self,
        context: &mut ExpansionContext<'_>,
        owner: ClassId,
        resolved: MethodIx,
    ) {
        let row = context.world.row(resolved);
        let of = context.world.get(row.class).access;
        if row.is(access::PRIVATE | access::FINAL | access::STATIC) || of & access::FINAL != 0 {
            return self.reach(context, resolved);
        }
        if !self.demanded.insert((owner, resolved)) {
            return;
        }
        let receivers = std::mem::take(slot(&mut self.receivers, owner.ix()));
        for &receiver in &receivers {
            self.dispatch(context, receiver, resolved);
        }
        *slot(&mut self.receivers, owner.ix()) = receivers;
        slot(&mut self.demands, owner.ix()).push(resolved);
    }

    pub(super) fn dispatch(
        &mut self,
        context: &mut ExpansionContext<'_>,
        receiver: ClassId,
        resolved: MethodIx,
    ) {
        // The JVM throws if no method is selected.
        if let Ok(target) = context.world.select(receiver, resolved) {
            self.reach(context, target);
        }
    }

    /// Follows a method that reflection returned.
    pub(super) fn reflected(&mut self, context: &mut ExpansionContext<'_>, method: MethodIx) {
        let class = context.world.class_of_method(method);
        if context.world.row(method).is(access::STATIC) {
            self.initialise(context, class);
        }
        self.call_virtually(context, class, method);
    }

    pub(super) fn initialise(&mut self, context: &mut ExpansionContext<'_>, class: ClassId) {
        if std::mem::replace(&mut self.marks_of_mut(class).initialised, true) {
            return;
        }
        for method in context.world.initialisers(class) {
            self.reach(context, method);
        }
    }

    /// Adds the object of a lambda, whose methods call its target.
    pub(super) fn lambda(
        &mut self,
        context: &mut ExpansionContext<'_>,
        from: MethodIx,
        number: u32,
        code: &ClassCode,
    ) {
        let Some(lambda) = code.lambdas.get(number as usize) else { return };
        let (host, position) = (context.world.class_of_method(from), context.world.position(from));
        let class = context.world.lambda_class(host, position, number, lambda);
        self.on_class_loaded(context, class);
    }

    /// Follows an instantiation by reflection.
    pub(super) fn instantiate(&mut self, context: &mut ExpansionContext<'_>, class: ClassId) {
        if !context.world.is_concrete(class) {
            return;
        }
        self.initialise(context, class);
        for constructor in context.world.constructors_by_reflection(class) {
            self.reach(context, constructor);
        }
    }

    /// Follows the methods of a class whose names are constants of `from`, which looks up methods.
    pub(super) fn looked_up(
        &mut self,
        context: &mut ExpansionContext<'_>,
        from: MethodIx,
        class: ClassId,
    ) {
        let code = context.world.code(context.world.class_of_method(from));
        let facts = code.facts(context.world.position(from));
        let wanted: Vec<NameId> = facts
            .iter()
            .filter_map(|fact| if let Fact::MemberName(name) = fact { Some(*name) } else { None })
            .collect();
        for method in context.world.methods_of(class) {
            let (name, _) = context.world.names().parts(context.world.row(method).sig);
            if wanted.contains(&name) {
                self.reflected(context, method);
            }
        }
    }
}

/// A scheme's state, with the context for its facts.
struct InContext<'c, 's> {
    state: &'c mut SchemeState,
    context: &'c mut ExpansionContext<'s>,
}

impl<'s> FactTarget<'s> for InContext<'_, 's> {
    type Method = MethodIx;

    fn world(&mut self) -> &mut World<'s> {
        &mut self.context.world
    }

    fn declaring_class(&self, from: MethodIx) -> ClassId {
        self.context.world.class_of_method(from)
    }

    fn used_class(&mut self, from: MethodIx, fact: Fact, name: NameId) -> Option<ClassId> {
        self.state.loaded_or_wait(self.context, from, fact, name)
    }

    fn owner(&mut self, from: MethodIx, fact: Fact, name: NameId) -> Option<ClassId> {
        self.state.loaded_or_wait(self.context, from, fact, name)
    }

    /// If a supertype is missing, the fact waits for it.
    fn unresolved(
        &mut self,
        from: MethodIx,
        fact: Fact,
        _: ClassId,
        _: MethodRef,
        why: Unresolved,
    ) {
        if let Unresolved::NoSupertype(gap) = why {
            let gap = self.context.world.get(gap).name;
            self.state.waiting.entry(gap).or_default().push((from, fact));
        }
    }

    fn initialise(&mut self, from: MethodIx, class: ClassId) {
        if self.context.world.class_of_method(from) != class {
            self.state.initialise(self.context, class);
        }
    }

    /// Does nothing: every loaded class may have objects.
    fn allocate(&mut self, _: MethodIx, _: ClassId) {}

    fn call(&mut self, _: MethodIx, method: MethodIx, _: Reason) {
        self.state.reach(self.context, method);
    }

    fn call_virtually(&mut self, _: MethodIx, owner: ClassId, method: MethodIx, _: Reason) {
        self.state.call_virtually(self.context, owner, method);
    }

    fn lambda(&mut self, from: MethodIx, number: u32) {
        let code = self.context.world.code(self.context.world.class_of_method(from));
        self.state.lambda(self.context, from, number, &code);
    }

    fn class_constant(&mut self, from: MethodIx, fact: Fact, name: NameId) {
        let Self { state, context } = self;
        let Some(class) = state.loaded_or_wait(context, from, fact, name) else { return };
        let (body, own) = (state.body(context, from), context.world.class_of_method(from));
        // A class's own constant is usually for loggers and locks.
        let anywhere =
            class != own && context.world.is_program(own) && context.world.is_program(class);
        if anywhere || body.has(Body::LOOKS_UP_CONSTRUCTORS) {
            state.instantiate(context, class);
        }
        if body.has(Body::CHOOSES_CONSTRUCTORS) {
            for constructor in context.world.constructors_to_choose(class) {
                state.reach(context, constructor);
            }
        }
        if body.has(Body::LOOKS_UP_MEMBERS) {
            state.looked_up(context, from, class);
        }
        // `valueOf` and EnumSet call `values()` by reflection.
        if let Some(values) = context.world.enum_values(class) {
            state.initialise(context, class);
            state.reach(context, values);
        }
    }

    fn class_for_name(&mut self, from: MethodIx, fact: Fact, name: NameId) {
        if let Some(class) = self.state.loaded_or_wait(self.context, from, fact, name) {
            self.initialise(from, class);
            self.state.instantiate(self.context, class);
        }
    }

    fn name_like(&mut self, from: MethodIx, fact: Fact, name: NameId) {
        let Self { state, context } = self;
        let near = state.body(context, from).has(Body::TAKES_CLASS_NAMES);
        let of_program = context.world.is_program(context.world.class_of_method(from));
        if (near || of_program)
            && let Some(class) = state.loaded_or_wait(context, from, fact, name)
            && (near || context.world.is_program(class))
        {
            state.instantiate(context, class);
        }
    }

    fn service(&mut self, from: MethodIx, service: Option<NameId>) {
        let Some(service) = service else { return };
        for provider in self.context.providers.get(&service).cloned().unwrap_or_default() {
            interpret(self, from, Fact::ForName(provider));
        }
    }
}
