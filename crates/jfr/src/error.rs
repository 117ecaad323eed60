//! Why a recording cannot be read, and where.

use std::{fmt, io};

/// Why a recording cannot be read.
#[derive(Debug)]
pub struct JfrError {
    /// Where, in bytes from the start of the file.
    pub at: u64,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a recording.
#[derive(Debug)]
pub enum Problem {
    /// The bytes are no chunk.
    NoChunk,
    /// A chunk of another major version than 2.
    Version(u16, u16),
    /// The file ends before the chunk does.
    Truncated,
    /// The chunk is larger than [`crate::CHUNK_LIMIT`].
    TooLarge(u64),
    /// The chunk has no description of its types.
    NoMetadata,
    /// The chunk contradicts itself.
    Damaged(&'static str),
    /// The file cannot be read.
    Io(io::Error),
}

impl fmt::Display for JfrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.at, self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoChunk => f.write_str("no chunk of a JFR file begins here"),
            Self::Version(major, minor) => {
                write!(f, "a chunk of version {major}.{minor}; versions 2.x can be read")
            }
            Self::Truncated => f.write_str("the file ends inside this chunk"),
            Self::TooLarge(bytes) => write!(f, "a chunk of {bytes} bytes is larger than the limit"),
            Self::NoMetadata => f.write_str("this chunk has no description of its types"),
            Self::Damaged(what) => f.write_str(what),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for JfrError {}
