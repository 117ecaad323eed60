//! Why something is not opened, although the system would.

use std::{io, path::PathBuf};

/// Why something is not opened or made. As an [`io::Error`] it is the inner error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is a link, a pipe, a device or a directory, where a regular file must be.
    #[error("not a regular file")]
    NotAFile,
    /// It belongs to another user.
    #[error("belongs to another user (uid {uid})")]
    Owner {
        /// The user's id.
        uid: u32,
    },
    /// Other users can write to it.
    #[error("other users can write to it (mode {mode:o}); `chmod go-w` it")]
    Writable {
        /// Its mode, the type not included.
        mode: u32,
    },
    /// It is larger than it may be.
    #[error("larger than {limit} bytes")]
    TooLarge {
        /// The most bytes that are read.
        limit: u64,
    },
    /// A name with a slash, or none at all: it would lead out of its directory.
    #[error("not the name of a file")]
    Name,
    /// Another user's link in a directory that everybody can write to (proc(5),
    /// `protected_symlinks`).
    #[error(
        "{link} is a link of another user (uid {uid}) in a shared directory, and is not followed"
    )]
    ForeignLink {
        /// The link.
        link: PathBuf,
        /// Who owns it.
        uid: u32,
    },
    /// Another user can change what a path leads to.
    #[error("{path}: {why}")]
    Untrusted {
        /// The first part of the path that another user can change.
        path: PathBuf,
        /// Why: [`Refusal::Owner`] or [`Refusal::Writable`].
        why: Box<Refusal>,
    },
}

impl From<Refusal> for io::Error {
    fn from(refusal: Refusal) -> Self {
        let kind = match refusal {
            Refusal::NotAFile | Refusal::Name => io::ErrorKind::InvalidInput,
            Refusal::TooLarge { .. } => io::ErrorKind::FileTooLarge,
            Refusal::Owner { .. } | Refusal::Writable { .. } => io::ErrorKind::PermissionDenied,
            Refusal::ForeignLink { .. } | Refusal::Untrusted { .. } => {
                io::ErrorKind::PermissionDenied
            }
        };
        Self::new(kind, refusal)
    }
}
