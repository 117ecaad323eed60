//! Classes defined from bytes instead of a container, and their removal.

use super::{Class, ClassId, State, World};
use crate::{Header, NameId};
use classfile_writer::ClassFile;
use std::borrow::Cow;

/// Result of defining a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefineOutcome {
    /// The class was unknown.
    New(ClassId),
    /// The class was missing before. Earlier answers about it and its subclasses are out of date.
    Found(ClassId),
    /// The class is known, and the bytes were not used.
    Known {
        /// The known class.
        class: ClassId,
        /// Whether both declare the same methods with the same flags.
        alike: bool,
    },
}

impl World<'_> {
    /// Defines a class of the program or of the JDK. Its supertypes come from the containers.
    ///
    /// # Errors
    /// Fails if the bytes are not a class file.
    pub fn define(
        &mut self,
        bytes: &[u8],
        program: bool,
    ) -> Result<DefineOutcome, classfile_writer::Error> {
        let file = ClassFile::parse(bytes)?;
        let header = crate::header(&file, &mut self.names)?;
        match self.known(header.name) {
            Some(class) if !self.is_missing(class) => {
                let own = self.methods_of(class).map(|method| self.row(method));
                let alike = own
                    .map(|row| (row.sig, row.access))
                    .eq(header.methods.iter().map(|method| (method.sig, method.access)));
                Ok(DefineOutcome::Known { class, alike })
            }
            Some(class) => {
                self.fill(class, header, program, bytes);
                self.forget_supertypes(class);
                Ok(DefineOutcome::Found(class))
            }
            None => {
                let name = header.name;
                // First a placeholder: a class that inherits from itself finds it.
                let class = self.placeholder(name);
                self.fill(class, header, program, bytes);
                Ok(DefineOutcome::New(class))
            }
        }
    }

    /// Removes all of a class but its name. The class is missing until it is defined again.
    pub fn unload(&mut self, class: ClassId) {
        let name = self.get(class).name;
        let package = self.get(class).package;
        *self.get_mut(class) = Class::nowhere(name, package);
        self.forget_supertypes(class);
    }

    fn fill(&mut self, class: ClassId, header: Header, program: bool, bytes: &[u8]) {
        let supers: Vec<NameId> =
            header.super_class.iter().chain(&header.interfaces).copied().collect();
        let supers: Vec<ClassId> = supers.into_iter().map(|name| self.class_of(name)).collect();
        let circular = |world: &mut Self, above: ClassId| world.supertypes(above).contains(&class);
        let mut super_class = None;
        let mut interfaces = Vec::new();
        for (at, above) in supers.into_iter().enumerate() {
            if circular(self, above) {
                let class = self.names.show(header.name);
                self.notices.push(crate::Notice::CyclicInheritance { class });
            } else if at == 0 && header.super_class.is_some() {
                super_class = Some(above);
            } else {
                interfaces.push(above);
            }
        }
        let first = self.add_methods(class, &header);
        let mut static_fields = header.static_fields;
        static_fields.sort_unstable();
        let package = (self.get(class).package.0, !program);
        *self.get_mut(class) = Class {
            state: State::Defined { program },
            access: header.access,
            super_class,
            interfaces,
            first,
            count: header.methods.len() as u32,
            static_fields,
            bytes: Some(Cow::Owned(bytes.to_vec())),
            ..Class::nowhere(header.name, package)
        };
    }

    /// Forgets the computed supertypes of a class's subclasses.
    fn forget_supertypes(&mut self, changed: ClassId) {
        for class in &mut self.classes {
            if class.supertypes.as_ref().is_some_and(|all| all.contains(&changed)) {
                class.supertypes = None;
            }
        }
    }
}
