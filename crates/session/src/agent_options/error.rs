//! Why an option text is not understood.

use super::KEYS;
use jfathom_plan::SelectorError;
use std::{io, path::PathBuf};

/// Why an option text is not understood.
#[derive(Debug)]
pub enum OptionsError {
    /// The text has more bytes than are read.
    TooLong {
        /// Its bytes.
        bytes: usize,
        /// The most that are read.
        limit: usize,
    },
    /// There is no such key.
    UnknownKey(String),
    /// A key that is no list comes twice.
    Twice(String),
    /// A key that needs a value has none.
    NoValue(String),
    /// A value is none of those that the key takes.
    Value {
        /// The pair as it was written.
        pair: String,
        /// What the key takes.
        wanted: &'static str,
    },
    /// An escape in a value is malformed, or its bytes are no text.
    Escape {
        /// The pair as it was written.
        pair: String,
    },
    /// A value is no selector.
    Selector {
        /// The key.
        key: String,
        /// The selector's text.
        text: String,
        /// Why not.
        source: SelectorError,
    },
    /// No root without `!` is given.
    NoRoot,
    /// Both `session` and `out` are given.
    SessionAndOut,
    /// `probe` has stacks walked, and `out` is given.
    StacksAndOut,
    /// The text goes on in the session directory, and names none.
    NoSession,
    /// The file in which the text goes on cannot be read.
    Rest(PathBuf, io::Error),
}

impl std::fmt::Display for OptionsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooLong { bytes, limit } => {
                write!(f, "the options have {bytes} bytes; {limit} are the most")
            }
            Self::UnknownKey(key) => {
                write!(f, "there is no option ‘{key}’; there are {}", KEYS.join(", "))
            }
            Self::Twice(key) => write!(f, "{key} is given twice"),
            Self::NoValue(key) => write!(f, "{key} has no value"),
            Self::Value { pair, wanted } => write!(f, "{pair}: {wanted} is wanted"),
            Self::Escape { pair } => {
                write!(f, "{pair}: `%` begins an escape, %2C, %3B or %25 for `,`, `;` or `%`")
            }
            Self::Selector { key, text, source } => write!(f, "{key}={text}: {source}"),
            Self::NoRoot => f.write_str(
                "no root is given; root=com.acme.Engine::run records what happens inside that \
                 method",
            ),
            Self::SessionAndOut => f.write_str(
                "session and out exclude each other: a session's collector knows where its \
                 profile goes",
            ),
            Self::StacksAndOut => f.write_str(
                "an agent without a session has no stacks walked (probe=…+stack/N): JFR must record \
                 beside it, which `jfathom record` has it do",
            ),
            Self::NoSession => {
                f.write_str("more options are in a session's directory, and none is named")
            }
            Self::Rest(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for OptionsError {
    // A message has its cause already: these are the causes beyond.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Selector { source, .. } => std::error::Error::source(source),
            Self::Rest(_, error) => std::error::Error::source(error),
            _ => None,
        }
    }
}
