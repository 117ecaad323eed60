//! Loads a library into a running JVM of this user by HotSpot's attach protocol.
//!
//! The JVM is asked by a file `.attach_pidN` and SIGQUIT to open the socket `/tmp/.java_pidN`, N
//! being its pid as it sees it itself; then commands go through the socket. What the JVM sees under
//! `/tmp` and `/` is reached through `/proc/PID/root`, so that containers make no difference. No
//! process of another user is ever touched, whoever asks.

mod error;
mod mount_namespace;
mod perf_data;
mod protocol;
mod socket;
mod target;

pub use error::AttachError;
pub(crate) use mount_namespace::same_files;
pub use mount_namespace::visible_library;
pub use perf_data::PerfData;
pub use target::Target;

use std::path::Path;

/// Loads an agent's library into a JVM and calls its `Agent_OnAttach` with `options`; returns when
/// that has returned.
///
/// `library` is an absolute path as the JVM sees it ([`visible_library`]).
///
/// # Errors
/// Where the JVM is of another user, is none that can load the library, does not answer, or where
/// the library says no ([`AttachError::Agent`]).
pub fn load_agent(target: &Target, library: &Path, options: &str) -> Result<(), AttachError> {
    target.check()?;
    let library = library
        .to_str()
        .ok_or_else(|| AttachError::Library(library.to_owned(), "its path is not UTF-8".into()))?;
    let reply = socket::execute(target, "load", [library, "true", options])?;
    protocol::loaded(target.pid(), &reply)
}

#[cfg(test)]
mod tests;
