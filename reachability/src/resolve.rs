//! Resolution of symbolic references (JVMS 5.4.3.2 to 5.4.3.4), without access checks.

use crate::{ClassId, MethodIx, SigId, World, access};

/// Why a reference does not resolve. A JVM throws a linkage error there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unresolved {
    /// The class is missing.
    NoClass(ClassId),
    /// This supertype is missing. The method may be there.
    NoSupertype(ClassId),
    /// The class and its supertypes have no such method.
    NoMethod,
    /// The reference names an interface as a class, or a class as an interface.
    OtherKind,
}

/// The method that a reference names, or why there is none.
pub type Resolution = Result<MethodIx, Unresolved>;

impl World<'_> {
    /// Resolves a method reference. `interface` says whether it is an `InterfaceMethodref`.
    ///
    /// # Errors
    /// Fails if the JVM finds no method.
    pub fn resolve(&mut self, owner: ClassId, sig: SigId, interface: bool) -> Resolution {
        if self.is_missing(owner) {
            return Err(Unresolved::NoClass(owner));
        }
        if self.is_interface(owner) != interface {
            return Err(Unresolved::OtherKind);
        }
        let found =
            if interface { self.in_interface(owner, sig) } else { self.in_class(owner, sig) };
        found.ok_or_else(|| {
            let supertypes = self.supertypes(owner);
            let gap = supertypes.iter().find(|&&above| self.is_missing(above));
            gap.map_or(Unresolved::NoMethod, |&gap| Unresolved::NoSupertype(gap))
        })
    }

    /// JVMS 5.4.3.3.
    fn in_class(&mut self, owner: ClassId, sig: SigId) -> Option<MethodIx> {
        if let Some(method) = self.signature_polymorphic(owner, sig) {
            return Some(method);
        }
        let declared = self.superclasses(owner).find_map(|class| self.declared(class, sig));
        declared.or_else(|| self.in_superinterfaces(owner, sig))
    }

    /// JVMS 5.4.3.4.
    fn in_interface(&mut self, owner: ClassId, sig: SigId) -> Option<MethodIx> {
        if let Some(method) = self.declared(owner, sig) {
            return Some(method);
        }
        let in_object = self.declared(self.object(), sig).filter(|&method| {
            let method = self.row(method);
            method.is(access::PUBLIC) && !method.is(access::STATIC)
        });
        in_object.or_else(|| self.in_superinterfaces(owner, sig))
    }

    fn in_superinterfaces(&mut self, owner: ClassId, sig: SigId) -> Option<MethodIx> {
        let specific = self.maximally_specific(owner, sig);
        let mut concrete =
            specific.iter().filter(|&&method| !self.row(method).is(access::ABSTRACT));
        match (concrete.next(), concrete.next()) {
            (Some(&only), None) => Some(only),
            _ => specific.first().copied(),
        }
    }

    /// The method of `MethodHandle` or `VarHandle` that takes any descriptor (JVMS 2.9.3).
    fn signature_polymorphic(&mut self, owner: ClassId, sig: SigId) -> Option<MethodIx> {
        let owner_name = self.names().text(self.get(owner).name);
        if !matches!(owner_name, b"java/lang/invoke/MethodHandle" | b"java/lang/invoke/VarHandle") {
            return None;
        }
        let name = self.names().parts(sig).0;
        let mut named = self
            .methods_of(owner)
            .filter(|&method| self.names().parts(self.row(method).sig).0 == name);
        let only = named.next().filter(|_| named.next().is_none())?;
        let row = self.row(only);
        let one_array = self.names().descriptor_of(row.sig).starts_with(b"([Ljava/lang/Object;)");
        (one_array && row.is(access::NATIVE) && row.is(access::VARARGS)).then_some(only)
    }

    /// The class that declares the static field which a reference names (JVMS 5.4.3.2).
    pub fn static_field(&mut self, owner: ClassId, field: SigId) -> Option<ClassId> {
        let mut at = Some(owner);
        while let Some(class) = at {
            if self.has_static_field(class, field) {
                return Some(class);
            }
            // Superinterfaces come before the superclass.
            for interface in self.interfaces(class).to_vec() {
                if let Some(&found) = self
                    .supertypes(interface)
                    .iter()
                    .find(|&&above| self.has_static_field(above, field))
                {
                    return Some(found);
                }
            }
            at = self.get(class).super_class;
        }
        None
    }
}
