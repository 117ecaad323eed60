//! The constant pool (JVMS §4.4), read in place.

use std::ops::Range;

use crate::bytes::{checked_u2, checked_u4, u1, u2};
use crate::error::{Error, ErrorKind, Result};

/// Index of a constant pool entry. 0 is no entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct PoolIx(pub u16);

/// Kind of a constant pool entry (JVMS §4.4, table 4.4-A).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Tag {
    /// Modified UTF-8 text (§4.4.7).
    Utf8 = 1,
    /// An `int` (§4.4.4).
    Integer = 3,
    /// A `float` (§4.4.4).
    Float = 4,
    /// A `long`, two slots (§4.4.5).
    Long = 5,
    /// A `double`, two slots (§4.4.5).
    Double = 6,
    /// A class, interface or array type (§4.4.1).
    Class = 7,
    /// A `String` (§4.4.3).
    String = 8,
    /// A field (§4.4.2).
    Fieldref = 9,
    /// A method of a class (§4.4.2).
    Methodref = 10,
    /// A method of an interface (§4.4.2).
    InterfaceMethodref = 11,
    /// Name and descriptor (§4.4.6).
    NameAndType = 12,
    /// A method handle (§4.4.8).
    MethodHandle = 15,
    /// A method type (§4.4.9).
    MethodType = 16,
    /// A dynamically computed constant (§4.4.10).
    Dynamic = 17,
    /// A dynamically computed call site (§4.4.10).
    InvokeDynamic = 18,
    /// A module (§4.4.11).
    Module = 19,
    /// A package (§4.4.12).
    Package = 20,
}

impl Tag {
    /// The tag with this number, if it is defined.
    pub fn from_byte(byte: u8) -> Option<Tag> {
        Some(match byte {
            1 => Tag::Utf8,
            3 => Tag::Integer,
            4 => Tag::Float,
            5 => Tag::Long,
            6 => Tag::Double,
            7 => Tag::Class,
            8 => Tag::String,
            9 => Tag::Fieldref,
            10 => Tag::Methodref,
            11 => Tag::InterfaceMethodref,
            12 => Tag::NameAndType,
            15 => Tag::MethodHandle,
            16 => Tag::MethodType,
            17 => Tag::Dynamic,
            18 => Tag::InvokeDynamic,
            19 => Tag::Module,
            20 => Tag::Package,
            _ => return None,
        })
    }
}

/// Bytes of an entry by tag, tag included. 0 for an undefined tag. A `Utf8` has its text besides.
static ENTRY_SIZE: [u8; 256] = {
    let mut table = [0; 256];
    let known = [0, 3, 0, 5, 5, 9, 9, 3, 3, 5, 5, 5, 5, 0, 0, 4, 3, 5, 5, 3, 3];
    let mut tag = 0;
    while tag < known.len() {
        table[tag] = known[tag];
        tag += 1;
    }
    table
};

/// A name and a descriptor, both `Utf8` entries (JVMS §4.4.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameAndType {
    /// The name.
    pub name: PoolIx,
    /// The descriptor.
    pub descriptor: PoolIx,
}

/// A reference to a field or method (JVMS §4.4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberRef {
    /// `Fieldref`, `Methodref` or `InterfaceMethodref`.
    pub tag: Tag,
    /// The class in the reference.
    pub class: PoolIx,
    /// Its `NameAndType`.
    pub name_and_type: PoolIx,
}

/// The three names of a [`MemberRef`], in modified UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberNames<'a> {
    /// Internal name of the class (`java/lang/Object`, `[I`).
    pub class: &'a [u8],
    /// Name of the member.
    pub name: &'a [u8],
    /// Its descriptor.
    pub descriptor: &'a [u8],
}

/// A method handle constant (JVMS §4.4.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MethodHandle {
    /// `reference_kind`, 1–9 in a valid class.
    pub kind: u8,
    /// Its member reference.
    pub reference: PoolIx,
}

/// A `Dynamic` or `InvokeDynamic` constant (JVMS §4.4.10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DynamicRef {
    /// `Dynamic` or `InvokeDynamic`.
    pub tag: Tag,
    /// Index into the `BootstrapMethods` attribute.
    pub bootstrap: u16,
    /// Its `NameAndType`.
    pub name_and_type: PoolIx,
}

/// The offset of each entry of a constant pool in the class file. Entries are decoded on request.
///
/// Every entry lies inside the file. A getter checks the entries that its entry points to.
#[derive(Debug, Clone)]
pub struct ConstantPool<'a> {
    bytes: &'a [u8],
    entries: PoolStorage,
    end: usize,
}

/// Memory of a [`ConstantPool`], for the next class.
#[derive(Debug, Clone, Default)]
pub struct PoolStorage {
    /// Offset of each entry's tag. 0 for slot 0 and for the second slot of a `long` or `double`.
    offsets: Vec<u32>,
    /// By entry: the [`text_key`] of a `Utf8`, or the tag. 0 for a slot without an entry.
    keys: Vec<u8>,
}

/// Lowest key of a text. It is above all tags.
const FIRST_TEXT_KEY: u8 = 32;

/// A hash of a text's length and of the last three bytes of its `Utf8` entry. A search skips most
/// other texts by it.
#[inline]
pub(crate) fn text_key(length: u16, last: [u8; 3]) -> u8 {
    let [a, b, c] = last;
    let mixed = u32::from_be_bytes([length as u8, a, b, c]).wrapping_mul(0x9E37_79B1);
    let key = (mixed >> 24) as u8;
    if key < FIRST_TEXT_KEY { key + FIRST_TEXT_KEY } else { key }
}

/// Number of keys that a search compares at once.
const CHUNK: usize = 16;

impl<'a> ConstantPool<'a> {
    /// Offset of `constant_pool_count` in every class file.
    pub(crate) const COUNT_AT: usize = 8;

    /// Reads the pool of a class file whose first 8 bytes were checked. `storage` is overwritten.
    pub(crate) fn parse(bytes: &'a [u8], storage: PoolStorage) -> Result<Self> {
        let count = u2(bytes, Self::COUNT_AT)?;
        if count == 0 {
            return Err(Error::new(ErrorKind::BadPoolCount(count), Self::COUNT_AT));
        }
        if u32::try_from(bytes.len()).is_err() {
            return Err(Error::new(ErrorKind::OutputTooLarge, 0));
        }
        let count = usize::from(count);
        let PoolStorage { mut offsets, mut keys } = storage;
        offsets.clear();
        offsets.resize(count, 0);
        keys.clear();
        keys.resize(count, 0);
        let mut at = Self::COUNT_AT + 2;
        let mut index = 1;
        while let (Some(offset), Some(key)) = (offsets.get_mut(index), keys.get_mut(index)) {
            let Some(&[tag, high, low]) = bytes.get(at..).and_then(|rest| rest.first_chunk())
            else {
                return Err(Self::cut_off(bytes, at));
            };
            let size = usize::from(ENTRY_SIZE[usize::from(tag)]);
            if size == 0 {
                return Err(Error::new(ErrorKind::BadPoolTag(tag), at));
            }
            // No branch on the kind of an entry: the order of kinds is unpredictable.
            let is_text = tag == Tag::Utf8 as u8;
            let length = u16::from_be_bytes([high, low]);
            let next = at + size + if is_text { usize::from(length) } else { 0 };
            // Every entry has at least three bytes.
            let Some(&[a, b, c]) = bytes.get(next - 3..next) else {
                return Err(Error::truncated(bytes.len()));
            };
            *offset = at as u32;
            *key = if is_text { text_key(length, [a, b, c]) } else { tag };
            at = next;
            index += 1 + usize::from(tag == Tag::Long as u8 || tag == Tag::Double as u8);
        }
        if index != count {
            return Err(Error::new(ErrorKind::BadPoolCount(count as u16), Self::COUNT_AT));
        }
        Ok(ConstantPool { bytes, entries: PoolStorage { offsets, keys }, end: at })
    }

    /// The error of an entry with less than three bytes.
    #[cold]
    fn cut_off(bytes: &[u8], at: usize) -> Error {
        match bytes.get(at) {
            Some(&tag) if ENTRY_SIZE[usize::from(tag)] == 0 => {
                Error::new(ErrorKind::BadPoolTag(tag), at)
            }
            _ => Error::truncated(bytes.len()),
        }
    }

    pub(crate) fn into_storage(self) -> PoolStorage {
        self.entries
    }

    /// Offset of each entry's tag, by index. 0 for a slot without an entry.
    pub(crate) fn offsets(&self) -> &[u32] {
        &self.entries.offsets
    }

    /// The lowest index with this key whose entry's bytes begin with `head` and then `text`.
    pub(crate) fn find(&self, key: u8, head: &[u8], text: &[u8]) -> Option<PoolIx> {
        let is_entry = |index: usize| {
            let start = self.entries.offsets.get(index).map_or(0, |&at| at as usize);
            starts_with(self.bytes, start, head, text)
        };
        let within = |first: usize, keys: &[u8]| {
            let mut found = keys.iter().zip(first..).filter(|&(&other, _)| other == key);
            found.find(|&(_, index)| is_entry(index)).map(|(_, index)| PoolIx(index as u16))
        };
        let (chunks, rest) = self.entries.keys.as_chunks::<CHUNK>();
        for (number, chunk) in chunks.iter().enumerate() {
            if chunk.iter().fold(false, |any, &other| any | (other == key))
                && let Some(found) = within(number * CHUNK, chunk)
            {
                return Some(found);
            }
        }
        within(self.entries.keys.len() - rest.len(), rest)
    }

    /// `constant_pool_count`: one more than the highest index.
    pub fn count(&self) -> u16 {
        self.entries.offsets.len() as u16
    }

    /// Offset of the first byte after the pool (`access_flags`).
    pub fn end(&self) -> usize {
        self.end
    }

    /// Bytes of the whole pool, without its count.
    pub fn range(&self) -> Range<usize> {
        Self::COUNT_AT + 2..self.end
    }

    /// Offset of an entry's tag in the class file.
    #[inline]
    pub fn offset_of(&self, ix: PoolIx) -> Option<usize> {
        match self.entries.offsets.get(usize::from(ix.0)) {
            Some(&at) if at != 0 => Some(at as usize),
            _ => None,
        }
    }

    /// Kind of an entry.
    #[inline]
    pub fn tag(&self, ix: PoolIx) -> Option<Tag> {
        match self.entries.keys.get(usize::from(ix.0)) {
            Some(&key) if key >= FIRST_TEXT_KEY => Some(Tag::Utf8),
            Some(&tag) => Tag::from_byte(tag),
            None => None,
        }
    }

    /// All entries in order.
    pub fn entries(&self) -> impl Iterator<Item = (PoolIx, Tag)> + '_ {
        (1..self.count()).map(PoolIx).filter_map(|ix| Some((ix, self.tag(ix)?)))
    }

    /// Every `Methodref` and `InterfaceMethodref` in order, with its names. References whose names
    /// cannot be read are left out.
    pub fn method_refs(&self) -> impl Iterator<Item = (PoolIx, MemberNames<'a>)> + '_ {
        const KINDS: [u8; 2] = [Tag::Methodref as u8, Tag::InterfaceMethodref as u8];
        let keys = self.entries.keys.iter().enumerate();
        keys.filter(|&(_, key)| KINDS.contains(key)).filter_map(|(ix, _)| {
            let ix = PoolIx(ix as u16);
            Some((ix, self.member_names(ix).ok()?))
        })
    }

    #[inline]
    fn entry(&self, ix: PoolIx, tag: Tag, want: &'static str) -> Result<usize> {
        match self.offset_of(ix) {
            Some(at) if self.bytes.get(at) == Some(&(tag as u8)) => Ok(at),
            _ => Err(self.bad_index(ix, want)),
        }
    }

    #[cold]
    fn bad_index(&self, ix: PoolIx, want: &'static str) -> Error {
        let offset = self.offset_of(ix).unwrap_or(Self::COUNT_AT);
        Error::new(ErrorKind::BadPoolIndex { index: ix.0, want }, offset)
    }

    fn pair(&self, at: usize) -> (u16, u16) {
        (checked_u2(self.bytes, at + 1), checked_u2(self.bytes, at + 3))
    }

    /// Text of a `Utf8` entry, in modified UTF-8 (see [`crate::mutf8`]).
    #[inline]
    pub fn utf8(&self, ix: PoolIx) -> Result<&'a [u8]> {
        let at = self.entry(ix, Tag::Utf8, "Utf8")?;
        let length = usize::from(checked_u2(self.bytes, at + 1));
        self.bytes.get(at + 3..at + 3 + length).ok_or_else(|| Error::truncated(at))
    }

    /// Internal name of a `Class` entry.
    #[inline]
    pub fn class_name(&self, ix: PoolIx) -> Result<&'a [u8]> {
        let at = self.entry(ix, Tag::Class, "Class")?;
        self.utf8(PoolIx(checked_u2(self.bytes, at + 1)))
    }

    /// Name of a `Module` entry.
    pub fn module_name(&self, ix: PoolIx) -> Result<&'a [u8]> {
        let at = self.entry(ix, Tag::Module, "Module")?;
        self.utf8(PoolIx(checked_u2(self.bytes, at + 1)))
    }

    /// Name of a `Package` entry, with slashes.
    pub fn package_name(&self, ix: PoolIx) -> Result<&'a [u8]> {
        let at = self.entry(ix, Tag::Package, "Package")?;
        self.utf8(PoolIx(checked_u2(self.bytes, at + 1)))
    }

    /// Text of a `String` entry, in modified UTF-8.
    pub fn string(&self, ix: PoolIx) -> Result<&'a [u8]> {
        let at = self.entry(ix, Tag::String, "String")?;
        self.utf8(PoolIx(checked_u2(self.bytes, at + 1)))
    }

    /// Descriptor of a `MethodType` entry.
    pub fn method_type(&self, ix: PoolIx) -> Result<&'a [u8]> {
        let at = self.entry(ix, Tag::MethodType, "MethodType")?;
        self.utf8(PoolIx(checked_u2(self.bytes, at + 1)))
    }

    /// Value of an `Integer` entry.
    pub fn integer(&self, ix: PoolIx) -> Result<i32> {
        let at = self.entry(ix, Tag::Integer, "Integer")?;
        Ok(checked_u4(self.bytes, at + 1) as i32)
    }

    /// Value of a `Float` entry; use [`f32::to_bits`] to distinguish NaNs.
    pub fn float(&self, ix: PoolIx) -> Result<f32> {
        let at = self.entry(ix, Tag::Float, "Float")?;
        Ok(f32::from_bits(checked_u4(self.bytes, at + 1)))
    }

    /// Value of a `Long` entry.
    pub fn long(&self, ix: PoolIx) -> Result<i64> {
        let at = self.entry(ix, Tag::Long, "Long")?;
        Ok(self.u8_at(at + 1) as i64)
    }

    /// Value of a `Double` entry; use [`f64::to_bits`] to distinguish NaNs.
    pub fn double(&self, ix: PoolIx) -> Result<f64> {
        let at = self.entry(ix, Tag::Double, "Double")?;
        Ok(f64::from_bits(self.u8_at(at + 1)))
    }

    fn u8_at(&self, at: usize) -> u64 {
        u64::from(checked_u4(self.bytes, at)) << 32 | u64::from(checked_u4(self.bytes, at + 4))
    }

    /// A `NameAndType` entry.
    pub fn name_and_type(&self, ix: PoolIx) -> Result<NameAndType> {
        let (name, descriptor) = self.pair(self.entry(ix, Tag::NameAndType, "NameAndType")?);
        Ok(NameAndType { name: PoolIx(name), descriptor: PoolIx(descriptor) })
    }

    /// A `Fieldref`, `Methodref` or `InterfaceMethodref` entry.
    pub fn member_ref(&self, ix: PoolIx) -> Result<MemberRef> {
        match (self.tag(ix), self.offset_of(ix)) {
            (Some(tag @ (Tag::Fieldref | Tag::Methodref | Tag::InterfaceMethodref)), Some(at)) => {
                let (class, name_and_type) = self.pair(at);
                Ok(MemberRef { tag, class: PoolIx(class), name_and_type: PoolIx(name_and_type) })
            }
            _ => Err(self.bad_index(ix, "member reference")),
        }
    }

    /// Class, name and descriptor of a member reference, in one step.
    pub fn member_names(&self, ix: PoolIx) -> Result<MemberNames<'a>> {
        let member = self.member_ref(ix)?;
        let both = self.name_and_type(member.name_and_type)?;
        Ok(MemberNames {
            class: self.class_name(member.class)?,
            name: self.utf8(both.name)?,
            descriptor: self.utf8(both.descriptor)?,
        })
    }

    /// Name of the member in a member reference, read without class and descriptor.
    pub fn member_name(&self, ix: PoolIx) -> Result<&'a [u8]> {
        let both = self.name_and_type(self.member_ref(ix)?.name_and_type)?;
        self.utf8(both.name)
    }

    /// A `MethodHandle` entry.
    pub fn method_handle(&self, ix: PoolIx) -> Result<MethodHandle> {
        let at = self.entry(ix, Tag::MethodHandle, "MethodHandle")?;
        Ok(MethodHandle {
            kind: u1(self.bytes, at + 1)?,
            reference: PoolIx(checked_u2(self.bytes, at + 2)),
        })
    }

    /// A `Dynamic` or `InvokeDynamic` entry.
    pub fn dynamic(&self, ix: PoolIx) -> Result<DynamicRef> {
        match (self.tag(ix), self.offset_of(ix)) {
            (Some(tag @ (Tag::Dynamic | Tag::InvokeDynamic)), Some(at)) => {
                let (bootstrap, name_and_type) = self.pair(at);
                Ok(DynamicRef { tag, bootstrap, name_and_type: PoolIx(name_and_type) })
            }
            _ => Err(self.bad_index(ix, "dynamic constant")),
        }
    }

    /// Whether the index names a `Utf8` entry.
    #[inline]
    pub fn is_utf8(&self, ix: PoolIx) -> bool {
        self.entries.keys.get(usize::from(ix.0)).is_some_and(|&key| key >= FIRST_TEXT_KEY)
    }

    /// Bytes of the whole class file.
    pub(crate) fn file(&self) -> &'a [u8] {
        self.bytes
    }
}

/// Whether `bytes` has `head` and then `text` at `start`.
#[inline]
pub(crate) fn starts_with(bytes: &[u8], start: usize, head: &[u8], text: &[u8]) -> bool {
    // Compared in place: most heads differ, and a call costs more.
    bytes.get(start..).and_then(|entry| entry.split_at_checked(head.len())).is_some_and(
        |(first, rest)| {
            first.iter().zip(head).all(|(a, b)| a == b)
                && (text.is_empty() || rest.starts_with(text))
        },
    )
}
