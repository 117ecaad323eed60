//! Source lines (JVMS 4.7.12).

use classfile_writer::{Bci, Code, LineNumber, line_numbers};

/// The lowest line in a method's LineNumberTables; it may have several.
pub(crate) fn first_line(code: &Code<'_>) -> Option<u16> {
    let tables = code.attributes().filter(|attribute| attribute.name == b"LineNumberTable");
    tables
        .filter_map(|table| line_numbers(code.class(), &table).ok()?.map(|row| row.line).min())
        .min()
}

/// The rows of all line tables by position; of rows for one position the last one counts. Tables
/// that cannot be read are left out.
pub(crate) fn line_rows(code: &Code<'_>) -> Vec<LineNumber> {
    let tables = code.attributes().filter(|attribute| attribute.name == b"LineNumberTable");
    let mut rows: Vec<LineNumber> =
        tables.filter_map(|table| line_numbers(code.class(), &table).ok()).flatten().collect();
    // Stable: rows of one position stay in the order of the tables.
    rows.sort_by_key(|row| row.start.0);
    rows
}

/// The line of a position; none if it is before all rows of [`line_rows`].
pub(crate) fn line_at(rows: &[LineNumber], bci: Bci) -> Option<u16> {
    let after = rows.partition_point(|row| row.start <= bci);
    after.checked_sub(1).and_then(|at| rows.get(at)).map(|row| row.line)
}
