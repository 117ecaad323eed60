//! A path of the user, walked one name at a time, so that each link on it can be judged.

use crate::{Directory, Refusal};
use rustix::{
    fd::OwnedFd,
    fs::{
        AtFlags, FileType, Mode, OFlags, PROC_SUPER_MAGIC, Stat, fstat, fstatfs, openat,
        readlinkat, statat,
    },
    io::Errno,
    process::geteuid,
};
use std::{
    collections::VecDeque,
    ffi::{OsStr, OsString},
    io,
    os::unix::ffi::{OsStrExt, OsStringExt},
    path::{Component, Path, PathBuf},
};

/// More links than this on one path are an error, as for the kernel (path_resolution(7)).
const MOST_LINKS: u32 = 40;

/// What a path of the user leads to.
#[derive(Debug)]
pub(crate) struct Place {
    /// The directory that it lies in.
    pub(crate) directory: Directory,
    /// Its name there.
    pub(crate) name: OsString,
    /// What has that name; none where nothing has. A link only in `/proc`, where it stands for an
    /// open file.
    pub(crate) found: Option<Stat>,
}

/// Finds what a path leads to. Links are followed but for those that another user has put into a
/// shared directory.
///
/// # Errors
/// What the system says, [`Refusal::ForeignLink`], and `IsADirectory` for a path that ends without
/// a name.
pub(crate) fn place(path: &Path) -> io::Result<Place> {
    let mut pending = pieces(path);
    let mut so_far = PathBuf::new();
    let mut at = start(path)?;
    let mut links = 0;
    while let Some(piece) = pending.pop_front() {
        let is_last = pending.is_empty();
        so_far.push(&piece);
        if piece == OsStr::new("/") || piece == OsStr::new("..") {
            at = enter(&at, &piece)?;
            continue;
        }
        let found = match statat(&at, &*piece, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Some(stat),
            Err(Errno::NOENT) if is_last => None,
            Err(e) => return Err(e.into()),
        };
        let is_link =
            found.is_some_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Symlink);
        if is_link && !is_proc(&at)? {
            links += 1;
            if links > MOST_LINKS {
                return Err(Errno::LOOP.into());
            }
            if let Some(link) = found {
                judge(&fstat(&at)?, &link, &so_far)?;
            }
            let target = PathBuf::from(OsString::from_vec(
                readlinkat(&at, &*piece, Vec::new())?.into_bytes(),
            ));
            so_far.pop();
            for piece in pieces(&target).into_iter().rev() {
                pending.push_front(piece);
            }
        } else if is_last {
            return Ok(Place { directory: Directory::from_handle(at), name: piece, found });
        } else {
            at = if is_link { follow(&at, &piece)? } else { enter(&at, &piece)? };
        }
    }
    Err(io::ErrorKind::IsADirectory.into())
}

/// The names of a path. A slash at the end is a last name `..` of a name that must be a directory:
/// no file has that path.
fn pieces(path: &Path) -> VecDeque<OsString> {
    let mut pieces: VecDeque<OsString> = path
        .components()
        .filter(|component| *component != Component::CurDir)
        .map(|component| component.as_os_str().to_owned())
        .collect();
    let bytes = path.as_os_str().as_bytes();
    if pieces.len() > 1 && (bytes.ends_with(b"/") || bytes.ends_with(b"/.")) {
        pieces.push_back("..".into());
    }
    pieces
}

fn start(path: &Path) -> io::Result<OwnedFd> {
    let start = if path.is_absolute() { "/" } else { "." };
    Ok(rustix::fs::open(start, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
}

/// Steps into a directory that is no link.
fn enter(at: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(at, name, flags, Mode::empty())?)
}

/// Steps through a link of `/proc`: what it leads to is an open file, and no name says where that
/// is.
fn follow(at: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd> {
    Ok(openat(at, name, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?)
}

pub(crate) fn is_proc(at: &OwnedFd) -> io::Result<bool> {
    Ok(fstatfs(at)?.f_type == PROC_SUPER_MAGIC)
}

/// Refuses a link that lies in a sticky directory to which everybody can write, and belongs neither
/// to this user nor to the directory's owner (proc(5), `protected_symlinks`; here on the whole
/// path, whatever that setting is).
fn judge(directory: &Stat, link: &Stat, path: &Path) -> Result<(), Refusal> {
    let is_shared = directory.st_mode & 0o1002 == 0o1002;
    if is_shared && link.st_uid != geteuid().as_raw() && link.st_uid != directory.st_uid {
        return Err(Refusal::ForeignLink { link: path.to_owned(), uid: link.st_uid });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, os::unix::fs::symlink};

    #[test]
    fn a_path_leads_where_the_system_says() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/b/file"), "x").unwrap();
        symlink("b/file", root.join("a/one")).unwrap();
        symlink("a/one", root.join("two")).unwrap();
        symlink(root.join("a"), root.join("absolute")).unwrap();
        symlink("a/none", root.join("dangling")).unwrap();
        for (path, expected) in [
            ("a/b/file", "a/b/file"),
            ("a/one", "a/b/file"),
            ("two", "a/b/file"),
            ("absolute/b/../one", "a/b/file"),
            ("a/./b/../../two", "a/b/file"),
            ("dangling", "a/none"),
            ("a/new", "a/new"),
        ] {
            let place = place(&root.join(path)).unwrap();
            let folder = fs::read_link(format!("/proc/self/fd/{}", raw(&place.directory))).unwrap();
            assert_eq!(
                folder.join(&place.name),
                root.canonicalize().unwrap().join(expected),
                "{path}"
            );
            assert_eq!(place.found.is_some(), expected.ends_with("file"), "{path}");
        }
        for path in ["none/file", "a/b/file/", "a/b/file/x", "a/..", "/", ""] {
            let path = if path.starts_with('/') || path.is_empty() {
                path.into()
            } else {
                root.join(path)
            };
            assert!(place(&path).is_err(), "{}", path.display());
        }
        symlink("circle", root.join("circle")).unwrap();
        assert_eq!(
            place(&root.join("circle")).unwrap_err().raw_os_error(),
            Some(Errno::LOOP.raw_os_error())
        );
    }

    #[test]
    fn links_of_others_in_shared_directories() {
        let of = |mode: u32, uid: u32| -> Stat {
            let mut stat = rustix::fs::stat("/").unwrap();
            (stat.st_mode, stat.st_uid) = (mode, uid);
            stat
        };
        let us = geteuid().as_raw();
        let judged = |mode: u32, owner, link| {
            judge(&of(0o040_000 | mode, owner), &of(0o120_777, link), Path::new("l"))
        };
        assert_eq!(
            judged(0o1777, 0, us + 1),
            Err(Refusal::ForeignLink { link: "l".into(), uid: us + 1 })
        );
        assert!(judged(0o1777, 0, us).is_ok(), "ours");
        assert!(judged(0o1777, us + 1, us + 1).is_ok(), "the directory's owner's");
        assert!(judged(0o0777, 0, us + 1).is_ok(), "not sticky: as the system does");
        assert!(judged(0o1755, 0, us + 1).is_ok(), "only the owner writes there");
    }

    fn raw(directory: &Directory) -> i32 {
        use rustix::fd::{AsFd, AsRawFd};
        directory.as_fd().as_raw_fd()
    }
}
