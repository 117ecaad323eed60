//! Errors of reading and writing files.

use std::{fmt, io};

/// Why a profile or checkpoint cannot be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// Reading or writing failed.
    Io(io::Error),
    /// Not a file of this kind; the kind that was expected.
    OtherKind(&'static str),
    /// A format version that this jfathom does not know.
    Version(u32),
    /// The file ends too early.
    Truncated,
    /// The checksum does not fit the content.
    Checksum,
    /// The content contradicts itself, or is far larger than its compressed size allows for.
    Content(String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::OtherKind(kind) => write!(f, "not a {kind}"),
            Self::Version(version) => {
                write!(
                    f,
                    "format version {version}, which this jfathom cannot read: record again, or use the jfathom that wrote it"
                )
            }
            Self::Truncated => {
                write!(f, "the file ends too early; was its copy or its recording cut off?")
            }
            Self::Checksum => {
                write!(f, "the checksum is wrong; copy the file again or record again")
            }
            Self::Content(what) => write!(f, "damaged content: {what}; record again"),
        }
    }
}

impl std::error::Error for FileError {
    // A message has its cause already: these are the causes beyond.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => std::error::Error::source(error),
            _ => None,
        }
    }
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
