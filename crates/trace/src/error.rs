//! Errors of session directories and files.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// An error of a session directory or file. It names the path and says what to do.
#[derive(Debug)]
pub struct TraceError {
    path: PathBuf,
    problem: TraceErrorKind,
}

/// Kind of a [`TraceError`].
#[derive(Debug)]
#[non_exhaustive]
pub enum TraceErrorKind {
    /// A system call failed.
    Io {
        /// The action: "open", "map".
        doing: &'static str,
        /// The cause.
        source: io::Error,
    },
    /// The file does not begin with the magic number.
    NotASession,
    /// The file was written by another version of jfathom.
    OtherLayout {
        /// Version in the file.
        version: u32,
        /// Layout hash in the file.
        hash: u64,
    },
    /// The path is not a regular file or not a directory.
    WrongKind,
    /// The path belongs to another user.
    Owner {
        /// Owner's user id.
        uid: u32,
    },
    /// Other users than the owner can use the path.
    Permissions {
        /// Permission bits.
        mode: u32,
    },
    /// The file contradicts itself.
    Damaged(String),
}

impl TraceError {
    pub(crate) fn new(path: &Path, problem: TraceErrorKind) -> Self {
        Self { path: path.to_owned(), problem }
    }

    pub(crate) fn io(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::new(path, TraceErrorKind::Io { doing, source })
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
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

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.problem {
            TraceErrorKind::Io { doing, source } => write!(f, "cannot {doing}: {source}"),
            TraceErrorKind::NotASession => write!(f, "not a jfathom session file"),
            TraceErrorKind::OtherLayout { version, hash } => write!(
                f,
                "session layout {version} ({hash:016x}), this jfathom reads {} ({:016x}); \
                 rewrite the program again with this jfathom or read the session with the one that made it",
                crate::layout::VERSION,
                crate::layout::LAYOUT_HASH
            ),
            TraceErrorKind::WrongKind => {
                write!(f, "neither a plain file nor a directory where one is expected")
            }
            TraceErrorKind::Owner { uid } => {
                write!(f, "belongs to user {uid}; a session is only read by its owner")
            }
            TraceErrorKind::Permissions { mode } => {
                write!(
                    f,
                    "mode {mode:o} lets others in; make it private (chmod go-rwx) if you trust what is in it"
                )
            }
            TraceErrorKind::Damaged(what) => write!(f, "damaged session file: {what}"),
        }
    }
}

impl std::error::Error for TraceError {
    // A message has its cause already: these are the causes beyond.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            TraceErrorKind::Io { source, .. } => std::error::Error::source(source),
            _ => None,
        }
    }
}
