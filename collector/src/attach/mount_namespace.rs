//! The library in the file system that a JVM in a container sees.

use super::AttachError;
use jfathom_files::{Directory, trusted_in_root};
use jfathom_session::JvmProcess;
use rustix::fs::{StatVfsMountFlags, fstatvfs};
use std::{
    ffi::OsStr,
    io::{self, Write},
    path::{Path, PathBuf},
};

/// Directories for the library in a container, best first.
const BASES: [&str; 2] = ["/tmp", "/var/tmp"];
/// Its file name.
const FILE: &str = "libjfathom.so";
/// The most bytes of the library; it has some MiB.
const LIBRARY_LIMIT: u64 = 1 << 30;

/// A library where a JVM can load it. A copy is removed when this is dropped: a JVM that has loaded
/// it needs its file no more.
#[derive(Debug)]
pub struct VisibleLibrary {
    path: PathBuf,
    copy: Option<Copy>,
}

/// A copy in a folder of its own.
#[derive(Debug)]
struct Copy {
    base: Directory,
    folder: Directory,
    path: PathBuf,
}

impl VisibleLibrary {
    /// Its path as the JVM sees it.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for VisibleLibrary {
    fn drop(&mut self) {
        if let (Some(copy), Some(name)) = (&self.copy, self.path.file_name()) {
            let _ = copy.folder.remove_file(name);
            let _ = copy.base.remove_directory(copy.path.file_name().unwrap_or_default());
        }
    }
}

/// The library as the JVM sees it: `library` itself, or a copy if the JVM sees other files. The
/// copy is in a directory of this user and this JVM alone.
///
/// A JVM knows a library that it has loaded before by the path that it had then, so it has that
/// one again, whoever recorded from where.
///
/// # Errors
/// Fails if the library cannot be copied.
pub fn visible_library(jvm: &JvmProcess, library: &Path) -> Result<VisibleLibrary, AttachError> {
    let failed =
        |path: &Path, e: &dyn std::fmt::Display| AttachError::File(path.to_owned(), e.to_string());
    let version = library.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
    let loaded = loaded_from(jvm, &version);
    let is_loaded_elsewhere = loaded.as_deref().is_some_and(|path| path != library);
    if jvm.has_same_files() && !is_loaded_elsewhere {
        return Ok(VisibleLibrary { path: library.to_owned(), copy: None });
    }
    let bytes = jfathom_files::read(library, LIBRARY_LIMIT).map_err(|e| failed(library, &e))?;
    let name = library.file_name().unwrap_or_default();
    let root = jvm.directory("/").map_err(|e| failed(&jvm.root(Path::new("/")), &e))?;
    let folders = match loaded.as_deref().and_then(Path::parent) {
        Some(folder) => vec![folder.to_owned()],
        None => BASES.map(|base| Path::new(base).join(folder_name(jvm, &version))).to_vec(),
    };
    let mut problem = None;
    for folder in &folders {
        match place(&root, folder, name, &bytes) {
            Ok(library) => return Ok(library),
            Err(e) => problem = problem.or(Some((folder.as_path(), e))),
        }
    }
    let (folder, e) = problem.unwrap_or_else(|| (Path::new("/"), io::ErrorKind::NotFound.into()));
    Err(failed(&jvm.root(folder), &e))
}

/// Has the library in a folder of the JVM's view of the file system, whose root is `root`.
fn place(
    root: &Directory,
    folder: &Path,
    name: &OsStr,
    bytes: &[u8],
) -> io::Result<VisibleLibrary> {
    // Nobody else in the container may exchange what its JVM is going to load by this path.
    let (held, path) = trusted_in_root(root, folder)?;
    held.require_own_unshared()?;
    let file = path.join(name);
    if held.read(name, LIBRARY_LIMIT).is_ok_and(|found| found == bytes) {
        return Ok(VisibleLibrary { path: file, copy: None });
    }
    let is_noexec = fstatvfs(&held)?.f_flag.contains(StatVfsMountFlags::NOEXEC);
    let base = root.in_root(path.parent().unwrap_or(Path::new("/")))?;
    // Removed again where it cannot be used, or filled.
    let library = VisibleLibrary { path: file, copy: Some(Copy { base, folder: held, path }) };
    if is_noexec {
        return Err(io::Error::other("it is mounted noexec, so no library can be loaded there"));
    }
    if let Some(copy) = &library.copy {
        copy.folder.replace(name, 0o600, |file| file.write_all(bytes))?;
    }
    Ok(library)
}

/// Where the JVM has loaded this version from; none if it has not.
fn loaded_from(jvm: &JvmProcess, version: &str) -> Option<PathBuf> {
    let mapped = jvm.mapped_files(FILE, "").into_iter().map(|path| {
        let text = path.to_string_lossy();
        text.strip_suffix(" (deleted)").map_or_else(|| path.clone(), PathBuf::from)
    });
    mapped.into_iter().find(|path| {
        let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
        path.file_name() == Some(OsStr::new(FILE)) && folder.to_string_lossy().contains(version)
    })
}

/// The name of the folder of a copy.
fn folder_name(jvm: &JvmProcess, version: &str) -> String {
    let uid = rustix::process::geteuid().as_raw();
    format!("jfathom-{uid}-{version}-{}", jvm.inner_pid())
}
