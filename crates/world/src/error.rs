//! Why there is no world.

use std::path::PathBuf;

/// What could not be opened, and what to do.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A container could not be opened.
    Archive(jfathom_archive::Error),
    /// No JDK was named and none was found.
    NoJdk,
    /// The directory is no home of a JDK or Java runtime that can be read.
    NotAJdk {
        /// The directory as it was named.
        home: PathBuf,
        /// What is missing.
        problem: String,
    },
    /// A JDK without modules: Java 8 or before.
    TooOld {
        /// Its home.
        home: PathBuf,
        /// Its version.
        version: String,
    },
    /// The threads could not be started.
    Threads(String),
}

impl Error {
    /// Is it about the way the command was called rather than about the content of the input?
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Archive(error) => error.is_usage(),
            Self::NotAJdk { .. } | Self::TooOld { .. } => true,
            Self::NoJdk | Self::Threads(_) => false,
        }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Archive(error) => error.fmt(f),
            Self::NoJdk => f.write_str(
                "no Java found; install a JDK 17 or later (Debian: `apt install \
                 openjdk-17-jdk-headless`), set JAVA_HOME, or name its home",
            ),
            Self::NotAJdk { home, problem } => {
                write!(
                    f,
                    "{}: {problem}; pass the home directory of a JDK 9 or later",
                    home.display()
                )
            }
            Self::TooOld { home, version } => write!(
                f,
                "{}: is Java {version}, which has no modules; pass the home directory of a JDK 9 \
                 or later",
                home.display()
            ),
            Self::Threads(why) => write!(f, "cannot start worker threads: {why}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Archive(error) => Some(error),
            _ => None,
        }
    }
}

impl From<jfathom_archive::Error> for Error {
    fn from(error: jfathom_archive::Error) -> Self {
        Self::Archive(error)
    }
}
