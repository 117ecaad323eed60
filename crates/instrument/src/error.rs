//! What can go wrong, each with its place.

use jfathom_plan::PlanError;
use std::{
    fmt, io,
    path::{Path, PathBuf},
};

/// Why a request was not answered.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request itself is at fault: a wrong option, a selector without a match.
    #[error("{0}")]
    Usage(String),
    /// The selectors choose nothing that can be instrumented.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A container could not be read or written.
    #[error(transparent)]
    Archive(#[from] jfathom_archive::Error),
    /// The class path and the JDK could not be opened for the reachability analysis.
    #[error("{}{}", .0, alternative(.0))]
    World(jfathom_world::Error),
    /// The operating system refused something.
    #[error("{path}: {action}")]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was tried, such as `cannot write`.
        action: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// There is no Java on this machine, or no compiler.
    #[error("{problem}")]
    NoJava {
        /// What is missing and how to get it.
        problem: String,
    },
    /// A file is not what it should be, or a tool did not do what it should.
    #[error("{place}: {problem}")]
    Failed {
        /// The file or tool.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// A result with an [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// Is it about the way the command was called (exit code 2) rather than about the input?
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Usage(_) | Self::Plan(_) => true,
            Self::Archive(error) => error.is_usage(),
            Self::World(error) => error.is_usage(),
            Self::Io { .. } | Self::NoJava { .. } | Self::Failed { .. } => false,
        }
    }

    /// An error about a file or tool.
    pub(crate) fn failed(place: impl fmt::Display, problem: impl fmt::Display) -> Self {
        Self::Failed { place: place.to_string(), problem: problem.to_string() }
    }
}

/// What can be done without the class path and the JDK.
fn alternative(error: &jfathom_world::Error) -> &'static str {
    match error {
        jfathom_world::Error::NoJdk => "; --scheme total needs none",
        _ => "",
    }
}

/// Names the file that `action` failed on, for `map_err`.
pub(crate) fn at(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Error {
    move |source| Error::Io { path: path.to_owned(), action, source }
}

/// An error about the request.
pub(crate) fn usage(message: impl Into<String>) -> Error {
    Error::Usage(message.into())
}
