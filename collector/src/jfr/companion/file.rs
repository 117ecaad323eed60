//! The file that JFR leaves in a session directory.

use super::{MAX_BYTES, repository};
use jfathom_files::Access;
use jfathom_jfr::{JfrError, Recording};
use jfathom_session::jfr_file_prefix;
use std::{
    fs,
    io::{self, BufReader, Read},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

/// JFR writes whole chunks: a file may be so much larger than its bound.
const SLACK_BYTES: u64 = 256 << 20;

/// Why a companion recording cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CompanionError {
    /// JFR has written no file: it was not asked, or the JVM was killed early.
    #[error("its JVM has written no JFR file: it was killed, or has not got the flags")]
    NoFile,
    /// It cannot be opened.
    #[error("{0}: {1}")]
    Io(PathBuf, io::Error),
    /// It is no recording, or a damaged one.
    #[error("{0}: {1}")]
    Content(PathBuf, JfrError),
}

/// Reads what the JVM with this process id has recorded, as it sees its id itself.
///
/// # Errors
/// Fails if there is no file, or none that can be read.
pub(crate) fn read(dir: &Path, pid: u64) -> Result<Recording, CompanionError> {
    let Some(path) = find(dir, pid) else { return read_chunks(dir, pid) };
    let failed = |error| CompanionError::Io(path.clone(), error);
    let file = jfathom_files::open(&path, Access::Read).map_err(failed)?;
    // JFR gives it the mode that the program's umask allows.
    file.set_permissions(fs::Permissions::from_mode(0o600)).map_err(failed)?;
    let mut input = BufReader::new(file.take(MAX_BYTES + SLACK_BYTES));
    Recording::read(&mut input).map_err(|error| CompanionError::Content(path.clone(), error))
}

/// What the JVM had written when it was killed.
fn read_chunks(dir: &Path, pid: u64) -> Result<Recording, CompanionError> {
    let chunks = repository::chunks(dir, pid);
    let last = chunks.last().ok_or(CompanionError::NoFile)?.clone();
    let mut input: Box<dyn Read> = Box::new(io::empty());
    for path in chunks {
        let file = jfathom_files::open(&path, Access::Read);
        let file = file.map_err(|error| CompanionError::Io(path, error))?;
        input = Box::new(input.chain(BufReader::new(file)));
    }
    let mut input = input.take(MAX_BYTES + SLACK_BYTES);
    Recording::read(&mut input).map_err(|error| CompanionError::Content(last, error))
}

/// The name that the recording of a JVM that runs already gets. JFR itself makes such names for a
/// JVM of a command.
pub(super) fn name(pid: u64) -> String {
    format!("{}companion{SUFFIX}", jfr_file_prefix(pid))
}

const SUFFIX: &str = ".jfr";

fn find(dir: &Path, pid: u64) -> Option<PathBuf> {
    let prefix = jfr_file_prefix(pid);
    let names = fs::read_dir(dir).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let is_of_jvm = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with(&prefix) && name.ends_with(SUFFIX)
    };
    // JFR of Java 11 makes an empty one first.
    let has_content = |path: &PathBuf| fs::metadata(path).is_ok_and(|meta| meta.len() > 0);
    names.filter(|path| is_of_jvm(path) && has_content(path)).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_belongs_to_one_jvm() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["hotspot-pid-7-id-1-2026_01_01_00_00_00.jfr", "hotspot-pid-77-x.jfr", "x.jfr"]
        {
            jfathom_files::write(&folder.path().join(name), b"no recording").unwrap();
        }
        assert!(matches!(read(folder.path(), 7), Err(CompanionError::Content(..))));
        assert!(matches!(read(folder.path(), 8), Err(CompanionError::NoFile)));
        let mode = |name| fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode("hotspot-pid-7-id-1-2026_01_01_00_00_00.jfr") & 0o777, 0o600);
        assert!(name(9).starts_with("hotspot-pid-9-") && name(9).ends_with(".jfr"));
    }
}
