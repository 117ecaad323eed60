//! Selection: from a resolved method to the one that runs (JVMS 5.4.5, 5.4.6, and `invokespecial`
//! in 6.5).

use crate::{ClassId, MethodIx, World, access};

/// Why no method is selected. A JVM throws an error there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotSelected {
    /// An abstract method is selected, or none: AbstractMethodError.
    Abstract,
    /// Several superinterfaces have one: IncompatibleClassChangeError.
    Conflict,
}

impl World<'_> {
    /// The method that runs when `resolved` is called on an object of class `receiver` by
    /// `invokevirtual` or `invokeinterface` (JVMS 5.4.6).
    ///
    /// # Errors
    /// Fails if the JVM throws.
    pub fn select(
        &mut self,
        receiver: ClassId,
        resolved: MethodIx,
    ) -> Result<MethodIx, NotSelected> {
        let wanted = self.row(resolved);
        if wanted.is(access::PRIVATE) {
            return Ok(resolved);
        }
        let open = wanted.is(access::PUBLIC | access::PROTECTED);
        for class in self.superclasses(receiver) {
            if let Some(found) = self.declared(class, wanted.sig)
                && !self.row(found).is(access::PRIVATE | access::STATIC)
                && (open || found == resolved || self.overrides(receiver, found, resolved))
            {
                return if self.row(found).is(access::ABSTRACT) {
                    Err(NotSelected::Abstract)
                } else {
                    Ok(found)
                };
            }
        }
        self.default_method(receiver, resolved)
    }

    /// The only maximally-specific superinterface method of a class that has code.
    fn default_method(
        &mut self,
        class: ClassId,
        resolved: MethodIx,
    ) -> Result<MethodIx, NotSelected> {
        let specific = self.maximally_specific(class, self.row(resolved).sig);
        let mut concrete =
            specific.into_iter().filter(|&method| !self.row(method).is(access::ABSTRACT));
        match (concrete.next(), concrete.next()) {
            (Some(only), None) => Ok(only),
            (None, _) => Err(NotSelected::Abstract),
            (Some(_), Some(_)) => Err(NotSelected::Conflict),
        }
    }

    /// Whether `found` can override the package-private method `resolved` (JVMS 5.4.5). Both are in
    /// one package, or `found` overrides a method in between that overrides `resolved`.
    fn overrides(&self, receiver: ClassId, found: MethodIx, resolved: MethodIx) -> bool {
        let (found_in, wanted) = (self.row(found).class, self.row(resolved));
        if self.same_package(found_in, wanted.class) {
            return true;
        }
        let below = self.superclasses(receiver).skip_while(|&class| class != found_in);
        let between: Vec<ClassId> = below.take_while(|&class| class != wanted.class).collect();
        let mut overriding = vec![resolved];
        for &class in between.iter().rev() {
            let Some(method) = self.declared(class, wanted.sig) else { continue };
            if self.row(method).is(access::PRIVATE | access::STATIC) {
                continue;
            }
            let direct = |&above: &MethodIx| {
                let above = self.row(above);
                above.is(access::PUBLIC | access::PROTECTED)
                    || self.same_package(class, above.class)
            };
            if overriding.iter().any(direct) {
                overriding.push(method);
            }
        }
        overriding.last() == Some(&found)
    }

    /// The method that `invokespecial` in class `current` runs (JVMS 6.5). `owner` is the class
    /// that the reference names.
    ///
    /// # Errors
    /// Fails if the JVM throws.
    pub fn select_special(
        &mut self,
        current: ClassId,
        owner: ClassId,
        resolved: MethodIx,
    ) -> Result<MethodIx, NotSelected> {
        let wanted = self.row(resolved);
        let from_super = self.names().name_of(wanted.sig) != b"<init>"
            && !self.is_interface(owner)
            && owner != current
            && self.superclasses(current).any(|class| class == owner);
        let start = match self.get(current).super_class {
            Some(above) if from_super => above,
            _ => owner,
        };
        let instance = |world: &Self, class| {
            world
                .declared(class, wanted.sig)
                .filter(|&method| !world.row(method).is(access::STATIC))
        };
        let found = match self.is_interface(start) {
            false => self.superclasses(start).find_map(|class| instance(self, class)),
            true => instance(self, start).or_else(|| {
                instance(self, self.object()).filter(|&method| self.row(method).is(access::PUBLIC))
            }),
        };
        match found {
            Some(method) if self.row(method).is(access::ABSTRACT) => Err(NotSelected::Abstract),
            Some(method) => Ok(method),
            None => self.default_method(start, resolved),
        }
    }
}
