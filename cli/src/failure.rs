//! Errors become one message on stderr and an exit code.

use crate::out;
use std::process::ExitCode;

/// An error that the user made with the arguments: exit code 2 instead of 1.
#[derive(Debug)]
pub struct Usage(pub String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Prints `error` with its causes and gives the exit code that belongs to it.
pub(crate) fn print_error(error: &anyhow::Error) -> ExitCode {
    if is_closed_pipe(error) {
        return ExitCode::SUCCESS;
    }
    out::say(&format!("{error:#}"));
    ExitCode::from(if error.chain().any(|cause| cause.is::<Usage>()) { 2 } else { 1 })
}

/// Whether the reader of our output went away (`jfathom … | head`).
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>())
        .any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}

/// An error of the operating system with its place: `out/app.jar: cannot write: No space left on
/// device`.
pub(crate) fn context(
    error: std::io::Error,
    path: &std::path::Path,
    action: &str,
) -> anyhow::Error {
    anyhow::Error::new(error).context(format!("{}: {action}", path.display()))
}

/// An error that ends with exit code 2.
pub(crate) fn usage(message: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Usage(message.into()))
}

/// An error of the archive room, with exit code 2 where the arguments are at fault.
pub(crate) fn archive(error: jfathom_archive::Error) -> anyhow::Error {
    if error.is_usage() { usage(error.to_string()) } else { anyhow::Error::msg(error.to_string()) }
}
