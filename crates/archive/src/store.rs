//! A directory that caches byte strings, such as indexes of containers.
//!
//! Readers must detect damaged bytes themselves. Files appear by renaming, so no reader sees half
//! of one, even if many processes write.

use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jfathom_files::{Access, Directory};

/// How many bytes are kept, unless another number is set.
const MOST_BYTES: u64 = 512 << 20;
/// No larger file is read.
const LARGEST: u64 = 1 << 30;
/// How old a file may become before a use of it is noted.
const NOTED_AFTER: Duration = Duration::from_secs(6 * 3600);
/// How old a file that was never renamed must be, so that nobody writes to it any more.
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 3600);
/// How the names of files begin that are being written: keys have no dot.
const UNFINISHED: char = '.';

/// A directory that only its owner can read.
#[derive(Debug)]
pub struct ByteCache {
    directory: PathBuf,
    /// Held open, so that it stays the one whose owner was checked.
    handle: Directory,
    most_bytes: u64,
}

/// Why a directory cannot be used. Everything works without, only slower.
#[derive(Debug)]
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
    /// As for [`ByteCache::at`]; and where neither variable is set.
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

    /// The store in this directory, which is made with mode 0700 if it is not there.
    ///
    /// # Errors
    /// It cannot be made, is no directory, belongs to somebody else, or others may write to it.
    pub fn at(directory: impl Into<PathBuf>) -> Result<Self, StoreError> {
        let directory = directory.into();
        match prepared(&directory) {
            Ok(handle) => Ok(Self { directory, handle, most_bytes: MOST_BYTES }),
            Err(problem) => Err(StoreError { directory, problem }),
        }
    }

    /// The same store, which removes what was not used for longest when it holds more than so many
    /// bytes.
    #[must_use]
    pub fn with_most_bytes(self, most_bytes: u64) -> Self {
        Self { most_bytes, ..self }
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// What was put under a key, or something else that lies there; nothing where there is nothing
    /// or it cannot be read.
    pub fn get(&self, key: &str) -> Option<Vec<u8>> {
        let name = name_of(key)?;
        let file = self.handle.open_own(name, Access::Read).ok()?;
        let meta = file.metadata().ok().filter(|meta| meta.len() <= LARGEST)?;
        let mut bytes = Vec::with_capacity(meta.len() as usize);
        (&file).take(LARGEST).read_to_end(&mut bytes).ok()?;
        let age = meta.modified().ok().and_then(|time| SystemTime::now().duration_since(time).ok());
        if age.is_some_and(|age| age > NOTED_AFTER) {
            // The time says when it was used; if it cannot be set, the file goes sooner.
            let again = self.handle.open_own(name, Access::ReadWrite);
            let _unnoted = again.and_then(|file| file.set_modified(SystemTime::now()));
        }
        Some(bytes)
    }

    /// Keeps bytes under a key of letters, digits and `-`, in place of what was there.
    ///
    /// # Errors
    /// The directory or the disk does not allow it; nothing is left of it then.
    pub fn put(&self, key: &str, bytes: &[u8]) -> io::Result<()> {
        let name = name_of(key).ok_or(io::ErrorKind::InvalidInput)?;
        self.handle.replace(name, 0o600, |file| file.write_all(bytes))?;
        self.make_room();
        Ok(())
    }

    /// Removes a key's bytes, such as damaged ones.
    pub fn remove(&self, key: &str) {
        if let Some(name) = name_of(key) {
            let _gone = self.handle.remove_file(name);
        }
    }

    /// Removes the oldest files until the others fit, and what unfinished writers left.
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

/// The name of the file of a key; none for what is no key.
fn name_of(key: &str) -> Option<&OsStr> {
    let is_plain = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    is_plain.then_some(OsStr::new(key))
}

/// Makes and opens the directory, or says why it will not do.
fn prepared(directory: &Path) -> Result<Directory, String> {
    jfathom_files::create_directories(directory, 0o700)
        .map_err(|error| format!("cannot make the directory: {error}"))?;
    let handle = Directory::open(directory)
        .map_err(|error| format!("cannot read the directory: {error}"))?;
    handle.require_own_unshared().map_err(|error| error.to_string())?;
    Ok(handle)
}

impl std::fmt::Display for StoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.directory.display(), self.problem)
    }
}

impl std::error::Error for StoreError {}
