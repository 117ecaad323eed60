//! All classes of an analysis, loaded on request.

mod define;
mod grow;
mod load;

use crate::container::{Containers, Location};
use crate::index::{Index, Numbers};
use crate::mirror::access;
use crate::{ClassCode, ClassSource, Container, ContainerKind, NameId, Names, Notice, SigId};
use classfile_writer::PoolStorage;
use jfathom_plan::MethodKey;
use std::borrow::Cow;
use std::sync::Arc;

pub use define::{DefineOutcome, Versions};

/// A requested class, found or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub(crate) u32);

/// A method of a loaded class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MethodIx(pub(crate) u32);

impl ClassId {
    pub(crate) const fn ix(self) -> usize {
        self.0 as usize
    }
}

impl MethodIx {
    pub(crate) const fn ix(self) -> usize {
        self.0 as usize
    }
}

/// State of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Its header was read.
    Loaded(Location),
    /// Its class file was passed to [`World::define`].
    Defined {
        /// Whether it is one of the program's classes, not the JDK's.
        program: bool,
    },
    /// An array type.
    Array,
    /// The class of a lambda or method reference.
    Made,
    /// Not in the world, or unreadable.
    Missing,
}

#[derive(Debug)]
pub(crate) struct Class<'s> {
    pub(crate) name: NameId,
    pub(crate) state: State,
    pub(crate) access: u16,
    pub(crate) super_class: Option<ClassId>,
    pub(crate) interfaces: Vec<ClassId>,
    first: u32,
    count: u32,
    /// Methods of further class files of the name, behind the `count` of the first.
    further: Vec<MethodIx>,
    /// Checksums of the class files whose code it has, beside that of its location.
    files: Vec<u64>,
    /// Sorted.
    static_fields: Vec<SigId>,
    /// The package's name, and whether it is the JDK's: a run-time package (JVMS 5.3).
    package: (NameId, bool),
    bytes: Option<Cow<'s, [u8]>>,
    code: Option<Arc<ClassCode>>,
    /// The class itself and all its supertypes, once requested.
    pub(crate) supertypes: Option<Arc<[ClassId]>>,
    /// Whether its supertypes are being loaded.
    linking: bool,
}

impl Class<'_> {
    /// A class without content.
    fn nowhere(name: NameId, package: (NameId, bool)) -> Self {
        Self {
            name,
            state: State::Missing,
            access: 0,
            super_class: None,
            interfaces: Vec::new(),
            first: 0,
            count: 0,
            further: Vec::new(),
            files: Vec::new(),
            static_fields: Vec::new(),
            package,
            bytes: None,
            code: None,
            supertypes: None,
            linking: false,
        }
    }
}

/// A method of a loaded class.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Method {
    pub(crate) class: ClassId,
    pub(crate) sig: SigId,
    pub(crate) access: u16,
}

impl Method {
    pub(crate) const fn is(&self, flag: u16) -> bool {
        self.access & flag != 0
    }
}

/// A class path and a JDK.
pub struct World<'s> {
    source: &'s dyn ClassSource,
    containers: Containers<'s>,
    pub(crate) names: Names,
    classes: Vec<Class<'s>>,
    /// By name: the class's number plus one.
    by_name: Vec<u32>,
    methods: Vec<Method>,
    /// The methods of each class, sorted by signature, in the same range as in `methods`.
    by_sig: Vec<(SigId, MethodIx)>,
    notices: Vec<Notice>,
    /// By container: numbers of its index in this world.
    numbers: Vec<Numbers>,
    /// Empty: the world has the numbers of this index.
    base_numbers: Numbers,
    /// Memory for the next class file.
    storage: PoolStorage,
    object: ClassId,
}

impl<'s> World<'s> {
    /// A world of these containers, as a JVM of feature version `release` sees them. Reads only
    /// `Object`.
    pub fn new(
        source: &'s dyn ClassSource,
        containers: impl Into<Cow<'s, [Container]>>,
        release: u16,
    ) -> Self {
        Self::made(source, None, containers.into(), release)
    }

    /// As [`World::new`], with the index of a JDK ([`Rows::Classes`](crate::Rows)) in place of the
    /// JDK's containers. The names of the world begin with those of the index.
    pub fn over(
        source: &'s dyn ClassSource,
        jdk: &Index,
        containers: impl Into<Cow<'s, [Container]>>,
        release: u16,
    ) -> Self {
        Self::made(source, Some(jdk.clone()), containers.into(), release)
    }

    /// The same world, in which modules of the base that are not the JDK's count as the program's:
    /// those of an application in a run-time image of its own.
    #[must_use]
    pub fn with_application_modules(mut self, are_wanted: bool) -> Self {
        self.containers.set_applications(are_wanted);
        self
    }

    fn made(
        source: &'s dyn ClassSource,
        base: Option<Index>,
        containers: Cow<'s, [Container]>,
        release: u16,
    ) -> Self {
        let mut names =
            base.as_ref().map_or_else(Names::default, |base| Names::over(base.tables().clone()));
        let mut notices = Vec::new();
        let containers = Containers::new(containers, base, release, &mut names, &mut notices);
        let mut world = Self {
            source,
            by_name: vec![0; names.len()],
            containers,
            names,
            classes: Vec::new(),
            methods: Vec::new(),
            by_sig: Vec::new(),
            notices,
            numbers: Vec::new(),
            base_numbers: Numbers::default(),
            storage: PoolStorage::default(),
            object: ClassId(0),
        };
        world.object = world.class(b"java/lang/Object");
        world
    }

    /// The names.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// All notices so far.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// `java/lang/Object`.
    pub fn object(&self) -> ClassId {
        self.object
    }

    /// Number of requested classes.
    pub fn class_count(&self) -> usize {
        self.classes.len()
    }

    /// Number of methods of the loaded classes.
    pub fn method_count(&self) -> usize {
        self.methods.len()
    }

    /// The class of an internal name. It is loaded with its supertypes. If there is none, the class
    /// is missing ([`World::is_missing`]).
    pub fn class(&mut self, name: &[u8]) -> ClassId {
        let name = self.names.intern(name);
        self.class_of(name)
    }

    /// Whether there is an entry for the class. Loads nothing.
    pub fn has(&self, name: NameId) -> bool {
        self.containers.find(name).is_some()
    }

    /// Whether the program has an entry for the class. Loads nothing.
    pub fn in_program(&self, name: NameId) -> bool {
        let location = self.containers.find(name);
        location.is_some_and(|location| {
            self.containers.kind(location.container) == Some(ContainerKind::Program)
        })
    }

    /// The names of all classes of one kind of container.
    pub fn all_classes(&self, kind: ContainerKind) -> Vec<NameId> {
        self.containers.classes(kind).collect()
    }

    /// The class of a name, if it was requested before.
    pub fn known(&self, name: NameId) -> Option<ClassId> {
        self.by_name.get(name.ix()).and_then(|id| id.checked_sub(1)).map(ClassId)
    }

    pub(crate) fn get(&self, class: ClassId) -> &Class<'s> {
        &self.classes[class.ix()]
    }

    pub(crate) fn get_mut(&mut self, class: ClassId) -> &mut Class<'s> {
        &mut self.classes[class.ix()]
    }

    pub(crate) fn row(&self, method: MethodIx) -> Method {
        self.methods[method.ix()]
    }

    /// The methods of a class, in class-file order; behind them those that further class files of
    /// its name have.
    pub fn methods_of(&self, class: ClassId) -> impl Iterator<Item = MethodIx> + use<> {
        let class = self.get(class);
        (class.first..class.first + class.count).map(MethodIx).chain(class.further.clone())
    }

    /// The method that the class itself declares with this signature.
    pub fn declared(&self, class: ClassId, sig: SigId) -> Option<MethodIx> {
        let class = self.get(class);
        let rows = self.by_sig.get(class.first as usize..(class.first + class.count) as usize)?;
        let at = rows.partition_point(|row| row.0 < sig);
        let first = rows.get(at).filter(|row| row.0 == sig).map(|row| row.1);
        first.or_else(|| class.further.iter().copied().find(|&method| self.row(method).sig == sig))
    }

    /// The method of a class by its name and descriptor. Loads the class.
    pub fn method(&mut self, class: &str, name: &str, descriptor: &str) -> Option<MethodIx> {
        let text = classfile_writer::mutf8::encode;
        let class = self.class(&text(class));
        let sig = self.names.sig_of(&text(name), &text(descriptor));
        self.declared(class, sig)
    }

    /// The class of an internal name. Loads it.
    pub fn class_by_name(&mut self, name: &str) -> ClassId {
        self.class(&classfile_writer::mutf8::encode(name))
    }

    /// The class file of a class of the program, as its container has it. None if it cannot be
    /// read.
    pub fn program_class_file(&self, name: &str) -> Option<Cow<'s, [u8]>> {
        let name = self.names.find(&classfile_writer::mutf8::encode(name))?;
        let location = self.containers.find(name).filter(|_| self.in_program(name))?;
        self.containers.read(self.source, location).ok()
    }

    /// [`World::method`] of a loaded class. Loads nothing.
    pub fn loaded_method(&self, class: &str, name: &str, descriptor: &str) -> Option<MethodIx> {
        let text = classfile_writer::mutf8::encode;
        let class = self.known(self.names.find(&text(class))?)?;
        let sig = self
            .names
            .find_sig(self.names.find(&text(name))?, self.names.find(&text(descriptor))?)?;
        self.declared(class, sig)
    }

    /// The class of an internal name, if it was loaded; nothing is loaded.
    pub fn loaded_class(&self, name: &str) -> Option<ClassId> {
        self.known(self.names.find(&classfile_writer::mutf8::encode(name))?)
    }

    /// The method of these names that a class declares. `position` is where it probably is in the
    /// class file; the answer does not depend on it.
    pub fn method_near(
        &self,
        class: ClassId,
        position: usize,
        name: &str,
        descriptor: &str,
    ) -> Option<MethodIx> {
        // Equal bytes are equal texts in modified UTF-8 too.
        let is_it = |&method: &MethodIx| {
            let sig = self.row(method).sig;
            self.names.name_of(sig) == name.as_bytes()
                && self.names.descriptor_of(sig) == descriptor.as_bytes()
        };
        let guess = self.methods_of(class).nth(position).filter(is_it);
        guess.or_else(|| {
            let text = classfile_writer::mutf8::encode;
            let (name, descriptor) = (text(name), text(descriptor));
            let names = &self.names;
            let sig = names.find_sig(names.find(&name)?, names.find(&descriptor)?)?;
            self.declared(class, sig)
        })
    }

    /// Whether the class itself declares this static field.
    pub(crate) fn has_static_field(&self, class: ClassId, field: SigId) -> bool {
        self.get(class).static_fields.binary_search(&field).is_ok()
    }

    /// The position of a method within [`World::methods_of`] its class.
    pub(crate) fn position(&self, method: MethodIx) -> usize {
        let class = self.get(self.row(method).class);
        let further = || class.further.iter().position(|&further| further == method);
        match method.0.checked_sub(class.first).filter(|&at| at < class.count) {
            Some(at) => at as usize,
            None => class.count as usize + further().unwrap_or(0),
        }
    }

    /// The class that declares a method.
    pub fn class_of_method(&self, method: MethodIx) -> ClassId {
        self.row(method).class
    }

    /// `access_flags` of a method.
    pub fn access_of(&self, method: MethodIx) -> u16 {
        self.row(method).access
    }

    /// Whether a method has code.
    pub fn has_code(&self, method: MethodIx) -> bool {
        self.row(method).access & (access::ABSTRACT | access::NATIVE) == 0
    }

    /// The key of a method.
    pub fn key(&self, method: MethodIx) -> MethodKey {
        let row = self.row(method);
        let (name, descriptor) = self.names.parts(row.sig);
        MethodKey {
            class: self.names.show(self.get(row.class).name),
            name: self.names.show(name),
            descriptor: self.names.show(descriptor),
        }
    }

    /// The internal name of a class.
    pub fn class_name(&self, class: ClassId) -> String {
        self.names.show(self.get(class).name)
    }

    /// The internal name of a class, in modified UTF-8.
    pub fn internal_name(&self, class: ClassId) -> &[u8] {
        self.names.text(self.get(class).name)
    }

    /// Whether the requested class was not found, or cannot be read.
    pub fn is_missing(&self, class: ClassId) -> bool {
        self.get(class).state == State::Missing
    }

    /// Whether it is an interface.
    pub fn is_interface(&self, class: ClassId) -> bool {
        self.get(class).access & access::INTERFACE != 0
    }

    /// Whether there can be objects of exactly this class.
    pub fn is_concrete(&self, class: ClassId) -> bool {
        let class = self.get(class);
        matches!(class.state, State::Loaded(_) | State::Defined { .. } | State::Made)
            && class.access & (access::INTERFACE | access::ABSTRACT) == 0
    }

    /// Whether it is a program class with a class file.
    pub fn is_program(&self, class: ClassId) -> bool {
        match self.get(class).state {
            State::Loaded(at) => self.containers.kind(at.container) == Some(ContainerKind::Program),
            State::Defined { program } => program,
            State::Array | State::Made | State::Missing => false,
        }
    }

    /// Whether it has a class file. Arrays, lambda objects and missing classes have none.
    pub(crate) fn is_from_file(&self, class: ClassId) -> bool {
        matches!(self.get(class).state, State::Loaded(_) | State::Defined { .. })
    }

    /// The label of the class's container.
    pub fn container_of(&self, class: ClassId) -> Option<&str> {
        match self.get(class).state {
            State::Loaded(location) => Some(self.containers.label(location.container)),
            _ => None,
        }
    }

    /// Whether two classes are in one run-time package (JVMS 5.3). All program classes count as one
    /// loader's, and all JDK classes.
    pub(crate) fn same_package(&self, a: ClassId, b: ClassId) -> bool {
        self.get(a).package == self.get(b).package
    }

    /// All requested classes.
    pub fn classes(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.classes.len() as u32).map(ClassId)
    }

    /// Bytes of memory for the mirrors, without class files whose code is not read yet.
    pub fn memory(&self) -> usize {
        let class = |class: &Class| {
            let code = class.code.as_ref().map_or(0, |code| code.memory());
            let supers = class.supertypes.as_ref().map_or(0, |all| all.len());
            size_of::<Class>()
                + code
                + 4 * (class.static_fields.len() + class.interfaces.len() + supers)
        };
        let rows = size_of::<Method>() + size_of::<(SigId, MethodIx)>();
        self.names.memory()
            + self.methods.len() * rows
            + self.classes.iter().map(class).sum::<usize>()
    }
}

impl std::fmt::Debug for World<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World")
            .field("classes", &self.classes.len())
            .field("methods", &self.methods.len())
            .finish()
    }
}
