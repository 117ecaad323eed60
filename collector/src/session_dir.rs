//! The directory of one recording.

use crate::Error;
use jfathom_trace::{SessionEntry, layout};
use std::{
    fs::{self, DirBuilder},
    io::{self, Read},
    os::{
        fd::AsRawFd,
        unix::fs::{DirBuilderExt, MetadataExt},
    },
    path::{Path, PathBuf},
};

/// A file system in memory is taken only where this much is free: containers often give `/dev/shm` 64 MB in all.
const ROOM: u64 = 64 << 20;

/// End of the name of the file that a runtime writes in the place of its session file when it cannot make one.
const FAILED: &str = ".failed";
/// The longest text that is read from it, in bytes.
const FAILURE_LIMIT: u64 = 4096;

/// A session directory that this recording has made or been given (mode 0700).
#[derive(Debug)]
pub(crate) struct SessionDir {
    path: PathBuf,
    /// Whether the directory itself goes away with [`SessionDir::remove`].
    made: bool,
    /// Its path in the JVM's own view of the file system, where that is another one than this process has.
    inner: Option<Inner>,
}

/// A directory in a container.
#[derive(Debug)]
struct Inner {
    /// As the container's processes see it.
    path: PathBuf,
    /// As this process reaches it while the container's process lives.
    outer: PathBuf,
    /// Holds it open: [`SessionDir::path`] leads through it, also when the container's process has ended.
    _held: fs::File,
}

impl SessionDir {
    /// Makes a directory: `asked` itself, or a new one in memory, or else one on disk.
    ///
    /// # Errors
    /// Where it cannot be made, or where `asked` exists and is not an empty directory that only this user can enter.
    pub(crate) fn make(asked: Option<&Path>) -> Result<Self, Error> {
        if let Some(path) = asked {
            return Self::at(path);
        }
        let name = format!("jfathom-{}-{:08x}", std::process::id(), random());
        let mut trouble = None;
        for base in [PathBuf::from("/dev/shm"), std::env::temp_dir()] {
            if base.starts_with("/dev/shm") && free_bytes(&base).is_none_or(|free| free < ROOM) {
                continue;
            }
            let path = base.join(&name);
            match DirBuilder::new().mode(0o700).create(&path) {
                Ok(()) => return Ok(Self { path, made: true, inner: None }),
                Err(e) => trouble = Some((path, e)),
            }
        }
        let (path, source) = trouble.unwrap_or_else(|| (name.into(), io::ErrorKind::NotFound.into()));
        Err(Error::SessionDir { path, what: source.to_string() })
    }

    fn at(path: &Path) -> Result<Self, Error> {
        let error = |what: String| Error::SessionDir { path: path.to_owned(), what };
        let made = match DirBuilder::new().mode(0o700).create(path) {
            Ok(()) => true,
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
            return Err(error(format!("other users can enter it (mode {:o}); `chmod 700` it", meta.mode() & 0o777)));
        }
        if fs::read_dir(&path).map_err(|e| error(e.to_string()))?.next().is_some() {
            return Err(error("it is not empty; name a new one, or read it with `jfathom report`".into()));
        }
        Ok(Self { path, made, inner: None })
    }

    /// Takes over the directory that the agent in a JVM has made for its session.
    pub(crate) fn adopt(path: &Path) -> Result<Self, Error> {
        let error = |what: String| Error::SessionDir { path: path.to_owned(), what };
        let path = path.canonicalize().map_err(|e| error(e.to_string()))?;
        jfathom_trace::SessionDir::open(&path).map_err(|e| error(e.to_string()))?;
        Ok(Self { path, made: true, inner: None })
    }

    /// Makes a directory where a process sees it that has another view of the file system.
    pub(crate) fn inside(pid: u32) -> Result<Self, Error> {
        let name = format!("jfathom-{}-{:08x}", std::process::id(), random());
        let mut trouble = None;
        for base in ["/dev/shm", "/tmp"] {
            let path = Path::new(base).join(&name);
            let outer = PathBuf::from(format!("/proc/{pid}/root{}", path.display()));
            let roomy = |outer: &Path| free_bytes(outer).is_some_and(|free| free >= ROOM);
            if base == "/dev/shm" && !outer.parent().is_some_and(roomy) {
                continue;
            }
            let made = DirBuilder::new().mode(0o700).create(&outer).and_then(|()| fs::File::open(&outer));
            match made {
                Ok(held) => {
                    // With the dot it is the directory itself, and not a link to it.
                    let path_by_handle = PathBuf::from(format!("/proc/self/fd/{}/.", held.as_raw_fd()));
                    let inner = Some(Inner { path, outer, _held: held });
                    return Ok(Self { path: path_by_handle, made: true, inner });
                }
                Err(e) => trouble = Some((outer, e)),
            }
        }
        let (path, source) = trouble.unwrap_or_else(|| (name.into(), io::ErrorKind::NotFound.into()));
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
            let name = entry.file_name().to_string_lossy().into_owned();
            let Some(jvm) = name.strip_suffix(FAILED) else { continue };
            let pid = jvm.trim_start_matches(layout::FILE_PREFIX).split('-').next().unwrap_or_default();
            let mut text = Vec::new();
            let read = fs::File::open(entry.path()).and_then(|file| file.take(FAILURE_LIMIT).read_to_end(&mut text));
            if read.is_ok() {
                failures.push(format!("JVM {pid} could not record: {}", String::from_utf8_lossy(&text).trim()));
            }
        }
        failures.sort();
        failures
    }

    /// Bytes that can still be written there.
    pub(crate) fn free_bytes(&self) -> Option<u64> {
        free_bytes(&self.path)
    }

    /// Deletes what is in it, and itself where this recording made it. Trouble leaves files behind and nothing else.
    pub(crate) fn remove(self) {
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let _ = fs::remove_file(entry.path());
        }
        if self.made {
            let _ = fs::remove_dir(self.inner.as_ref().map_or(&self.path, |inner| &inner.outer));
        }
    }
}

fn free_bytes(path: &Path) -> Option<u64> {
    let stat = rustix::fs::statvfs(path).ok()?;
    Some(stat.f_bavail.saturating_mul(stat.f_frsize))
}

/// Enough to keep two recordings of one pid apart; the directory is made exclusively, so a clash is only an error.
fn random() -> u32 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish() as u32
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
}
