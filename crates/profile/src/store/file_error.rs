//! Errors of reading and writing files.

use jfathom_plan::Problem;
use std::io;

/// Why a profile or checkpoint cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(io::Error),
    /// Not a file of this kind; the kind that was expected.
    #[error("not a {0}")]
    OtherKind(&'static str),
    /// A format version that this jfathom does not know.
    #[error(
        "format version {0}, which this jfathom cannot read: record again, or use the jfathom \
         that wrote it"
    )]
    Version(u32),
    /// The file ends too early.
    #[error("the file ends too early; was its copy or its recording cut off?")]
    Truncated,
    /// The checksum does not fit the content.
    #[error("the checksum is wrong; copy the file again or record again")]
    Checksum,
    /// The content contradicts itself, or is far larger than its compressed size allows for.
    #[error("damaged content: {0}; record again")]
    Content(Problem),
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Truncated,
            _ => Self::Io(error),
        }
    }
}

impl From<FileError> for io::Error {
    /// The error of the system, or one with the message.
    fn from(error: FileError) -> Self {
        match error {
            FileError::Io(error) => error,
            other => Self::other(other),
        }
    }
}
