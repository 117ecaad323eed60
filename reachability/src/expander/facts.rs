//! What a walked method's facts lead to, over the classes that are loaded.

use super::context::{ExpansionContext, slot};
use super::scheme_state::SchemeState;
use crate::world::State;
use crate::{
    Body, ClassCode, ClassId, Fact, Handle, InvokeKind, MethodIx, MethodRef, NameId, Unresolved,
    access, jvm_calls,
};

impl SchemeState {
    pub(super) fn fact(&mut self, ground: &mut ExpansionContext<'_>, from: MethodIx, fact: Fact) {
        match fact {
            Fact::Invoke(kind, reference) => self.invoke(ground, from, fact, kind, reference),
            Fact::Generated(owner, sig) => {
                let Some(class) = self.loaded_or_wait(ground, from, fact, owner) else { return };
                let interface = ground.world.is_interface(class);
                self.invoke(
                    ground,
                    from,
                    fact,
                    InvokeKind::Virtual,
                    MethodRef { owner, sig, interface },
                );
            }
            Fact::New(name) => {
                if let Some(class) = self.loaded_or_wait(ground, from, fact, name) {
                    self.initialise_from(ground, from, class);
                }
            }
            Fact::StaticField { owner, field } => {
                if let Some(owner) = self.loaded_or_wait(ground, from, fact, owner) {
                    let class = ground.world.static_field(owner, field).unwrap_or(owner);
                    self.initialise_from(ground, from, class);
                }
            }
            Fact::Handle(handle) => self.handle_constant(ground, from, fact, handle),
            Fact::Lambda(number) => {
                let code = ground.world.code(ground.world.class_of_method(from));
                self.lambda(ground, from, number, &code);
            }
            Fact::ClassConstant(name) => {
                if let Some(class) = self.loaded_or_wait(ground, from, fact, name) {
                    self.class_constant(ground, from, class);
                }
            }
            Fact::ForName(name) => {
                if let Some(class) = self.loaded_or_wait(ground, from, fact, name) {
                    self.initialise_from(ground, from, class);
                    self.instantiate(ground, class);
                }
            }
            Fact::NameLike(name) => {
                let near = self.body(ground, from).has(Body::TAKES_CLASS_NAMES);
                let of_program = ground.world.is_program(ground.world.class_of_method(from));
                if (near || of_program)
                    && let Some(class) = self.loaded_or_wait(ground, from, fact, name)
                    && (near || ground.world.is_program(class))
                {
                    self.instantiate(ground, class);
                }
            }
            Fact::MemberName(_) | Fact::Service(None) | Fact::Annotated(_) => {}
            Fact::Service(Some(service)) => {
                for provider in ground.providers.get(&service).cloned().unwrap_or_default() {
                    self.fact(ground, from, Fact::ForName(provider));
                }
            }
        }
    }

    /// The class, if it is loaded; else the fact waits until it is.
    fn loaded_or_wait(
        &mut self,
        ground: &mut ExpansionContext<'_>,
        from: MethodIx,
        fact: Fact,
        name: NameId,
    ) -> Option<ClassId> {
        let loaded = self.loaded(&ground.world, name);
        if loaded.is_none() && !ground.world.names().text(name).starts_with(b"[") {
            self.waiting.entry(name).or_default().push((from, fact));
        }
        loaded
    }

    fn body(&mut self, ground: &mut ExpansionContext<'_>, method: MethodIx) -> Body {
        let code = ground.world.code(ground.world.class_of_method(method));
        code.bodies.get(ground.world.position(method)).copied().unwrap_or_default()
    }

    fn invoke(
        &mut self,
        ground: &mut ExpansionContext<'_>,
        from: MethodIx,
        fact: Fact,
        kind: InvokeKind,
        reference: MethodRef,
    ) {
        let Some(owner) = self.loaded_or_wait(ground, from, fact, reference.owner) else { return };
        let resolved = match ground.world.resolve(owner, reference.sig, reference.interface) {
            Ok(resolved) => resolved,
            Err(Unresolved::NoSupertype(gap)) => {
                let gap = ground.world.get(gap).name;
                self.waiting.entry(gap).or_default().push((from, fact));
                return;
            }
            Err(_) => return,
        };
        // A static method called otherwise, or the other way round: IncompatibleClassChangeError.
        if ground.world.row(resolved).is(access::STATIC) != (kind == InvokeKind::Static) {
            return;
        }
        match kind {
            InvokeKind::Static => {
                self.initialise_from(ground, from, ground.world.class_of_method(resolved));
                self.reach(ground, resolved);
            }
            InvokeKind::Special => {
                let current = ground.world.class_of_method(from);
                if let Ok(selected) = ground.world.select_special(current, owner, resolved) {
                    self.reach(ground, selected);
                }
            }
            InvokeKind::Virtual | InvokeKind::Interface => {
                self.call_virtually(ground, owner, resolved)
            }
        }
    }

    fn handle_constant(
        &mut self,
        ground: &mut ExpansionContext<'_>,
        from: MethodIx,
        fact: Fact,
        handle: Handle,
    ) {
        let MethodRef { owner, sig, .. } = handle.member;
        let kind = match handle.kind {
            // REF_getStatic, REF_putStatic
            2 | 4 => return self.fact(ground, from, Fact::StaticField { owner, field: sig }),
            5 => InvokeKind::Virtual,
            6 => InvokeKind::Static,
            7 => InvokeKind::Special,
            8 => {
                self.fact(ground, from, Fact::New(owner));
                InvokeKind::Special
            }
            9 => InvokeKind::Interface,
            _ => return,
        };
        self.invoke(ground, from, fact, kind, handle.member);
    }

    /// The method is called on any object that is an `owner`.
    pub(super) fn call_virtually(
        &mut self,
        ground: &mut ExpansionContext<'_>,
        owner: ClassId,
        resolved: MethodIx,
    ) {
        let row = ground.world.row(resolved);
        let of = ground.world.get(row.class).access;
        if row.is(access::PRIVATE | access::FINAL | access::STATIC) || of & access::FINAL != 0 {
            return self.reach(ground, resolved);
        }
        if !self.demanded.insert((owner, resolved)) {
            return;
        }
        let receivers = std::mem::take(slot(&mut self.receivers, owner.ix()));
        for &receiver in &receivers {
            self.dispatch(ground, receiver, resolved);
        }
        *slot(&mut self.receivers, owner.ix()) = receivers;
        slot(&mut self.demands, owner.ix()).push(resolved);
    }

    pub(super) fn dispatch(
        &mut self,
        ground: &mut ExpansionContext<'_>,
        receiver: ClassId,
        resolved: MethodIx,
    ) {
        // Where no method is selected the JVM throws.
        if let Ok(target) = ground.world.select(receiver, resolved) {
            self.reach(ground, target);
        }
    }

    /// The method was found by reflection.
    pub(super) fn reflected(&mut self, ground: &mut ExpansionContext<'_>, method: MethodIx) {
        let class = ground.world.class_of_method(method);
        if ground.world.row(method).is(access::STATIC) {
            self.initialise(ground, class);
        }
        self.call_virtually(ground, class, method);
    }

    /// The class is initialised, unless it is the method's own: its code runs only when that has
    /// begun.
    fn initialise_from(
        &mut self,
        ground: &mut ExpansionContext<'_>,
        from: MethodIx,
        class: ClassId,
    ) {
        if ground.world.class_of_method(from) != class {
            self.initialise(ground, class);
        }
    }

    pub(super) fn initialise(&mut self, ground: &mut ExpansionContext<'_>, class: ClassId) {
        if std::mem::replace(&mut self.place_mut(class).initialised, true) {
            return;
        }
        for method in ground.world.initialisers(class) {
            self.reach(ground, method);
        }
    }

    /// There is an object whose methods call a lambda's target.
    pub(super) fn lambda(
        &mut self,
        ground: &mut ExpansionContext<'_>,
        from: MethodIx,
        number: u32,
        code: &ClassCode,
    ) {
        let Some(lambda) = code.lambdas.get(number as usize) else { return };
        let (host, position) = (ground.world.class_of_method(from), ground.world.position(from));
        let class = ground.world.lambda_class(host, position, number, lambda);
        self.on_class_loaded(ground, class);
    }

    fn class_constant(
        &mut self,
        ground: &mut ExpansionContext<'_>,
        from: MethodIx,
        class: ClassId,
    ) {
        let (body, own) = (self.body(ground, from), ground.world.class_of_method(from));
        // A class's own constant is for loggers and locks, as a rule.
        let anywhere =
            class != own && ground.world.is_program(own) && ground.world.is_program(class);
        if anywhere || body.has(Body::LOOKS_UP_CONSTRUCTORS) {
            self.instantiate(ground, class);
        }
        if body.has(Body::CHOOSES_CONSTRUCTORS) {
            for constructor in ground.world.constructors_to_choose(class) {
                self.reach(ground, constructor);
            }
        }
        if body.has(Body::LOOKS_UP_MEMBERS) {
            self.looked_up(ground, from, class);
        }
        // `valueOf` and EnumSet ask for all values by reflection.
        if let Some(values) = ground.world.enum_values(class) {
            self.initialise(ground, class);
            self.reach(ground, values);
        }
    }

    /// An object is made by reflection.
    pub(super) fn instantiate(&mut self, ground: &mut ExpansionContext<'_>, class: ClassId) {
        if !ground.world.is_concrete(class) {
            return;
        }
        self.initialise(ground, class);
        for constructor in ground.world.constructors_by_reflection(class) {
            self.reach(ground, constructor);
        }
    }

    /// Methods of a class that have a name from the constants of the method which looks for
    /// methods.
    pub(super) fn looked_up(
        &mut self,
        ground: &mut ExpansionContext<'_>,
        from: MethodIx,
        class: ClassId,
    ) {
        let code = ground.world.code(ground.world.class_of_method(from));
        let facts = code.facts(ground.world.position(from));
        let wanted: Vec<NameId> = facts
            .iter()
            .filter_map(|fact| if let Fact::MemberName(name) = fact { Some(*name) } else { None })
            .collect();
        for method in ground.world.methods_of(class) {
            let (name, _) = ground.world.names().parts(ground.world.row(method).sig);
            if wanted.contains(&name) {
                self.reflected(ground, method);
            }
        }
    }

    /// What the JVM calls when this method of the JDK runs.
    pub(super) fn upcalls(&mut self, ground: &mut ExpansionContext<'_>, method: MethodIx) {
        let row = ground.world.row(method);
        if matches!(ground.world.get(row.class).state, State::Made) {
            return;
        }
        let names = ground.world.names();
        let (class, name) = (names.text(ground.world.get(row.class).name), names.name_of(row.sig));
        for &(class, name, descriptor, by_receiver) in
            jvm_calls::upcalls(class, name, row.is(access::NATIVE))
        {
            let Some(called) = ground.world.method(class, name, descriptor) else { continue };
            match by_receiver {
                true => self.call_virtually(ground, ground.world.class_of_method(called), called),
                false => self.reach(ground, called),
            }
        }
    }
}
