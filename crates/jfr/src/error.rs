//! Why a recording cannot be read, and where.

use std::io;

/// Why a recording cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("at byte {at}: {problem}")]
pub struct JfrError {
    /// Where, in bytes from the start of the file.
    pub at: u64,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a recording.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The bytes are no chunk.
    #[error("no chunk of a JFR file begins here")]
    NoChunk,
    /// A chunk of another major version than 2.
    #[error("a chunk of version {0}.{1}; versions 2.x can be read")]
    Version(u16, u16),
    /// The file ends before the chunk does.
    #[error("the file ends inside this chunk")]
    Truncated,
    /// The chunk is larger than [`crate::CHUNK_LIMIT`].
    #[error("a chunk of {0} bytes is larger than the limit")]
    TooLarge(u64),
    /// The chunk has no description of its types.
    #[error("this chunk has no description of its types")]
    NoMetadata,
    /// The chunk contradicts itself.
    #[error("{0}")]
    Damaged(&'static str),
    /// The file cannot be read.
    #[error("{0}")]
    Io(io::Error),
}
