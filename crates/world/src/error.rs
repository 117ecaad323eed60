//! Why a world cannot be opened.

use std::path::PathBuf;

/// An error, with what to do about it.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A container could not be opened.
    Archive(jfathom_archive::Error),
    /// The user named no JDK, and none was found.
    NoJdk,
    /// The directory is no home of a readable JDK or Java runtime.
    NotAJdk {
        /// The directory as the user named it.
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
    /// Whether the cause is the command line (exit code 2) rather than the input.
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
    // A message has its cause already: these are the causes beyond.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Archive(error) => std::error::Error::source(error),
            _ => None,
        }
    }
}

impl From<jfathom_archive::Error> for Error {
    fn from(error: jfathom_archive::Error) -> Self {
        Self::Archive(error)
    }
}
