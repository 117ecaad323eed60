//! The directory of one recording.

use crate::{Error, Event, RecordOptions};
use jfathom_files::{Access, Directory};
use jfathom_session::{
    DirectoryError, JvmFile, JvmIdentity, MEMORY, MIN_FREE_BYTES, create_session_directory,
    names::OVERFLOW_FILE, new_session_name,
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
    /// Whether the directory itself goes away with [`SessionDir::remove`].
    made: bool,
    /// Its path in the JVM's own view of the file system, where that is another one than this
    /// process has.
    inner: Option<Inner>,
    /// Where session files go on when its file system is full.
    overflow: Option<PathBuf>,
}

/// A directory in a container.
#[derive(Debug)]
struct Inner {
    /// As the container's processes see it.
    path: PathBuf,
    /// The directory in which it lies, and its name there.
    above: Directory,
    name: OsString,
    /// Holds it open: [`SessionDir::path`] leads through it, also when the container's process has
    /// ended.
    _held: Directory,
}

impl SessionDir {
    /// Makes a directory: `asked` itself, or a new one in memory, or else one on disk.
    ///
    /// # Errors
    /// Where it cannot be made, or where `asked` exists and is not an empty directory that only
    /// this user can enter.
    pub(crate) fn make(asked: Option<&Path>) -> Result<Self, Error> {
        if let Some(path) = asked {
            return Self::at(path);
        }
        match create_session_directory() {
            Ok(path) => Ok(Self { path, made: true, inner: None, overflow: None }.with_overflow()),
            Err(DirectoryError { path, source }) => {
                Err(Error::SessionDir { path, what: source.to_string() })
            }
        }
    }

    /// Makes a directory on disk for what does not fit, and leaves its name for the JVMs. Without
    /// one they count what is lost.
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

    fn at(path: &Path) -> Result<Self, Error> {
        let error = |what: String| Error::SessionDir { path: path.to_owned(), what };
        let made = match jfathom_files::create_directory(path, 0o700) {
            Ok(_) => true,
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => false,
            Err(e) => return Err(error(e.to_string())),
        };
        // JVMs get the name through the environment and may run in other directories.
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
        Ok(Self { path, made, inner: None, overflow: None }.with_overflow())
    }

    /// Takes over the directory that the agent in a JVM has made for its session.
    pub(crate) fn adopt(path: &Path) -> Result<Self, Error> {
        let error = |what: String| Error::SessionDir { path: path.to_owned(), what };
        let path = path.canonicalize().map_err(|e| error(e.to_string()))?;
        jfathom_trace::SessionDir::open(&path).map_err(|e| error(e.to_string()))?;
        let overflow = jfathom_trace::overflow_dir(&path)
            .filter(|dir| jfathom_trace::SessionDir::open(dir).is_ok());
        Ok(Self { path, made: true, inner: None, overflow })
    }

    /// Makes a directory where a process sees it that has another view of the file system.
    ///
    /// What lies there is the container's: nothing is reached by a path through it, but by open
    /// directories.
    pub(crate) fn inside(pid: u32) -> Result<Self, Error> {
        let root = PathBuf::from(format!("/proc/{pid}/root"));
        let name = OsString::from(new_session_name());
        let mut trouble = None;
        for base in [MEMORY, "/tmp"].map(Path::new) {
            let above = match Directory::open(&root).and_then(|root| root.in_root(base)) {
                Ok(above) => above,
                Err(e) => {
                    trouble = Some((base, e));
                    continue;
                }
            };
            if base.starts_with(MEMORY)
                && above.free_bytes().is_none_or(|free| free < MIN_FREE_BYTES)
            {
                continue;
            }
            match above.create_directory(&name, 0o700) {
                Ok(held) => {
                    let path = held.path_by_handle();
                    let inner = Some(Inner { path: base.join(&name), above, name, _held: held });
                    return Ok(Self { path, made: true, inner, overflow: None });
                }
                Err(e) => trouble = Some((base, e)),
            }
        }
        let (base, source) =
            trouble.unwrap_or_else(|| (Path::new("/tmp"), io::ErrorKind::NotFound.into()));
        let path = root.join(base.strip_prefix("/").unwrap_or(base)).join(name);
        Err(Error::SessionDir { path, what: source.to_string() })
    }

    /// Its path as the JVM sees it.
    pub(crate) fn inner_path(&self) -> &Path {
        self.inner.as_ref().map_or(&self.path, |inner| &inner.path)
    }

    /// Its absolute path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The session files in it.
    pub(crate) fn entries(&self) -> Result<Vec<SessionEntry>, Error> {
        let dir = jfathom_trace::SessionDir::open(&self.path).and_then(|dir| dir.entries());
        dir.map_err(|e| Error::SessionDir { path: self.path.clone(), what: e.to_string() })
    }

    /// Why JVMs could not begin a session: their pids, and what they wrote down.
    pub(crate) fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let jvm = JvmIdentity::from_file_name(&entry.file_name(), JvmFile::Failure);
            let Some(JvmIdentity { pid, .. }) = jvm else { continue };
            let mut text = Vec::new();
            let read = jfathom_files::open(&entry.path(), Access::Read)
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

    /// Bytes that can still be written there.
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

    /// Leaves it to the user, with the overflow directory where that has files. Gives the latter.
    pub(crate) fn keep(self) -> Option<PathBuf> {
        let overflow = self.overflow?;
        if fs::remove_dir(&overflow).is_err() {
            return Some(overflow);
        }
        let _ = fs::remove_file(self.path.join(OVERFLOW_FILE));
        None
    }

    /// Deletes what is in it, and itself where this recording made it. Trouble leaves files behind
    /// and nothing else.
    pub(crate) fn remove(self) {
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
                Some(inner) => inner.above.remove_directory(&inner.name),
                None => fs::remove_dir(&self.path),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn made_for_this_user_alone_and_removed_whole() {
        let dir = SessionDir::make(None).unwrap();
        let path = dir.path().to_owned();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        fs::write(path.join("jvm-1-2.jft"), "x").unwrap();
        dir.remove();
        assert!(!path.exists());
    }

    #[test]
    fn an_overflow_directory_stays_where_it_has_files() {
        let temp = tempfile::tempdir().unwrap();
        let made = |name: &str| {
            let [path, overflow] =
                ["", "-overflow"].map(|end| temp.path().join(format!("{name}{end}")));
            [&path, &overflow].into_iter().for_each(|path| fs::create_dir(path).unwrap());
            fs::write(path.join(OVERFLOW_FILE), overflow.as_os_str().as_bytes()).unwrap();
            (
                SessionDir {
                    path: path.clone(),
                    made: true,
                    inner: None,
                    overflow: Some(overflow.clone()),
                },
                path,
                overflow,
            )
        };
        let (dir, path, overflow) = made("empty");
        assert_eq!(dir.keep(), None);
        assert!(path.exists() && !overflow.exists() && !path.join(OVERFLOW_FILE).exists());
        let (dir, path, overflow) = made("used");
        fs::write(overflow.join("jvm-1-2.jfo"), "x").unwrap();
        assert_eq!(dir.keep().as_ref(), Some(&overflow));
        assert!(path.join(OVERFLOW_FILE).exists() && overflow.join("jvm-1-2.jfo").exists());
    }

    #[test]
    fn an_asked_directory_must_be_fit() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("s");
        let dir = SessionDir::make(Some(&path)).unwrap();
        fs::write(path.join("file"), "x").unwrap();
        let what = |r: Result<SessionDir, Error>| r.unwrap_err().to_string();
        assert!(what(SessionDir::make(Some(&path))).contains("not empty"));
        dir.remove();
        assert!(!path.exists());

        fs::create_dir(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(what(SessionDir::make(Some(&path))).contains("chmod 700"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).unwrap();
        SessionDir::make(Some(&path)).unwrap().remove();
        assert!(path.exists(), "the user's own directory stays");

        let file = temp.path().join("f");
        fs::write(&file, "x").unwrap();
        assert!(what(SessionDir::make(Some(&file))).contains("not a directory"));
        assert!(what(SessionDir::make(Some(&temp.path().join("no/such")))).contains("no/such"));
    }

    #[test]
    fn what_a_container_plants_is_not_read_and_not_followed() {
        let temp = tempfile::tempdir().unwrap();
        let secret = temp.path().join("secret");
        fs::write(&secret, "secret").unwrap();
        let dir = SessionDir::inside(std::process::id()).unwrap();
        let path = dir.path().to_owned();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        fs::write(path.join("jvm-1-2.failed"), "no space").unwrap();
        std::os::unix::fs::symlink(&secret, path.join("jvm-3-4.failed")).unwrap();
        // Opened to read, it would wait for a writer.
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        let pipe = path.join("jvm-5-6.failed");
        rustix::fs::mknodat(rustix::fs::CWD, pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        assert_eq!(dir.failures(), ["JVM 1 could not record: no space"]);
        let (inner, moved) =
            (dir.inner_path().to_owned(), dir.inner_path().with_extension("moved"));
        // The directory is exchanged for a link: what is written then goes where it went before.
        fs::rename(&inner, &moved).unwrap();
        std::os::unix::fs::symlink(temp.path(), &inner).unwrap();
        jfathom_files::replace(&path.join("secret"), 0o600, |file| {
            io::Write::write_all(file, b"new")
        })
        .unwrap();
        assert_eq!(fs::read_to_string(&secret).unwrap(), "secret");
        assert_eq!(fs::read_to_string(moved.join("secret")).unwrap(), "new");
        fs::remove_file(&inner).unwrap();
        fs::rename(&moved, &inner).unwrap();
        dir.remove();
        assert!(!inner.exists());
    }
}
