//! What a walked method's facts lead to, over the classes that are loaded.

use super::{Expander, slot};
use crate::world::State;
use crate::{Body, ClassCode, ClassId, Fact, Handle, InvokeKind, MethodIx, MethodRef, NameId, Unresolved, access, vm};

impl Expander<'_> {
    pub(super) fn fact(&mut self, from: MethodIx, fact: Fact) {
        match fact {
            Fact::Invoke(kind, reference) => self.invoke(from, fact, kind, reference),
            Fact::Generated(owner, sig) => {
                let Some(class) = self.loaded_or_wait(from, fact, owner) else { return };
                let interface = self.world.is_interface(class);
                self.invoke(from, fact, InvokeKind::Virtual, MethodRef { owner, sig, interface });
            }
            Fact::New(name) => {
                if let Some(class) = self.loaded_or_wait(from, fact, name) {
                    self.initialise_from(from, class);
                }
            }
            Fact::StaticField { owner, field } => {
                if let Some(owner) = self.loaded_or_wait(from, fact, owner) {
                    let class = self.world.static_field(owner, field).unwrap_or(owner);
                    self.initialise_from(from, class);
                }
            }
            Fact::Handle(handle) => self.handle_constant(from, fact, handle),
            Fact::Lambda(number) => {
                let code = self.world.code(self.world.class_of_method(from));
                self.lambda(from, number, &code);
            }
            Fact::ClassConstant(name) => {
                if let Some(class) = self.loaded_or_wait(from, fact, name) {
                    self.class_constant(from, class);
                }
            }
            Fact::ForName(name) => {
                if let Some(class) = self.loaded_or_wait(from, fact, name) {
                    self.initialise_from(from, class);
                    self.instantiate(class);
                }
            }
            Fact::NameLike(name) => {
                let near = self.body(from).has(Body::TAKES_CLASS_NAMES);
                let of_program = self.world.is_program(self.world.class_of_method(from));
                if (near || of_program)
                    && let Some(class) = self.loaded_or_wait(from, fact, name)
                    && (near || self.world.is_program(class))
                {
                    self.instantiate(class);
                }
            }
            Fact::MemberName(_) | Fact::Service(None) => {}
            Fact::Service(Some(service)) => {
                for provider in self.providers.get(&service).cloned().unwrap_or_default() {
                    self.fact(from, Fact::ForName(provider));
                }
            }
        }
    }

    /// The class, if it is loaded; else the fact waits until it is.
    fn loaded_or_wait(&mut self, from: MethodIx, fact: Fact, name: NameId) -> Option<ClassId> {
        let loaded = self.loaded(name);
        if loaded.is_none() && !self.world.names().text(name).starts_with(b"[") {
            self.waiting.entry(name).or_default().push((from, fact));
        }
        loaded
    }

    fn body(&mut self, method: MethodIx) -> Body {
        let code = self.world.code(self.world.class_of_method(method));
        code.bodies.get(self.world.position(method)).copied().unwrap_or_default()
    }

    fn invoke(&mut self, from: MethodIx, fact: Fact, kind: InvokeKind, reference: MethodRef) {
        let Some(owner) = self.loaded_or_wait(from, fact, reference.owner) else { return };
        let resolved = match self.world.resolve(owner, reference.sig, reference.interface) {
            Ok(resolved) => resolved,
            Err(Unresolved::NoSupertype(gap)) => {
                let gap = self.world.get(gap).name;
                self.waiting.entry(gap).or_default().push((from, fact));
                return;
            }
            Err(_) => return,
        };
        // A static method called otherwise, or the other way round: IncompatibleClassChangeError.
        if self.world.row(resolved).is(access::STATIC) != (kind == InvokeKind::Static) {
            return;
        }
        match kind {
            InvokeKind::Static => {
                self.initialise_from(from, self.world.class_of_method(resolved));
                self.reach(resolved);
            }
            InvokeKind::Special => {
                let current = self.world.class_of_method(from);
                if let Ok(selected) = self.world.select_special(current, owner, resolved) {
                    self.reach(selected);
                }
            }
            InvokeKind::Virtual | InvokeKind::Interface => self.call_virtually(owner, resolved),
        }
    }

    fn handle_constant(&mut self, from: MethodIx, fact: Fact, handle: Handle) {
        let MethodRef { owner, sig, .. } = handle.member;
        let kind = match handle.kind {
            // REF_getStatic, REF_putStatic
            2 | 4 => return self.fact(from, Fact::StaticField { owner, field: sig }),
            5 => InvokeKind::Virtual,
            6 => InvokeKind::Static,
            7 => InvokeKind::Special,
            8 => {
                self.fact(from, Fact::New(owner));
                InvokeKind::Special
            }
            9 => InvokeKind::Interface,
            _ => return,
        };
        self.invoke(from, fact, kind, handle.member);
    }

    /// The method is called on any object that is an `owner`.
    pub(super) fn call_virtually(&mut self, owner: ClassId, resolved: MethodIx) {
        let row = self.world.row(resolved);
        let of = self.world.get(row.class).access;
        if row.is(access::PRIVATE | access::FINAL | access::STATIC) || of & access::FINAL != 0 {
            return self.reach(resolved);
        }
        if !self.demanded.insert((owner, resolved)) {
            return;
        }
        let receivers = std::mem::take(slot(&mut self.receivers, owner.ix()));
        for &receiver in &receivers {
            self.dispatch(receiver, resolved);
        }
        *slot(&mut self.receivers, owner.ix()) = receivers;
        slot(&mut self.demands, owner.ix()).push(resolved);
    }

    pub(super) fn dispatch(&mut self, receiver: ClassId, resolved: MethodIx) {
        // Where no method is selected the JVM throws.
        if let Ok(target) = self.world.select(receiver, resolved) {
            self.reach(target);
        }
    }

    /// The class is initialised, unless it is the method's own: its code runs only when that has begun.
    fn initialise_from(&mut self, from: MethodIx, class: ClassId) {
        if self.world.class_of_method(from) != class {
            self.initialise(class);
        }
    }

    pub(super) fn initialise(&mut self, class: ClassId) {
        if std::mem::replace(&mut self.seat_mut(class).initialised, true) {
            return;
        }
        for method in self.world.initialisers(class) {
            self.reach(method);
        }
    }

    /// There is an object whose methods call a lambda's target.
    pub(super) fn lambda(&mut self, from: MethodIx, number: u32, code: &ClassCode) {
        let Some(lambda) = code.lambdas.get(number as usize) else { return };
        let (host, position) = (self.world.class_of_method(from), self.world.position(from));
        let class = self.world.lambda_class(host, position, number, lambda);
        self.arrive(class);
    }

    fn class_constant(&mut self, from: MethodIx, class: ClassId) {
        let (body, own) = (self.body(from), self.world.class_of_method(from));
        // A class's own constant is for loggers and locks, as a rule.
        let anywhere = class != own && self.world.is_program(own) && self.world.is_program(class);
        if anywhere || body.has(Body::LOOKS_UP_CONSTRUCTORS) {
            self.instantiate(class);
        }
        if body.has(Body::LOOKS_UP_MEMBERS) {
            self.looked_up(from, class);
        }
        // `valueOf` and EnumSet ask for all values by reflection.
        if let Some(values) = self.world.enum_values(class) {
            self.initialise(class);
            self.reach(values);
        }
    }

    /// An object is made by reflection.
    pub(super) fn instantiate(&mut self, class: ClassId) {
        if !self.world.is_concrete(class) {
            return;
        }
        self.initialise(class);
        for constructor in self.world.constructors_by_reflection(class) {
            self.reach(constructor);
        }
    }

    /// Methods of a class that have a name from the constants of the method which looks for methods.
    pub(super) fn looked_up(&mut self, from: MethodIx, class: ClassId) {
        let code = self.world.code(self.world.class_of_method(from));
        let facts = code.facts(self.world.position(from));
        let wanted: Vec<NameId> = facts
            .iter()
            .filter_map(|fact| if let Fact::MemberName(name) = fact { Some(*name) } else { None })
            .collect();
        for method in self.world.methods_of(class) {
            let (name, _) = self.world.names().parts(self.world.row(method).sig);
            if wanted.contains(&name) {
                self.reflected(method);
            }
        }
    }

    /// What the JVM calls when this method of the JDK runs.
    pub(super) fn upcalls(&mut self, method: MethodIx) {
        let row = self.world.row(method);
        if matches!(self.world.get(row.class).state, State::Made) {
            return;
        }
        let names = self.world.names();
        let (class, name) = (names.text(self.world.get(row.class).name), names.name_of(row.sig));
        for &(class, name, descriptor, by_receiver) in vm::upcalls(class, name, row.is(access::NATIVE)) {
            let Some(called) = self.world.method(class, name, descriptor) else { continue };
            match by_receiver {
                true => self.call_virtually(self.world.class_of_method(called), called),
                false => self.reach(called),
            }
        }
    }
}
