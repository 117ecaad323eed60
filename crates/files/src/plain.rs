//! Reading of what the user names and of what is found in directories: plain files of anybody, and
//! nothing else.

use crate::Refusal;
use rustix::fs::{CWD, FileType, Mode, OFlags, fstat, openat, stat, statfs};
use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

/// Opens a plain file to read. Links to it are followed.
///
/// A pipe would block and a device such as `/dev/zero` has no end: both are refused. What counts is
/// the open file, because a path can get another meaning at any time. A path that leads to no plain
/// file is not opened in the first place: to open a device can do something.
///
/// # Errors
/// What the system says, and [`Refusal::NotAFile`].
pub fn open_plain(path: &Path) -> io::Result<File> {
    require_plain(stat(path)?.st_mode)?;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = openat(CWD, path, flags, Mode::empty())?;
    require_plain(fstat(&file)?.st_mode)?;
    Ok(File::from(file))
}

/// Reads a plain file whole ([`open_plain`]).
///
/// # Errors
/// As [`open_plain`], and [`Refusal::TooLarge`] where it has more than `limit` bytes.
pub fn read_plain(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open_plain(path)?;
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(Refusal::TooLarge { limit }.into());
    }
    Ok(bytes)
}

/// Whether a directory is part of a file system that the kernel makes up, such as `/proc`: its
/// links lead everywhere.
pub fn is_of_kernel(directory: &Path) -> bool {
    /// `PROC_SUPER_MAGIC`, `SYSFS_MAGIC`, `DEBUGFS_MAGIC` and `TRACEFS_MAGIC` of linux/magic.h.
    const TREES: [i64; 4] = [0x9fa0, 0x6265_6572, 0x6462_6720, 0x7472_6163];
    statfs(directory).is_ok_and(|found| TREES.contains(&found.f_type))
}

fn require_plain(mode: rustix::fs::RawMode) -> Result<(), Refusal> {
    match FileType::from_raw_mode(mode) {
        FileType::RegularFile => Ok(()),
        _ => Err(Refusal::NotAFile),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn refused(path: &Path) -> bool {
        let refusal = Refusal::NotAFile.to_string();
        open_plain(path).is_err_and(|error| error.to_string() == refusal)
    }

    #[test]
    fn plain_files_alone_are_opened() {
        let temp = tempfile::tempdir().unwrap();
        let at = |name: &str| temp.path().join(name);
        std::fs::write(at("file"), "four").unwrap();
        symlink("file", at("link")).unwrap();
        symlink("/dev/zero", at("zero")).unwrap();
        symlink("loop", at("loop")).unwrap();
        rustix::fs::mknodat(CWD, at("pipe"), FileType::Fifo, Mode::RUSR, 0).unwrap();
        assert_eq!(read_plain(&at("file"), 4).unwrap(), b"four");
        assert_eq!(read_plain(&at("link"), 9).unwrap(), b"four");
        assert!(read_plain(&at("file"), 3).unwrap_err().to_string().contains("3 bytes"));
        for name in ["zero", "pipe", "."] {
            assert!(refused(&at(name)), "{name}");
        }
        assert!(is_of_kernel(Path::new("/proc/self")) && !is_of_kernel(temp.path()));
        assert!(open_plain(&at("loop")).is_err() && open_plain(&at("none")).is_err());
    }
}
