//! Why the agent cannot be loaded into a JVM.

use crate::program::java_command::JFR_OFF;
use jfathom_session::FindJvmError;
use std::{io, path::PathBuf};

/// Why the agent was not loaded into a JVM.
#[derive(Debug)]
#[non_exhaustive]
pub enum AttachError {
    /// It is no JVM of this user.
    NotFound(FindJvmError),
    /// The agent does not run in this JVM.
    Unsupported {
        /// The process.
        pid: u32,
        /// Its kind: `an OpenJ9 JVM`.
        what: String,
        /// Advice: another way to record.
        advice: &'static str,
    },
    /// It was started with `-XX:+DisableAttachMechanism`.
    Disabled(u32),
    /// It was started with `-XX:-EnableDynamicAgentLoading`.
    NoDynamicAgents(u32),
    /// It has no JFR, and what that records was asked for.
    NoJfr {
        /// The process.
        pid: u32,
        /// What it says of it.
        text: String,
    },
    /// It does not handle SIGQUIT, which would end it.
    NoSignal(u32),
    /// It is stopped, by a signal or a debugger.
    Stopped(u32),
    /// It has not done something in time.
    Timeout {
        /// The process.
        pid: u32,
        /// The missing action: `answered`.
        what: &'static str,
        /// The timeout in seconds.
        seconds: u64,
    },
    /// A file of the protocol cannot be used.
    File(PathBuf, String),
    /// The socket cannot be used.
    Socket(u32, io::Error),
    /// An option is longer than the JVM reads.
    TooLong(usize),
    /// The JVM's answer has another form.
    Answer(u32, String),
    /// The JVM could not load the library.
    Library(PathBuf, String),
    /// The JVM could not load the library, for the reason that it gives.
    NotLoaded {
        /// The process.
        pid: u32,
        /// The reason.
        text: String,
    },
    /// The library was loaded, and its `Agent_OnAttach` returned this instead of zero.
    Agent {
        /// The process.
        pid: u32,
        /// The value that it returned.
        code: i32,
    },
}

impl std::fmt::Display for AttachError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFound(error) => error.fmt(f),
            Self::Unsupported { pid, what, advice } => {
                write!(f, "process {pid} is {what}; {advice}")
            }
            Self::Disabled(pid) => write!(
                f,
                "JVM {pid} was started with -XX:+DisableAttachMechanism, so nothing can attach to it; start the program with \
                 `jfathom record --root … -- java …`"
            ),
            Self::NoDynamicAgents(pid) => write!(
                f,
                "JVM {pid} was started with -XX:-EnableDynamicAgentLoading, so that no agent can be loaded while it runs; start \
                 the program without it, or with `jfathom record --root … -- java …`"
            ),
            Self::NoJfr { pid, text } => write!(
                f,
                "JVM {pid} has no JFR, which records stacks, waits and exceptions ({text}): it was started with {JFR_OFF}, or \
                 is without the module jdk.jfr; start it otherwise, or leave out samples, waits and exceptions of \
                 --metrics, and +stack of --probe"
            ),
            Self::NoSignal(pid) => write!(
                f,
                "JVM {pid} does not handle SIGQUIT, by which it is asked to open its socket: it is still starting, or was \
                 started with -Xrs; start the program with `jfathom record --root … -- java …`"
            ),
            Self::Stopped(pid) => {
                write!(
                    f,
                    "JVM {pid} is stopped and answers nobody; `kill -CONT {pid}` lets it run on"
                )
            }
            Self::Timeout { pid, what, seconds } => write!(
                f,
                "JVM {pid} has not {what} within {seconds} s; it may be held up by a long garbage collection or a lack of \
                 processors, or be started with -XX:+DisableAttachMechanism"
            ),
            Self::File(path, what) => write!(f, "{}: {what}", path.display()),
            Self::Socket(pid, e) => write!(f, "the socket of JVM {pid}: {e}"),
            Self::TooLong(bytes) => write!(
                f,
                "the options for the agent have {bytes} bytes and the JVM reads 1024: name fewer or shorter selectors \
                 (patterns such as com.acme.*), or start the program with `jfathom record --root … -- java …`"
            ),
            Self::Answer(pid, text) => {
                write!(f, "JVM {pid} gave an answer that is not understood: {text:?}")
            }
            Self::Library(path, what) => write!(f, "{}: {what}", path.display()),
            Self::NotLoaded { pid, text } => {
                write!(f, "JVM {pid} could not load the agent: {text}")
            }
            Self::Agent { pid, code } => {
                write!(f, "the agent in JVM {pid} did not begin a session (code {code})")
            }
        }
    }
}

impl std::error::Error for AttachError {
    // A message has its cause already: these are the causes beyond.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Socket(_, e) => std::error::Error::source(e),
            _ => None,
        }
    }
}

impl From<FindJvmError> for AttachError {
    fn from(error: FindJvmError) -> Self {
        Self::NotFound(error)
    }
}
