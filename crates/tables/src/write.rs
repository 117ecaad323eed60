//! Rows as a Parquet file.

use crate::{RunId, SCHEMA_VERSION, Table};
use jfathom_profile::Profile;
use jfathom_views::Shown;
use parquet::{
    basic::{Compression, Encoding, ZstdLevel},
    errors::ParquetError,
    file::{
        metadata::KeyValue,
        properties::{EnabledStatistics, WriterProperties},
        writer::SerializedFileWriter,
    },
    schema::{parser::parse_message_type, types::ColumnPath},
};
use std::{
    io::{self, Write},
    sync::Arc,
};

/// Rows of a row group: engines read, or leave out, a group as a whole.
const GROUP_ROWS: usize = 1 << 17;

/// Columns whose values differ from row to row, but little or evenly: stored as differences. In the
/// others few values come again and again: stored in a dictionary.
const DIFFERENCES: &[&str] =
    &["node", "parent", "last", "depth", "self_ns", "self_bar_ns", "total_ns", "total_bar_ns"];

/// Writes the rows of a profile in a table as a Parquet file: zstd, with statistics for each page.
/// Times are those of `shown`, which has all threads, each with its own tree.
///
/// # Errors
/// Fails if `out` does, or with `InvalidData` if the rows are none of the table.
pub fn write_table(
    table: Table,
    profile: &Profile,
    shown: &Shown,
    out: &mut dyn Write,
) -> io::Result<()> {
    write(table, profile, shown, out).map_err(|error| match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::new(io::ErrorKind::InvalidData, error),
    })
}

fn write(
    table: Table,
    profile: &Profile,
    shown: &Shown,
    out: &mut dyn Write,
) -> Result<(), ParquetError> {
    let schema = Arc::new(parse_message_type(&table.schema())?);
    let facts = [
        ("jfathom.schema", SCHEMA_VERSION.to_string()),
        ("jfathom.table", table.name().to_owned()),
        ("jfathom.run", RunId::of(profile).0.to_string()),
    ];
    let facts = facts.map(|(key, value)| KeyValue::new(key.to_owned(), value));
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("jfathom version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_key_value_metadata(Some(facts.to_vec()));
    for column in DIFFERENCES.iter().map(|name| ColumnPath::from(*name)) {
        properties = properties
            .set_column_dictionary_enabled(column.clone(), false)
            .set_column_encoding(column, Encoding::DELTA_BINARY_PACKED);
    }
    let properties = properties.build();
    // The writer wants what can be sent to another thread: so a row group stays in memory.
    let mut file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
    let rows = table.rows(profile, shown);
    for start in (0..rows.len()).step_by(GROUP_ROWS) {
        let end = rows.len().min(start + GROUP_ROWS);
        let mut group = file.next_row_group()?;
        for cells in rows.columns(start..end) {
            let Some(mut column) = group.next_column()? else {
                return Err(ParquetError::General(format!("too many columns in {table:?}")));
            };
            cells.write(&mut column)?;
            column.close()?;
        }
        group.close()?;
        file.flush()?;
        out.write_all(file.inner())?;
        file.inner_mut().clear();
    }
    out.write_all(&file.into_inner()?)?;
    Ok(())
}
