//! Errors with their location.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::{EntryName, Limit, Location};

/// An error with its location. It displays as `location: problem; remedy`.
#[derive(Debug)]
pub struct Error(Box<(Location, ErrorKind)>);

/// The kinds of [`Error`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system returned an error.
    Io {
        /// The failed action, such as `cannot read`.
        action: &'static str,
        /// The cause.
        source: io::Error,
    },
    /// The file has no end of central directory record.
    NotAZip,
    /// The zip structure is inconsistent. The text says where.
    Damaged(String),
    /// An entry is encrypted. The JVM cannot read it either.
    Encrypted(EntryName),
    /// More than [`Limits`](crate::Limits) allows.
    Limit {
        /// The exceeded limit.
        limit: Limit,
        /// The input's number.
        found: u64,
        /// The largest allowed number.
        allowed: u64,
    },
    /// The output would be the input.
    OutputIsInput {
        /// The output.
        output: PathBuf,
    },
    /// The output lies inside an input directory, or an input lies inside the output directory.
    OutputOverlapsInput {
        /// The output.
        output: PathBuf,
    },
    /// The output exists and `force` was not given.
    OutputExists {
        /// The output.
        output: PathBuf,
    },
    /// The output directory exists and has a file that this run would not write, or the output is
    /// of another type.
    OutputHoldsOther {
        /// The output.
        output: PathBuf,
        /// The first such file.
        other: PathBuf,
    },
    /// Two inputs would have the same output.
    SameOutput {
        /// The other input.
        other: PathBuf,
        /// Their common output.
        output: PathBuf,
    },
    /// A symbolic link in the output directory leads out of it.
    OutputLeadsOut {
        /// The output.
        output: PathBuf,
    },
    /// A module of a JDK image can only be written as a patch directory.
    NeedsPatch,
    /// The container already has an entry of this name.
    NameTaken(EntryName),
    /// The name of an entry to add is not a path below a directory.
    UnsafeName(EntryName),
    /// The Java home has no such module.
    NoModule(String),
    /// The Java home has neither `lib/modules` nor `jmods`.
    NoImage,
    /// The runtime image is inconsistent. The text says where.
    DamagedImage(String),
    /// A resource of the image is compressed by a decompressor that OpenJDK does not have. The text
    /// is its name.
    CompressedImage(String),
    /// The threads could not be started.
    Threads(String),
}

impl Error {
    pub(crate) fn new(location: Location, kind: ErrorKind) -> Self {
        Self(Box::new((location, kind)))
    }

    pub(crate) fn io(
        location: impl Into<PathBuf>,
        action: &'static str,
        source: io::Error,
    ) -> Self {
        Self::new(Location::new(location), ErrorKind::Io { action, source })
    }

    pub(crate) fn damaged(location: &Location, what: impl Into<String>) -> Self {
        Self::new(location.clone(), ErrorKind::Damaged(what.into()))
    }

    /// The location of the cause.
    pub fn location(&self) -> &Location {
        &self.0.0
    }

    /// The kind of error.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.1
    }

    /// Whether the cause is the command line (exit code 2) rather than the input.
    pub fn is_usage(&self) -> bool {
        use ErrorKind::*;
        matches!(
            self.kind(),
            OutputIsInput { .. }
                | OutputOverlapsInput { .. }
                | OutputExists { .. }
                | OutputHoldsOther { .. }
                | SameOutput { .. }
                | OutputLeadsOut { .. }
                | NeedsPatch
                | NoModule(_)
        )
    }
}

impl ErrorKind {
    /// What is wrong, without what to do about it: for a file that nobody named.
    pub fn problem(&self) -> String {
        match self {
            ErrorKind::NotAZip => "not a zip file (no end of central directory)".to_owned(),
            ErrorKind::Damaged(what) => format!("damaged zip file: {what}"),
            ErrorKind::Encrypted(name) => {
                format!("entry {name} is encrypted, which no JVM can load")
            }
            ErrorKind::Limit { limit, found, allowed } => {
                format!("{found} {limit}, more than the {allowed} allowed")
            }
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.location(), self.kind())
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Io { action, source } => write!(f, "{action}: {source}"),
            ErrorKind::NotAZip => {
                write!(f, "{}; pass a jar, war, zip or a class directory", self.problem())
            }
            ErrorKind::Damaged(_) => write!(f, "{}; build or download it again", self.problem()),
            ErrorKind::Encrypted(_) => {
                write!(f, "{}; build the archive without encryption", self.problem())
            }
            ErrorKind::Limit { .. } => {
                write!(f, "{}; raise the limit if you trust the input", self.problem())
            }
            ErrorKind::OutputIsInput { output } => {
                write!(
                    f,
                    "the output {} is the input itself; choose another output",
                    output.display()
                )
            }
            ErrorKind::OutputOverlapsInput { output } => {
                write!(
                    f,
                    "the output {} and the input lie inside each other; choose another output",
                    output.display()
                )
            }
            ErrorKind::OutputExists { output } => {
                write!(f, "the output {} exists; use --force to replace it", output.display())
            }
            ErrorKind::OutputHoldsOther { output, other } => write!(
                f,
                "the output {} holds {}, which is not from an earlier run; remove it yourself or \
                 choose another output",
                output.display(),
                other.display()
            ),
            ErrorKind::SameOutput { other, output } => write!(
                f,
                "would be written to {}, as would {}; rewrite them into different directories",
                output.display(),
                other.display()
            ),
            ErrorKind::OutputLeadsOut { output } => write!(
                f,
                "the output {} would lie outside the output directory, where a link leads; choose \
                 another output",
                output.display()
            ),
            ErrorKind::NeedsPatch => {
                write!(f, "a JDK module can only be written as a --patch-module directory")
            }
            ErrorKind::NameTaken(name) => {
                write!(
                    f,
                    "already holds {name}, which was to be added; is it the output of an earlier \
                     run?"
                )
            }
            ErrorKind::UnsafeName(name) => {
                write!(f, "{name} cannot be added: it is no path below the directory")
            }
            ErrorKind::NoModule(name) => {
                write!(f, "has no module {name}; `java --list-modules` shows what it has")
            }
            ErrorKind::NoImage => {
                write!(
                    f,
                    "has neither lib/modules nor jmods; pass the home directory of a JDK 9 or later"
                )
            }
            ErrorKind::DamagedImage(what) => {
                write!(f, "no runtime image that can be read: {what}; pass another JDK")
            }
            ErrorKind::CompressedImage(how) => {
                write!(f, "compressed in a way that is not known ({how}); pass another JDK")
            }
            ErrorKind::Threads(why) => write!(f, "cannot start worker threads: {why}"),
        }
    }
}

impl std::error::Error for Error {
    // A message has its cause already: these are the causes beyond.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.kind() {
            ErrorKind::Io { source, .. } => std::error::Error::source(source),
            _ => None,
        }
    }
}
