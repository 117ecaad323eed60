//! Constant pool entries appended to a class (JVMS §4.4).

use crate::bytes::{push_u2, push_u4};
use crate::error::{Error, ErrorKind, Result};
use crate::pool::{ConstantPool, PoolIx, Tag, starts_with, text_key};

/// New entries at the end of a class's constant pool. The original entries keep their indices and
/// bytes.
///
/// Equal entries are made once. Every entry is searched in the tail. Texts, and entries made only
/// of original entries, are also searched in the original pool. After some searches the original
/// gets an index.
#[derive(Debug)]
pub struct PoolTail<'c> {
    pool: &'c ConstantPool<'c>,
    bytes: Vec<u8>,
    /// Start of each appended entry in `bytes`; entry `i` has index `pool.count() + i`.
    starts: Vec<u32>,
    /// Open addressing over the tail: number of an entry plus 1, or 0 if free. Its length is a
    /// power of two, and it is at most half full.
    table: Vec<u32>,
    /// Index of the original pool, made after some searches.
    original: Chains,
    /// Searches of the original without its index.
    searches: u32,
}

/// Memory of a [`PoolTail`], for the next class.
#[derive(Debug, Default)]
pub struct TailStorage {
    bytes: Vec<u8>,
    starts: Vec<u32>,
    table: Vec<u32>,
    original: Chains,
}

/// Chains of the entries of a pool with equal hash buckets.
#[derive(Debug, Default)]
struct Chains {
    /// First entry of each bucket. Empty until the pool is indexed.
    heads: Vec<u16>,
    /// The next entry of each entry's chain. 0 ends a chain.
    next: Vec<u16>,
}

const BUCKETS: usize = 256;

/// More searches of the original than this are slower than making an index of it.
const MAX_SEARCHES: u32 = 32;

impl<'c> PoolTail<'c> {
    /// A tail without entries.
    pub fn new(pool: &'c ConstantPool<'c>) -> Self {
        Self::with(pool, TailStorage::default())
    }

    /// A tail without entries, with the memory of an earlier one.
    pub fn with(pool: &'c ConstantPool<'c>, storage: TailStorage) -> Self {
        let TailStorage { mut bytes, mut starts, mut table, mut original } = storage;
        bytes.clear();
        starts.clear();
        table.clear();
        original.heads.clear();
        original.next.clear();
        PoolTail { pool, bytes, starts, table, original, searches: 0 }
    }

    /// Returns the memory.
    pub fn into_storage(self) -> TailStorage {
        TailStorage {
            bytes: self.bytes,
            starts: self.starts,
            table: self.table,
            original: self.original,
        }
    }

    /// The original pool.
    pub fn pool(&self) -> &'c ConstantPool<'c> {
        self.pool
    }

    /// The appended entries.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// `constant_pool_count` of the new class.
    pub fn count(&self) -> u16 {
        // `append` keeps the sum below 65,536.
        self.pool.count().saturating_add(self.starts.len() as u16)
    }

    /// Whether nothing has been appended.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// A `Utf8` entry; `text` is in modified UTF-8 (see [`crate::mutf8::encode`]).
    pub fn utf8(&mut self, text: &[u8]) -> Result<PoolIx> {
        let Ok(length) = u16::try_from(text.len()) else {
            return Err(Error::new(ErrorKind::Utf8TooLong(text.len()), self.pool.end()));
        };
        let [high, low] = length.to_be_bytes();
        self.entry(&[Tag::Utf8 as u8, high, low], text, true)
    }

    /// A `Class` entry by internal name (`java/lang/Object`) or array descriptor.
    pub fn class(&mut self, name: &[u8]) -> Result<PoolIx> {
        let name = self.utf8(name)?;
        self.one(Tag::Class, name)
    }

    /// A `String` entry.
    pub fn string(&mut self, text: &[u8]) -> Result<PoolIx> {
        let text = self.utf8(text)?;
        self.one(Tag::String, text)
    }

    /// An `Integer` entry. Only the tail is searched for an equal one.
    pub fn integer(&mut self, value: i32) -> Result<PoolIx> {
        let [a, b, c, d] = value.to_be_bytes();
        self.entry(&[Tag::Integer as u8, a, b, c, d], &[], false)
    }

    /// A `NameAndType` entry.
    pub fn name_and_type(&mut self, name: &[u8], descriptor: &[u8]) -> Result<PoolIx> {
        let (name, descriptor) = (self.utf8(name)?, self.utf8(descriptor)?);
        self.two(Tag::NameAndType, name, descriptor)
    }

    /// A `Fieldref` entry.
    pub fn fieldref(&mut self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Result<PoolIx> {
        self.member(Tag::Fieldref, class, name, descriptor)
    }

    /// A `Methodref` entry.
    pub fn methodref(&mut self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Result<PoolIx> {
        self.member(Tag::Methodref, class, name, descriptor)
    }

    /// An `InterfaceMethodref` entry.
    pub fn interface_methodref(
        &mut self,
        class: &[u8],
        name: &[u8],
        descriptor: &[u8],
    ) -> Result<PoolIx> {
        self.member(Tag::InterfaceMethodref, class, name, descriptor)
    }

    fn member(&mut self, tag: Tag, class: &[u8], name: &[u8], descriptor: &[u8]) -> Result<PoolIx> {
        let class = self.class(class)?;
        let both = self.name_and_type(name, descriptor)?;
        self.two(tag, class, both)
    }

    fn is_original(&self, ix: PoolIx) -> bool {
        ix.0 < self.pool.count()
    }

    fn one(&mut self, tag: Tag, of: PoolIx) -> Result<PoolIx> {
        let [a, b] = of.0.to_be_bytes();
        self.entry(&[tag as u8, a, b], &[], self.is_original(of))
    }

    fn two(&mut self, tag: Tag, first: PoolIx, second: PoolIx) -> Result<PoolIx> {
        let ([a, b], [c, d]) = (first.0.to_be_bytes(), second.0.to_be_bytes());
        let known = self.is_original(first) && self.is_original(second);
        self.entry(&[tag as u8, a, b, c, d], &[], known)
    }

    /// The entry with the bytes `head` and then `text`: from the tail, from the original, or
    /// appended.
    fn entry(&mut self, head: &[u8], text: &[u8], may_be_original: bool) -> Result<PoolIx> {
        let hash = hash(head, text);
        if let Some(found) = self.find_in_tail(hash, head, text) {
            return Ok(found);
        }
        if may_be_original && let Some(found) = self.find_in_original(hash, head, text) {
            return Ok(found);
        }
        self.append(hash, head, text)
    }

    fn find_in_tail(&self, hash: u32, head: &[u8], text: &[u8]) -> Option<PoolIx> {
        let mask = self.table.len().checked_sub(1)?;
        let mut slot = hash as usize & mask;
        loop {
            let number = (*self.table.get(slot)?).checked_sub(1)? as usize;
            let start = *self.starts.get(number)? as usize;
            if starts_with(&self.bytes, start, head, text) {
                return Some(PoolIx(self.pool.count() + number as u16));
            }
            slot = (slot + 1) & mask;
        }
    }

    fn find_in_original(&mut self, hash: u32, head: &[u8], text: &[u8]) -> Option<PoolIx> {
        if let [tag @ 9..=12, ..] = *head {
            // Both parts are original entries. Such requests are too rare for an index.
            return self.pool.find(tag, head, text);
        }
        if self.searches < MAX_SEARCHES {
            self.searches += 1;
            let key = match (head, text) {
                (&[1, high, low], text) => {
                    let last = match *text {
                        [] => [1, high, low],
                        [c] => [high, low, c],
                        [b, c] => [low, b, c],
                        [.., a, b, c] => [a, b, c],
                    };
                    text_key(u16::from_be_bytes([high, low]), last)
                }
                (&[tag, ..], _) => tag,
                ([], _) => return None,
            };
            return self.pool.find(key, head, text);
        }
        let file = self.pool.file();
        self.index_original();
        let mut ix = *self.original.heads.get(hash as usize % BUCKETS)?;
        while ix != 0 {
            let start = self.pool.offset_of(PoolIx(ix))?;
            if starts_with(file, start, head, text) {
                return Some(PoolIx(ix));
            }
            ix = *self.original.next.get(usize::from(ix))?;
        }
        None
    }

    /// Chains every `Utf8`, `Class` and `String`.
    fn index_original(&mut self) {
        if !self.original.heads.is_empty() {
            return;
        }
        self.original.heads.resize(BUCKETS, 0);
        self.original.next.resize(usize::from(self.pool.count()), 0);
        let file = self.pool.file();
        let Some(heads) = self.original.heads.first_chunk_mut::<BUCKETS>() else { return };
        let entries = self.pool.offsets().iter().zip(&mut self.original.next).enumerate();
        // Backwards, so that a chain begins with the lowest index.
        for (ix, (&at, next)) in entries.rev() {
            // A slot without an entry has offset 0, where no tag of a text or class stands.
            let Some((head @ &[tag, high, low], rest)) =
                file.get(at as usize..).and_then(<[u8]>::split_first_chunk)
            else {
                continue;
            };
            let text = match tag {
                1 => rest.get(..usize::from(u16::from_be_bytes([high, low]))).unwrap_or_default(),
                7 | 8 => &[],
                _ => continue,
            };
            *next = std::mem::replace(&mut heads[hash(head, text) as usize % BUCKETS], ix as u16);
        }
    }

    fn append(&mut self, hash: u32, head: &[u8], text: &[u8]) -> Result<PoolIx> {
        let number = self.starts.len();
        let Some(index) =
            u16::try_from(usize::from(self.pool.count()) + number).ok().filter(|&ix| ix < u16::MAX)
        else {
            return Err(Error::new(ErrorKind::PoolFull, self.pool.end()));
        };
        self.starts.push(self.bytes.len() as u32);
        self.bytes.extend(head);
        if !text.is_empty() {
            self.bytes.extend_from_slice(text);
        }
        if self.table.len() < 2 * self.starts.len() {
            self.grow();
        } else {
            self.enter(hash, number);
        }
        Ok(PoolIx(index))
    }

    fn enter(&mut self, hash: u32, number: usize) {
        let Some(mask) = self.table.len().checked_sub(1) else { return };
        let mut slot = hash as usize & mask;
        while let Some(place) = self.table.get_mut(slot) {
            if *place == 0 {
                *place = number as u32 + 1;
                return;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let size = (4 * self.starts.len()).next_power_of_two().max(64);
        self.table.clear();
        self.table.resize(size, 0);
        for number in 0..self.starts.len() {
            let start = self.starts.get(number).map_or(0, |&start| start as usize);
            let end = self.starts.get(number + 1).map_or(self.bytes.len(), |&end| end as usize);
            let entry = self.bytes.get(start..end).unwrap_or_default();
            let (head, text) = match entry {
                [1, ..] => entry.split_at(entry.len().min(3)),
                _ => (entry, &[][..]),
            };
            self.enter(hash(head, text), number);
        }
    }

    /// Writes `constant_pool_count` and all entries: the new class from byte 8 on.
    pub(crate) fn write_pool(&self, out: &mut Vec<u8>) {
        push_u2(out, self.count());
        out.extend_from_slice(self.pool.file().get(self.pool.range()).unwrap_or_default());
        out.extend_from_slice(&self.bytes);
    }
}

/// A cheap hash of an entry's bytes: its head of 3 or 5 bytes, with a text's length, and the text's
/// last four bytes, in which names differ most.
#[inline]
fn hash(head: &[u8], text: &[u8]) -> u32 {
    let head = match *head {
        [tag, a, b] => u64::from(u32::from_be_bytes([0, tag, a, b])),
        [tag, a, b, c, d] => u64::from(tag) << 40 | u64::from(u32::from_be_bytes([a, b, c, d])),
        _ => 0,
    };
    let end = match text.last_chunk::<4>() {
        Some(&last) => u64::from(u32::from_le_bytes(last)),
        None => text.iter().fold(0, |end, &byte| end << 8 | u64::from(byte)),
    };
    // An odd constant near 2^64 divided by the golden ratio spreads the low bits into the high
    // ones.
    ((head << 8 ^ end << 16).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
}

/// Appends the header of an attribute: name and `u4` length.
pub(crate) fn push_attribute_header(out: &mut Vec<u8>, name: PoolIx, length: u32) {
    push_u2(out, name.0);
    push_u4(out, length);
}

#[cfg(test)]
mod tests;
