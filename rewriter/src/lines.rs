//! Source lines (JVMS 4.7.12).

use classfile_writer::{Code, line_numbers};

/// The lowest line in a method's LineNumberTables; it may have several.
pub(crate) fn first_line(code: &Code<'_>) -> Option<u16> {
    let tables = code.attributes().filter(|attribute| attribute.name == b"LineNumberTable");
    tables
        .filter_map(|table| line_numbers(code.class(), &table).ok()?.map(|row| row.line).min())
        .min()
}
