//! The class file itself (JVMS §4.1).

use std::ops::Range;

use crate::attribute::{self, Attributes};
use crate::bytes::{checked_u2, u2, u4};
use crate::error::{Error, ErrorKind, Result};
use crate::pool::{ConstantPool, PoolIx, PoolStorage};
use crate::version;

/// The layout of one class file: the offsets of its parts (JVMS §4.1). It copies nothing.
///
/// [`ClassFile::parse`] checks that every pool entry, member and attribute lies inside the file,
/// and that the tables have no gaps. It checks that names and descriptors of members and names of
/// attributes are `Utf8` entries. It checks neither the content of attributes nor the targets of
/// pool entries. The views and getters do that on use.
#[derive(Debug, Clone)]
pub struct ClassFile<'a> {
    bytes: &'a [u8],
    pool: ConstantPool<'a>,
    fields_at: usize,
    methods_at: usize,
    attributes_at: usize,
}

impl<'a> ClassFile<'a> {
    /// Reads the layout of a class file of version 45 to 69, with any minor version (65,535 marks
    /// preview features).
    ///
    /// Fails if the file is cut off or has bytes after its end, or if a tag or the version is
    /// unknown.
    pub fn parse(bytes: &'a [u8]) -> Result<ClassFile<'a>> {
        Self::parse_with(bytes, PoolStorage::default())
    }

    /// As [`ClassFile::parse`], with the memory of an earlier class from
    /// [`ClassFile::into_storage`].
    pub fn parse_with(bytes: &'a [u8], storage: PoolStorage) -> Result<ClassFile<'a>> {
        if u4(bytes, 0)? != 0xCAFE_BABE {
            return Err(Error::new(ErrorKind::BadMagic, 0));
        }
        let (minor, major) = (u2(bytes, 4)?, u2(bytes, 6)?);
        if !version::is_read(major, minor) {
            return Err(Error::new(ErrorKind::UnsupportedVersion { major, minor }, 4));
        }
        let pool = ConstantPool::parse(bytes, storage)?;
        let interfaces_at = pool.end() + 6;
        let fields_at = interfaces_at + 2 + 2 * usize::from(u2(bytes, interfaces_at)?);
        let methods_at = check_members(&pool, fields_at)?;
        let attributes_at = check_members(&pool, methods_at)?;
        let end = attribute::check(&pool, attributes_at, bytes.len())?;
        if end != bytes.len() {
            return Err(Error::new(ErrorKind::TrailingBytes, end));
        }
        Ok(ClassFile { bytes, pool, fields_at, methods_at, attributes_at })
    }

    /// Returns the memory, for the next [`ClassFile::parse_with`].
    pub fn into_storage(self) -> PoolStorage {
        self.pool.into_storage()
    }

    /// The whole file.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// `major_version`, 45 or more.
    pub fn major(&self) -> u16 {
        checked_u2(self.bytes, 6)
    }

    /// `minor_version`.
    pub fn minor(&self) -> u16 {
        checked_u2(self.bytes, 4)
    }

    /// The constant pool.
    pub fn pool(&self) -> &ConstantPool<'a> {
        &self.pool
    }

    /// `access_flags` (JVMS table 4.1-B).
    pub fn access(&self) -> u16 {
        checked_u2(self.bytes, self.pool.end())
    }

    /// The range of `access_flags`, for an edit.
    pub fn access_range(&self) -> Range<usize> {
        self.pool.end()..self.pool.end() + 2
    }

    /// `this_class`.
    pub fn this_class(&self) -> PoolIx {
        PoolIx(checked_u2(self.bytes, self.pool.end() + 2))
    }

    /// `super_class`; index 0 in `java/lang/Object` and in `module-info`.
    pub fn super_class(&self) -> PoolIx {
        PoolIx(checked_u2(self.bytes, self.pool.end() + 4))
    }

    /// Internal name of this class.
    pub fn name(&self) -> Result<&'a [u8]> {
        self.pool.class_name(self.this_class())
    }

    /// Internal name of the superclass, if it has one.
    pub fn super_name(&self) -> Result<Option<&'a [u8]>> {
        match self.super_class() {
            PoolIx(0) => Ok(None),
            ix => self.pool.class_name(ix).map(Some),
        }
    }

    /// The direct superinterfaces.
    pub fn interfaces(&self) -> impl ExactSizeIterator<Item = PoolIx> + '_ {
        let at = self.pool.end() + 6;
        (0..checked_u2(self.bytes, at))
            .map(move |i| PoolIx(checked_u2(self.bytes, at + 2 + 2 * usize::from(i))))
    }

    /// The attributes of the class.
    pub fn attributes(&self) -> Attributes<'_> {
        Attributes::new(&self.pool, self.attributes_at)
    }

    /// Offset of `fields_count`.
    pub(crate) fn fields_at(&self) -> usize {
        self.fields_at
    }

    /// Offset of `methods_count`.
    pub(crate) fn methods_at(&self) -> usize {
        self.methods_at
    }
}

/// Checks the field or method table whose count is at `at`. Returns the offset after it.
fn check_members(pool: &ConstantPool<'_>, at: usize) -> Result<usize> {
    let file = pool.file();
    let count = u2(file, at)?;
    let mut at = at + 2;
    for _ in 0..count {
        for ix_at in [at + 2, at + 4] {
            let ix = PoolIx(u2(file, ix_at)?);
            if !pool.is_utf8(ix) {
                return Err(Error::new(
                    ErrorKind::BadPoolIndex { index: ix.0, want: "Utf8" },
                    ix_at,
                ));
            }
        }
        at = attribute::check(pool, at + 6, file.len())?;
    }
    Ok(at)
}
