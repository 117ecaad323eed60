//! What this process inherits, and where its command's program is.

use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt, path::PathBuf};

/// The signals that this process ignores, as a bit set with signal `n` at bit `n - 1`.
pub(crate) fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// The file of a command, looked for in `path` (the value of `PATH`) as execvp(3) does.
pub(crate) fn find_program(name: &OsStr, path: Option<&OsStr>) -> Option<PathBuf> {
    if name.as_bytes().contains(&b'/') {
        return Some(PathBuf::from(name));
    }
    std::env::split_paths(path?).map(|dir| dir.join(name)).find(|file| {
        file.is_file() && rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok()
    })
}
