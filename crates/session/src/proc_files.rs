//! Files of `/proc/PID`, see proc(5).

use jfathom_files::Directory;
use std::{
    ffi::OsStr,
    fs,
    io::{self, Read},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// The most bytes that are read of a file of `/proc`.
const MAX_BYTES: u64 = 64 << 20;

/// Reads a file of a process.
pub(crate) fn read(pid: u32, name: &str) -> Option<Vec<u8>> {
    let file = fs::File::open(format!("/proc/{pid}/{name}")).ok()?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// A directory of a process's view of the file system.
pub(crate) fn root_directory(pid: u32, path: &Path) -> io::Result<Directory> {
    Directory::open(Path::new(&format!("/proc/{pid}/root")))?.in_root(path)
}

/// The files of `/proc/PID/maps`, each once: the sixth field of a line, which may have blanks.
pub(crate) fn mapped_files(maps: &[u8]) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for line in maps.split(|byte| *byte == b'\n') {
        let Some(start) = line.iter().position(|byte| *byte == b'/') else { continue };
        let path = Path::new(OsStr::from_bytes(&line[start..]));
        if paths.last().is_none_or(|last| last != path) {
            paths.push(path.to_owned());
        }
    }
    paths.sort();
    paths.dedup();
    paths
}

/// What `/proc/PID/status` says about a process.
#[derive(Clone, Debug)]
pub(crate) struct ProcessStatus {
    /// The effective user id.
    pub uid: u32,
    /// The process id as the process sees it itself.
    pub inner_pid: u32,
    /// Signals that it handles, signal `n` at bit `n - 1`.
    handled: u64,
    /// `R`, `S`, `Z` and so on.
    pub state: u8,
}

impl ProcessStatus {
    /// Reads the file; none if there is no such process.
    pub fn read(pid: u32) -> Option<Self> {
        Self::parse(&String::from_utf8_lossy(&read(pid, "status")?), pid)
    }

    /// Reads the file of a thread; `inner_pid` is the id of the thread. None if it has ended.
    pub fn read_thread(pid: u32, thread: u32) -> Option<Self> {
        let status = read(pid, &format!("task/{thread}/status"))?;
        Self::parse(&String::from_utf8_lossy(&status), thread)
    }

    fn parse(text: &str, pid: u32) -> Option<Self> {
        let field =
            |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        Some(Self {
            uid: field("Uid")?.split_whitespace().nth(1)?.parse().ok()?,
            inner_pid: field("NSpid")
                .and_then(|pids| pids.split_whitespace().last()?.parse().ok())
                .unwrap_or(pid),
            handled: field("SigCgt")
                .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
                .unwrap_or(0),
            state: *field("State")?.trim_start().as_bytes().first()?,
        })
    }

    /// Whether it handles a signal, given by its number.
    pub const fn handles(&self, signal: u32) -> bool {
        self.handled >> (signal - 1) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_of_a_process_in_a_container() {
        let text = "Name:\tjava\nState:\tS (sleeping)\nUid:\t1\t1000\t1\t1\nNSpid:\t4711\t7\n\
                    SigCgt:\t2000000181005ccf\n";
        let status = ProcessStatus::parse(text, 4711).unwrap();
        assert_eq!((status.uid, status.inner_pid, status.state), (1000, 7, b'S'));
        assert_eq!((status.handles(3), status.handles(5)), (true, false));
        let plain = ProcessStatus::parse("State:\tR\nUid:\t0 0 0 0\n", 5).unwrap();
        assert_eq!((plain.inner_pid, plain.handles(3)), (5, false));
        for broken in ["", "Uid:\t0", "State:\t\nUid:\t0\t0", "State: S\nUid: 0 x"] {
            assert!(ProcessStatus::parse(broken, 5).is_none(), "{broken}");
        }
    }

    #[test]
    fn mapped_files_once_each() {
        let maps = b"7f-80 r-xp 0 08:01 5    /a b/libjvm.so\n\
            7f-80 r--p 0 08:01 5    /a b/libjvm.so\n\
            7f-80 rw-p 0 00:00 0 \n7f-80 rw-p 0 00:00 0    [heap]\n\
            7f-80 rw-s 0 00:01 9    /dev/shm/x/jvm-1-2.jft\n";
        let expected = ["/a b/libjvm.so", "/dev/shm/x/jvm-1-2.jft"].map(PathBuf::from);
        assert_eq!(mapped_files(maps), expected);
    }
}
