//! The bytes of a session: its file, and the overflow file that goes on where that one's file
//! system was full.
//!
//! Both are one line of offsets: below `HEADER_OVERFLOW` they are the session file's, from there on
//! the overflow file's.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::error::TraceError;
use crate::map::Mapping;
use crate::owned_file::{check_dir, open_file};
use jfathom_files::Access;
use jfathom_session::{JvmFile, JvmIdentity, names::OVERFLOW_FILE};

/// The longest name of a directory for overflow files, in bytes.
const NAME_LIMIT: u64 = 4096;

/// A session file and what belongs to it.
#[derive(Debug)]
pub(crate) struct Store {
    path: PathBuf,
    file: File,
    access: Access,
    /// Where the overflow file will be. Asked at the beginning: the session directory may be
    /// removed while the session goes on.
    place: Option<PathBuf>,
    /// Opened when it is first needed.
    overflow: OnceLock<File>,
}

/// One of the two files, as far as an offset leads into it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'s> {
    file: &'s File,
    /// No offset of the part is beyond this.
    pub end: u64,
}

impl Part<'_> {
    /// Maps a range, which must lie in the part.
    pub fn map(&self, offset: u64, len: usize) -> io::Result<Mapping> {
        Mapping::new(self.file, offset, len)
    }
}

impl Store {
    /// Opens a session file of ours that nobody else may use.
    pub fn open(path: &Path, access: Access) -> Result<Self, TraceError> {
        let file = open_file(path, access)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            access,
            place: overflow_of(path),
            overflow: OnceLock::new(),
        })
    }

    /// Bytes of the session file.
    pub fn len(&self) -> Result<u64, TraceError> {
        Ok(self
            .file
            .metadata()
            .map_err(TraceError::io(&self.path, "look at the session file"))?
            .len())
    }

    /// The part that an offset is in, where `overflow` is what `HEADER_OVERFLOW` says.
    pub fn part(&self, offset: u64, overflow: u64) -> Result<Part<'_>, TraceError> {
        if overflow == 0 || offset < overflow {
            let len = self.len()?;
            let end = if overflow == 0 { len } else { len.min(overflow) };
            return Ok(Part { file: &self.file, end });
        }
        let file = match self.overflow.get() {
            Some(file) => file,
            None => {
                let opened = self.open_overflow()?;
                self.overflow.get_or_init(|| opened)
            }
        };
        let end =
            file.metadata().map_err(TraceError::io(&self.path, "look at its overflow file"))?.len();
        Ok(Part { file, end })
    }

    /// Reads exactly `len` bytes at `offset`, where `overflow` is what `HEADER_OVERFLOW` says.
    pub fn read(&self, offset: u64, len: usize, overflow: u64) -> Result<Vec<u8>, TraceError> {
        let part = self.part(offset, overflow)?;
        let mut bytes = vec![0; len];
        part.file
            .read_exact_at(&mut bytes, offset)
            .map_err(TraceError::io(&self.path, "read the session file"))?;
        Ok(bytes)
    }

    fn open_overflow(&self) -> Result<File, TraceError> {
        let none = || io::Error::other("its directory names no place for one");
        let doing = "find its overflow file";
        let path =
            self.place.as_deref().ok_or_else(none).map_err(TraceError::io(&self.path, doing))?;
        check_dir(path.parent().unwrap_or(Path::new("/")))?;
        open_file(path, self.access)
    }
}

/// The overflow file of a session file, which may or may not be there; none where the session
/// directory names no place for it.
pub fn overflow_of(session: &Path) -> Option<PathBuf> {
    let directory = overflow_dir(session.parent()?)?;
    let jvm = JvmIdentity::from_file_name(session.file_name()?, JvmFile::Session)?;
    Some(directory.join(jvm.file_name(JvmFile::Overflow)))
}

/// The directory for overflow files that a session directory names, if it does.
///
/// One that is reached through `/proc`, as a container's is, names none: its text would be
/// another's word about our files.
pub fn overflow_dir(session_dir: &Path) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    if session_dir.starts_with("/proc") {
        return None;
    }
    let file = open_file(&session_dir.join(OVERFLOW_FILE), Access::Read).ok()?;
    let length = file.metadata().ok()?.len();
    let mut name = vec![0; usize::try_from(length.min(NAME_LIMIT)).ok()?];
    file.read_exact_at(&mut name, 0).ok()?;
    let place = PathBuf::from(std::ffi::OsStr::from_bytes(&name));
    place.is_absolute().then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};

    fn named(name: &str) -> Option<PathBuf> {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join(OVERFLOW_FILE);
        let mut options = std::fs::OpenOptions::new();
        std::io::Write::write_all(
            &mut options.write(true).create_new(true).mode(0o600).open(file).unwrap(),
            name.as_bytes(),
        )
        .unwrap();
        overflow_of(&temp.path().join("jvm-1-2.jft"))
    }

    #[test]
    fn the_overflow_file_is_found_when_the_session_directory_is_gone() {
        let temp = tempfile::tempdir().unwrap();
        let [session, place] = ["session", "place"].map(|name| temp.path().join(name));
        let private = |path: &Path, bytes: &[u8]| {
            let mut options = std::fs::OpenOptions::new();
            let mut file = options.write(true).create_new(true).mode(0o600).open(path).unwrap();
            std::io::Write::write_all(&mut file, bytes).unwrap();
        };
        for path in [&session, &place] {
            std::fs::DirBuilder::new().mode(0o700).create(path).unwrap();
        }
        private(&session.join(OVERFLOW_FILE), place.as_os_str().as_bytes());
        private(&session.join("jvm-1-2.jft"), b"1234");
        let store = Store::open(&session.join("jvm-1-2.jft"), Access::Read).unwrap();
        std::fs::remove_dir_all(&session).unwrap();
        private(&place.join("jvm-1-2.jfo"), b"12345678");
        assert_eq!(store.read(4, 4, 4).unwrap(), b"5678");
    }

    #[test]
    fn a_place_is_an_absolute_path() {
        assert_eq!(named("/tmp/x"), Some(PathBuf::from("/tmp/x/jvm-1-2.jfo")));
        assert_eq!(named("tmp/x"), None);
        assert_eq!(overflow_of(Path::new("/no/such/jvm-1-2.jft")), None);
        assert_eq!(overflow_of(Path::new("/proc/self/fd/3/jvm-1-2.jft")), None);
    }
}
