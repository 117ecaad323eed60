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
    /// The class is known, and the bytes lead to nothing new.
    Known(ClassId),
    /// The class is known and was changed, by an agent or in another class loader. It has the
    /// methods, calls and supertypes of all its class files now.
    Grown {
        /// The class.
        class: ClassId,
        /// Whether it has other methods or supertypes than before, not only other code. Earlier
        /// answers about it and its subclasses are out of date then.
        members: bool,
    },
    /// The class is known, and has [`World::FILES`] class files already: the bytes were not used.
    LeftOut(ClassId),
}

/// Class files of known classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Versions {
    /// How many added to their class: those of agents, and of further class loaders.
    pub grown: usize,
    /// How many were left out.
    pub left_out: usize,
}

impl Versions {
    /// Counts an outcome.
    pub fn add(&mut self, outcome: DefineOutcome) {
        self.grown += usize::from(matches!(outcome, DefineOutcome::Grown { .. }));
        self.left_out += usize::from(matches!(outcome, DefineOutcome::LeftOut(_)));
    }
}

impl World<'_> {
    /// How many different class files a class can have, beside the one of a container. Programs
    /// that generate code may make any number for one name.
    pub const FILES: usize = 64;

    /// Defines a class of the program or of the JDK. Its supertypes come from the containers. If
    /// the class is known, its code is that of all its class files: a JVM may run any of them.
    ///
    /// # Errors
    /// Fails if the bytes are not a class file.
    pub fn define(
        &mut self,
        bytes: &[u8],
        program: bool,
    ) -> Result<DefineOutcome, classfile_writer::Error> {
        let file = ClassFile::parse(bytes)?;
        let known = self.names.find(file.name()?).and_then(|name| self.known(name));
        if let Some(class) = known.filter(|&class| self.has_file(class, bytes)) {
            return Ok(DefineOutcome::Known(class));
        }
        if let Some(class) = known.filter(|&class| self.get(class).files.len() >= Self::FILES) {
            return Ok(DefineOutcome::LeftOut(class));
        }
        let header = crate::header(&file, &mut self.names)?;
        match self.known(header.name) {
            Some(class) if !self.is_missing(class) => Ok(self.grow(class, header, &file, bytes)),
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
        let (super_class, interfaces) = self.supertypes_in(class, &header);
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
            files: vec![Self::file_sum(bytes)],
            bytes: Some(Cow::Owned(bytes.to_vec())),
            ..Class::nowhere(header.name, package)
        };
    }

    /// The superclass and the interfaces that a header names, without those that inherit from the
    /// class.
    pub(super) fn supertypes_in(
        &mut self,
        class: ClassId,
        header: &Header,
    ) -> (Option<ClassId>, Vec<ClassId>) {
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
        (super_class, interfaces)
    }

    /// Forgets the computed supertypes of a class's subclasses, and its own.
    pub(super) fn forget_supertypes(&mut self, changed: ClassId) {
        for class in &mut self.classes {
            if class.supertypes.as_ref().is_some_and(|all| all.contains(&changed)) {
                class.supertypes = None;
            }
        }
    }
}
