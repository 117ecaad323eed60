//! An open directory: what is made, read and replaced in it is so by its handle.

use crate::{Refusal, name, resolve};
use rustix::{
    fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd},
    fs::{
        AtFlags, Dir, FileType, Mode, OFlags, RenameFlags, Stat, fchmod, fstat, linkat, mkdirat,
        openat, renameat, renameat_with, statat, symlinkat, unlinkat,
    },
    io::Errno,
    process::geteuid,
};
use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, BufWriter, Read, Write},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// Bytes that are written at once.
const BUFFER: usize = 1 << 16;

/// A directory that is held open. Whatever becomes of its path, this stays the one that was opened.
#[derive(Debug)]
pub struct Directory {
    /// Opened with `O_PATH`: it can be passed through where it cannot be listed.
    handle: OwnedFd,
}

/// What a file is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reading.
    Read,
    /// Reading and writing.
    ReadWrite,
}

impl Directory {
    /// Opens a directory. Links are followed: the path is the user's or this program's own.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(path: &Path) -> io::Result<Self> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self { handle: rustix::fs::open(path, flags, Mode::empty())? })
    }

    /// A directory beneath this one, at a relative path in which no link is followed.
    ///
    /// # Errors
    /// What the system says; a link on the way and a way upwards are errors.
    pub fn beneath(&self, relative: &Path) -> io::Result<Self> {
        Ok(Self {
            handle: resolve::beneath(
                self.handle.as_fd(),
                relative,
                OFlags::PATH | OFlags::DIRECTORY,
            )?,
        })
    }

    /// A directory of the view of the file system whose root this directory is, by its absolute
    /// path there: links lead to what they lead to in that view, and never out of it.
    ///
    /// # Errors
    /// What the system says; where it has no openat2(2), every link is an error.
    pub fn in_root(&self, path: &Path) -> io::Result<Self> {
        Ok(Self {
            handle: resolve::in_root(self.handle.as_fd(), path, OFlags::PATH | OFlags::DIRECTORY)?,
        })
    }

    /// Holds what has a name, whatever it is, without opening it: what it is can be asked
    /// ([`File::metadata`]), and is not exchanged while it is held. A link is held itself.
    ///
    /// # Errors
    /// What the system says.
    pub fn hold(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(&self.handle, name::single(name)?, flags, Mode::empty())?.into())
    }

    pub(crate) fn from_handle(handle: OwnedFd) -> Self {
        Self { handle }
    }

    /// The directory as a file, to read or to lock it.
    ///
    /// # Errors
    /// What the system says.
    pub fn to_file(&self) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(openat(&self.handle, ".", flags, Mode::empty())?.into())
    }

    /// A path that leads to this directory, and to no other, in this process and while this value
    /// lives.
    pub fn path_by_handle(&self) -> PathBuf {
        // With the dot it is the directory itself, and not a link to it.
        PathBuf::from(format!("/proc/self/fd/{}/.", self.handle.as_raw_fd()))
    }

    /// Makes a new directory in this one.
    ///
    /// # Errors
    /// What the system says: `AlreadyExists` for whatever has the name, a link too.
    /// [`Refusal::Owner`] where somebody has put another one in its place at once.
    pub fn create_directory(&self, name: &OsStr, mode: u32) -> io::Result<Self> {
        mkdirat(&self.handle, name::single(name)?, Mode::from_raw_mode(mode))?;
        let made = self.beneath(Path::new(name))?;
        made.require_own()?;
        Ok(made)
    }

    /// The directory at a relative path, which is made, with all on the way to it, where it is not
    /// there.
    ///
    /// # Errors
    /// What the system says; a link on the way and a way upwards are errors.
    pub fn create_directories(&self, relative: &Path, mode: u32) -> io::Result<Self> {
        let mut at = self.beneath(Path::new("."))?;
        for component in relative.components() {
            match mkdirat(&at.handle, component.as_os_str(), Mode::from_raw_mode(mode)) {
                Ok(()) | Err(Errno::EXIST) => at = at.beneath(Path::new(&component))?,
                Err(e) => return Err(e.into()),
            }
        }
        Ok(at)
    }

    /// Makes a new file in this directory, to read and write.
    ///
    /// # Errors
    /// What the system says: `AlreadyExists` for whatever has the name, a link too.
    pub fn create_file(&self, name: &OsStr, mode: u32) -> io::Result<File> {
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(&self.handle, name::single(name)?, flags, Mode::from_raw_mode(mode))?.into())
    }

    /// Opens a regular file in this directory, whoever's it is.
    ///
    /// # Errors
    /// What the system says, and [`Refusal::NotAFile`]. A pipe in its place does not block.
    pub fn open_file(&self, name: &OsStr, access: Access) -> io::Result<File> {
        let name = name::single(name)?;
        // Opening a device can do something; what was opened is looked at again.
        regular(&self.stat(name)?)?;
        let read = match access {
            Access::Read => OFlags::RDONLY,
            Access::ReadWrite => OFlags::RDWR,
        };
        let flags = read | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let opened = openat(&self.handle, name, flags, Mode::empty())?;
        regular(&fstat(&opened)?)?;
        Ok(opened.into())
    }

    /// Opens a regular file of this user in this directory.
    ///
    /// # Errors
    /// As [`Directory::open_file`], and [`Refusal::Owner`].
    pub fn open_own(&self, name: &OsStr, access: Access) -> io::Result<File> {
        let file = self.open_file(name, access)?;
        own(&fstat(&file)?)?;
        Ok(file)
    }

    /// Reads a regular file of this user whole.
    ///
    /// # Errors
    /// As [`Directory::open_own`], and [`Refusal::TooLarge`] where it has more than `limit` bytes.
    pub fn read(&self, name: &OsStr, limit: u64) -> io::Result<Vec<u8>> {
        let file = self.open_own(name, Access::Read)?;
        let mut bytes = Vec::new();
        file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > limit {
            return Err(Refusal::TooLarge { limit }.into());
        }
        Ok(bytes)
    }

    /// Writes a file through `write` and then gives it the name, in place of what has it. A failure
    /// leaves what was there.
    ///
    /// # Errors
    /// What the system or `write` says.
    pub fn replace<T>(
        &self,
        name: &OsStr,
        mode: u32,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
    ) -> io::Result<T> {
        self.write_whole(name, mode, write, |from, to| self.rename(from, to))
    }

    /// As [`Directory::replace`], but only where nothing has the name.
    ///
    /// # Errors
    /// What the system or `write` says: `AlreadyExists` for whatever has the name, a link too.
    pub fn create_whole<T>(
        &self,
        name: &OsStr,
        mode: u32,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
    ) -> io::Result<T> {
        self.write_whole(name, mode, write, |from, to| self.rename_new(from, to))
    }

    /// Writes a file under a temporary name, and then has `rename` give it its own.
    fn write_whole<T>(
        &self,
        name: &OsStr,
        mode: u32,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
        rename: impl FnOnce(&OsStr, &OsStr) -> io::Result<()>,
    ) -> io::Result<T> {
        let name = name::single(name)?;
        let (temporary, file) = self.create_temporary(mode)?;
        let temporary = OsStr::new(&temporary);
        let mut file = BufWriter::with_capacity(BUFFER, file);
        let written = write(&mut file).and_then(|value| {
            file.flush()?;
            rename(temporary, name)?;
            Ok(value)
        });
        if written.is_err() {
            let _ = self.remove_file(temporary);
        }
        written
    }

    /// Gives a file another name, which must be free.
    fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        let directory = &self.handle;
        match renameat_with(directory, from, directory, to, RenameFlags::NOREPLACE) {
            // File systems such as NFS know no such renaming. A second name is never another's.
            Err(Errno::INVAL | Errno::NOSYS) => {
                linkat(directory, from, directory, to, AtFlags::empty())?;
                self.remove_file(from)
            }
            renamed => Ok(renamed?),
        }
    }

    /// As [`Directory::replace`], with the mode and the group of the file that is replaced.
    pub(crate) fn replace_like<T>(
        &self,
        name: &OsStr,
        like: &Stat,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
    ) -> io::Result<T> {
        self.write_like(name, like, write, |from, to| self.rename(from, to))
    }

    /// As [`Directory::replace_like`], but what has the name gets the name `old`, in place of what
    /// has that.
    pub(crate) fn replace_keeping<T>(
        &self,
        name: &OsStr,
        old: &OsStr,
        like: &Stat,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
    ) -> io::Result<T> {
        self.write_like(name, like, write, |from, to| {
            self.rename(to, old)?;
            self.rename_new(from, to)
        })
    }

    fn write_like<T>(
        &self,
        name: &OsStr,
        like: &Stat,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
        rename: impl FnOnce(&OsStr, &OsStr) -> io::Result<()>,
    ) -> io::Result<T> {
        let write = |file: &mut BufWriter<File>| {
            let mut mode = like.st_mode & 0o777;
            let group = rustix::fs::Gid::from_raw(like.st_gid);
            if fstat(file.get_ref())?.st_gid != like.st_gid
                && rustix::fs::fchown(file.get_ref(), None, Some(group)).is_err()
            {
                // What the old group could do is not for another group.
                mode &= !0o070 | (mode & 0o007) << 3;
            }
            fchmod(file.get_ref(), Mode::from_raw_mode(mode))?;
            write(file)
        };
        self.write_whole(name, 0o600, write, rename)
    }

    /// Makes a symbolic link.
    ///
    /// # Errors
    /// What the system says: `AlreadyExists` for whatever has the name.
    pub fn create_link(&self, name: &OsStr, target: &Path) -> io::Result<()> {
        Ok(symlinkat(target, &self.handle, name::single(name)?)?)
    }

    /// Puts a symbolic link under a name, in place of what has it.
    ///
    /// # Errors
    /// What the system says.
    pub fn replace_link(&self, name: &OsStr, target: &Path) -> io::Result<()> {
        let temporary = name::temporary();
        symlinkat(target, &self.handle, &*temporary)?;
        renameat(&self.handle, &*temporary, &self.handle, name::single(name)?).map_err(|e| {
            let _ = self.remove_file(OsStr::new(&temporary));
            e.into()
        })
    }

    /// Makes a file whose name nobody can know.
    pub(crate) fn create_temporary(&self, mode: u32) -> io::Result<(String, File)> {
        let name = name::temporary();
        let file = self.create_file(OsStr::new(&name), mode)?;
        Ok((name, file))
    }

    /// Gives what is under one name another, in place of what has that.
    ///
    /// # Errors
    /// What the system says.
    pub fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(renameat(&self.handle, name::single(from)?, &self.handle, name::single(to)?)?)
    }

    /// Removes a name that is not a directory's.
    ///
    /// # Errors
    /// What the system says.
    pub fn remove_file(&self, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(&self.handle, name::single(name)?, AtFlags::empty())?)
    }

    /// Removes an empty directory.
    ///
    /// # Errors
    /// What the system says.
    pub fn remove_directory(&self, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(&self.handle, name::single(name)?, AtFlags::REMOVEDIR)?)
    }

    /// The names in it, without `.` and `..`, in no order.
    ///
    /// # Errors
    /// What the system says.
    pub fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in Dir::new(self.to_file()?)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                names.push(OsStr::from_bytes(name).to_owned());
            }
        }
        Ok(names)
    }

    /// Bytes that this user can still write there; none where the file system does not say.
    pub fn free_bytes(&self) -> Option<u64> {
        crate::free_bytes_of(&self.handle)
    }

    /// Holds that it belongs to this user.
    ///
    /// # Errors
    /// [`Refusal::Owner`].
    pub fn require_own(&self) -> io::Result<()> {
        Ok(own(&fstat(&self.handle)?)?)
    }

    /// Holds that it belongs to this user and that no other can write to it.
    ///
    /// # Errors
    /// [`Refusal::Owner`] and [`Refusal::Writable`].
    pub fn require_own_unshared(&self) -> io::Result<()> {
        let stat = fstat(&self.handle)?;
        own(&stat)?;
        match stat.st_mode & 0o7777 {
            mode if mode & 0o022 != 0 => Err(Refusal::Writable { mode }.into()),
            _ => Ok(()),
        }
    }

    pub(crate) fn stat(&self, name: &OsStr) -> io::Result<Stat> {
        Ok(statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW)?)
    }
}

impl AsFd for Directory {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }
}

fn regular(stat: &Stat) -> Result<(), Refusal> {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Ok(()),
        _ => Err(Refusal::NotAFile),
    }
}

fn own(stat: &Stat) -> Result<(), Refusal> {
    if stat.st_uid == geteuid().as_raw() {
        Ok(())
    } else {
        Err(Refusal::Owner { uid: stat.st_uid })
    }
}
