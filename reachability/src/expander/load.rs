//! Classes that come and go.

use super::{ClassLoad, Expander, Mark, slot};
use crate::fast::FastSet;
use crate::world::State;
use crate::{ClassId, Defined, Fact, MethodIx, NameId};

impl Expander<'_> {
    /// Gives the class if it is to be rewritten as it is loaded.
    pub(super) fn class_loaded(&mut self, load: ClassLoad<'_>) -> Option<ClassId> {
        let name = self.world.names.intern(load.name);
        let class = match load.bytes {
            Some(bytes) => self.defined(bytes, load.program)?,
            None => self.world.class_of(name),
        };
        if self.world.is_missing(class) {
            self.need(name);
            return None;
        }
        let seat = self.seat_mut(class);
        seat.copies = seat.copies.saturating_add(1);
        seat.initialised |= load.initialised;
        self.arrive(class);
        Some(class)
    }

    fn defined(&mut self, bytes: &[u8], program: bool) -> Option<ClassId> {
        match self.world.define(bytes, program) {
            Ok(Defined::New(class)) => Some(class),
            Ok(Defined::Found(class)) => {
                self.found(class);
                Some(class)
            }
            Ok(Defined::Known { class, alike }) => {
                self.totals.unlike += usize::from(!alike);
                Some(class)
            }
            Err(_) => {
                self.totals.unreadable += 1;
                None
            }
        }
    }

    fn need(&mut self, name: NameId) {
        if self.asked.insert(name) {
            self.needs.push(name);
        }
    }

    /// A class is loaded, and with it its supertypes.
    pub(super) fn arrive(&mut self, class: ClassId) {
        if self.seat(class).loaded {
            return;
        }
        let supertypes = self.world.supertypes(class);
        // From the top down, as a JVM does.
        for &above in supertypes.iter().rev() {
            if self.world.is_missing(above) {
                let name = self.world.get(above).name;
                self.need(name);
            } else if !self.seat(above).loaded {
                self.seat_mut(above).loaded = true;
                self.receive(above);
                self.reach_roots(above);
                self.wake(above);
            }
        }
    }

    /// Calls on its supertypes lead to the class.
    fn receive(&mut self, class: ClassId) {
        if !self.world.is_concrete(class) {
            return;
        }
        for &above in self.world.supertypes(class).iter() {
            slot(&mut self.receivers, above.ix()).push(class);
            let demands = std::mem::take(slot(&mut self.demands, above.ix()));
            for &resolved in &demands {
                self.dispatch(class, resolved);
            }
            *slot(&mut self.demands, above.ix()) = demands;
        }
    }

    fn unreceive(&mut self, class: ClassId) {
        for &above in self.world.supertypes(class).iter() {
            slot(&mut self.receivers, above.ix()).retain(|&it| it != class);
        }
    }

    /// What waited for the class goes on.
    fn wake(&mut self, class: ClassId) {
        let name = self.world.get(class).name;
        if self.lost.remove(&name) {
            self.walk_again(name);
        }
        match self.waiting.remove(&name) {
            Some(waiting) => {
                for (method, fact) in waiting {
                    self.fact(method, fact);
                }
            }
            // Nothing that ran names it: it is loaded by a name that was put together, or as a service.
            None if self.begun && self.world.is_program(class) => self.instantiate(class),
            None => {}
        }
    }

    /// What walked methods do with a class of this name, once more.
    fn walk_again(&mut self, name: NameId) {
        for at in 0..self.marks.len() as u32 {
            let method = MethodIx(at);
            if !self.mark(method).has(Mark::WALKED) || !self.world.has_code(method) {
                continue;
            }
            let code = self.world.code(self.world.class_of_method(method));
            for &fact in code.facts(self.world.position(method)) {
                if fact_names(fact) == Some(name) {
                    self.fact(method, fact);
                }
            }
        }
    }

    /// A class that was looked for in vain before is there: what was said of its subclasses is said again.
    fn found(&mut self, class: ClassId) {
        let loaded: Vec<ClassId> = self.world.classes().filter(|&below| self.seat(below).loaded).collect();
        for below in loaded {
            if below == class || !self.world.supertypes(below).contains(&class) {
                continue;
            }
            self.unreceive(below);
            self.receive(below);
            self.arrive_above(below);
            if std::mem::take(&mut self.seat_mut(below).initialised) {
                self.initialise(below);
            }
        }
    }

    fn arrive_above(&mut self, class: ClassId) {
        for above in self.world.superclasses(class).skip(1).collect::<Vec<_>>() {
            self.arrive(above);
        }
    }

    /// An object of a lambda or method reference exists: all that its host's lambdas make count.
    pub(super) fn hidden_class(&mut self, name: &[u8]) {
        let Some(end) = name.windows(LAMBDA.len()).position(|window| window == LAMBDA) else { return };
        let Some(host) = self.world.names.find(name.get(..end).unwrap_or_default()) else { return };
        let Some(host) = self.loaded(host) else { return };
        if std::mem::replace(&mut self.seat_mut(host).lambdas, true) {
            return;
        }
        let code = self.world.code(host);
        for (position, method) in self.world.methods_of(host).enumerate() {
            for &fact in code.facts(position) {
                if let Fact::Lambda(number) = fact {
                    self.lambda(method, number, &code);
                }
            }
        }
    }

    pub(super) fn class_unloaded(&mut self, name: &[u8]) {
        let Some(name) = self.world.names.find(name) else { return };
        let Some(class) = self.loaded(name) else { return };
        let seat = self.seat_mut(class);
        seat.copies = seat.copies.saturating_sub(1);
        if seat.copies > 0 {
            return;
        }
        let made: FastSet<ClassId> = self.lambdas_of(class);
        for gone in made.into_iter().chain([class]) {
            self.leave(gone);
        }
        if matches!(self.world.get(class).state, State::Missing) {
            self.lost.insert(name);
            self.asked.remove(&name);
        }
    }

    /// The classes of the objects that a class's lambdas make.
    fn lambdas_of(&self, host: ClassId) -> FastSet<ClassId> {
        let prefix = [self.world.names().text(self.world.get(host).name), b"$$Lambda/"].concat();
        let of_host = |class: &ClassId| {
            let class = self.world.get(*class);
            class.state == State::Made && self.world.names().text(class.name).starts_with(&prefix)
        };
        self.world.classes().filter(of_host).collect()
    }

    fn leave(&mut self, class: ClassId) {
        self.unreceive(class);
        *self.seat_mut(class) = super::Seat::default();
        match self.world.get(class).state {
            State::Defined { .. } | State::Made => {
                slot(&mut self.demands, class.ix()).clear();
                self.world.forget(class);
            }
            // Its container has it, and what was chosen stays chosen.
            State::Loaded(_) | State::Array | State::Missing => {}
        }
    }
}

/// What the names of lambdas' classes have after that of their host.
const LAMBDA: &[u8] = b"$$Lambda";

/// The class that a fact waits for.
fn fact_names(fact: Fact) -> Option<NameId> {
    match fact {
        Fact::Invoke(_, member) => Some(member.owner),
        Fact::Handle(handle) => Some(handle.member.owner),
        Fact::Generated(name, _)
        | Fact::New(name)
        | Fact::StaticField { owner: name, .. }
        | Fact::ClassConstant(name)
        | Fact::ForName(name)
        | Fact::NameLike(name) => Some(name),
        Fact::Lambda(_) | Fact::MemberName(_) | Fact::Service(_) => None,
    }
}
