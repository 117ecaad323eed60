//! What a process in a container sees of the file system.

use super::{AttachError, Target};
use std::{
    fs::{self, DirBuilder},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

/// Whether a process sees the same files under the same names as this one.
pub(crate) fn same_files(pid: u32) -> bool {
    let place = |path: String| fs::metadata(path).map(|meta| (meta.dev(), meta.ino())).ok();
    let [ours, theirs] = ["self".to_owned(), pid.to_string()]
        .map(|name| (place(format!("/proc/{name}/ns/mnt")), place(format!("/proc/{name}/root/"))));
    ours == theirs
}

/// The library's path as the JVM sees it: `library` itself, or where the JVM sees other files a copy, in a directory of
/// this user alone.
///
/// # Errors
/// Where it cannot be copied there.
pub fn visible_library(target: &Target, library: &Path) -> Result<PathBuf, AttachError> {
    if same_files(target.pid()) {
        return Ok(library.to_owned());
    }
    let failed = |path: &Path, e: &dyn std::fmt::Display| AttachError::File(path.to_owned(), e.to_string());
    let bytes = fs::read(library).map_err(|e| failed(library, &e))?;
    let folder_name = library.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    let uid = rustix::process::geteuid().as_raw();
    let folder = PathBuf::from(format!("/tmp/jfathom-{uid}-{folder_name}"));
    let reached = target.root(&folder);
    match DirBuilder::new().mode(0o700).create(&reached) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => return Err(failed(&reached, &e)),
        _ => {}
    }
    let meta = fs::symlink_metadata(&reached).map_err(|e| failed(&reached, &e))?;
    if !meta.is_dir() || meta.uid() != uid || meta.mode() & 0o077 != 0 {
        return Err(failed(&reached, &"is not a directory of this user alone; remove it"));
    }
    let name = library.file_name().unwrap_or_default();
    let copy = reached.join(name);
    if fs::read(&copy).ok().as_deref() != Some(&bytes[..]) {
        let temporary = reached.join(format!("{}.{}.tmp", name.to_string_lossy(), std::process::id()));
        let write = || {
            let mut file =
                fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&temporary)?;
            file.write_all(&bytes)?;
            fs::rename(&temporary, &copy)
        };
        write().map_err(|e: io::Error| {
            let _ = fs::remove_file(&temporary);
            failed(&copy, &e)
        })?;
    }
    Ok(folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_sees_what_it_sees() {
        assert!(same_files(std::process::id()));
    }
}
