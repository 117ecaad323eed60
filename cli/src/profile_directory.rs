//! A directory of profiles.

use crate::{failure::context, messages};
use anyhow::Result;
use jfathom_files::open_plain;
use jfathom_profile::{FileError, Meta, Profile};
use std::{
    fs,
    io::{self, BufReader},
    path::{Path, PathBuf},
};

/// The end of profiles' names.
pub(crate) const END: &str = "jfp";

/// The profiles of a directory with their origins, in the order of their names. Files with other
/// ends are passed over; a profile that cannot be read is named on stderr.
///
/// # Errors
/// The directory cannot be read.
pub(crate) fn profiles(directory: &Path) -> Result<Vec<(PathBuf, Meta)>> {
    let failed = |error| context(error, directory, "cannot read the directory");
    let entries = fs::read_dir(directory).map_err(failed)?;
    let paths: io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(failed)?;
    paths.retain(|path| path.extension().is_some_and(|end| end == END));
    paths.sort();
    let mut found = Vec::new();
    for path in paths {
        match origin(&path) {
            Ok(meta) => found.push((path, meta)),
            Err(error) => messages::warn(&format!("{}: {error}; left out\n", path.display()))?,
        }
    }
    Ok(found)
}

fn origin(path: &Path) -> Result<Meta, FileError> {
    let file = open_plain(path)?;
    Profile::read_meta(&mut BufReader::new(file))
}
