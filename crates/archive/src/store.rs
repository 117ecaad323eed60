//! A directory that caches byte strings, such as indexes of containers.
//!
//! Readers must detect damaged bytes themselves. A file appears by a rename, so no reader sees half
//! of one, even if many processes write.

use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jfathom_files::{Access, Directory};

/// Default bound on the stored bytes.
const MOST_BYTES: u64 = 512 << 20;
/// Larger files are not read.
const LARGEST: u64 = 1 << 30;
/// A use is noted only if the file's time is older than this.
const NOTED_AFTER: Duration = Duration::from_secs(6 * 3600);
/// Unfinished files of this age have no writer any more.
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 3600);
/// First character of unfinished files. Keys have no dot.
const UNFINISHED: char = '.';

/// A directory that only its owner can read.
#[derive(Debug)]
pub struct ByteCache {
    directory: PathBuf,
    /// Open, so that it stays the directory whose owner was checked.
    handle: Directory,
    most_bytes: u64,
}

/// Why a directory cannot be used. Without a store everything works, but slower.
#[derive(Debug, thiserror::Error)]
#[error("{directory}: {problem}")]
pub struct StoreError {
    /// The directory.
    pub directory: PathBuf,
    /// Why.
    pub problem: String,
}

impl ByteCache {
    /// The store in the user's cache directory: `$XDG_CACHE_HOME/jfathom`, else `~/.cache/jfathom`
    /// (XDG Base Directory Specification).
    ///
    /// # Errors
    /// As for [`ByteCache::at`]. Also fails if neither variable is set.
    pub fn of_user() -> Result<Self, StoreError> {
        let absolute = |name: &str| {
            std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
        };
        let caches = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
        match caches {
            Some(caches) => Self::at(caches.join("jfathom")),
            None => Err(StoreError {
                directory: PathBuf::from("~/.cache/jfathom"),
                problem: "neither HOME nor XDG_CACHE_HOME is set".to_owned(),
            }),
        }
    }

    /// The store in this directory. A missing one is made with mode 0700.
    ///
    /// # Errors
    /// Fails if it cannot be made, is not a directory, belongs to another user, or if others may
    /// write to it.
    pub fn at(directory: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let directory = directory.into();
        let failed = |problem| StoreError { directory: directory.clone(), problem };
        jfathom_files::create_directories(&directory, 0o700)
            .map_err(|error| failed(format!("cannot make the directory: {error}")))?;
        let handle = Directory::open(&directory)
            .map_err(|error| failed(format!("cannot read the directory: {error}")))?;
        handle.require_own_unshared().map_err(|error| failed(error.to_string()))?;
        Ok(Self { directory, handle, most_bytes: MOST_BYTES })
    }

    /// The same store with another bound on its bytes. Beyond it, the least recently used entries
    /// are removed.
    #[must_use]
    pub fn with_most_bytes(self, most_bytes: u64) -> Self {
        Self { most_bytes, ..self }
    }

    /// Its path.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The bytes under a key. They may be damaged, or somebody else's. `None` if there are none or
    /// they cannot be read.
    pub fn get(&self, key: &str) -> Option<Vec<u8>> {
        let name = name_of(key)?;
        let file = self.handle.open_own(name, Access::Read).ok()?;
        let meta = file.metadata().ok().filter(|meta| meta.len() <= LARGEST)?;
        let mut bytes = Vec::with_capacity(meta.len() as usize);
        (&file).take(LARGEST).read_to_end(&mut bytes).ok()?;
        let age = meta.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
        if age.is_some_and(|age| age > NOTED_AFTER) {
            // The time is that of the last use. If it cannot be set, the file is removed sooner.
            let again = self.handle.open_own(name, Access::ReadWrite);
            let _unnoted = again.and_then(|file| file.set_modified(SystemTime::now()));
        }
        Some(bytes)
    }

    /// Stores bytes under a key of letters, digits and `-`, in place of earlier ones.
    ///
    /// # Errors
    /// Fails if the directory or the disk does not allow it. Then nothing is left behind.
    pub fn put(&self, key: &str, bytes: &[u8]) -> io::Result<()> {
        let name = name_of(key).ok_or(io::ErrorKind::InvalidInput)?;
        self.handle.replace(name, 0o600, |file| file.write_all(bytes))?;
        self.make_room();
        Ok(())
    }

    /// Removes a key's bytes, for example damaged ones.
    pub fn remove(&self, key: &str) {
        if let Some(name) = name_of(key) {
            let _gone = self.handle.remove_file(name);
        }
    }

    /// Removes abandoned unfinished files, and the oldest files until the others fit.
    fn make_room(&self) {
        let Ok(names) = self.handle.names() else { return };
        let now = SystemTime::now();
        let mut files = Vec::new();
        for name in names {
            let Some(meta) = self
                .handle
                .hold(&name)
                .and_then(|held| held.metadata())
                .ok()
                .filter(|meta| meta.is_file())
            else {
                continue;
            };
            let modified = meta.modified().unwrap_or(now);
            if name.to_string_lossy().starts_with(UNFINISHED) {
                if now.duration_since(modified).is_ok_and(|age| age > ABANDONED_AFTER) {
                    let _gone = self.handle.remove_file(&name);
                }
                continue;
            }
            files.push((modified, name, meta.len()));
        }
        let mut total: u64 = files.iter().map(|file| file.2).sum();
        files.sort_unstable();
        for (_, name, len) in files {
            if total <= self.most_bytes {
                break;
            }
            if self.handle.remove_file(&name).is_ok() {
                total -= len;
            }
        }
    }
}

/// The file name of a key. `None` if it is not a key.
fn name_of(key: &str) -> Option<&OsStr> {
    let is_plain = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    is_plain.then_some(OsStr::new(key))
}
