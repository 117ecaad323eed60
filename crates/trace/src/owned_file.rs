//! Opening of files and directories that only this user can access.

use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use jfathom_files::{Access, Directory, Refusal};

use crate::error::{TraceError, TraceErrorKind};

/// Checks that `path` is a directory of ours with no rights for others.
pub(crate) fn check_dir(path: &Path) -> Result<(), TraceError> {
    let metadata = std::fs::symlink_metadata(path)
        .map_err(TraceError::io(path, "look at the session directory"))?;
    if !metadata.is_dir() {
        return Err(TraceError::new(path, TraceErrorKind::WrongKind));
    }
    check(path, &metadata)
}

/// Opens a plain file of ours with no rights for others; no link is followed, and a pipe does not
/// block.
pub(crate) fn open_file(path: &Path, access: Access) -> Result<File, TraceError> {
    let open = || {
        let folder = Directory::open(path.parent().unwrap_or(Path::new("")))?;
        folder.open_file(path.file_name().unwrap_or_default(), access)
    };
    let file = open().map_err(|error| {
        match error.get_ref().and_then(|refusal| refusal.downcast_ref()) {
            Some(Refusal::NotAFile) => TraceError::new(path, TraceErrorKind::WrongKind),
            _ => TraceError::io(path, "open the session file")(error),
        }
    })?;
    check(path, &file.metadata().map_err(TraceError::io(path, "look at the session file"))?)?;
    Ok(file)
}

fn check(path: &Path, metadata: &Metadata) -> Result<(), TraceError> {
    // The owner of /proc/self is the effective user; std has no other way to ask.
    let own = std::fs::metadata("/proc/self")
        .map_err(TraceError::io(path, "find out who we are (/proc/self)"))?
        .uid();
    if metadata.uid() != own {
        return Err(TraceError::new(path, TraceErrorKind::Owner { uid: metadata.uid() }));
    }
    match metadata.mode() & 0o7777 {
        mode if mode & 0o077 != 0 => {
            Err(TraceError::new(path, TraceErrorKind::Permissions { mode }))
        }
        _ => Ok(()),
    }
}
