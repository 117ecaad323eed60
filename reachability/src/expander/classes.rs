//! Loading and unloading of classes.

use super::Expander;
use super::context::{ExpansionContext, slot};
use super::event::ClassLoad;
use super::scheme_state::{ClassMarks, Mark, SchemeState};
use crate::world::State;
use crate::{ClassId, DefineOutcome, Fact, MethodIx, NameId, World};

/// The part of a lambda class's name after the name of its host.
const LAMBDA: &[u8] = b"$$Lambda";

impl Expander<'_> {
    /// Handles a loaded class. Returns it if its class file is known.
    pub(super) fn class_loaded(&mut self, load: ClassLoad<'_>) -> Option<ClassId> {
        if load.in_containers {
            // What the containers have of it comes first: it says whether it is the program's.
            self.context.world.class(load.name);
        }
        let class = match load.bytes {
            Some(bytes) => self.defined(bytes, load.program)?,
            None => self.context.world.class(load.name),
        };
        let tracked = self.tracked_mut(class);
        tracked.copies = tracked.copies.saturating_add(1);
        self.each(|state, _| state.marks_of_mut(class).initialised |= load.initialised);
        if self.context.world.is_missing(class) {
            self.context.need(self.context.world.get(class).name);
        }
        self.on_known_class_loaded(class)
    }

    pub(super) fn class_file(&mut self, bytes: &[u8], program: bool) -> Option<ClassId> {
        let class = self.defined(bytes, program)?;
        if self.tracked(class).copies > 0 { self.on_known_class_loaded(class) } else { None }
    }

    /// Handles a loaded class, if its class file is known.
    fn on_known_class_loaded(&mut self, class: ClassId) -> Option<ClassId> {
        if !self.context.world.is_from_file(class) {
            return None;
        }
        self.each(|state, context| state.on_class_loaded(context, class));
        Some(class)
    }

    fn defined(&mut self, bytes: &[u8], program: bool) -> Option<ClassId> {
        let outcome = self.context.world.define(bytes, program);
        if let Ok(outcome) = outcome {
            self.totals.versions.add(outcome);
        }
        match outcome {
            Ok(DefineOutcome::New(class)) => Some(class),
            Ok(DefineOutcome::Found(class)) => {
                self.each(|state, context| state.on_missing_class_found(context, class));
                Some(class)
            }
            Ok(DefineOutcome::Known(class) | DefineOutcome::LeftOut(class)) => Some(class),
            Ok(DefineOutcome::Grown { class, members }) => {
                self.each(|state, context| state.on_class_grown(context, class, members));
                Some(class)
            }
            Err(_) => {
                self.totals.unreadable += 1;
                None
            }
        }
    }

    pub(super) fn class_unloaded(&mut self, name: &[u8]) {
        let Some(name) = self.context.world.names().find(name) else { return };
        let Some(class) = self.context.world.known(name) else { return };
        let tracked = self.tracked_mut(class);
        if tracked.copies != 1 {
            tracked.copies = tracked.copies.saturating_sub(1);
            return;
        }
        tracked.copies = 0;
        tracked.retransformed = 0;
        let mut gone = lambdas_of(&self.context.world, class);
        gone.push(class);
        for class in gone {
            self.each(|state, context| state.leave(context, class));
            // A class of a container comes back unchanged, so its methods stay chosen.
            if let State::Defined { .. } | State::Made = self.context.world.get(class).state {
                self.context.world.unload(class);
                *slot(&mut self.context.requested, name.ix()) = false;
            }
        }
    }
}

/// The classes of a host's lambda objects.
fn lambdas_of(world: &World<'_>, host: ClassId) -> Vec<ClassId> {
    let prefix = [world.names().text(world.get(host).name), b"$$Lambda/"].concat();
    let of_host = |class: &ClassId| {
        let class = world.get(*class);
        class.state == State::Made && world.names().text(class.name).starts_with(&prefix)
    };
    world.classes().filter(of_host).collect()
}

impl SchemeState {
    /// Handles a loaded class and its supertypes.
    pub(super) fn on_class_loaded(&mut self, context: &mut ExpansionContext<'_>, class: ClassId) {
        if self.marks_of(class).loaded {
            return;
        }
        // From the top down, as a JVM does.
        for &above in context.world.supertypes(class).iter().rev() {
            if context.world.is_missing(above) {
                context.need(context.world.get(above).name);
            } else if !std::mem::replace(&mut self.marks_of_mut(above).loaded, true) {
                self.add_receiver(context, above);
                self.reach_roots(context, above);
                self.wake(context, above);
            }
        }
    }

    /// Makes the class a receiver of calls on its supertypes.
    fn add_receiver(&mut self, context: &mut ExpansionContext<'_>, class: ClassId) {
        if !context.world.is_concrete(class) {
            return;
        }
        for &above in context.world.supertypes(class).iter() {
            slot(&mut self.receivers, above.ix()).push(class);
            let demands = std::mem::take(slot(&mut self.demands, above.ix()));
            for &resolved in &demands {
                self.dispatch(context, class, resolved);
            }
            *slot(&mut self.demands, above.ix()) = demands;
        }
    }

    fn receive_anew(&mut self, context: &mut ExpansionContext<'_>, class: ClassId) {
        self.remove_receiver(context, class);
        self.add_receiver(context, class);
    }

    /// Removes a receiver whose supertypes may have changed.
    fn remove_everywhere(&mut self, class: ClassId) {
        for receivers in &mut self.receivers {
            receivers.retain(|&receiver| receiver != class);
        }
    }

    fn remove_receiver(&mut self, context: &mut ExpansionContext<'_>, class: ClassId) {
        for &above in context.world.supertypes(class).iter() {
            slot(&mut self.receivers, above.ix()).retain(|&receiver| receiver != class);
        }
    }

    /// Follows the facts that waited for the class.
    fn wake(&mut self, context: &mut ExpansionContext<'_>, class: ClassId) {
        let name = context.world.get(class).name;
        if self.lost.remove(&name) {
            self.follow_again(context, name);
        }
        match self.waiting.remove(&name) {
            Some(waiting) => {
                for (method, fact) in waiting {
                    self.fact(context, method, fact);
                }
            }
            // No followed method names it. So the program loads it by a computed name, or as a
            // service.
            None if self.has_root
                && context.world.is_program(class)
                && !context.roots.contains_key(&name) =>
            {
                self.instantiate(context, class);
            }
            None => {}
        }
    }

    /// Follows again the facts of followed methods that name this class.
    fn follow_again(&mut self, context: &mut ExpansionContext<'_>, name: NameId) {
        let followed: Vec<_> = self.marked(Mark::FOLLOWED).collect();
        for method in followed {
            let code = context.world.code(context.world.class_of_method(method));
            for &fact in code.facts(context.world.position(method)) {
                if waits_for(fact) == Some(name) {
                    self.fact(context, method, fact);
                }
            }
        }
    }

    /// Handles a class that was missing before. Its loaded subclasses are handled again.
    pub(super) fn on_missing_class_found(
        &mut self,
        context: &mut ExpansionContext<'_>,
        class: ClassId,
    ) {
        let loaded: Vec<ClassId> =
            context.world.classes().filter(|&below| self.marks_of(below).loaded).collect();
        for below in loaded {
            if !context.world.supertypes(below).contains(&class) {
                continue;
            }
            self.receive_anew(context, below);
            if std::mem::take(&mut self.marks_of_mut(below).initialised) {
                self.initialise(context, below);
            }
        }
    }

    /// Handles a class that has more code than before, and with `members` other methods or
    /// supertypes: its followed methods are followed again.
    pub(super) fn on_class_grown(
        &mut self,
        context: &mut ExpansionContext<'_>,
        class: ClassId,
        members: bool,
    ) {
        let marks = self.marks_of_mut(class);
        let is_loaded = marks.loaded;
        // The class may have further lambdas.
        marks.lambdas = false;
        for method in context.world.methods_of(class) {
            self.follow_anew(context, method);
        }
        // A class that is not loaded has no loaded subclasses, and what names it waits for it.
        if !members || !is_loaded {
            return;
        }
        let loaded: Vec<ClassId> =
            context.world.classes().filter(|&below| self.marks_of(below).loaded).collect();
        for below in loaded {
            if context.world.supertypes(below).contains(&class) {
                self.remove_everywhere(below);
                self.add_receiver(context, below);
            }
        }
        for &above in context.world.supertypes(class).iter().rev() {
            self.on_class_loaded(context, above);
        }
        self.reach_roots(context, class);
        self.follow_again(context, context.world.get(class).name);
    }

    /// Handles a hidden class of a lambda. From then on all lambdas of its host have objects.
    pub(super) fn hidden_class(&mut self, context: &mut ExpansionContext<'_>, name: &[u8]) {
        let Some(end) = name.windows(LAMBDA.len()).position(|window| window == LAMBDA) else {
            return;
        };
        let Some(host) = context.world.names().find(name.get(..end).unwrap_or_default()) else {
            return;
        };
        let Some(host) = self.loaded(&context.world, host) else { return };
        if std::mem::replace(&mut self.marks_of_mut(host).lambdas, true) {
            return;
        }
        let code = context.world.code(host);
        for (method, position) in context.world.methods_of(host).zip(0..) {
            for &fact in code.facts(position) {
                if let Fact::Lambda(number) = fact {
                    self.lambda(context, method, number, &code);
                }
            }
        }
    }

    fn leave(&mut self, context: &mut ExpansionContext<'_>, class: ClassId) {
        self.remove_receiver(context, class);
        *self.marks_of_mut(class) = ClassMarks::default();
        let mirror = context.world.get(class);
        match mirror.state {
            State::Defined { .. } => drop(self.lost.insert(mirror.name)),
            State::Made => {}
            State::Loaded(_) | State::Array | State::Missing => return,
        }
        // Its methods get other numbers if it is loaded again.
        let own = |method: MethodIx| context.world.class_of_method(method) == class;
        self.unmark(context.world.methods_of(class));
        for waiting in self.waiting.values_mut() {
            waiting.retain(|&(from, _)| !own(from));
        }
        for resolved in &mut self.demands {
            resolved.retain(|&method| !own(method));
        }
        slot(&mut self.demands, class.ix()).clear();
        self.demanded.retain(|&(owner, resolved)| owner != class && !own(resolved));
    }
}

/// The class that a fact waits for.
fn waits_for(fact: Fact) -> Option<NameId> {
    match fact {
        Fact::Invoke(_, member) => Some(member.owner),
        Fact::Handle(handle) => Some(handle.member.owner),
        Fact::Generated(name, _)
        | Fact::New(name)
        | Fact::StaticField { owner: name, .. }
        | Fact::ClassConstant(name)
        | Fact::ForName(name)
        | Fact::NameLike(name) => Some(name),
        Fact::Lambda(_) | Fact::MemberName(_) | Fact::Service(_) | Fact::Annotated(_) => None,
    }
}
