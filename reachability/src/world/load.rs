//! Loading of classes: from an index, or from bytes.

use super::{Class, ClassId, Method, MethodIx, State, World};
use crate::container::Location;
use crate::index::{Index, Numbers};
use crate::texts::{self, Summary};
use crate::{ClassCode, ContainerKind, Header, NameId, Names, Notice};
use classfile_writer::ClassFile;
use std::borrow::Cow;
use std::fmt::Display;
use std::sync::Arc;

impl<'s> World<'s> {
    /// [`World::class`] by the number of the name.
    pub fn class_of(&mut self, name: NameId) -> ClassId {
        if let Some(known) = self.known(name) {
            return known;
        }
        let first = self.load(name);
        let asked = first.class;
        let mut path = vec![first];
        while let Some(frame) = path.last_mut() {
            let class = frame.class;
            let Some((name, role)) = frame.supers.pop() else {
                self.classes[class.ix()].linking = false;
                path.pop();
                continue;
            };
            let above = match self.known(name) {
                Some(above) => above,
                None => {
                    let frame = self.load(name);
                    let above = frame.class;
                    path.push(frame);
                    above
                }
            };
            // A class that is being linked and is not new is lower on the path: a cycle.
            if self.classes[above.ix()].linking
                && path.last().is_none_or(|frame| frame.class != above || above == class)
            {
                let class = self.names.show(self.classes[class.ix()].name);
                self.notices.push(Notice::CyclicInheritance { class });
                continue;
            }
            let below = &mut self.classes[class.ix()];
            match role {
                Role::Superclass => below.super_class = Some(above),
                Role::Interface => below.interfaces.push(above),
            }
        }
        asked
    }

    /// Makes an entry for a class, with its members and without supertypes.
    fn load(&mut self, name: NameId) -> Frame {
        let (read, state) = match self.containers.find(name) {
            None if self.names.text(name).starts_with(b"[") => (None, State::Array),
            None => (None, State::Missing),
            Some(location) => match self.read(name, location) {
                Ok(read) => (Some(read), State::Loaded(location)),
                Err(notice) => {
                    self.notices.push(notice);
                    (None, State::Missing)
                }
            },
        };
        let (header, bytes) = match read {
            Some(read) => read,
            None => {
                let super_class =
                    (state == State::Array).then(|| self.names.intern(b"java/lang/Object"));
                let (interfaces, methods, static_fields) = (Vec::new(), Vec::new(), Vec::new());
                (
                    Header {
                        name,
                        super_class,
                        interfaces,
                        access: 0,
                        major: 0,
                        methods,
                        static_fields,
                    },
                    None,
                )
            }
        };
        self.add(header, state, bytes)
    }

    fn read(&mut self, name: NameId, location: Location) -> Result<Read<'s>, Notice> {
        if let Some(header) =
            self.indexed(location, Index::header).filter(|header| header.name == name)
        {
            return Ok((header, None));
        }
        let place = |world: &Self| world.containers.place(location);
        let unreadable = |world: &Self, problem: &dyn Display| Notice::Unreadable {
            place: place(world),
            problem: problem.to_string(),
        };
        let bytes = self
            .containers
            .read(self.source, location)
            .map_err(|problem| unreadable(self, &problem))?;
        let storage = std::mem::take(&mut self.storage);
        let class =
            ClassFile::parse_with(&bytes, storage).map_err(|error| unreadable(self, &error))?;
        let header =
            crate::header(&class, &mut self.names).map_err(|error| unreadable(self, &error))?;
        self.storage = class.into_storage();
        if header.name != name {
            return Err(Notice::WrongName {
                place: place(self),
                class: self.names.show(header.name),
            });
        }
        Ok((header, Some(bytes)))
    }

    /// Reads a class from its container's index, if there is one.
    fn indexed<T>(
        &mut self,
        location: Location,
        get: impl FnOnce(&Index, u32, &mut Numbers, &mut Names) -> Option<T>,
    ) -> Option<T> {
        if let Some(base) = self.containers.base_of(location.container) {
            return get(base, location.entry, &mut self.base_numbers, &mut self.names);
        }
        let container = location.container as usize;
        let index = self.source.index(container)?;
        if self.numbers.len() <= container {
            self.numbers.resize_with(container + 1, Numbers::default);
        }
        get(index, location.entry, self.numbers.get_mut(container)?, &mut self.names)
    }

    fn add(&mut self, header: Header, state: State, bytes: Option<Cow<'s, [u8]>>) -> Frame {
        let class = self.placeholder(header.name);
        let first = self.add_methods(class, &header);
        let mut static_fields = header.static_fields;
        static_fields.sort_unstable();
        let jdk = match state {
            State::Loaded(at) => self.containers.kind(at.container) == Some(ContainerKind::Jdk),
            _ => false,
        };
        let package = (self.get(class).package.0, jdk);
        *self.get_mut(class) = Class {
            state,
            access: header.access,
            interfaces: Vec::with_capacity(header.interfaces.len()),
            first,
            count: header.methods.len() as u32,
            static_fields,
            bytes,
            linking: true,
            ..Class::nowhere(header.name, package)
        };
        // Reversed, because they are taken from the end: superclass first, then the interfaces in
        // order.
        let interfaces = header.interfaces.into_iter().rev().map(|name| (name, Role::Interface));
        let supers =
            interfaces.chain(header.super_class.map(|name| (name, Role::Superclass))).collect();
        Frame { class, supers }
    }

    /// A class with only a name.
    pub(super) fn placeholder(&mut self, name: NameId) -> ClassId {
        let class = ClassId(self.classes.len() as u32);
        let text = self.names.text(name);
        let package = text
            .get(..text.iter().rposition(|&b| b == b'/').unwrap_or(0))
            .unwrap_or_default()
            .to_vec();
        let package = (self.names.intern(&package), false);
        if self.by_name.len() <= name.ix() {
            self.by_name.resize(self.names.len().max(name.ix() + 1), 0);
        }
        self.by_name[name.ix()] = class.0 + 1;
        self.classes.push(Class::nowhere(name, package));
        class
    }

    /// Adds rows for the methods of a class. Returns the first row.
    pub(super) fn add_methods(&mut self, class: ClassId, header: &Header) -> u32 {
        let first = self.methods.len() as u32;
        for (method, ix) in header.methods.iter().zip(first..) {
            self.methods.push(Method { class, sig: method.sig, access: method.access });
            self.by_sig.push((method.sig, MethodIx(ix)));
        }
        self.by_sig[first as usize..].sort_unstable();
        first
    }

    /// Adds the class of a lambda object, which has no file.
    pub(crate) fn make(&mut self, name: &[u8], header: Header, code: ClassCode) -> ClassId {
        let name = self.names.intern(name);
        if let Some(known) = self.known(name).filter(|&known| !self.is_missing(known)) {
            return known;
        }
        let supers: Vec<NameId> =
            header.super_class.iter().chain(&header.interfaces).copied().collect();
        let supers: Vec<ClassId> = supers.into_iter().map(|name| self.class_of(name)).collect();
        let has_super = header.super_class.is_some();
        let class = self.add(Header { name, ..header }, State::Made, None).class;
        let made = &mut self.classes[class.ix()];
        let mut supers = supers.into_iter();
        made.super_class = if has_super { supers.next() } else { None };
        made.interfaces = supers.collect();
        made.code = Some(Arc::new(code));
        made.linking = false;
        class
    }

    /// The code of a class, read at the first request.
    pub fn code(&mut self, class: ClassId) -> Arc<ClassCode> {
        if let Some(code) = &self.get(class).code {
            return code.clone();
        }
        let code = match self.get(class).state {
            State::Loaded(location) => self.read_code(class, location),
            State::Defined { .. } => {
                let bytes = self.get_mut(class).bytes.take();
                let place = self.class_name(class);
                bytes.map_or_else(ClassCode::default, |bytes| self.parse_code(class, &bytes, place))
            }
            State::Array | State::Made | State::Missing => ClassCode::default(),
        };
        let code = Arc::new(code);
        self.get_mut(class).code = Some(code.clone());
        code
    }

    /// Frees the code of all classes that can be read again. [`World::code`] does so.
    pub fn free_code(&mut self) {
        for class in &mut self.classes {
            if matches!(class.state, State::Loaded(_)) && class.files.is_empty() {
                class.code = None;
            }
        }
    }

    /// The values that methods of a class pass to reflection. Read from the class file, even with
    /// an index. Empty if the file cannot be read.
    pub(crate) fn summaries(&mut self, class: ClassId, methods: &[MethodIx]) -> Vec<Summary> {
        let positions: Vec<usize> = methods.iter().map(|&method| self.position(method)).collect();
        self.class_file(class, |class, names| texts::summarize(class, names, &positions))
            .unwrap_or_else(|| methods.iter().map(|_| Summary::default()).collect())
    }

    /// The types of the fields that a class declares. Empty if its file cannot be read.
    pub(crate) fn field_types(&mut self, class: ClassId) -> Vec<NameId> {
        self.class_file(class, texts::field_types).unwrap_or_default()
    }

    /// Reads the file of a class again.
    fn class_file<T>(
        &mut self,
        class: ClassId,
        read: impl FnOnce(&ClassFile<'_>, &mut Names) -> T,
    ) -> Option<T> {
        let bytes = match (&self.get(class).bytes, self.get(class).state) {
            (Some(bytes), _) => bytes.clone(),
            (None, State::Loaded(location)) => self.containers.read(self.source, location).ok()?,
            _ => return None,
        };
        let parsed = ClassFile::parse_with(&bytes, std::mem::take(&mut self.storage)).ok()?;
        let found = read(&parsed, &mut self.names);
        self.storage = parsed.into_storage();
        Some(found)
    }

    /// A file of the program's class path that is not a class. `name` is in modified UTF-8, and
    /// has no slash at its start.
    pub(crate) fn resource(&self, name: &[u8]) -> Option<Cow<'s, [u8]>> {
        let name = classfile_writer::mutf8::decode(name)?;
        let location = self.containers.resource(&name)?;
        self.containers.read(self.source, location).ok()
    }

    fn read_code(&mut self, class: ClassId, location: Location) -> ClassCode {
        let bytes = match self.get_mut(class).bytes.take() {
            Some(bytes) => bytes,
            None => match self.indexed(location, Index::code) {
                Some(code) if code.bodies.len() == self.methods_of(class).count() => return code,
                _ => match self.containers.read(self.source, location) {
                    Ok(bytes) => bytes,
                    Err(problem) => {
                        let place = self.containers.place(location);
                        self.notices
                            .push(Notice::Unreadable { place, problem: problem.to_string() });
                        return ClassCode::default();
                    }
                },
            },
        };
        let place = self.containers.place(location);
        self.parse_code(class, &bytes, place)
    }

    fn parse_code(&mut self, class: ClassId, bytes: &[u8], place: String) -> ClassCode {
        let Ok(parsed) = ClassFile::parse_with(bytes, std::mem::take(&mut self.storage)) else {
            return ClassCode::default();
        };
        let code = crate::code(&parsed, &mut self.names);
        self.storage = parsed.into_storage();
        for (at, problem) in &code.broken {
            let Some(method) = self.methods_of(class).nth(usize::from(*at)) else { continue };
            let key = self.key(method);
            let (place, problem) = (place.clone(), problem.clone());
            let method = format!("{}{}", key.name, key.descriptor);
            self.notices.push(Notice::UnreadableCode { place, method, problem });
        }
        code
    }
}

/// A header, and the bytes with the unread code.
type Read<'s> = (Header, Option<Cow<'s, [u8]>>);

/// Role of a name in a class's header.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Superclass,
    Interface,
}

/// A class whose supertypes are being loaded.
struct Frame {
    class: ClassId,
    /// Supertypes to load.
    supers: Vec<(NameId, Role)>,
}
