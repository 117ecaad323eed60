//! The debug tables of a `Code`: lines and local variables (JVMS §4.7.12–§4.7.14).

use crate::attribute::Attribute;
use crate::bci::Bci;
use crate::bytes::{checked_u2, u2};
use crate::class::ClassFile;
use crate::error::{Error, ErrorKind, Result};
use crate::pool::PoolIx;

/// One row of a `LineNumberTable`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineNumber {
    /// Where the line's code begins.
    pub start: Bci,
    /// The line in the source file.
    pub line: u16,
}

/// One row of a `LocalVariableTable` or `LocalVariableTypeTable`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalVariable {
    /// First position at which the variable has a value.
    pub start: Bci,
    /// Bytes of code in which it has the value.
    pub length: u32,
    /// Its name.
    pub name: PoolIx,
    /// Its descriptor, or its signature in a `LocalVariableTypeTable`.
    pub descriptor: PoolIx,
    /// Its local variable.
    pub index: u16,
}

/// Rows of a `LineNumberTable` (JVMS §4.7.12). A `Code` may have several; rows need not be sorted.
pub fn line_numbers<'c>(
    class: &'c ClassFile<'c>,
    attribute: &Attribute<'c>,
) -> Result<impl ExactSizeIterator<Item = LineNumber> + use<'c>> {
    let (file, first, count) = (class.bytes(), attribute.start + 8, row_count(attribute, 4)?);
    Ok((0..count).map(move |row| {
        let at = first + 4 * usize::from(row);
        LineNumber { start: Bci(u32::from(checked_u2(file, at))), line: checked_u2(file, at + 2) }
    }))
}

/// Rows of a `LocalVariableTable` (JVMS §4.7.13) or `LocalVariableTypeTable` (§4.7.14), which have
/// the same layout.
pub fn local_variables<'c>(
    class: &'c ClassFile<'c>,
    attribute: &Attribute<'c>,
) -> Result<impl ExactSizeIterator<Item = LocalVariable> + use<'c>> {
    let (file, first, count) = (class.bytes(), attribute.start + 8, row_count(attribute, 10)?);
    Ok((0..count).map(move |row| {
        let at = first + 10 * usize::from(row);
        LocalVariable {
            start: Bci(u32::from(checked_u2(file, at))),
            length: u32::from(checked_u2(file, at + 2)),
            name: PoolIx(checked_u2(file, at + 4)),
            descriptor: PoolIx(checked_u2(file, at + 6)),
            index: checked_u2(file, at + 8),
        }
    }))
}

/// Number of rows of a table. Each row has `row` bytes, and the rows fill the attribute.
pub(crate) fn row_count(attribute: &Attribute<'_>, row: usize) -> Result<u16> {
    match u2(attribute.info, 0) {
        Ok(count) if attribute.info.len() == 2 + row * usize::from(count) => Ok(count),
        _ => Err(Error::new(ErrorKind::BadAttributeLength, attribute.start)),
    }
}
