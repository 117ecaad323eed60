//! `jfathom export --to parquet`: a profile as files of tables.

use crate::{
    failure::{context, usage},
    output::{is_stdout, to_file},
};
use anyhow::Result;
use jfathom_plan::Problem;
use jfathom_profile::{Label, Profile};
use jfathom_tables::{RunId, Table, partition_path, write_table};
use jfathom_views::{Scope, Shown};
use std::{io::ErrorKind, path::Path};

/// The name in `--to`.
pub(super) const NAME: &str = "parquet";

/// Writes a file in the folder of each table: `DIR/totals/day=2026-11-25/RUN.parquet`. The same
/// profile replaces its own files.
pub(super) fn write(
    profile: &Profile,
    is_raw: bool,
    partition: &[String],
    folder: &Path,
) -> Result<()> {
    if is_stdout(folder) {
        return Err(usage("--to parquet writes a directory of tables: name it with -o"));
    }
    if let Some(key) = partition.iter().enumerate().find(|(at, key)| partition[..*at].contains(key))
    {
        return Err(usage(format!("--partition: {} is there twice", key.1)));
    }
    let scope = Scope { is_raw, ..Scope::default() };
    let corrected = scope.corrected(profile);
    let shown = Shown::new(profile, corrected.as_ref(), &scope);
    let name = format!("{}.parquet", RunId::of(profile));
    let partitions = partition_path(profile, partition);
    // While rows are being replaced nobody may take them for whole.
    let runs = folder.join(Table::Runs.name()).join(&partitions).join(&name);
    match std::fs::remove_file(&runs) {
        // What is wrong with the directory itself is said where it is made.
        Ok(()) => {}
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
        Err(error) => return Err(context(error, &runs, "cannot replace")),
    }
    for table in Table::ALL {
        let folder = folder.join(table.name()).join(&partitions);
        jfathom_files::create_directories(&folder, 0o777)
            .map_err(|error| context(error, &folder, "cannot make the directory"))?;
        to_file(&folder.join(&name), |out| write_table(table, profile, &shown, out))?;
    }
    Ok(())
}

/// A key of `--partition`: `day`, or a label's.
///
/// # Errors
/// A sentence if no label can have the key.
pub(super) fn partition_key(key: &str) -> Result<String, Problem> {
    if key.contains('=') {
        return Err("a key has no value".into());
    }
    if Table::ALL.iter().any(|table| table.has_column(&key.to_ascii_lowercase())) {
        return Err("a table has a column of this name".into());
    }
    match format!("{key}=").parse::<Label>() {
        Ok(label) => Ok(label.key),
        Err(error) => Err(error.to_string().into()),
    }
}
