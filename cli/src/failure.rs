//! Errors become one message on stderr and an exit code.

use crate::out;
use jfathom_views::Nothing;
use std::{path::Path, process::ExitCode};

/// A wrong argument: exit code 2 instead of 1.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// Prints `error` with its causes, and returns its exit code.
pub(crate) fn print_error(error: &anyhow::Error) -> ExitCode {
    if is_closed_pipe(error) {
        return ExitCode::SUCCESS;
    }
    out::say(&format!("{error:#}"));
    ExitCode::from(if error.chain().any(is_usage) { 2 } else { 1 })
}

fn is_usage(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause.is::<Usage>() || cause.downcast_ref().is_some_and(jfathom_instrument::Error::is_usage)
}

/// Whether the reader of our output is gone (`jfathom … | head`).
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}

/// An error of the operating system with its place: `out/app.jar: cannot write: No space left on
/// device`.
pub(crate) fn context(error: std::io::Error, path: &Path, action: &str) -> anyhow::Error {
    anyhow::Error::new(error).context(format!("{}: {action}", path.display()))
}

/// An error that ends with exit code 2.
pub(crate) fn usage(message: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Usage(message.into()))
}

/// The error of an output. If that would have been empty, the profile is named instead of it.
pub(crate) fn nothing_in(profile: &Path, error: anyhow::Error) -> anyhow::Error {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    match causes.find_map(|cause| cause.get_ref()?.downcast_ref::<Nothing>()) {
        Some(nothing) => anyhow::anyhow!("{}: nothing to write: {nothing}", profile.display()),
        None => error,
    }
}
