//! Standard input of a command that is run several times.

use rustix::fs::{FileType, SeekFrom, fstat, seek};
use std::io;

/// Standard input of each of several runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A terminal or a device: each run reads on from it.
    Inherited,
    /// A file: each run reads it from this offset, in bytes.
    File(u64),
    /// A pipe or a socket. What one run reads no other run can read, so no run gets any of it.
    None,
}

impl Input {
    /// The kind of this process's standard input.
    pub(crate) fn of_this_process() -> Self {
        let stdin = io::stdin();
        let Ok(stat) = fstat(&stdin) else { return Self::Inherited };
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => {
                seek(&stdin, SeekFrom::Current(0)).map_or(Self::Inherited, Self::File)
            }
            FileType::Fifo | FileType::Socket => Self::None,
            _ => Self::Inherited,
        }
    }

    /// Goes back, before a run, to where the first run began.
    pub(crate) fn rewind(self) {
        if let Self::File(offset) = self {
            // The first seek succeeded, and so does this one.
            let _ = seek(io::stdin(), SeekFrom::Start(offset));
        }
    }
}
