//! Directories that no other user can change, by whatever part of their path.

use crate::{Directory, Refusal};
use rustix::{
    fd::{AsFd, OwnedFd},
    fs::{AtFlags, FileType, Mode, OFlags, Stat, fstat, mkdirat, openat, readlinkat, statat},
    io::Errno,
    process::geteuid,
};
use std::{
    collections::VecDeque,
    ffi::{OsStr, OsString},
    io,
    os::unix::ffi::OsStringExt,
    path::{Path, PathBuf},
};

/// More links than this on one path are an error, as for the kernel (path_resolution(7)).
const MOST_LINKS: u32 = 40;

/// Opens the directory at an absolute path, and gives its path without links. What is not there is
/// made with mode 0700.
///
/// Every directory and link on the way belongs to this user, to root, or to the owner of `/`, who
/// is root under another number where a user namespace does not map it; and nobody else can write
/// to such a directory, unless it is sticky: then its entries are their owners' alone, and the next
/// one is held to the same. So nobody else can make the path lead elsewhere, now or later.
///
/// # Errors
/// What the system says, and [`Refusal::Untrusted`].
pub fn trusted_directory(path: &Path) -> io::Result<(Directory, PathBuf)> {
    trusted_in_root(&Directory::open(Path::new("/"))?, path)
}

/// The same in the view of the file system whose root is `root`: the path, and that which is given,
/// are paths of that view.
///
/// # Errors
/// As for [`trusted_directory`].
pub fn trusted_in_root(root: &Directory, path: &Path) -> io::Result<(Directory, PathBuf)> {
    if !path.is_absolute() {
        return Err(Refusal::Name.into());
    }
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let top = fstat(root)?;
    // The directories from the root to here, but for the root: a way upwards ends there.
    let mut way: Vec<(OwnedFd, OsString)> = Vec::new();
    let mut pending = pieces(path);
    let mut links = 0;
    trust(&top, &top).map_err(|why| untrusted(Path::new("/"), why))?;
    while let Some(piece) = pending.pop_front() {
        if piece == OsStr::new("..") {
            way.pop();
            continue;
        }
        let here = path_of(&way).join(&piece);
        let at = way.last().map_or(root.as_fd(), |(handle, _)| handle.as_fd());
        let found = match statat(at, &*piece, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => {
                match mkdirat(at, &*piece, Mode::from_raw_mode(0o700)) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(e) => return Err(e.into()),
                }
                statat(at, &*piece, AtFlags::SYMLINK_NOFOLLOW)?
            }
            found => found?,
        };
        if FileType::from_raw_mode(found.st_mode) == FileType::Symlink {
            links += 1;
            if links > MOST_LINKS {
                return Err(Errno::LOOP.into());
            }
            owner(&found, &top).map_err(|why| untrusted(&here, why))?;
            let target = PathBuf::from(OsString::from_vec(
                readlinkat(at, &*piece, Vec::new())?.into_bytes(),
            ));
            if target.is_absolute() {
                way.clear();
            }
            pieces(&target).into_iter().rev().for_each(|piece| pending.push_front(piece));
            continue;
        }
        let entered = openat(at, &*piece, flags, Mode::empty())?;
        trust(&fstat(&entered)?, &top).map_err(|why| untrusted(&here, why))?;
        way.push((entered, piece));
    }
    let path = path_of(&way);
    match way.pop() {
        Some((handle, _)) => Ok((Directory::from_handle(handle), path)),
        None => Ok((root.beneath(Path::new("."))?, path)),
    }
}

fn path_of(way: &[(OwnedFd, OsString)]) -> PathBuf {
    let mut path = PathBuf::from("/");
    path.extend(way.iter().map(|(_, name)| name));
    path
}

/// The names of a path, without the root.
fn pieces(path: &Path) -> VecDeque<OsString> {
    let names = path.components().map(|component| component.as_os_str().to_owned());
    names.filter(|name| name != "/" && name != ".").collect()
}

fn untrusted(path: &Path, why: Refusal) -> Refusal {
    Refusal::Untrusted { path: path.to_owned(), why: Box::new(why) }
}

/// Holds that nobody else can replace what lies in a directory.
fn trust(directory: &Stat, top: &Stat) -> Result<(), Refusal> {
    owner(directory, top)?;
    match directory.st_mode & 0o7777 {
        mode if mode & 0o022 != 0 && mode & 0o1000 == 0 => Err(Refusal::Writable { mode }),
        _ => Ok(()),
    }
}

fn owner(stat: &Stat, top: &Stat) -> Result<(), Refusal> {
    match stat.st_uid {
        uid if uid == geteuid().as_raw() || uid == 0 || uid == top.st_uid => Ok(()),
        uid => Err(Refusal::Owner { uid }),
    }
}
