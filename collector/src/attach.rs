//! Loads a library into a running JVM of this user by HotSpot's attach protocol.
//!
//! A file `.attach_pidN` and SIGQUIT ask the JVM to open the socket `/tmp/.java_pidN`; N is its pid
//! as it sees it itself. Commands go through the socket. Files of the JVM are reached through
//! `/proc/PID/root`, so that containers make no difference. No process of another user is touched,
//! whoever asks.

mod error;
mod fitness;
mod mount_namespace;
mod protocol;
mod socket;

pub use error::AttachError;
pub use fitness::{check, warns_of_agents};
pub use mount_namespace::visible_library;

use jfathom_session::JvmProcess;
use std::path::Path;

/// Loads an agent's library into a JVM and calls its `Agent_OnAttach` with `options`; returns when
/// that has returned.
///
/// `library` is an absolute path as the JVM sees it ([`visible_library`]).
///
/// # Errors
/// Fails if the JVM cannot load the library or does not answer, or if `Agent_OnAttach` refuses
/// ([`AttachError::Agent`]).
pub fn load_agent(jvm: &JvmProcess, library: &Path, options: &str) -> Result<(), AttachError> {
    check(jvm)?;
    let library = library
        .to_str()
        .ok_or_else(|| AttachError::Library(library.to_owned(), "its path is not UTF-8".into()))?;
    let reply = socket::execute(jvm, "load", [library, "true", options])?;
    protocol::loaded(jvm.pid(), &reply)
}

#[cfg(test)]
mod tests;
