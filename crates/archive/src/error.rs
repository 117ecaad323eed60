//! Errors with their location.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use crate::{EntryName, Limit, Location};

/// An error with its location. It displays as `location: problem; remedy`.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}", .0.0, .0.1)]
pub struct Error(Box<(Location, ErrorKind)>);

/// The kinds of [`Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The operating system returned an error.
    #[error("{action}: {source}")]
    Io {
        /// The failed action, such as `cannot read`.
        action: &'static str,
        /// The cause.
        source: io::Error,
    },
    /// The file has no end of central directory record.
    #[error("{}; pass a jar, war, zip or a class directory", self.problem())]
    NotAZip,
    /// The zip structure is inconsistent. The text says where.
    #[error("{}; build or download it again", self.problem())]
    Damaged(Damage),
    /// An entry is encrypted. The JVM cannot read it either.
    #[error("{}; build the archive without encryption", self.problem())]
    Encrypted(EntryName),
    /// More than [`Limits`](crate::Limits) allows.
    #[error("{}; raise the limit if you trust the input", self.problem())]
    Limit {
        /// The exceeded limit.
        limit: Limit,
        /// The input's number.
        found: u64,
        /// The largest allowed number.
        allowed: u64,
    },
    /// The output would be the input.
    #[error("the output {output} is the input itself; choose another output")]
    OutputIsInput {
        /// The output.
        output: PathBuf,
    },
    /// The output lies inside an input directory, or an input lies inside the output directory.
    #[error("the output {output} and the input lie inside each other; choose another output")]
    OutputOverlapsInput {
        /// The output.
        output: PathBuf,
    },
    /// The output exists and `force` was not given.
    #[error("the output {output} exists; use --force to replace it")]
    OutputExists {
        /// The output.
        output: PathBuf,
    },
    /// The output directory exists and has a file that this run would not write, or the output is
    /// of another type.
    #[error(
        "the output {output} holds {other}, which is not from an earlier run; remove it yourself \
         or choose another output"
    )]
    OutputHoldsOther {
        /// The output.
        output: PathBuf,
        /// The first such file.
        other: PathBuf,
    },
    /// Two inputs would have the same output.
    #[error(
        "would be written to {output}, as would {other}; rewrite them into different directories"
    )]
    SameOutput {
        /// The other input.
        other: PathBuf,
        /// Their common output.
        output: PathBuf,
    },
    /// A symbolic link in the output directory leads out of it.
    #[error(
        "the output {output} would lie outside the output directory, where a link leads; choose \
         another output"
    )]
    OutputLeadsOut {
        /// The output.
        output: PathBuf,
    },
    /// A module of a JDK image can only be written as a patch directory.
    #[error("a JDK module can only be written as a --patch-module directory")]
    NeedsPatch,
    /// The container already has an entry of this name.
    #[error("already holds {0}, which was to be added; is it the output of an earlier run?")]
    NameTaken(EntryName),
    /// The name of an entry to add is not a path below a directory.
    #[error("{0} cannot be added: it is no path below the directory")]
    UnsafeName(EntryName),
    /// The Java home has no such module.
    #[error("has no module {0}; `java --list-modules` shows what it has")]
    NoModule(String),
    /// The Java home has neither `lib/modules` nor `jmods`.
    #[error("has neither lib/modules nor jmods; pass the home directory of a JDK 9 or later")]
    NoImage,
    /// The runtime image is inconsistent. The text says where.
    #[error("no runtime image that can be read: {0}; pass another JDK")]
    DamagedImage(Damage),
    /// A resource of the image is compressed by a decompressor that OpenJDK does not have. The text
    /// is its name.
    #[error("compressed in a way that is not known ({0}); pass another JDK")]
    CompressedImage(String),
    /// The threads could not be started.
    #[error("cannot start worker threads: {0}")]
    Threads(String),
}

/// What is wrong with bytes, as part of a sentence: the caller says where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Damage(Cow<'static, str>);

impl<T: Into<Cow<'static, str>>> From<T> for Damage {
    fn from(text: T) -> Self {
        Self(text.into())
    }
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

    pub(crate) fn damaged(location: &Location, what: impl Into<Damage>) -> Self {
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
