//! The same by paths: the folder of each is opened first, by a path that is the user's or this
//! program's own.

use crate::{Access, Directory};
use std::{
    ffi::OsStr,
    fs::File,
    io::{self, BufWriter, Write},
    os::unix::fs::DirBuilderExt,
    path::Path,
};

/// The folder of a path, opened, and the name in it.
fn split(path: &Path) -> io::Result<(Directory, &OsStr)> {
    let name = path.file_name().ok_or(crate::Refusal::Name)?;
    Ok((Directory::open(path.parent().unwrap_or(Path::new("")))?, name))
}

/// Makes a new file, to read and write ([`Directory::create_file`]).
///
/// # Errors
/// What the system says: `AlreadyExists` for whatever has the name, a link too.
pub fn create(path: &Path, mode: u32) -> io::Result<File> {
    let (folder, name) = split(path)?;
    folder.create_file(name, mode)
}

/// Makes a new directory, whose parent must be there ([`Directory::create_directory`]).
///
/// # Errors
/// What the system says, and [`crate::Refusal::Owner`].
pub fn create_directory(path: &Path, mode: u32) -> io::Result<Directory> {
    let (folder, name) = split(path)?;
    folder.create_directory(name, mode)
}

/// Makes a directory of the user's with all that lie above it, where they are not there. Links are
/// followed.
///
/// # Errors
/// What the system says.
pub fn create_directories(path: &Path, mode: u32) -> io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(mode).create(path)
}

/// Opens a regular file of this user ([`Directory::open_own`]).
///
/// # Errors
/// What the system says, [`crate::Refusal::NotAFile`] and [`crate::Refusal::Owner`].
pub fn open(path: &Path, access: Access) -> io::Result<File> {
    let (folder, name) = split(path)?;
    folder.open_own(name, access)
}

/// Reads a regular file of this user whole, `limit` bytes at most ([`Directory::read`]).
///
/// # Errors
/// As [`open`], and [`crate::Refusal::TooLarge`].
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let (folder, name) = split(path)?;
    folder.read(name, limit)
}

/// Writes a file through `write` and then gives it its name ([`Directory::replace`]): for files of
/// this program's own. What the user names is an [`crate::output`].
///
/// # Errors
/// What the system or `write` says.
pub fn replace<T>(
    path: &Path,
    mode: u32,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
) -> io::Result<T> {
    let (folder, name) = split(path)?;
    folder.replace(name, mode, write)
}

/// Writes bytes to a file of this program's own ([`replace`]), with the mode that the umask leaves.
///
/// # Errors
/// What the system says.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    replace(path, 0o666, |file| file.write_all(bytes.as_ref()))
}

/// Copies a plain file with its permissions to a new name.
///
/// # Errors
/// As [`crate::open_plain`], and what the system says: `AlreadyExists` for whatever has the name, a
/// link too.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut source = crate::open_plain(from)?;
    let mut copy = create(to, 0o600)?;
    io::copy(&mut source, &mut copy)?;
    copy.set_permissions(source.metadata()?.permissions())
}

/// Makes a symbolic link at a path ([`Directory::create_link`]).
///
/// # Errors
/// What the system says: `AlreadyExists` for whatever has the name.
pub fn create_link(path: &Path, target: &Path) -> io::Result<()> {
    let (folder, name) = split(path)?;
    folder.create_link(name, target)
}

/// Puts a symbolic link at a path, in place of what is there ([`Directory::replace_link`]).
///
/// # Errors
/// What the system says.
pub fn replace_link(path: &Path, target: &Path) -> io::Result<()> {
    let (folder, name) = split(path)?;
    folder.replace_link(name, target)
}
