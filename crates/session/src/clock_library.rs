//! The native library by which a JVM reads the processor's counter, where the JVM finds it: a link
//! in the session directory leads to it (`docs/trace-format.md`).

use crate::names::{CLOCK_LIBRARY_PREFIX, CLOCK_LIBRARY_SUFFIX, CLOCK_LINK};
use jfathom_clock::{LIBRARY, is_executable};
use jfathom_files::{Directory, trusted_directory};
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Puts the library into the session directory, or into another directory of this user where the
/// file system of the first forbids execution, and the link beside the session files. Returns the
/// library's path; none where no counter is known. The JVM holds the file against the CRC-32 in its
/// name.
///
/// # Errors
/// Where no directory is fit: other users can change it, nothing can be written, or nothing in it
/// can be executed. What the last one says.
pub fn place_clock_library(session: &Path, others: &[PathBuf]) -> io::Result<Option<PathBuf>> {
    if LIBRARY.is_empty() {
        return Ok(None);
    }
    let mut placed = place_in(session);
    for other in others {
        if placed.is_err() {
            placed = place_in(other);
        }
    }
    let library = placed?;
    jfathom_files::replace_link(&session.join(CLOCK_LINK), &library)?;
    Ok(Some(library))
}

/// Directories of this user beside the session directory that the library may lie in: the user's
/// cache, and one for temporary files.
pub fn clock_library_directories() -> Vec<PathBuf> {
    let bases = crate::cache_directory().into_iter().chain([crate::temporary_cache_directory()]);
    bases.map(|base| base.join("clock")).collect()
}

fn place_in(directory: &Path) -> io::Result<PathBuf> {
    let (folder, path) = trusted_directory(directory)?;
    folder.require_own_unshared()?;
    let sum = libdeflater::crc32(LIBRARY);
    let name = format!("{CLOCK_LIBRARY_PREFIX}{sum:x}{CLOCK_LIBRARY_SUFFIX}");
    let name = OsStr::new(&name);
    if !is_whole(&folder, name) {
        folder.replace(name, 0o500, |file| file.write_all(LIBRARY))?;
    }
    let file = folder.open_file(name, jfathom_files::Access::Read)?;
    if !is_executable(&file) {
        let _ = folder.remove_file(name);
        let path = path.display();
        return Err(io::Error::other(format!("{path}: its file system forbids execution")));
    }
    Ok(path.join(name))
}

fn is_whole(folder: &Directory, name: &OsStr) -> bool {
    folder.read(name, LIBRARY.len() as u64).is_ok_and(|bytes| bytes == LIBRARY)
}

#[cfg(test)]
mod tests;
