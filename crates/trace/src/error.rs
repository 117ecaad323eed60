//! Errors of session directories and files.

use jfathom_plan::Problem;
use std::io;
use std::path::{Path, PathBuf};

/// An error of a session directory or file. It names the path and says what to do.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {problem}")]
pub struct TraceError {
    path: PathBuf,
    problem: TraceErrorKind,
}

/// Kind of a [`TraceError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TraceErrorKind {
    /// A system call failed.
    #[error("cannot {doing}: {source}")]
    Io {
        /// The action: "open", "map".
        doing: &'static str,
        /// The cause.
        source: io::Error,
    },
    /// The file does not begin with the magic number.
    #[error("not a jfathom session file")]
    NotASession,
    /// The file was written by another version of jfathom.
    #[error(
        "session layout {version} ({hash:016x}), this jfathom reads {} ({:016x}); rewrite the \
         program again with this jfathom or read the session with the one that made it",
        crate::layout::VERSION,
        crate::layout::LAYOUT_HASH
    )]
    OtherLayout {
        /// Version in the file.
        version: u32,
        /// Layout hash in the file.
        hash: u64,
    },
    /// The path is not a regular file or not a directory.
    #[error("neither a plain file nor a directory where one is expected")]
    WrongKind,
    /// The path belongs to another user.
    #[error("belongs to user {uid}; a session is only read by its owner")]
    Owner {
        /// Owner's user id.
        uid: u32,
    },
    /// Other users than the owner can use the path.
    #[error(
        "mode {mode:o} lets others in; make it private (chmod go-rwx) if you trust what is in it"
    )]
    Permissions {
        /// Permission bits.
        mode: u32,
    },
    /// The file contradicts itself.
    #[error("damaged session file: {0}")]
    Damaged(Problem),
}

impl TraceError {
    pub(crate) fn new(path: &Path, problem: TraceErrorKind) -> Self {
        Self { path: path.to_owned(), problem }
    }

    pub(crate) fn io(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::new(path, TraceErrorKind::Io { doing, source })
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<Problem>) -> Self {
        Self::new(path, TraceErrorKind::Damaged(what.into()))
    }

    /// The file or directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is wrong with it.
    pub fn problem(&self) -> &TraceErrorKind {
        &self.problem
    }
}
