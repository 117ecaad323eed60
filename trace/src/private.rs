//! Opening only what belongs to us and to nobody else.

use std::fs::{File, Metadata, OpenOptions};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::error::{Problem, TraceError};

/// Checks that `path` is a directory of ours with no rights for others.
pub(crate) fn check_dir(path: &Path) -> Result<(), TraceError> {
    let metadata = std::fs::symlink_metadata(path).map_err(TraceError::io(path, "look at the session directory"))?;
    if !metadata.is_dir() {
        return Err(TraceError::new(path, Problem::WrongKind));
    }
    check(path, &metadata)
}

/// Opens a plain file of ours with no rights for others; no link is followed.
pub(crate) fn open_file(path: &Path, write: bool) -> Result<File, TraceError> {
    let before = std::fs::symlink_metadata(path).map_err(TraceError::io(path, "look at the session file"))?;
    // Before opening: a named pipe in the file's place would block the open.
    if !before.is_file() {
        return Err(TraceError::new(path, Problem::WrongKind));
    }
    let file =
        OpenOptions::new().read(true).write(write).open(path).map_err(TraceError::io(path, "open the session file"))?;
    let opened = file.metadata().map_err(TraceError::io(path, "look at the session file"))?;
    if !opened.is_file() || (opened.dev(), opened.ino()) != (before.dev(), before.ino()) {
        return Err(TraceError::new(path, Problem::WrongKind));
    }
    check(path, &opened)?;
    Ok(file)
}

fn check(path: &Path, metadata: &Metadata) -> Result<(), TraceError> {
    // The owner of /proc/self is the effective user; std has no other way to ask.
    let own = std::fs::metadata("/proc/self").map_err(TraceError::io(path, "find out who we are (/proc/self)"))?.uid();
    if metadata.uid() != own {
        return Err(TraceError::new(path, Problem::Owner { uid: metadata.uid() }));
    }
    match metadata.mode() & 0o7777 {
        mode if mode & 0o077 != 0 => Err(TraceError::new(path, Problem::Permissions { mode })),
        _ => Ok(()),
    }
}
