//! Fields and methods (JVMS §4.5, §4.6).

use std::ops::Range;

use crate::attribute::Attributes;
use crate::bytes::{checked_u2, checked_u4};
use crate::class::ClassFile;
use crate::code::Code;
use crate::error::{Error, ErrorKind, Result};
use crate::pool::PoolIx;

/// `ACC_STATIC` (JVMS tables 4.5-A, 4.6-A).
pub const ACC_STATIC: u16 = 0x0008;
/// `ACC_PRIVATE` (JVMS table 4.6-A).
pub const ACC_PRIVATE: u16 = 0x0002;
/// `ACC_NATIVE` (JVMS table 4.6-A).
pub const ACC_NATIVE: u16 = 0x0100;
/// `ACC_ABSTRACT` (JVMS table 4.6-A).
pub const ACC_ABSTRACT: u16 = 0x0400;

impl ClassFile<'_> {
    /// The fields in file order.
    pub fn fields(&self) -> Members<'_> {
        Members::new(self, self.fields_at())
    }

    /// The methods in file order.
    pub fn methods(&self) -> Members<'_> {
        Members::new(self, self.methods_at())
    }
}

/// One field or method (`field_info`, `method_info`).
#[derive(Debug, Clone, Copy)]
pub struct Member<'c> {
    class: &'c ClassFile<'c>,
    /// `access_flags`.
    pub access: u16,
    /// Name, in modified UTF-8.
    pub name: &'c [u8],
    /// Descriptor, in modified UTF-8.
    pub descriptor: &'c [u8],
    /// Pool entry of the name.
    pub name_ix: PoolIx,
    /// Pool entry of the descriptor.
    pub descriptor_ix: PoolIx,
    start: usize,
    end: usize,
}

impl<'c> Member<'c> {
    /// The declaring class.
    pub fn class(&self) -> &'c ClassFile<'c> {
        self.class
    }

    /// Bytes of the whole member.
    pub fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Bytes of its attribute table, count included.
    pub fn attributes_range(&self) -> Range<usize> {
        self.start + 6..self.end
    }

    /// Its attributes.
    pub fn attributes(&self) -> Attributes<'c> {
        Attributes::new(self.class.pool(), self.start + 6)
    }

    /// Its `Code` attribute (JVMS §4.7.3). `None` for fields and for methods without code.
    ///
    /// Fails if there are two, or if the content does not fit the attribute's length.
    pub fn code(&self) -> Result<Option<Code<'c>>> {
        // Only the attribute's position is kept. Copying the whole attribute takes longer than
        // reading it again.
        let mut found = None;
        for attribute in self.attributes() {
            if attribute.name == b"Code" {
                if found.is_some() {
                    return Err(Error::new(ErrorKind::DuplicateAttribute, attribute.start));
                }
                found = Some(attribute.start);
            }
        }
        match found {
            Some(start) => Ok(Some(Code::parse_at(self.class, start)?)),
            None => Ok(None),
        }
    }
}

/// The fields or methods of a class, in file order.
#[derive(Debug, Clone)]
pub struct Members<'c> {
    class: &'c ClassFile<'c>,
    at: usize,
    left: u16,
}

impl<'c> Members<'c> {
    /// The table whose count is at `at`. [`ClassFile::parse`] has accepted it.
    pub(crate) fn new(class: &'c ClassFile<'c>, at: usize) -> Self {
        Members { class, at: at + 2, left: checked_u2(class.bytes(), at) }
    }
}

impl<'c> Iterator for Members<'c> {
    type Item = Member<'c>;

    #[inline]
    fn next(&mut self) -> Option<Member<'c>> {
        self.left = self.left.checked_sub(1)?;
        let file = self.class.bytes();
        let start = self.at;
        let name_ix = PoolIx(checked_u2(file, start + 2));
        let descriptor_ix = PoolIx(checked_u2(file, start + 4));
        let mut end = start + 8;
        for _ in 0..checked_u2(file, start + 6) {
            end += 6 + checked_u4(file, end + 2) as usize;
        }
        self.at = end;
        Some(Member {
            class: self.class,
            access: checked_u2(file, start),
            name: self.class.pool().utf8(name_ix).ok()?,
            descriptor: self.class.pool().utf8(descriptor_ix).ok()?,
            name_ix,
            descriptor_ix,
            start,
            end,
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, Some(usize::from(self.left)))
    }
}
