//! Standard input of a command that is run several times.

use rustix::fs::{FileType, SeekFrom, fstat, seek};
use std::io;

/// What standard input is to each of several runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A terminal or a device: each run reads on from it.
    Inherited,
    /// A file, of which each run reads from this place on, in bytes.
    File(u64),
    /// A pipe or a socket: what one run reads of it no other one has, so that none gets any of it.
    None,
}

impl Input {
    /// What this process's standard input is.
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

    /// Before a run: goes back to where the first run has begun.
    pub(crate) fn rewind(self) {
        if let Self::File(place) = self {
            // A file in which one can seek once can be sought in again.
            let _ = seek(io::stdin(), SeekFrom::Start(place));
        }
    }
}
