//! Requests to running JVMs of this user by HotSpot's attach protocol: to load the agent's library
//! (`agent_library`), and to dump the stacks from which `sampled_stacks` proposes roots.
//!
//! A file `.attach_pidN` and SIGQUIT ask the JVM to open the socket `/tmp/.java_pidN`; N is its pid
//! as it sees it itself. Commands go through the socket. Files of the JVM are reached through
//! `/proc/PID/root`, so that containers make no difference. No process of another user is touched,
//! whoever asks: root records with the rights of the JVM's user (`jfathom_session::Credentials`).

pub(crate) mod agent_library;
mod error;
mod fitness;
mod mount_namespace;
mod protocol;
pub(crate) mod sampled_stacks;
mod socket;

pub use error::AttachError;
pub use fitness::{check, warns_of_agents};
pub use mount_namespace::{VisibleLibrary, visible_library};

use jfathom_session::JvmProcess;
use socket::Limits;
use std::{path::Path, time::Duration};

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
    let arguments = [library, "true", options];
    let reply = socket::execute(jvm, "load", arguments, &socket::LOAD_LIMITS)?;
    protocol::loaded(jvm.pid(), &reply)
}

/// The answer of a JVM to a command of `jcmd`: `JFR.stop name=x`. What it refuses, it says in the
/// answer.
///
/// # Errors
/// Fails if the JVM does not answer.
pub(crate) fn diagnose(jvm: &JvmProcess, command: &str) -> Result<String, AttachError> {
    let reply = socket::execute(jvm, "jcmd", [command, "", ""], &socket::LOAD_LIMITS)?;
    Ok(reply.text)
}

/// The stacks of a JVM's threads as text, by its own `Thread.print`: `bytes` at most.
///
/// # Errors
/// Fails if the JVM does not answer within about `time`, or not with its threads.
pub(crate) fn thread_dump(
    jvm: &JvmProcess,
    time: Duration,
    bytes: usize,
) -> Result<String, AttachError> {
    // A timeout of zero would mean none.
    let time = time.max(Duration::from_millis(1));
    let limits = Limits { start: time, open: time, answer: time, bytes: bytes as u64 };
    let reply = socket::execute(jvm, "jcmd", ["Thread.print", "", ""], &limits)?;
    match reply.code {
        0 => Ok(reply.text),
        _ => Err(AttachError::Answer(jvm.pid(), reply.text.chars().take(200).collect())),
    }
}

#[cfg(test)]
mod tests;
