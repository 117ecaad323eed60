//! Free space of file systems.

use rustix::fs::StatVfs;
use std::{os::fd::AsFd, path::Path};

/// Bytes that this user can still write in the file system of `path`; none if it does not say.
pub fn free_bytes(path: &Path) -> Option<u64> {
    rustix::fs::statvfs(path).ok().map(|stat| free(&stat))
}

/// Bytes that this user can still write in the file system of an open file or directory; none if it
/// does not say.
pub fn free_bytes_of(file: impl AsFd) -> Option<u64> {
    rustix::fs::fstatvfs(file).ok().map(|stat| free(&stat))
}

fn free(stat: &StatVfs) -> u64 {
    stat.f_bavail.saturating_mul(stat.f_frsize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_open_files_agree() {
        let temp = tempfile::tempdir().unwrap();
        let file = tempfile::tempfile_in(temp.path()).unwrap();
        assert!(free_bytes(temp.path()).is_some() && free_bytes_of(&file).is_some());
        // A file system of the kernel has no space at all.
        let [path, open] =
            [free_bytes(Path::new("/proc")), free_bytes_of(std::fs::File::open("/proc").unwrap())];
        assert_eq!((path, open), (Some(0), Some(0)));
        assert_eq!(free_bytes(&temp.path().join("missing")), None);
    }
}
