//! Attribute tables (JVMS §4.7), read lazily.

use std::ops::Range;

use crate::bytes::{checked_u2, checked_u4, u2, u4};
use crate::error::{Error, ErrorKind, Result};
use crate::pool::{ConstantPool, PoolIx};

/// One attribute of a class, member or `Code`.
#[derive(Debug, Clone, Copy)]
pub struct Attribute<'c> {
    /// Its name, in modified UTF-8.
    pub name: &'c [u8],
    /// The name's pool entry.
    pub name_ix: PoolIx,
    /// Its content, without the six bytes of name and length.
    pub info: &'c [u8],
    /// Offset of its first byte (the name index) in the class file.
    pub start: usize,
}

impl Attribute<'_> {
    /// Bytes of the whole attribute, name and length included.
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + 6 + self.info.len()
    }

    /// Bytes of the content.
    pub fn info_range(&self) -> Range<usize> {
        self.start + 6..self.start + 6 + self.info.len()
    }
}

/// The attributes of a class, member or `Code`, in file order. The table was checked to end in the
/// file.
#[derive(Debug, Clone)]
pub struct Attributes<'c> {
    pool: &'c ConstantPool<'c>,
    at: usize,
    left: u16,
}

impl<'c> Attributes<'c> {
    /// The table whose `attributes_count` is at `at`; `check` must have accepted it.
    pub(crate) fn new(pool: &'c ConstantPool<'c>, at: usize) -> Self {
        Attributes { pool, at: at + 2, left: checked_u2(pool.file(), at) }
    }

    /// Attributes not yet returned.
    pub fn count(&self) -> u16 {
        self.left
    }

    /// The first attribute with this name.
    pub fn find(mut self, name: &[u8]) -> Option<Attribute<'c>> {
        Iterator::find(&mut self, |attribute| attribute.name == name)
    }
}

impl<'c> Iterator for Attributes<'c> {
    type Item = Attribute<'c>;

    #[inline]
    fn next(&mut self) -> Option<Attribute<'c>> {
        self.left = self.left.checked_sub(1)?;
        let file = self.pool.file();
        let start = self.at;
        let name_ix = PoolIx(checked_u2(file, start));
        let length = checked_u4(file, start + 2) as usize;
        let info = file.get(start + 6..(start + 6).saturating_add(length))?;
        self.at = start + 6 + length;
        Some(Attribute { name: self.pool.utf8(name_ix).ok()?, name_ix, info, start })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(usize::from(self.left)))
    }
}

/// Checks the table whose `attributes_count` is at `at`: every name is a `Utf8`, and every
/// attribute ends at or before `end`. Returns the offset after the last one.
pub(crate) fn check(pool: &ConstantPool<'_>, at: usize, end: usize) -> Result<usize> {
    let file = pool.file();
    let count = u2(file, at)?;
    let mut at = at + 2;
    for _ in 0..count {
        let name = PoolIx(u2(file, at)?);
        if !pool.is_utf8(name) {
            return Err(Error::new(ErrorKind::BadPoolIndex { index: name.0, want: "Utf8" }, at));
        }
        let next = (at + 6).saturating_add(u4(file, at + 2)? as usize);
        if next > end {
            let kind = if end == file.len() {
                ErrorKind::Truncated
            } else {
                ErrorKind::BadAttributeLength
            };
            return Err(Error::new(kind, at));
        }
        at = next;
    }
    if at > end {
        return Err(Error::new(ErrorKind::BadAttributeLength, end));
    }
    Ok(at)
}
