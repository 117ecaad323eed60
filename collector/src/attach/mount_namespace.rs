//! The library in the file system that a JVM in a container sees.

use super::AttachError;
use jfathom_files::trusted_in_root;
use jfathom_session::JvmProcess;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Directories for the library in a container, best first.
const BASES: [&str; 2] = ["/tmp", "/var/tmp"];
/// The most bytes of the library; it has some MiB.
const LIBRARY_LIMIT: u64 = 1 << 30;

/// The library's path as the JVM sees it: `library` itself, or a copy if the JVM sees other files.
/// The copy is in a directory of this user alone.
///
/// # Errors
/// Fails if the library cannot be copied.
pub fn visible_library(jvm: &JvmProcess, library: &Path) -> Result<PathBuf, AttachError> {
    if jvm.has_same_files() {
        return Ok(library.to_owned());
    }
    let failed =
        |path: &Path, e: &dyn std::fmt::Display| AttachError::File(path.to_owned(), e.to_string());
    let bytes = jfathom_files::read(library, LIBRARY_LIMIT).map_err(|e| failed(library, &e))?;
    let folder_name = library
        .parent()
        .and_then(Path::file_name)
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let uid = rustix::process::geteuid().as_raw();
    let name = library.file_name().unwrap_or_default();
    let place = |base: &Path| {
        // Nobody else in the container may exchange what its JVM is going to load by this path.
        let (folder, path) = trusted_in_root(
            &jvm.directory("/")?,
            &base.join(format!("jfathom-{uid}-{folder_name}")),
        )?;
        folder.require_own_unshared()?;
        if folder.read(name, LIBRARY_LIMIT).ok().as_deref() != Some(&bytes[..]) {
            folder.replace(name, 0o600, |file| file.write_all(&bytes))?;
        }
        Ok::<_, io::Error>(path.join(name))
    };
    let mut problem = None;
    for base in BASES.map(Path::new) {
        match place(base) {
            Ok(path) => return Ok(path),
            Err(e) => problem = problem.or(Some((base, e))),
        }
    }
    let (base, e) = problem.unwrap_or_else(|| (Path::new("/"), io::ErrorKind::NotFound.into()));
    Err(failed(&jvm.root(base), &e))
}
