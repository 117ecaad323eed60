//! Why a world cannot be opened.

use std::path::PathBuf;

/// An error, with what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A container could not be opened.
    #[error(transparent)]
    Archive(#[from] jfathom_archive::Error),
    /// The user named no JDK, and none was found.
    #[error(
        "no Java found; install a JDK 17 or later (Debian: `apt install \
         openjdk-17-jdk-headless`), set JAVA_HOME, or name its home"
    )]
    NoJdk,
    /// The directory is no home of a readable JDK or Java runtime.
    #[error("{home}: {problem}; pass the home directory of a JDK 9 or later")]
    NotAJdk {
        /// The directory as the user named it.
        home: PathBuf,
        /// What is missing.
        problem: String,
    },
    /// A JDK without modules: Java 8 or before.
    #[error(
        "{home}: is Java {version}, which has no modules; pass the home directory of a JDK 9 or \
         later"
    )]
    TooOld {
        /// Its home.
        home: PathBuf,
        /// Its version.
        version: String,
    },
    /// The threads could not be started.
    #[error("cannot start worker threads: {0}")]
    Threads(String),
}

impl Error {
    /// Whether the cause is the command line (exit code 2) rather than the input.
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Archive(error) => error.is_usage(),
            Self::NotAJdk { .. } | Self::TooOld { .. } => true,
            Self::NoJdk | Self::Threads(_) => false,
        }
    }
}
