//! The agent's library, unpacked to where a JVM of this user can load it.
//!
//! A JVM loads the library by its path. What is checked when it is unpacked must therefore stay
//! true until then: no other user may be able to change a part of the path (`docs/live.md`).

use jfathom_clock::is_executable;
use jfathom_files::{Access, Directory, trusted_directory};
use std::{
    ffi::OsStr,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    time::Duration,
};

/// File name of the library. Its folder's name is a hash of its content, so that versions lie side
/// by side.
const FILE: &str = "libjfathom.so";

/// Name of the symbolic link beside the library that leads to this program. The agent starts its
/// collector by it.
const PROGRAM: &str = "jfathom";

/// Age at which another version is removed. A JVM that has loaded it keeps it.
const EXPIRY: Duration = Duration::from_secs(30 * 24 * 3600);

/// Why the agent's library cannot be unpacked.
#[derive(Debug, thiserror::Error)]
#[error("cannot unpack {FILE}: {path}: {action}")]
pub struct UnpackError {
    /// The file or directory at fault.
    pub path: PathBuf,
    /// The failed action: `cannot write`.
    pub action: &'static str,
    /// Why it failed.
    pub source: io::Error,
}

fn failed(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> UnpackError {
    move |source| UnpackError { path: path.to_owned(), action, source }
}

/// Unpacks the agent's library, unless this version is there already, and returns its path: in the
/// user's cache directory, else in the temporary directory.
///
/// # Errors
/// Fails if no directory can be written that other users cannot change, and whose file system
/// allows execution: a JVM that cannot load the library does not start.
pub fn unpack_agent(library: &[u8]) -> Result<PathBuf, UnpackError> {
    let own = jfathom_session::temporary_cache_directory();
    let Some(cache) = jfathom_session::cache_directory() else {
        return unpack_below(&own, library);
    };
    // The user knows the cache directory: its error says most.
    unpack_below(&cache, library).or_else(|error| unpack_below(&own, library).map_err(|_| error))
}

fn unpack_below(base: &Path, library: &[u8]) -> Result<PathBuf, UnpackError> {
    let (directory, base_path) = trusted_directory(base).map_err(failed(base, "cannot be used"))?;
    if base_path.as_os_str().as_encoded_bytes().contains(&b'=') {
        // What follows the first `=` of -agentpath is the agent's options.
        return Err(failed(base, "cannot be named to a JVM")(io::Error::other("it contains `=`")));
    }
    directory.require_own_unshared().map_err(failed(base, "cannot be used"))?;
    let version = format!("agent-{:016x}", hash(library));
    let (name, path) = (OsStr::new(&version), base_path.join(&version));
    if directory.hold(name).is_err() {
        remove_expired(&directory);
    }
    let folder = match directory.create_directory(name, 0o700) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => directory.beneath(Path::new(name)),
        made => made,
    };
    let folder = folder.map_err(failed(&path, "cannot be used"))?;
    folder.require_own_unshared().map_err(failed(&path, "cannot be used"))?;
    fill(&folder, &path, library)
}

/// Removes expired versions. A failure leaves them there and does no other harm.
fn remove_expired(base: &Directory) {
    for name in base.names().unwrap_or_default() {
        let Ok(folder) = base.beneath(Path::new(&name)) else { continue };
        let is_version = name.to_string_lossy().starts_with("agent-");
        let modified = folder
            .hold(OsStr::new(FILE))
            .and_then(|file| file.metadata())
            .and_then(|meta| meta.modified());
        let is_expired = modified.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > EXPIRY));
        if is_version && is_expired {
            for file in [FILE, PROGRAM] {
                let _ = folder.remove_file(OsStr::new(file));
            }
            let _ = base.remove_directory(&name);
        }
    }
}

/// Puts the library and the link into the private folder at `path`.
fn fill(folder: &Directory, path: &Path, library: &[u8]) -> Result<PathBuf, UnpackError> {
    let (name, file) = (OsStr::new(FILE), path.join(FILE));
    // Compared whole: a JVM must load what this program holds, whatever became of the file.
    let limit = library.len() as u64;
    if folder.read(name, limit).ok().as_deref() != Some(library) {
        let written = folder.replace(name, 0o500, |file| file.write_all(library));
        written.map_err(failed(&file, "cannot write"))?;
    }
    let held = folder.open_file(name, Access::Read).map_err(failed(&file, "cannot read"))?;
    if !is_executable(&held) {
        let source = io::Error::other("its file system forbids execution");
        return Err(failed(&file, "cannot be loaded")(source));
    }
    let link = path.join(PROGRAM);
    let program = std::env::current_exe().map_err(failed(&link, "cannot find this program for"))?;
    if !fs::read_link(&link).is_ok_and(|to| to == program) {
        folder.replace_link(OsStr::new(PROGRAM), &program).map_err(failed(&link, "cannot link"))?;
    }
    Ok(file)
}

/// FNV-1a over words of eight bytes: names a version, and defends against nothing.
fn hash(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let mixed = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3);
        mixed ^ mixed >> 29
    })
}

#[cfg(test)]
mod tests;
