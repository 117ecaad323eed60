//! The bytes of archives: in memory, or left in their files, so that a class path of many jars does
//! not fill the memory.
//!
//! A file can be replaced, written or removed between two reads. Wrong bytes never pass: each
//! opening compares the state of the file, each entry has its CRC, and so has the whole file.

use std::borrow::Cow;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::ops::Range;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::codec::crc32;
use crate::limits::check;
use crate::{Error, Limit, Limits, Location};
use jfathom_files::open_plain;

/// Where the bytes of an archive are.
#[derive(Debug)]
pub(crate) enum ArchiveBytes {
    /// In memory: a nested archive.
    Memory(Vec<u8>),
    /// In a file.
    File(ArchiveFile),
}

/// A file as it was when it was first read.
#[derive(Debug)]
pub(crate) struct ArchiveFile {
    path: PathBuf,
    state: FileState,
    /// CRC-32 of all its bytes. Times have a resolution of milliseconds: two states can be equal.
    crc: u32,
}

/// The properties of a file that change when it is replaced or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileState {
    device: u64,
    inode: u64,
    /// In bytes.
    length: u64,
    /// Seconds and nanoseconds since 1970.
    modified: (i64, i64),
}

impl FileState {
    fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            length: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        }
    }
}

/// An open archive. Any thread can read parts of it.
#[derive(Debug)]
pub(crate) enum OpenArchive<'a> {
    Memory(&'a [u8]),
    File(File),
}

impl ArchiveBytes {
    /// Reads a file within the limits. Also returns its bytes, for its central directory.
    ///
    /// # Errors
    /// Fails if the file cannot be read, changes meanwhile, is no regular file, or is beyond the
    /// limits.
    pub(crate) fn read(
        path: &Path,
        location: &Location,
        limits: &Limits,
    ) -> Result<(Self, Vec<u8>), Error> {
        let io = |e| Error::io(path, "cannot open", e);
        let file = open_plain(path).map_err(io)?;
        let metadata = file.metadata().map_err(io)?;
        check(location, Limit::FileBytes, metadata.len(), limits.file_bytes)?;
        let mut bytes = Vec::with_capacity(metadata.len() as usize);
        let read = (&file).take(metadata.len()).read_to_end(&mut bytes);
        let length = read.map_err(|e| Error::io(path, "cannot read", e))?;
        let state = FileState::of(&metadata);
        if state.length != length as u64 || state != FileState::of(&file.metadata().map_err(io)?) {
            return Err(changed(path));
        }
        let crc = crc32(&bytes);
        Ok((Self::File(ArchiveFile { path: path.to_owned(), state, crc }), bytes))
    }

    /// Its file. `None` for a nested archive.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Memory(_) => None,
            Self::File(file) => Some(&file.path),
        }
    }

    /// The number of bytes.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::File(file) => file.state.length,
        }
    }

    /// Opens it to read parts.
    ///
    /// # Errors
    /// Fails if the file cannot be opened or has changed.
    pub(crate) fn open(&self) -> Result<OpenArchive<'_>, Error> {
        match self {
            Self::Memory(bytes) => Ok(OpenArchive::Memory(bytes)),
            Self::File(file) => file.open().map(OpenArchive::File),
        }
    }

    /// All bytes.
    ///
    /// # Errors
    /// Fails if the file cannot be read or has changed.
    pub(crate) fn whole(&self) -> Result<Cow<'_, [u8]>, Error> {
        match self {
            Self::Memory(bytes) => Ok(Cow::Borrowed(bytes)),
            Self::File(file) => file.whole().map(Cow::Owned),
        }
    }

    /// Checks that the file did not change while `open` was read.
    ///
    /// # Errors
    /// Fails if it did.
    pub(crate) fn check(&self, open: &OpenArchive<'_>) -> Result<(), Error> {
        match (self, open) {
            (Self::File(file), OpenArchive::File(open)) => file.check(open),
            _ => Ok(()),
        }
    }
}

impl ArchiveFile {
    fn open(&self) -> Result<File, Error> {
        let io = |e| Error::io(&self.path, "cannot open", e);
        let file = open_plain(&self.path).map_err(io)?;
        self.check(&file)?;
        Ok(file)
    }

    fn check(&self, open: &File) -> Result<(), Error> {
        let metadata = open.metadata().map_err(|e| Error::io(&self.path, "cannot read", e))?;
        if FileState::of(&metadata) == self.state { Ok(()) } else { Err(changed(&self.path)) }
    }

    fn whole(&self) -> Result<Vec<u8>, Error> {
        let file = self.open()?;
        let mut bytes = Vec::with_capacity(self.state.length as usize);
        let read = (&file).take(self.state.length).read_to_end(&mut bytes);
        read.map_err(|e| Error::io(&self.path, "cannot read", e))?;
        self.check(&file)?;
        if crc32(&bytes) == self.crc { Ok(bytes) } else { Err(changed(&self.path)) }
    }
}

impl OpenArchive<'_> {
    /// A part of it, within the length that it was opened with.
    ///
    /// # Errors
    /// Fails if the archive ends before, or if the operating system reports an error.
    pub(crate) fn part(&self, range: Range<usize>) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Self::Memory(bytes) => {
                let part = bytes.get(range);
                part.map(Cow::Borrowed).ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
            }
            Self::File(file) => {
                let mut part = vec![0; range.len()];
                file.read_exact_at(&mut part, range.start as u64)?;
                Ok(Cow::Owned(part))
            }
        }
    }
}

fn changed(path: &Path) -> Error {
    Error::io(path, "cannot read", io::Error::other("the file changed after it was opened"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn read(path: &Path) -> ArchiveBytes {
        let (bytes, content) =
            ArchiveBytes::read(path, &Location::new(path), &Limits::default()).expect("a file");
        assert_eq!(content, fs::read(path).expect("a file"));
        bytes
    }

    #[test]
    fn parts_of_files_are_read_until_they_change() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.jar");
        fs::write(&path, b"0123456789").expect("it can be written");
        let bytes = read(&path);
        assert_eq!((bytes.path(), bytes.len()), (Some(&*path), 10));
        assert_eq!(&*bytes.whole().expect("unchanged"), b"0123456789");
        let open = bytes.open().expect("unchanged");
        assert_eq!(&*open.part(2..5).expect("inside"), b"234");
        assert!(open.part(8..11).is_err());
        bytes.check(&open).expect("unchanged");

        fs::write(&path, b"0123456789a").expect("it can be written");
        assert!(bytes.check(&open).is_err() && bytes.open().is_err() && bytes.whole().is_err());
        fs::write(&path, b"01").expect("it can be written");
        assert!(open.part(2..5).is_err() && bytes.open().is_err() && bytes.whole().is_err());
        fs::remove_file(&path).expect("it can be removed");
        assert!(bytes.open().is_err() && bytes.whole().is_err());
        // A named pipe must not block.
        let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo");
        assert!(made.success());
        assert!(bytes.open().is_err() && bytes.whole().is_err());
    }

    #[test]
    fn other_bytes_with_an_equal_time_are_found() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("a.jar");
        fs::write(&path, b"0123456789").expect("it can be written");
        let bytes = read(&path);
        let time = fs::metadata(&path).and_then(|m| m.modified()).expect("a time");
        fs::write(&path, b"012345678x").expect("it can be written");
        File::options().write(true).open(&path).and_then(|f| f.set_modified(time)).expect("a time");
        bytes.open().expect("its state is equal");
        assert!(bytes.whole().is_err());
    }

    #[test]
    fn memory_is_borrowed() {
        let bytes = ArchiveBytes::Memory(b"abc".to_vec());
        assert!(matches!(bytes.whole(), Ok(Cow::Borrowed(b"abc"))));
        let open = bytes.open().expect("it is there");
        assert!(matches!(open.part(1..3), Ok(Cow::Borrowed(b"bc"))) && open.part(1..4).is_err());
        assert_eq!((bytes.path(), bytes.len()), (None, 3));
        bytes.check(&open).expect("memory does not change");
    }
}
