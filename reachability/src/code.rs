//! The code pass: facts of a class's methods.

use crate::annotations;
use crate::bootstrap::{Bootstraps, Site};
use crate::mirror::access;
use crate::{Body, ClassCode, Fact, Handle, InvokeKind, MethodRef, NameId, Names, SigId};
use classfile_writer::{ClassFile, Code, Error, PoolIx, Tag, opcode};

/// Bound on the instructions between a class constant and its `ServiceLoader.load`.
const SERVICE_DISTANCE: u32 = 4;

/// Reads the code of all methods of a class file.
///
/// A method whose code cannot be read has no facts, and is listed in [`ClassCode::broken`]. Classes
/// among the values of the class's annotations count as constants of its constructors and its
/// initialiser. Code can read the annotations once the class is used.
pub fn code(class: &ClassFile<'_>, names: &mut Names) -> ClassCode {
    let mut reader = Reader::new(class, names);
    let annotated: Vec<NameId> =
        annotations::values(class).into_iter().map(|name| reader.names.intern(name)).collect();
    for (at, method) in class.methods().enumerate() {
        let start = reader.out.facts.len();
        let mut body = Body { start: start as u32, ..Body::default() };
        if method.access & (access::ABSTRACT | access::NATIVE) == 0
            && let Err(error) = method.code().and_then(|code| {
                let Some(code) = code else { return Ok(()) };
                reader.method(&code, &mut body)
            })
        {
            reader.out.facts.truncate(start);
            reader.out.broken.push((at as u16, error.to_string()));
        }
        if !annotated.is_empty() && method.name.starts_with(b"<") {
            for fact in annotated.iter().map(|&name| Fact::ClassConstant(name)) {
                if reader.out.facts.get(start..).is_none_or(|facts| !facts.contains(&fact)) {
                    reader.out.facts.push(fact);
                }
            }
        }
        if class.access() & access::ANNOTATION != 0 {
            let defaults = annotations::defaults(class, method.attributes());
            reader.out.facts.extend(
                defaults.into_iter().map(|name| Fact::ClassConstant(reader.names.intern(name))),
            );
        }
        for name in annotations::types(class, method.attributes()) {
            let name = reader.names.intern(name);
            reader.out.facts.push(Fact::Annotated(name));
        }
        body.len = (reader.out.facts.len() - start) as u32;
        reader.out.bodies.push(body);
    }
    reader.out
}

/// Reads one class. Each constant is looked up once per class.
pub(crate) struct Reader<'c, 'n> {
    pub(crate) class: &'c ClassFile<'c>,
    pub(crate) names: &'n mut Names,
    pub(crate) out: ClassCode,
    bootstraps: Option<Bootstraps<'c>>,
    /// By pool entry: the member that it names, once requested.
    members: Vec<Option<Member>>,
    /// By pool entry: the number of a class name or of a signature, plus one. 0 before the first
    /// request.
    numbers: Vec<u32>,
    /// By pool entry: method number and opcode for which it was listed last.
    listed: Vec<(u32, u8)>,
    method: u32,
    /// Constants of the method with the form of a member name.
    member_names: Vec<&'c [u8]>,
}

/// A member reference, and the effect of calling it.
#[derive(Clone, Copy)]
struct Member {
    reference: MethodRef,
    flags: u16,
    special: Special,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Special {
    Nothing,
    ForName,
    Constructors,
    Service,
}

impl<'c, 'n> Reader<'c, 'n> {
    fn new(class: &'c ClassFile<'c>, names: &'n mut Names) -> Self {
        let count = usize::from(class.pool().count());
        Self {
            class,
            names,
            out: ClassCode::default(),
            bootstraps: None,
            members: vec![None; count],
            numbers: vec![0; count],
            listed: vec![(0, 0); count],
            method: 0,
            member_names: Vec::new(),
        }
    }

    fn method(&mut self, code: &Code<'_>, body: &mut Body) -> Result<(), Error> {
        self.method += 1;
        self.member_names.clear();
        let (mut before, mut class_constant) = (None, None);
        let mut last = [opcode::NOP; 2];
        for (instruction, number) in code.instructions().zip(0u32..) {
            let instruction = instruction?;
            let mut string = None;
            match instruction.opcode {
                opcode::INVOKEVIRTUAL
                | opcode::INVOKESPECIAL
                | opcode::INVOKESTATIC
                | opcode::INVOKEINTERFACE => {
                    let Some(ix) = instruction.pool_index() else { continue };
                    body.call_sites += 1;
                    let member = self.member(ix)?;
                    body.flags |= member.flags;
                    match member.special {
                        Special::Nothing => {}
                        Special::ForName => {
                            let name = before.map(|text| self.class_named(text));
                            self.out.facts.extend(name.map(Fact::ForName));
                        }
                        Special::Constructors => {
                            // `getConstructor()` passes an empty array of parameter types.
                            if last != [opcode::ICONST_0, opcode::ANEWARRAY] {
                                body.flags |= Body::CHOOSES_CONSTRUCTORS;
                            }
                        }
                        Special::Service => {
                            let class = class_constant.and_then(|(at, class)| {
                                (number - at <= SERVICE_DISTANCE).then_some(class)
                            });
                            self.out.facts.push(Fact::Service(class));
                        }
                    }
                    if self.first(ix, instruction.opcode) {
                        let kind = match instruction.opcode {
                            opcode::INVOKEVIRTUAL => InvokeKind::Virtual,
                            opcode::INVOKESPECIAL => InvokeKind::Special,
                            opcode::INVOKESTATIC => InvokeKind::Static,
                            _ => InvokeKind::Interface,
                        };
                        self.out.facts.push(Fact::Invoke(kind, member.reference));
                    }
                }
                opcode::GETSTATIC | opcode::PUTSTATIC => {
                    let Some(ix) = instruction.pool_index() else { continue };
                    // Reading and writing a field have the same effect here.
                    if self.first(ix, opcode::GETSTATIC) {
                        let MethodRef { owner, sig, .. } = self.member(ix)?.reference;
                        self.out.facts.push(Fact::StaticField { owner, field: sig });
                    }
                }
                opcode::NEW => {
                    let Some(ix) = instruction.pool_index() else { continue };
                    if self.first(ix, instruction.opcode) {
                        let name = self.names.intern(self.class.pool().class_name(ix)?);
                        self.out.facts.push(Fact::New(name));
                    }
                }
                opcode::INVOKEDYNAMIC => {
                    let Some(ix) = instruction.pool_index() else { continue };
                    body.call_sites += 1;
                    if self.first(ix, instruction.opcode) {
                        self.dynamic(ix, Site::Call)?;
                    }
                }
                opcode::LDC | opcode::LDC_W | opcode::LDC2_W => {
                    let Some(ix) = instruction.pool_index() else { continue };
                    let (text, class) = self.constant(ix)?;
                    string = text;
                    class_constant = class.map(|class| (number, class)).or(class_constant);
                }
                _ => {}
            }
            before = string;
            last = [last[1], instruction.opcode];
        }
        if body.has(Body::LOOKS_UP_MEMBERS) {
            let names = &mut self.names;
            self.out
                .facts
                .extend(self.member_names.iter().map(|text| Fact::MemberName(names.intern(text))));
        }
        Ok(())
    }

    /// Whether this pool entry was not the last one listed in this method for this opcode.
    pub(crate) fn first(&mut self, ix: PoolIx, opcode: u8) -> bool {
        let mark = (self.method, opcode);
        match self.listed.get_mut(usize::from(ix.0)) {
            Some(listed) if *listed != mark => {
                *listed = mark;
                true
            }
            _ => false,
        }
    }

    fn member(&mut self, ix: PoolIx) -> Result<Member, Error> {
        if let Some(Some(member)) = self.members.get(usize::from(ix.0)) {
            return Ok(*member);
        }
        let pool = self.class.pool();
        let (texts, member) = (pool.member_names(ix)?, pool.member_ref(ix)?);
        let names = &mut *self.names;
        let sig = number(&mut self.numbers, member.name_and_type, || {
            names.sig_of(texts.name, texts.descriptor).0
        });
        let reference = MethodRef {
            owner: NameId(number(&mut self.numbers, member.class, || names.intern(texts.class).0)),
            sig: SigId(sig),
            interface: member.tag == Tag::InterfaceMethodref,
        };
        let (flags, special) = meaning(texts.class, texts.name, texts.descriptor);
        let member = Member { reference, flags, special };
        if let Some(slot) = self.members.get_mut(usize::from(ix.0)) {
            *slot = Some(member);
        }
        Ok(member)
    }

    /// A method handle with its member.
    pub(crate) fn handle(&mut self, ix: PoolIx) -> Result<Handle, Error> {
        let handle = self.class.pool().method_handle(ix)?;
        Ok(Handle { kind: handle.kind, member: self.member(handle.reference)?.reference })
    }

    /// The class of a name with dots.
    fn class_named(&mut self, text: &[u8]) -> NameId {
        let internal: Vec<u8> = text.iter().map(|&b| if b == b'.' { b'/' } else { b }).collect();
        self.names.intern(&internal)
    }

    /// Lists the facts of a loadable constant. Returns the text if it is a class name, and the
    /// class of a class constant.
    fn constant(&mut self, ix: PoolIx) -> Result<(Option<&'c [u8]>, Option<NameId>), Error> {
        let pool = self.class.pool();
        let first = self.first(ix, opcode::LDC);
        match pool.tag(ix) {
            Some(Tag::String) => {
                let text = pool.string(ix)?;
                match read_as_name(text) {
                    Reading::Nothing => Ok((None, None)),
                    Reading::OddClass => Ok((Some(text), None)),
                    Reading::Member | Reading::OddMember => {
                        self.member_names.push(text);
                        Ok((Some(text), None))
                    }
                    Reading::Class => {
                        if first {
                            let name = self.class_named(text);
                            self.out.facts.push(Fact::NameLike(name));
                        }
                        Ok((Some(text), None))
                    }
                }
            }
            Some(Tag::Class) => {
                let name = self.names.intern(pool.class_name(ix)?);
                if first {
                    self.out.facts.push(Fact::ClassConstant(name));
                }
                Ok((None, Some(name)))
            }
            Some(Tag::MethodHandle) if first => {
                let handle = self.handle(ix)?;
                self.out.facts.push(Fact::Handle(handle));
                Ok((None, None))
            }
            Some(Tag::Dynamic) if first => self.dynamic(ix, Site::Constant).map(|()| (None, None)),
            _ => Ok((None, None)),
        }
    }

    fn dynamic(&mut self, ix: PoolIx, site: Site) -> Result<(), Error> {
        let bootstraps = self.bootstraps.take().unwrap_or_else(|| Bootstraps::of(self.class));
        let done = bootstraps.list(self, ix, site);
        self.bootstraps = Some(bootstraps);
        done
    }
}

/// The number of a pool entry. `ask` is called once per class.
fn number(numbers: &mut [u32], ix: PoolIx, ask: impl FnOnce() -> u32) -> u32 {
    match numbers.get_mut(usize::from(ix.0)) {
        Some(known @ 0) => {
            let number = ask();
            *known = number + 1;
            number
        }
        Some(known) => *known - 1,
        None => ask(),
    }
}

/// Whether the method's first parameter is a class name, judged by the method's own name:
/// `Class.forName`, `ClassLoader.loadClass`, `Lookup.findClass`, and similar methods of programs.
pub(crate) fn asks_for_class(name: &[u8], descriptor: &[u8]) -> bool {
    let has = |part: &[u8]| name.windows(part.len()).any(|window| window == part);
    descriptor.starts_with(b"(Ljava/lang/String;")
        && ([&b"forName"[..], b"ForName", b"loadClass", b"LoadClass"].iter().any(|part| has(part))
            || name == b"findClass" && descriptor == b"(Ljava/lang/String;)Ljava/lang/Class;")
}

/// The flags and the special effect that a call gives to its caller.
fn meaning(owner: &[u8], name: &[u8], descriptor: &[u8]) -> (u16, Special) {
    let mut flags = 0;
    let mut special = Special::Nothing;
    if asks_for_class(name, descriptor) {
        flags |= Body::TAKES_CLASS_NAMES;
        special = Special::ForName;
    }
    match owner {
        b"java/lang/Class" => match name {
            b"newInstance" => flags |= Body::LOOKS_UP_CONSTRUCTORS | Body::CONSTRUCTS,
            b"getConstructor"
            | b"getConstructors"
            | b"getDeclaredConstructor"
            | b"getDeclaredConstructors" => {
                flags |= Body::LOOKS_UP_CONSTRUCTORS;
                special = Special::Constructors;
            }
            b"getMethod" | b"getDeclaredMethod" => flags |= Body::LOOKS_UP_MEMBERS,
            b"getMethods"
            | b"getDeclaredMethods"
            | b"getRecordComponents"
            | b"getClasses"
            | b"getDeclaredClasses"
            | b"getFields"
            | b"getDeclaredFields" => flags |= Body::LISTS_MEMBERS,
            b"getResource" | b"getResourceAsStream" => flags |= Body::READS_RESOURCES,
            _ => {}
        },
        b"java/lang/ClassLoader"
            if name.starts_with(b"getResource") || name.starts_with(b"getSystemResource") =>
        {
            flags |= Body::READS_RESOURCES;
        }
        b"java/lang/invoke/MethodHandles$Lookup" => match name {
            // Who calls a method handle, and from where, does not show in the code.
            b"findVirtual" | b"findStatic" | b"findSpecial" | b"bind" => {
                flags |= Body::LOOKS_UP_MEMBERS | Body::INVOKES
            }
            b"findConstructor" => {
                flags |= Body::LOOKS_UP_CONSTRUCTORS | Body::CONSTRUCTS;
                special = Special::Constructors;
            }
            b"unreflect" | b"unreflectSpecial" => flags |= Body::INVOKES,
            b"unreflectConstructor" => flags |= Body::CONSTRUCTS,
            _ => {}
        },
        b"java/util/ServiceLoader" if name == b"load" || name == b"loadInstalled" => {
            special = Special::Service
        }
        b"java/lang/reflect/Method" if name == b"invoke" => flags |= Body::INVOKES,
        b"java/lang/reflect/Constructor" if name == b"newInstance" => flags |= Body::CONSTRUCTS,
        _ => {}
    }
    (flags, special)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Nothing,
    /// An identifier.
    Member,
    /// Another name that a method may have (JVMS 4.2.2). Most texts are none.
    OddMember,
    /// Identifiers with dots between them.
    Class,
    /// Other names with dots between them. They name a class only where one is asked for.
    OddClass,
}

/// The possible meaning of a string constant. Non-ASCII letters count as letters.
fn read_as_name(text: &[u8]) -> Reading {
    if text.is_empty() || text.len() > 255 {
        return Reading::Nothing;
    }
    let (mut start, mut dots, mut odd) = (true, false, false);
    for &b in text {
        match b {
            b'.' if start => return Reading::Nothing,
            b'.' => (start, dots) = (true, true),
            b';' | b'[' | b'/' => return Reading::Nothing,
            b => {
                let is_letter = b.is_ascii_alphabetic() || matches!(b, b'_' | b'$' | 0x80..);
                odd |= !is_letter && (start || !b.is_ascii_digit());
                start = false;
            }
        }
    }
    match (start, dots, odd) {
        (true, ..) => Reading::Nothing,
        (_, true, false) => Reading::Class,
        (_, true, true) => Reading::OddClass,
        (_, false, false) => Reading::Member,
        (_, false, true) => Reading::OddMember,
    }
}

/// Whether a text has the form of an identifier.
pub(crate) fn is_identifier(text: &[u8]) -> bool {
    read_as_name(text) == Reading::Member
}
