//! Why the agent cannot be loaded into a JVM.

use crate::program::java_command::JFR_OFF;
use jfathom_session::FindJvmError;
use std::{io, path::PathBuf};

/// Why the agent was not loaded into a JVM.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AttachError {
    /// It is no JVM of this user.
    #[error(transparent)]
    NotFound(#[from] FindJvmError),
    /// The agent does not run in this JVM.
    #[error("process {pid} is {what}; {advice}")]
    Unsupported {
        /// The process.
        pid: u32,
        /// Its kind: `an OpenJ9 JVM`.
        what: String,
        /// Advice: another way to record.
        advice: &'static str,
    },
    /// It was started with `-XX:+DisableAttachMechanism`.
    #[error(
        "JVM {0} was started with -XX:+DisableAttachMechanism, so nothing can attach to it; start \
         the program with `jfathom record --root … -- java …`"
    )]
    Disabled(u32),
    /// It was started with `-XX:-EnableDynamicAgentLoading`.
    #[error(
        "JVM {0} was started with -XX:-EnableDynamicAgentLoading, so that no agent can be loaded \
         while it runs; start the program without it, or with `jfathom record --root … -- java …`"
    )]
    NoDynamicAgents(u32),
    /// It has no JFR, and what that records was asked for.
    #[error(
        "JVM {pid} has no JFR, which records stacks, waits and exceptions ({text}): it was started \
         with {JFR_OFF}, or is without the module jdk.jfr; start it otherwise, or leave out \
         samples, waits and exceptions of --metrics, and +stack of --probe"
    )]
    NoJfr {
        /// The process.
        pid: u32,
        /// What it says of it.
        text: String,
    },
    /// It does not handle SIGQUIT, which would end it.
    #[error(
        "JVM {0} does not handle SIGQUIT, by which it is asked to open its socket: it is still \
         starting, or was started with -Xrs; start the program with `jfathom record --root … -- \
         java …`"
    )]
    NoSignal(u32),
    /// It is stopped, by a signal or a debugger.
    #[error("JVM {0} is stopped and answers nobody; `kill -CONT {0}` lets it run on")]
    Stopped(u32),
    /// It has not done something in time.
    #[error(
        "JVM {pid} has not {what} within {seconds} s; it may be held up by a long garbage \
         collection or a lack of processors, or be started with -XX:+DisableAttachMechanism"
    )]
    Timeout {
        /// The process.
        pid: u32,
        /// The missing action: `answered`.
        what: &'static str,
        /// The timeout in seconds.
        seconds: u64,
    },
    /// A file of the protocol cannot be used.
    #[error("{0}: {1}")]
    File(PathBuf, String),
    /// The socket cannot be used.
    #[error("the socket of JVM {0}: {1}")]
    Socket(u32, io::Error),
    /// An option is longer than the JVM reads.
    #[error(
        "the options for the agent have {0} bytes and the JVM reads 1024: name fewer or shorter \
         selectors (patterns such as com.acme.*), or start the program with `jfathom record \
         --root … -- java …`"
    )]
    TooLong(usize),
    /// The JVM's answer has another form.
    #[error("JVM {0} gave an answer that is not understood: {1:?}")]
    Answer(u32, String),
    /// The JVM could not load the library.
    #[error("{0}: {1}")]
    Library(PathBuf, String),
    /// The JVM could not load the library, for the reason that it gives.
    #[error("JVM {pid} could not load the agent: {text}")]
    NotLoaded {
        /// The process.
        pid: u32,
        /// The reason.
        text: String,
    },
    /// The library was loaded, and its `Agent_OnAttach` returned this instead of zero.
    #[error("the agent in JVM {pid} did not begin a session (code {code})")]
    Agent {
        /// The process.
        pid: u32,
        /// The value that it returned.
        code: i32,
    },
}
