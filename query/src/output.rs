//! The rows of a result, written as text, CSV, JSON or Parquet.

use anyhow::{Context, Result};
use clap::ValueEnum;
use datafusion::{
    arrow::{
        csv::WriterBuilder, datatypes::SchemaRef, json::ArrayWriter, record_batch::RecordBatch,
        util::pretty::pretty_format_batches,
    },
    parquet::arrow::ArrowWriter,
};
use jfathom_files::output;
use jfathom_plan::printable;
use std::{
    io::{self, Write},
    path::Path,
};

/// How rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table for people
    #[default]
    Text,
    /// RFC 4180, with a line of names
    Csv,
    /// An array of objects
    Json,
    /// Parquet, for other engines
    Parquet,
}

impl Format {
    /// The format that the end of a file's name means.
    pub fn of_file_name(name: &str) -> Option<Self> {
        let end = Path::new(name).extension()?.to_str()?;
        match end {
            "csv" => Some(Self::Csv),
            "json" => Some(Self::Json),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}

/// Writes rows, batch by batch, to a file, which is replaced when the new one is whole, or to
/// stdout. `next` gives a batch after the other, and then none.
///
/// # Errors
/// A batch is an error, or the output cannot be written.
pub fn write(
    schema: SchemaRef,
    next: impl FnMut() -> Option<Result<RecordBatch>>,
    format: Format,
    to: Option<&Path>,
) -> Result<()> {
    let path = to.unwrap_or(Path::new(output::STDOUT));
    let mut failed = None;
    let written = output::write(path, 0o666, |out| {
        write_to(schema, next, format, out).map_err(|error| {
            let kind = closed_pipe(&error).unwrap_or(io::ErrorKind::Other);
            failed = Some(error);
            io::Error::from(kind)
        })
    });
    match (failed, written) {
        // What failed is known better than that writing did.
        (Some(error), _) => Err(error),
        (None, written) => written.with_context(|| format!("{}: cannot write", path.display())),
    }
}

fn write_to(
    schema: SchemaRef,
    mut next: impl FnMut() -> Option<Result<RecordBatch>>,
    format: Format,
    out: &mut dyn Write,
) -> Result<()> {
    match format {
        Format::Text => {
            let mut batches = vec![RecordBatch::new_empty(schema)];
            while let Some(batch) = next() {
                batches.push(batch?);
            }
            for line in pretty_format_batches(&batches)?.to_string().lines() {
                writeln!(out, "{}", printable(line))?;
            }
        }
        Format::Csv => {
            let mut writer = WriterBuilder::new().with_header(true).build(out);
            writer.write(&RecordBatch::new_empty(schema))?;
            while let Some(batch) = next() {
                writer.write(&batch?)?;
            }
        }
        Format::Json => {
            let mut writer = ArrayWriter::new(&mut *out);
            while let Some(batch) = next() {
                writer.write(&batch?)?;
            }
            writer.finish()?;
            writeln!(out)?;
        }
        Format::Parquet => {
            // Its writer wants what can be sent to another thread: a row group stays in memory.
            let mut writer = ArrowWriter::try_new(Vec::new(), schema, None)?;
            while let Some(batch) = next() {
                writer.write(&batch?)?;
                out.write_all(writer.inner())?;
                writer.inner_mut().clear();
            }
            out.write_all(&writer.into_inner()?)?;
        }
    }
    Ok(())
}

/// The reader of our output is gone (`jfathom query … | head`).
fn closed_pipe(error: &anyhow::Error) -> Option<io::ErrorKind> {
    let kinds = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    kinds.map(io::Error::kind).find(|kind| *kind == io::ErrorKind::BrokenPipe)
}

/// Whether an error is that the reader of our output is gone.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    closed_pipe(error).is_some()
}
