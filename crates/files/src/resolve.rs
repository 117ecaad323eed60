//! Paths beneath an open directory that no link leads out of.

use rustix::{
    fd::{BorrowedFd, OwnedFd},
    fs::{Mode, OFlags, ResolveFlags, openat, openat2},
    io::Errno,
};
use std::{
    io,
    path::{Component, Path},
};

/// Opens what lies at a relative path, in which no link is followed and which does not lead
/// upwards.
///
/// The kernel does it at once where it has openat2(2). A sandbox may forbid that call (`EPERM`, as
/// libseccomp's default action) or not know it (`ENOSYS`); then it is done one component at a time.
pub(crate) fn beneath(
    directory: BorrowedFd<'_>,
    relative: &Path,
    flags: OFlags,
) -> io::Result<OwnedFd> {
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    let flags = flags | OFlags::CLOEXEC;
    match openat2(directory, relative, flags, Mode::empty(), resolve) {
        Err(Errno::NOSYS | Errno::PERM) => by_components(directory, relative, flags),
        opened => Ok(opened?),
    }
}

/// Opens what lies at an absolute path of the view of the file system whose root is `root`: a link
/// leads to what it leads to in that view. Where that cannot be asked of the kernel, no link is
/// followed at all.
pub(crate) fn in_root(root: BorrowedFd<'_>, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
    match openat2(root, path, flags | OFlags::CLOEXEC, Mode::empty(), resolve) {
        Err(Errno::NOSYS | Errno::PERM) => {
            by_components(root, path.strip_prefix("/").unwrap_or(path), flags | OFlags::CLOEXEC)
        }
        opened => Ok(opened?),
    }
}

fn by_components(directory: BorrowedFd<'_>, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    let step = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut at = openat(directory, ".", step, Mode::empty())?;
    let mut names = Vec::new();
    for component in relative.components() {
        match component {
            Component::Normal(name) => names.push(name),
            Component::CurDir => {}
            _ => return Err(Errno::XDEV.into()),
        }
    }
    let Some((last, folders)) = names.split_last() else {
        return Ok(openat(at, ".", flags, Mode::empty())?);
    };
    for folder in folders {
        at = openat(at, *folder, step, Mode::empty())?;
    }
    let opened = openat(at, *last, flags | OFlags::NOFOLLOW, Mode::empty())?;
    // With `O_PATH` a link itself is opened.
    if rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(&opened)?.st_mode)
        == rustix::fs::FileType::Symlink
    {
        return Err(Errno::LOOP.into());
    }
    Ok(opened)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fd::AsFd;
    use std::{fs, os::unix::fs::symlink};

    #[test]
    fn no_link_is_followed_and_none_leads_out() {
        let temp = tempfile::tempdir().unwrap();
        let inner = temp.path().join("inner");
        fs::create_dir_all(inner.join("a/b")).unwrap();
        fs::write(inner.join("a/b/file"), "x").unwrap();
        fs::write(temp.path().join("outside"), "x").unwrap();
        symlink("b", inner.join("a/link")).unwrap();
        symlink("../outside", inner.join("out")).unwrap();
        symlink("/proc/self/root", inner.join("root")).unwrap();
        let directory = fs::File::open(&inner).unwrap();
        let flags = OFlags::RDONLY | OFlags::NONBLOCK;
        for open in [beneath, by_components] {
            for good in ["a/b/file", "./a/b", "a", "."] {
                open(directory.as_fd(), Path::new(good), flags).unwrap();
                open(directory.as_fd(), Path::new(good), OFlags::PATH).unwrap();
            }
            for bad in [
                "a/link/file",
                "a/link",
                "out",
                "root",
                "root/etc",
                "../outside",
                "/etc",
                "none",
                "a/b/file/x",
            ] {
                assert!(open(directory.as_fd(), Path::new(bad), flags).is_err(), "{bad}");
                assert!(
                    open(directory.as_fd(), Path::new(bad), OFlags::PATH).is_err(),
                    "{bad} as a path"
                );
            }
        }
    }

    #[test]
    fn links_of_another_view_stay_in_it() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().join("root");
        fs::create_dir_all(root.join("var/tmp")).unwrap();
        fs::create_dir_all(temp.path().join("var/tmp/outside")).unwrap();
        fs::create_dir(root.join("var/tmp/inside")).unwrap();
        symlink("/var/tmp", root.join("tmp")).unwrap();
        symlink("../../../var/tmp", root.join("up")).unwrap();
        let directory = fs::File::open(&root).unwrap();
        let open = |path: &str| {
            in_root(directory.as_fd(), Path::new(path), OFlags::PATH | OFlags::DIRECTORY)
        };
        open("/var/tmp/inside").unwrap();
        // Without openat2(2) links are errors.
        let follows = open("/tmp").is_ok();
        for path in ["/tmp/inside", "/up/inside", "/../var/tmp/inside"] {
            assert_eq!(open(path).is_ok(), follows, "{path}");
        }
        for path in ["/tmp/outside", "/up/outside", "/../var/tmp/outside"] {
            assert!(open(path).is_err(), "{path}");
        }
    }
}
