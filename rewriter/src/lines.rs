//! Source lines (JVMS 4.7.12).

use classfile_writer::Code;

/// The lowest line in a method's LineNumberTables, of which it may have several.
pub(crate) fn first_line(code: &Code<'_>) -> Option<u16> {
    let tables = code.attributes().filter(|attribute| attribute.name == b"LineNumberTable");
    tables.filter_map(|table| lines(table.info)).min()
}

fn lines(info: &[u8]) -> Option<u16> {
    let rows = info.get(2..)?.as_chunks::<4>().0;
    rows.iter().map(|row| u16::from_be_bytes([row[2], row[3]])).min()
}
