//! The directory of one recording.

use crate::jfr::companion::repository;
use crate::{Error, Event, RecordOptions};
use jfathom_files::{Access, Directory};
use jfathom_session::{
    DirectoryError, JvmFile, JvmIdentity, MEMORY, MIN_FREE_BYTES, clock_library_directories,
    create_session_directory, names::OVERFLOW_FILE, new_session_name, place_clock_library,
};
use jfathom_trace::SessionEntry;
use std::{
    ffi::OsString,
    fs,
    io::{self, Read, Write},
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
};

/// The longest text that is read of a file [`JvmFile::Failure`], in bytes.
const FAILURE_LIMIT: u64 = 4096;

/// A session directory that this recording has made or been given (mode 0700).
#[derive(Debug)]
pub(crate) struct SessionDir {
    path: PathBuf,
    /// Whether [`SessionDir::remove`] removes the directory itself.
    made: bool,
    /// None if the JVM sees the same files as this process.
    inner: Option<Inner>,
    /// The overflow directory.
    overflow: Option<PathBuf>,
    /// Why the clock library could not be placed.
    clock_failure: Option<String>,
}

/// A directory in a container.
#[derive(Debug)]
struct Inner {
    /// Its path as the container's processes see it.
    path: PathBuf,
    parent: Directory,
    /// Its name in `parent`.
    name: OsString,
    /// [`SessionDir::path`] leads through this open directory, also when the container's process
    /// has ended.
    _held: Directory,
}

impl SessionDir {
    /// Makes a directory: `asked` if it is given, else a new one.
    ///
    /// # Errors
    /// Fails if it cannot be made, or if `asked` is there and is not an empty directory that only
    /// this user can enter.
    pub(crate) fn make(asked: Option<&Path>) -> Result<Self, Error> {
        if let Some(path) = asked {
            return Self::at(path);
        }
        match create_session_directory() {
            Ok(path) => {
                let dir =
                    Self { path, made: true, inner: None, overflow: None, clock_failure: None };
                Ok(dir.with_overflow().with_clock_library())
            }
            Err(DirectoryError { path, cause: source }) => {
                Err(Error::SessionDir { path, what: source.to_string() })
            }
        }
    }

    /// Makes an overflow directory on disk, and writes its name down for the JVMs. Without one the
    /// JVMs count what is lost.
    fn with_overflow(mut self) -> Self {
        let base = std::env::temp_dir();
        let device = |path: &Path| fs::metadata(path).map(|meta| meta.dev()).ok();
        let Ok(base) = base.canonicalize() else { return self };
        if device(&base) == device(&self.path) {
            return self;
        }
        let path = base.join(new_session_name());
        if jfathom_files::create_directory(&path, 0o700).is_err() {
            return self;
        }
        let name = self.path.join(OVERFLOW_FILE);
        let noted = jfathom_files::replace(&name, 0o600, |file| {
            file.write_all(path.as_os_str().as_bytes())
        });
        match noted {
            Ok(()) => self.overflow = Some(path),
            Err(_) => _ = fs::remove_dir(&path),
        }
        self
    }

    /// Places the library by which JVMs read the processor's counter. Without it their clock is
    /// `System.nanoTime`, and the profile says why.
    fn with_clock_library(mut self) -> Self {
        let placed = place_clock_library(&self.path, &clock_library_directories());
        self.clock_failure = placed.err().map(|error| error.to_string());
        self
    }

    /// Why the clock library could not be placed, for the user; none if it was.
    pub(crate) fn clock_failure(&self) -> Option<&str> {
        self.clock_failure.as_deref()
    }

    fn at(path: &Path) -> Result<Self, Error> {
        let error = |what: String| Error::SessionDir { path: path.to_owned(), what };
        let made = match jfathom_files::create_directory(path, 0o700) {
            Ok(_) => true,
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => false,
            Err(e) => return Err(error(e.to_string())),
        };
        // JVMs get the path through the environment and may run in other directories.
        let path = path.canonicalize().map_err(|e| error(e.to_string()))?;
        let meta = fs::metadata(&path).map_err(|e| error(e.to_string()))?;
        if !meta.is_dir() {
            return Err(error("it is not a directory".into()));
        }
        if meta.uid() != rustix::process::geteuid().as_raw() {
            return Err(error("it belongs to another user".into()));
        }
        if meta.mode() & 0o077 != 0 {
            return Err(error(format!(
                "other users can enter it (mode {:o}); `chmod 700` it",
                meta.mode() & 0o777
            )));
        }
        if fs::read_dir(&path).map_err(|e| error(e.to_string()))?.next().is_some() {
            return Err(error(
                "it is not empty; name a new one, or read it with `jfathom report`".into(),
            ));
        }
        Ok(Self { path, made, inner: None, overflow: None, clock_failure: None }
            .with_overflow()
            .with_clock_library())
    }

    /// Adopts the directory that the agent in a JVM has made for its session.
    ///
    /// # Errors
    /// Fails if it is not of this user alone.
    pub(crate) fn adopt(path: &Path) -> Result<Self, Error> {
        let error = |what: String| Error::SessionDir { path: path.to_owned(), what };
        let path = path.canonicalize().map_err(|e| error(e.to_string()))?;
        jfathom_trace::SessionDir::open(&path).map_err(|e| error(e.to_string()))?;
        let overflow = jfathom_trace::overflow_dir(&path)
            .filter(|dir| jfathom_trace::SessionDir::open(dir).is_ok());
        Ok(Self { path, made: true, inner: None, overflow, clock_failure: None })
    }

    /// Makes a directory that a process in a container sees.
    ///
    /// The container's processes may exchange what lies there, so nothing is reached by a path, but
    /// by open directories.
    ///
    /// # Errors
    /// Fails if the container has no place for it.
    pub(crate) fn inside(pid: u32) -> Result<Self, Error> {
        let root = PathBuf::from(format!("/proc/{pid}/root"));
        let name = OsString::from(new_session_name());
        let (mut problem, mut parents) = (None, Vec::new());
        for base in [MEMORY, "/tmp"].map(Path::new) {
            match Directory::open(&root).and_then(|root| root.in_root(base)) {
                Ok(parent) => parents.push((base, parent)),
                Err(e) => problem = Some((base, e)),
            }
        }
        // As on the host: in memory if that has space, or more than the other place.
        let is_first = |free: Option<u64>| free.is_some_and(|free| free >= MIN_FREE_BYTES);
        if let [(_, memory), (_, disk)] = &*parents
            && !is_first(memory.free_bytes())
            && memory.free_bytes() <= disk.free_bytes()
        {
            parents.reverse();
        }
        for (base, parent) in parents {
            match parent.create_directory(&name, 0o700) {
                Ok(held) => {
                    let path = held.path_by_handle();
                    let inner = Some(Inner { path: base.join(&name), parent, name, _held: held });
                    return Ok(Self {
                        path,
                        made: true,
                        inner,
                        overflow: None,
                        clock_failure: None,
                    });
                }
                Err(e) => problem = Some((base, e)),
            }
        }
        let (base, source) =
            problem.unwrap_or_else(|| (Path::new("/tmp"), io::ErrorKind::NotFound.into()));
        let path = root.join(base.strip_prefix("/").unwrap_or(base)).join(name);
        Err(Error::SessionDir { path, what: source.to_string() })
    }

    /// The path as the JVM sees it.
    pub(crate) fn inner_path(&self) -> &Path {
        self.inner.as_ref().map_or(&self.path, |inner| &inner.path)
    }

    /// The absolute path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The session files in it, oldest JVM first.
    ///
    /// # Errors
    /// Fails if the directory cannot be read.
    pub(crate) fn entries(&self) -> Result<Vec<SessionEntry>, Error> {
        let dir = jfathom_trace::SessionDir::open(&self.path).and_then(|dir| dir.entries());
        dir.map_err(|e| Error::SessionDir { path: self.path.clone(), what: e.to_string() })
    }

    /// Why JVMs could not begin a session: a sentence for each, with its pid.
    pub(crate) fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for (JvmIdentity { pid, .. }, path) in self.failure_files() {
            let mut text = Vec::new();
            let read = jfathom_files::open(&path, Access::Read)
                .and_then(|file| file.take(FAILURE_LIMIT).read_to_end(&mut text));
            if read.is_ok() {
                failures.push(format!(
                    "JVM {pid} could not record: {}",
                    String::from_utf8_lossy(&text).trim()
                ));
            }
        }
        failures.sort();
        failures
    }

    /// The JVMs that could not begin a session.
    pub(crate) fn failed_jvms(&self) -> Vec<JvmIdentity> {
        self.failure_files().map(|(jvm, _)| jvm).collect()
    }

    fn failure_files(&self) -> impl Iterator<Item = (JvmIdentity, PathBuf)> {
        fs::read_dir(&self.path).into_iter().flatten().flatten().filter_map(|entry| {
            let jvm = JvmIdentity::from_file_name(&entry.file_name(), JvmFile::Failure)?;
            Some((jvm, entry.path()))
        })
    }

    /// Bytes that can still be written in its file system; none if that does not say.
    pub(crate) fn free_bytes(&self) -> Option<u64> {
        jfathom_files::free_bytes(&self.path)
    }

    /// Removes it, unless it is to be kept or holds what could not be written.
    pub(crate) fn end(
        self,
        options: &RecordOptions,
        error: Option<&Error>,
        events: &mut dyn FnMut(Event),
    ) {
        let is_named = match error {
            Some(Error::Output { kept: Some(kept), .. }) => kept == self.path(),
            _ if options.keep_session => false,
            _ => return self.remove(),
        };
        let path = self.path().display().to_string();
        if !is_named {
            events(Event::Note(format!("session kept in {path}")));
        }
        if let Some(overflow) = self.keep() {
            events(Event::Note(format!(
                "the session in {path} goes on in {}: delete both",
                overflow.display()
            )));
        }
    }

    /// Leaves it to the user. Returns the overflow directory if that has files.
    pub(crate) fn keep(self) -> Option<PathBuf> {
        repository::remove_empty(&self.path);
        let overflow = self.overflow?;
        if fs::remove_dir(&overflow).is_err() {
            return Some(overflow);
        }
        let _ = fs::remove_file(self.path.join(OVERFLOW_FILE));
        None
    }

    /// Deletes the files in it, and itself if the recording has made it. What cannot be deleted
    /// stays.
    pub(crate) fn remove(self) {
        repository::remove(&self.path);
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let _ = fs::remove_file(entry.path());
        }
        if let Some(overflow) = &self.overflow {
            for entry in fs::read_dir(overflow).into_iter().flatten().flatten() {
                let jvm = JvmIdentity::from_file_name(&entry.file_name(), JvmFile::Overflow);
                if jvm.is_some() {
                    let _ = fs::remove_file(entry.path());
                }
            }
            let _ = fs::remove_dir(overflow);
        }
        if self.made {
            let _ = match &self.inner {
                Some(inner) => inner.parent.remove_directory(&inner.name),
                None => fs::remove_dir(&self.path),
            };
        }
    }
}

#[cfg(test)]
mod tests;
