//! What can be wrong with a session.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A problem with a session directory or file. It names the path and says what to do.
#[derive(Debug)]
pub struct TraceError {
    path: PathBuf,
    problem: Problem,
}

/// What is wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// A system call failed.
    Io {
        /// What was being done: "open", "map".
        doing: &'static str,
        /// The system's answer.
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
    /// Others than the owner may use the path.
    Permissions {
        /// Permission bits.
        mode: u32,
    },
    /// The file contradicts itself.
    Damaged(String),
}

impl TraceError {
    pub(crate) fn new(path: &Path, problem: Problem) -> Self {
        Self { path: path.to_owned(), problem }
    }

    pub(crate) fn io(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::new(path, Problem::Io { doing, source })
    }

    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::new(path, Problem::Damaged(what.into()))
    }

    /// The file or directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is wrong with it.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match &self.problem {
            Problem::Io { doing, source } => write!(f, "cannot {doing}: {source}"),
            Problem::NotASession => write!(f, "not a jfathom session file"),
            Problem::OtherLayout { version, hash } => write!(
                f,
                "session layout {version} ({hash:016x}), this jfathom reads {} ({:016x}); \
                 rewrite the program again with this jfathom or read the session with the one that made it",
                crate::layout::VERSION,
                crate::layout::LAYOUT_HASH
            ),
            Problem::WrongKind => write!(f, "neither a plain file nor a directory where one is expected"),
            Problem::Owner { uid } => write!(f, "belongs to user {uid}; a session is only read by its owner"),
            Problem::Permissions { mode } => {
                write!(f, "mode {mode:o} lets others in; make it private (chmod go-rwx) if you trust what is in it")
            }
            Problem::Damaged(what) => write!(f, "damaged session file: {what}"),
        }
    }
}

impl std::error::Error for TraceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
