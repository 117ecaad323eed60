//! Why an option text is not understood.

use super::KEYS;
use jfathom_plan::SelectorError;
use std::{io, path::PathBuf};

/// Why an option text is not understood.
#[derive(Debug, thiserror::Error)]
pub enum OptionsError {
    /// The text has more bytes than are read.
    #[error("the options have {bytes} bytes; {limit} are the most")]
    TooLong {
        /// Its bytes.
        bytes: usize,
        /// The most that are read.
        limit: usize,
    },
    /// There is no such key.
    #[error("there is no option ‘{}’; there are {}", .0, KEYS.join(", "))]
    UnknownKey(String),
    /// A key that is no list comes twice.
    #[error("{0} is given twice")]
    Twice(String),
    /// A key that needs a value has none.
    #[error("{0} has no value")]
    NoValue(String),
    /// A value is none of those that the key takes.
    #[error("{pair}: {wanted} is wanted")]
    Value {
        /// The pair as it was written.
        pair: String,
        /// What the key takes.
        wanted: &'static str,
    },
    /// An escape in a value is malformed, or its bytes are no text.
    #[error("{pair}: `%` begins an escape, %2C, %3B or %25 for `,`, `;` or `%`")]
    Escape {
        /// The pair as it was written.
        pair: String,
    },
    /// A value is no selector.
    #[error("{key}={text}: {cause}")]
    Selector {
        /// The key.
        key: String,
        /// The selector's text.
        text: String,
        /// Why not.
        cause: SelectorError,
    },
    /// No root without `!` is given.
    #[error("no root is given; root=com.acme.Engine::run records what happens inside that method")]
    NoRoot,
    /// Both `session` and `out` are given.
    #[error(
        "session and out exclude each other: a session's collector knows where its profile goes"
    )]
    SessionAndOut,
    /// `probe` has stacks walked, and `out` is given.
    #[error(
        "an agent without a session has no stacks walked (probe=…+stack/N): JFR must record \
         beside it, which `jfathom record` has it do"
    )]
    StacksAndOut,
    /// The text goes on in the session directory, and names none.
    #[error("more options are in a session's directory, and none is named")]
    NoSession,
    /// The file in which the text goes on cannot be read.
    #[error("{0}: {1}")]
    Rest(PathBuf, io::Error),
}
