//! What can go wrong, each with its place.

use jfathom_plan::PlanError;
use std::{
    fmt, io,
    path::{Path, PathBuf},
};

/// Why a request was not answered.
#[derive(Debug)]
pub enum Error {
    /// The request itself is at fault: a wrong option, a selector without a match.
    Usage(String),
    /// The selectors choose nothing that can be instrumented.
    Plan(PlanError),
    /// A container could not be read or written.
    Archive(jfathom_archive::Error),
    /// The class path and the JDK could not be opened for the reachability analysis.
    World(jfathom_world::Error),
    /// The operating system refused something.
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What was tried, such as `cannot write`.
        action: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// There is no Java on this machine, or no compiler.
    NoJava {
        /// What is missing and how to get it.
        problem: String,
    },
    /// A file is not what it should be, or a tool did not do what it should.
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

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) => f.write_str(message),
            Self::Plan(error) => error.fmt(f),
            Self::Archive(error) => error.fmt(f),
            Self::World(error @ jfathom_world::Error::NoJdk) => {
                write!(f, "{error}; --scheme total needs none")
            }
            Self::World(error) => error.fmt(f),
            Self::Io { path, action, .. } => write!(f, "{}: {action}", path.display()),
            Self::NoJava { problem } => f.write_str(problem),
            Self::Failed { place, problem } => write!(f, "{place}: {problem}"),
        }
    }
}

impl std::error::Error for Error {
    // The errors of other crates say their causes themselves.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<jfathom_archive::Error> for Error {
    fn from(error: jfathom_archive::Error) -> Self {
        Self::Archive(error)
    }
}

impl From<PlanError> for Error {
    fn from(error: PlanError) -> Self {
        Self::Plan(error)
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
