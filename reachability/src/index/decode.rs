//! Reading an index. Its tables stay bytes. Classes are read on request.

use super::format::IndexError;
use super::tables::{Section, Segment, Tables};
use super::wire::Reader;
use crate::mirror::{Fact, Handle, InvokeKind, MethodRef};
use crate::names::BaseNames;
use crate::{Body, ClassCode, Header, Lambda, MethodHeader, NameId, Names, SigId};
use std::sync::Arc;

/// The index of a container, or of all modules of a JDK. A [`World`](crate::World) uses it instead
/// of class files if its [`ClassSource`](crate::ClassSource) has one. Copies share the bytes.
///
/// Layout: `jfix`, version (u32), checksum of the rest (u64), the lengths of the sections (u32
/// each), the sections. Numbers are little endian. In `data` they are unsigned LEB128.
///
/// | section | content |
/// |---|---|
/// | key | bytes |
/// | ends, text | the names: where each ends in the text |
/// | name slots | open hash table: number of the name plus one, bits of the hash above it |
/// | sigs, sig slots | name and descriptor of each signature, and the same table of them |
/// | rows | by row: where its record begins in `data`, plus one; 0 if it has none |
/// | segments | by part: first row, start of its map of names, of signatures, end of both |
/// | maps | numbers of the parts' names and signatures in this index |
/// | groups | count, then label and first row of each: the modules of a JDK |
/// | services | count, then service and provider |
/// | data | records: length of the header, header, code |
///
/// A row is the position of an entry in a container. In an index with groups it is a class, and the
/// class's name has the row's number.
#[derive(Clone, Debug)]
pub struct Index(Arc<Tables>);

/// Numbers of an index's names and signatures in a world, plus one. 0 before the first request.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    pub(super) names: Vec<u32>,
    sigs: Vec<u32>,
}

impl Index {
    /// Reads the bytes that [`encode_index`](crate::encode_index) made for `key`.
    ///
    /// # Errors
    /// Fails for all other bytes.
    pub fn decode(bytes: Vec<u8>, key: &[u8]) -> Result<Self, IndexError> {
        Tables::new(bytes, key).map(|tables| Self(Arc::new(tables)))
    }

    /// The bytes, for storage.
    pub fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    /// Number of rows, those without a record included.
    pub fn len(&self) -> usize {
        self.0.row_count() as usize
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.0.row_count() == 0
    }

    /// Number of containers with classes as rows.
    pub fn group_count(&self) -> usize {
        self.0.groups().len()
    }

    /// The label of such a container.
    pub fn group(&self, at: usize) -> Option<&str> {
        self.0.groups().get(at).map(|group| group.0.as_str())
    }

    /// Number of rows with a record.
    pub fn records(&self) -> usize {
        self.0.record_count()
    }

    /// The services and providers given to [`encode_index`](crate::encode_index).
    pub fn services(&self) -> Vec<(String, String)> {
        self.0.services().unwrap_or_default()
    }

    pub(crate) fn tables(&self) -> &Arc<Tables> {
        &self.0
    }

    /// The header of a row's class, with the world's numbers.
    pub(crate) fn header(
        &self,
        row: u32,
        numbers: &mut Numbers,
        names: &mut Names,
    ) -> Option<Header> {
        let (reader, segment) = self.record(row)?;
        self.decoder(reader, segment, numbers, names).header()
    }

    /// The code of a row's class, with the world's numbers.
    pub(crate) fn code(
        &self,
        row: u32,
        numbers: &mut Numbers,
        names: &mut Names,
    ) -> Option<ClassCode> {
        let (reader, segment) = self.record(row)?;
        let reader = Reader { bytes: self.0.section(Section::Data), at: reader.bytes.len() };
        self.decoder(reader, segment, numbers, names).code()
    }

    /// The header of a row, as bytes.
    fn record(&self, row: u32) -> Option<(Reader<'_>, Segment<'_>)> {
        let (at, segment) = self.0.record(row)?;
        let mut reader = Reader { bytes: self.0.section(Section::Data), at };
        let len = reader.count()?;
        let end = reader.at + len;
        Some((Reader { bytes: reader.bytes.get(..end)?, at: reader.at }, segment))
    }

    fn decoder<'d>(
        &'d self,
        reader: Reader<'d>,
        segment: Segment<'d>,
        numbers: &'d mut Numbers,
        names: &'d mut Names,
    ) -> Decoder<'d> {
        let own = names.is_over(&self.0);
        if !own {
            numbers.names.resize(self.0.name_count() as usize, 0);
            numbers.sigs.resize(self.0.sig_count() as usize, 0);
        }
        Decoder { tables: &self.0, reader, segment, own, numbers, names }
    }
}

struct Decoder<'d> {
    tables: &'d Tables,
    reader: Reader<'d>,
    segment: Segment<'d>,
    /// Whether the world's numbers begin with those of this index.
    own: bool,
    numbers: &'d mut Numbers,
    names: &'d mut Names,
}

/// The index's number for a part's number.
fn mapped(map: &[[u8; 4]], number: u32) -> Option<u32> {
    if map.is_empty() {
        Some(number)
    } else {
        map.get(number as usize).copied().map(u32::from_le_bytes)
    }
}

impl Decoder<'_> {
    fn name(&mut self) -> Option<NameId> {
        let number = self.reader.number()?;
        self.name_at(number)
    }

    fn name_at(&mut self, number: u32) -> Option<NameId> {
        let number = mapped(self.segment.names, number)?;
        self.name_of(number)
    }

    fn name_of(&mut self, number: u32) -> Option<NameId> {
        if self.own {
            return (number < self.tables.name_count()).then_some(NameId(number));
        }
        let slot = self.numbers.names.get_mut(number as usize)?;
        if *slot == 0 {
            *slot = self.names.intern(self.tables.name(number)).0 + 1;
        }
        Some(NameId(*slot - 1))
    }

    fn sig(&mut self) -> Option<SigId> {
        let number = mapped(self.segment.sigs, self.reader.number()?)?;
        if self.own {
            return (number < self.tables.sig_count()).then_some(SigId(number));
        }
        let number = number as usize;
        if *self.numbers.sigs.get(number)? == 0 {
            let (name, descriptor) = self.tables.sig(number as u32)?;
            let (name, descriptor) = (self.name_of(name)?, self.name_of(descriptor)?);
            *self.numbers.sigs.get_mut(number)? = self.names.sig(name, descriptor).0 + 1;
        }
        self.numbers.sigs.get(number).map(|&id| SigId(id - 1))
    }

    fn names(&mut self) -> Option<Vec<NameId>> {
        (0..self.reader.count()?).map(|_| self.name()).collect()
    }

    fn sigs(&mut self) -> Option<Vec<SigId>> {
        (0..self.reader.count()?).map(|_| self.sig()).collect()
    }

    fn header(&mut self) -> Option<Header> {
        let name = self.name()?;
        let super_class = match self.reader.number()? {
            0 => None,
            number => Some(self.name_at(number - 1)?),
        };
        let interfaces = self.names()?;
        let (access, major) = (self.reader.short()?, self.reader.short()?);
        let methods = (0..self.reader.count()?)
            .map(|_| Some(MethodHeader { sig: self.sig()?, access: self.reader.short()? }))
            .collect::<Option<Vec<_>>>()?;
        let static_fields = self.sigs()?;
        Some(Header { name, super_class, interfaces, access, major, methods, static_fields })
    }

    fn code(&mut self) -> Option<ClassCode> {
        let mut code = ClassCode::default();
        for _ in 0..self.reader.count()? {
            let (interfaces, methods) = (self.names()?, self.sigs()?);
            code.lambdas.push(Lambda { interfaces, methods, target: self.handle()? });
        }
        for _ in 0..self.reader.count()? {
            let (call_sites, flags) =
                (self.reader.number()?, u16::try_from(self.reader.number()?).ok()?);
            let len = self.reader.count()? as u32;
            code.bodies.push(Body { start: code.facts.len() as u32, len, call_sites, flags });
            for _ in 0..len {
                let fact = self.fact()?;
                code.facts.push(fact);
            }
        }
        Some(code)
    }

    fn reference(&mut self) -> Option<MethodRef> {
        Some(MethodRef {
            owner: self.name()?,
            sig: self.sig()?,
            interface: self.reader.byte()? != 0,
        })
    }

    fn handle(&mut self) -> Option<Handle> {
        Some(Handle { kind: self.reader.byte()?, member: self.reference()? })
    }

    fn fact(&mut self) -> Option<Fact> {
        Some(match self.reader.byte()? {
            0 => Fact::Invoke(InvokeKind::Virtual, self.reference()?),
            1 => Fact::Invoke(InvokeKind::Special, self.reference()?),
            2 => Fact::Invoke(InvokeKind::Static, self.reference()?),
            3 => Fact::Invoke(InvokeKind::Interface, self.reference()?),
            4 => Fact::Generated(self.name()?, self.sig()?),
            5 => Fact::New(self.name()?),
            6 => Fact::StaticField { owner: self.name()?, field: self.sig()? },
            7 => Fact::Handle(self.handle()?),
            8 => Fact::Lambda(self.reader.number()?),
            9 => Fact::ClassConstant(self.name()?),
            10 => Fact::ForName(self.name()?),
            11 => Fact::NameLike(self.name()?),
            12 => Fact::MemberName(self.name()?),
            13 => Fact::Service(Some(self.name()?)),
            14 => Fact::Service(None),
            15 => Fact::Annotated(self.name()?),
            _ => return None,
        })
    }
}
