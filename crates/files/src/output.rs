//! Outputs that the user names: one way for all of them.
//!
//! `-` is stdout. A regular file, or one that is not there, is replaced when the new one is whole.
//! A device, a pipe or an open file by its name in `/proc` or `/dev/fd` is written to, and never
//! replaced. A link is resolved once, and what it leads to is treated so.

use crate::{Access, Directory, Refusal, walk};
use rustix::{
    fd::AsFd as _,
    fs::{AtFlags, FileType, Mode, OFlags, Stat, openat},
};
use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, BufWriter, Write},
    path::Path,
};

/// The name of stdout.
pub const STDOUT: &str = "-";

/// Where an output goes, found once.
#[derive(Debug)]
pub struct Output {
    to: To,
}

#[derive(Debug)]
enum To {
    Stdout,
    /// Written to, as it is.
    Stream(Directory, OsString, Kind),
    /// Replaced when whole; where it is there, with its mode.
    File(Directory, OsString, Option<Box<Stat>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A device, a pipe or a socket.
    Special,
    /// The name of an open file in `/proc`.
    Open,
}

impl Output {
    /// Finds where an output goes. Nothing is opened or made yet.
    ///
    /// # Errors
    /// What the system says; [`Refusal::ForeignLink`]; `IsADirectory`.
    pub fn find(path: &Path) -> io::Result<Self> {
        if path == Path::new(STDOUT) {
            return Ok(Self { to: To::Stdout });
        }
        let walk::Place { directory, name, found } = walk::place(path)?;
        let to = match found.map(|stat| (FileType::from_raw_mode(stat.st_mode), stat)) {
            None => To::File(directory, name, None),
            Some((FileType::RegularFile, stat)) => To::File(directory, name, Some(Box::new(stat))),
            Some((FileType::Directory, _)) => return Err(io::ErrorKind::IsADirectory.into()),
            Some((FileType::Symlink, _)) => To::Stream(directory, name, Kind::Open),
            Some(_) => To::Stream(directory, name, Kind::Special),
        };
        Ok(Self { to })
    }

    /// Whether it is a file that is there and would be replaced.
    pub fn replaces(&self) -> bool {
        matches!(self.to, To::File(_, _, Some(_)))
    }

    /// Whether it is a file, there or not, and no stream that is written to.
    pub fn is_file(&self) -> bool {
        matches!(self.to, To::File(..))
    }

    /// Holds that a file can be made where it goes. Devices and pipes are not opened: that may
    /// block, or do something.
    ///
    /// # Errors
    /// What the system says.
    pub fn check(&self) -> io::Result<()> {
        match &self.to {
            To::Stdout | To::Stream(..) => Ok(()),
            To::File(directory, ..) => {
                let (temporary, _file) = directory.create_temporary(0o600)?;
                directory.remove_file(OsStr::new(&temporary))
            }
        }
    }

    /// As [`Output::write`], but never replaces a file, not even one that was made since.
    ///
    /// # Errors
    /// What the system or `write` says: `AlreadyExists` if a file is there.
    pub fn write_new<T>(
        self,
        mode: u32,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> io::Result<T> {
        match self.to {
            To::File(_, _, Some(_)) => Err(io::ErrorKind::AlreadyExists.into()),
            To::File(directory, name, None) => {
                directory.create_whole(&name, mode, |file| write(file))
            }
            to => Self { to }.write(mode, write),
        }
    }

    /// Holds that [`Output::write_keeping`] may rename the file that is there.
    ///
    /// # Errors
    /// `AlreadyExists` if this file, or what has its name with `.old`, is not a regular file of
    /// this user that `is_ours` accepts.
    pub fn check_keeping(&self, is_ours: impl Fn(File) -> bool) -> io::Result<()> {
        let To::File(directory, name, Some(_)) = &self.to else { return Ok(()) };
        let is_free = |name: &OsStr| match directory.stat(name) {
            Err(error) => error.kind() == io::ErrorKind::NotFound,
            Ok(_) => directory.open_own(name, Access::Read).is_ok_and(&is_ours),
        };
        match is_free(name) && is_free(&old(name)) {
            true => Ok(()),
            false => Err(io::ErrorKind::AlreadyExists.into()),
        }
    }

    /// As [`Output::write_new`], but a file that is there gets its name with `.old` once the new
    /// one is whole. Links are not followed.
    ///
    /// # Errors
    /// What the system or `write` says, and as [`Output::check_keeping`].
    pub fn write_keeping<T>(
        self,
        mode: u32,
        is_ours: impl Fn(File) -> bool,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> io::Result<T> {
        self.check_keeping(is_ours)?;
        match self.to {
            To::File(directory, name, Some(like)) => {
                directory.replace_keeping(&name, &old(&name), &like, |file| write(file))
            }
            to => Self { to }.write_new(mode, write),
        }
    }

    /// Writes it through `write`. A new file gets the mode `mode` without what the umask takes
    /// away, one that is replaced keeps its own. A failure leaves a file as it was.
    ///
    /// # Errors
    /// What the system or `write` says.
    pub fn write<T>(
        self,
        mode: u32,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> io::Result<T> {
        match self.to {
            To::Stdout => stream(open_stdout()?, write),
            To::Stream(directory, name, kind) => {
                stream(open_stream(&directory, &name, kind)?, write)
            }
            To::File(directory, name, None) => directory.replace(&name, mode, |file| write(file)),
            To::File(directory, name, Some(like)) => {
                directory.replace_like(&name, &like, |file| write(file))
            }
        }
    }
}

/// The name that a file gets when another one takes its place.
fn old(name: &OsStr) -> OsString {
    let mut old = name.to_owned();
    old.push(".old");
    old
}

/// Writes an output that the user names through `write`: [`Output::find`] and [`Output::write`].
///
/// # Errors
/// As these.
pub fn write<T>(
    path: &Path,
    mode: u32,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> io::Result<T> {
    Output::find(path)?.write(mode, write)
}

fn stream<T>(file: File, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
    let mut file = BufWriter::with_capacity(1 << 16, file);
    let value = write(&mut file)?;
    file.flush()?;
    Ok(value)
}

/// Stdout's own open file, so that what is written there before and after stays in order.
fn open_stdout() -> io::Result<File> {
    io::stdout().flush()?;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

fn open_stream(directory: &Directory, name: &OsStr, kind: Kind) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened: File = match kind {
        Kind::Special => openat(directory, name, flags | OFlags::NOFOLLOW, Mode::empty())?.into(),
        // Opened anew a socket would be refused, and a regular file written from its beginning
        // again.
        Kind::Open if is_stdout(directory, name) => open_stdout()?,
        Kind::Open => openat(directory, name, flags | OFlags::APPEND, Mode::empty())?.into(),
    };
    // What was a device or a pipe may have become a file, whose content nobody has agreed to lose.
    if kind == Kind::Special && opened.metadata()?.is_file() {
        return Err(Refusal::NotAFile.into());
    }
    Ok(opened)
}

/// Whether the name of an open file is that of stdout's.
fn is_stdout(directory: &Directory, name: &OsStr) -> bool {
    let named = rustix::fs::statat(directory, name, AtFlags::empty());
    let place = |stat: Stat| (stat.st_dev, stat.st_ino);
    named.is_ok_and(|named| {
        rustix::fs::fstat(io::stdout()).is_ok_and(|own| place(own) == place(named))
    })
}
