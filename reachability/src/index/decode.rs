//! Reading an index: the tables at once, classes when they are asked for.

use super::encode::checksum;
use super::wire::Reader;
use super::{
    Fact, HEAD, Handle, Index, IndexError, InvokeKind, MAGIC, MethodRef, NameId, Names, Numbers, SigId, VERSION,
};
use crate::{Body, ClassCode, Header, Lambda, MethodHeader};

impl Index {
    /// Takes the bytes that [`IndexBuilder::encode`](super::IndexBuilder::encode) made for `key`.
    ///
    /// # Errors
    /// Whatever is not exactly that.
    pub fn decode(bytes: Vec<u8>, key: &[u8]) -> Result<Self, IndexError> {
        if bytes.get(..4) != Some(MAGIC) {
            return Err(IndexError::NoIndex);
        }
        let mut word = [0; 4];
        word.copy_from_slice(bytes.get(4..8).ok_or(IndexError::Damaged)?);
        match u32::from_le_bytes(word) {
            VERSION => {}
            other => return Err(IndexError::Version(other)),
        }
        let mut sum = [0; 8];
        sum.copy_from_slice(bytes.get(8..HEAD).ok_or(IndexError::Damaged)?);
        if u64::from_le_bytes(sum) != checksum(bytes.get(HEAD..).unwrap_or_default())
            || u32::try_from(bytes.len()).is_err()
        {
            return Err(IndexError::Damaged);
        }
        let mut reader = Reader { bytes: &bytes, at: HEAD };
        if reader.text().ok_or(IndexError::Damaged)? != key {
            return Err(IndexError::OtherContent);
        }
        let (names, sigs, entries, classes) = tables(reader).ok_or(IndexError::Damaged)?;
        Ok(Self { bytes, names, sigs, entries, classes })
    }

    /// How many classes it has.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Whether it has no class.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    fn class(&self, entry: &str) -> Option<(u32, u32, u32)> {
        self.classes.get(self.entries.find(entry.as_bytes())?.ix()).copied()
    }

    /// The header of an entry's class, with the world's numbers.
    pub(crate) fn header(&self, entry: &str, numbers: &mut Numbers, names: &mut Names) -> Option<Header> {
        let (start, end, _) = self.class(entry)?;
        let mut decoder = self.decoder(start, end, numbers, names)?;
        decoder.header()
    }

    /// The code of an entry's class, with the world's numbers.
    pub(crate) fn code(&self, entry: &str, numbers: &mut Numbers, names: &mut Names) -> Option<ClassCode> {
        let (_, start, end) = self.class(entry)?;
        let mut decoder = self.decoder(start, end, numbers, names)?;
        decoder.code()
    }

    fn decoder<'d>(
        &'d self,
        start: u32,
        end: u32,
        numbers: &'d mut Numbers,
        names: &'d mut Names,
    ) -> Option<Decoder<'d>> {
        numbers.names.resize(self.names.len(), 0);
        numbers.sigs.resize(self.sigs.len(), 0);
        let reader = Reader { bytes: self.bytes.get(..end as usize)?, at: start as usize };
        Some(Decoder { index: self, reader, numbers, names })
    }
}

type Tables = (Vec<(u32, u32)>, Vec<(u32, u32)>, Names, Vec<(u32, u32, u32)>);

fn tables(mut reader: Reader<'_>) -> Option<Tables> {
    let names = (0..reader.count()?)
        .map(|_| {
            let text = reader.text()?;
            Some(((reader.at - text.len()) as u32, text.len() as u32))
        })
        .collect::<Option<Vec<_>>>()?;
    let sigs = (0..reader.count()?).map(|_| Some((reader.number()?, reader.number()?))).collect::<Option<Vec<_>>>()?;
    let mut entries = Names::default();
    let mut lengths: Vec<(u32, u32, u32)> = Vec::new();
    let mut classes: Vec<(u32, u32, u32)> = Vec::new();
    for _ in 0..reader.count()? {
        let entry = entries.intern(reader.text()?);
        lengths.push((entry.0, reader.number()?, reader.number()?));
    }
    classes.resize(entries.len(), (0, 0, 0));
    let mut at = reader.at as u32;
    for (entry, header, code) in lengths {
        let middle = at.checked_add(header)?;
        let end = middle.checked_add(code)?;
        *classes.get_mut(entry as usize)? = (at, middle, end);
        at = end;
    }
    (at as usize == reader.bytes.len()).then_some((names, sigs, entries, classes))
}

struct Decoder<'d> {
    index: &'d Index,
    reader: Reader<'d>,
    numbers: &'d mut Numbers,
    names: &'d mut Names,
}

impl Decoder<'_> {
    fn name(&mut self) -> Option<NameId> {
        let number = self.reader.number()?;
        self.name_of(number)
    }

    fn name_of(&mut self, number: u32) -> Option<NameId> {
        let slot = self.numbers.names.get_mut(number as usize)?;
        if *slot == 0 {
            let &(at, len) = self.index.names.get(number as usize)?;
            let text = self.index.bytes.get(at as usize..at as usize + len as usize)?;
            *slot = self.names.intern(text).0 + 1;
        }
        Some(NameId(*slot - 1))
    }

    fn sig(&mut self) -> Option<SigId> {
        let number = self.reader.number()? as usize;
        if *self.numbers.sigs.get(number)? == 0 {
            let &(name, descriptor) = self.index.sigs.get(number)?;
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
            number => Some(self.name_of(number - 1)?),
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
            let (call_sites, flags) = (self.reader.number()?, self.reader.byte()?);
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
        Some(MethodRef { owner: self.name()?, sig: self.sig()?, interface: self.reader.byte()? != 0 })
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
            _ => return None,
        })
    }
}
