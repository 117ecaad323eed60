//! The meaning of facts: one interpreter for the analysis before a run and for expansion during
//! one.

use crate::jvm_calls;
use crate::mirror::access;
use crate::world::State;
use crate::{
    ClassId, Fact, Handle, InvokeKind, MethodIx, MethodRef, NameId, Reason, Unresolved, World,
};

/// Kinds of method handles (JVMS table 5.4.3.5-A).
mod reference_kind {
    pub const GET_STATIC: u8 = 2;
    pub const PUT_STATIC: u8 = 4;
    pub const INVOKE_VIRTUAL: u8 = 5;
    pub const INVOKE_STATIC: u8 = 6;
    pub const INVOKE_SPECIAL: u8 = 7;
    pub const NEW_INVOKE_SPECIAL: u8 = 8;
    pub const INVOKE_INTERFACE: u8 = 9;
}

/// Effects of facts. The two analyses differ in the meaning of a missing class, and in which
/// constants count as reflection. Everything else is in [`interpret`].
///
/// `fact` is the interpreted fact. An analysis may keep it until a class is loaded.
pub(crate) trait FactTarget<'s> {
    /// The method whose code has the fact.
    type Method: Copy;

    fn world(&mut self) -> &mut World<'s>;

    fn declaring_class(&self, from: Self::Method) -> ClassId;

    /// The class of a name that code uses. `None` if the code cannot continue without it.
    fn used_class(&mut self, from: Self::Method, fact: Fact, name: NameId) -> Option<ClassId>;

    /// The class through which a method is named. `None` if the analysis must wait for it.
    fn owner(&mut self, from: Self::Method, fact: Fact, name: NameId) -> Option<ClassId>;

    /// Handles a method reference that does not resolve.
    fn unresolved(
        &mut self,
        from: Self::Method,
        fact: Fact,
        owner: ClassId,
        reference: MethodRef,
        why: Unresolved,
    );

    /// Initialises a class, except the method's own: that one is initialised before its code runs.
    fn initialise(&mut self, from: Self::Method, class: ClassId);

    /// Adds an object of exactly this class.
    fn allocate(&mut self, from: Self::Method, class: ClassId);

    /// Calls the method, without dispatch.
    fn call(&mut self, from: Self::Method, method: MethodIx, reason: Reason);

    /// Calls the method on any subtype of `owner`.
    fn call_virtually(
        &mut self,
        from: Self::Method,
        owner: ClassId,
        method: MethodIx,
        reason: Reason,
    );

    /// [`Fact::Lambda`]
    fn lambda(&mut self, from: Self::Method, number: u32);

    /// [`Fact::ClassConstant`]
    fn class_constant(&mut self, from: Self::Method, fact: Fact, name: NameId);

    /// [`Fact::ForName`]
    fn class_for_name(&mut self, from: Self::Method, fact: Fact, name: NameId);

    /// [`Fact::NameLike`]
    fn name_like(&mut self, from: Self::Method, fact: Fact, name: NameId);

    /// [`Fact::Service`]
    fn service(&mut self, from: Self::Method, service: Option<NameId>);
}

pub(crate) fn interpret<'s, T: FactTarget<'s>>(target: &mut T, from: T::Method, fact: Fact) {
    match fact {
        Fact::Invoke(kind, reference) => {
            invoke(target, from, fact, kind, reference, Reason::Call);
        }
        Fact::Generated(owner, sig) => {
            let Some(class) = target.owner(from, fact, owner) else { return };
            let interface = target.world().is_interface(class);
            let reference = MethodRef { owner, sig, interface };
            invoke(target, from, fact, InvokeKind::Virtual, reference, Reason::Call);
        }
        Fact::New(name) => {
            if let Some(class) = target.used_class(from, fact, name) {
                target.initialise(from, class);
                target.allocate(from, class);
            }
        }
        Fact::StaticField { owner, field } => {
            if let Some(owner) = target.used_class(from, fact, owner) {
                let class = target.world().static_field(owner, field).unwrap_or(owner);
                target.initialise(from, class);
            }
        }
        Fact::Handle(handle) => method_handle(target, from, fact, handle),
        Fact::Lambda(number) => target.lambda(from, number),
        Fact::ClassConstant(name) => target.class_constant(from, fact, name),
        Fact::ForName(name) => target.class_for_name(from, fact, name),
        Fact::NameLike(name) => target.name_like(from, fact, name),
        Fact::Service(service) => target.service(from, service),
        Fact::MemberName(_) | Fact::Annotated(_) => {}
    }
}

fn method_handle<'s, T: FactTarget<'s>>(
    target: &mut T,
    from: T::Method,
    fact: Fact,
    handle: Handle,
) {
    let MethodRef { owner, sig, .. } = handle.member;
    let kind = match handle.kind {
        reference_kind::GET_STATIC | reference_kind::PUT_STATIC => {
            return interpret(target, from, Fact::StaticField { owner, field: sig });
        }
        reference_kind::INVOKE_VIRTUAL => InvokeKind::Virtual,
        reference_kind::INVOKE_STATIC => InvokeKind::Static,
        reference_kind::INVOKE_SPECIAL => InvokeKind::Special,
        reference_kind::NEW_INVOKE_SPECIAL => {
            interpret(target, from, Fact::New(owner));
            InvokeKind::Special
        }
        reference_kind::INVOKE_INTERFACE => InvokeKind::Interface,
        _ => return,
    };
    let class = target.declaring_class(from);
    let is_lambda = target.world().get(class).state == State::Made;
    let reason = if is_lambda { Reason::Lambda } else { Reason::MethodHandle };
    invoke(target, from, fact, kind, handle.member, reason);
}

fn invoke<'s, T: FactTarget<'s>>(
    target: &mut T,
    from: T::Method,
    fact: Fact,
    kind: InvokeKind,
    reference: MethodRef,
    reason: Reason,
) {
    let Some(owner) = target.owner(from, fact, reference.owner) else { return };
    let resolved = match target.world().resolve(owner, reference.sig, reference.interface) {
        Ok(resolved) => resolved,
        Err(why) => return target.unresolved(from, fact, owner, reference, why),
    };
    // The JVM throws IncompatibleClassChangeError if only one of both is static.
    if target.world().row(resolved).is(access::STATIC) != (kind == InvokeKind::Static) {
        return;
    }
    match kind {
        InvokeKind::Static => {
            let class = target.world().class_of_method(resolved);
            target.initialise(from, class);
            target.call(from, resolved, reason);
        }
        InvokeKind::Special => {
            let current = target.declaring_class(from);
            if let Ok(selected) = target.world().select_special(current, owner, resolved) {
                target.call(from, selected, reason);
            }
        }
        InvokeKind::Virtual | InvokeKind::Interface => {
            target.call_virtually(from, owner, resolved, reason);
        }
    }
}

/// Follows the calls that the JVM makes when this JDK method runs.
pub(crate) fn upcalls<'s, T: FactTarget<'s>>(target: &mut T, from: T::Method, method: MethodIx) {
    let world = target.world();
    let row = world.row(method);
    let names = world.names();
    let (class, name) = (names.text(world.get(row.class).name), names.name_of(row.sig));
    for &(class, name, descriptor, by_receiver) in
        jvm_calls::upcalls(class, name, row.is(access::NATIVE))
    {
        let Some(called) = target.world().method(class, name, descriptor) else { continue };
        if by_receiver {
            let owner = target.world().class_of_method(called);
            target.call_virtually(from, owner, called, Reason::Vm);
        } else {
            target.call(from, called, Reason::Vm);
        }
    }
}
