//! What a recording came to, and what is seen of it while it runs.

use std::{os::unix::process::ExitStatusExt, path::PathBuf, process::ExitStatus, time::Duration};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// By itself, with this code.
    Code(u8),
    /// By this signal.
    Signal(u8),
    /// It was no command: a JVM that is no child of this process, and has ended.
    Jvm,
    /// It was no command: a JVM that goes on, its classes as they were.
    Restored,
}

impl ExitReason {
    /// The code that a shell would show: 128 and the signal's number where a signal ended it.
    pub const fn code(self) -> u8 {
        match self {
            Self::Code(code) => code,
            Self::Signal(signal) => signal.wrapping_add(128),
            Self::Jvm | Self::Restored => 0,
        }
    }
}

impl From<ExitStatus> for ExitReason {
    fn from(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(code as u8),
            (None, Some(signal)) => Self::Signal(signal as u8),
            (None, None) => Self::Code(1),
        }
    }
}

impl std::fmt::Display for ExitReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Code(code) => write!(f, "the command ended with code {code}"),
            Self::Signal(signal) => write!(f, "signal {signal} ended the command"),
            Self::Jvm => f.write_str("the JVM has ended"),
            Self::Restored => f.write_str("the JVM goes on, with its original code"),
        }
    }
}

/// A recording that has a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingSummary {
    /// How the command ended, the last time.
    pub exit: ExitReason,
    /// How many runs are in the profile, roots-only runs not among them.
    pub runs: u32,
    /// The profiles that were written.
    pub profiles: Vec<PathBuf>,
    /// How many JVMs have recorded, in the runs that are in the profile.
    pub jvms: usize,
    /// How many records were taken in of those.
    pub records: u64,
    /// From the start of each run to the end of its last JVM, in all.
    pub elapsed: Duration,
}

/// A recording while it runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Status {
    /// Since the command was started.
    pub elapsed: Duration,
    /// JVMs that have joined.
    pub jvms: usize,
    /// Records taken in so far.
    pub records: u64,
    /// Records per second since the status before.
    pub records_per_second: f64,
    /// Threads that have recorded.
    pub threads: u64,
    /// Nodes of all trees.
    pub nodes: u64,
}

/// One of several runs of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunNumber {
    /// From 1.
    pub number: u32,
    /// How many there will be.
    pub of: u32,
    /// Whether the roots only are timed in it.
    pub roots_only: bool,
    /// Whose it is, where the runs of two sides are interleaved.
    pub side: Option<Side>,
}

impl std::fmt::Display for RunNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "run {} of {}", self.number, self.of)?;
        if let Some(side) = self.side {
            write!(f, ", {side}")?;
        }
        f.write_str(if self.roots_only { ", roots only" } else { "" })
    }
}

/// One of two commands whose runs are interleaved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// What is compared with.
    Base,
    /// What is compared.
    New,
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Base => "base",
            Self::New => "new",
        })
    }
}

/// A root that is live.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootEvent {
    /// The method, or the selector that named it.
    pub root: String,
    /// Since the recording began.
    pub after: Duration,
}

/// What a recording tells while it runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// One of several runs begins.
    Run(RunNumber),
    /// How far it is; a few times a second.
    Status(Status),
    /// A root of a live session has its probes: its next call is recorded.
    Live(RootEvent),
    /// These roots of a live session, in one text, wait for their classes to be loaded.
    Waiting(String),
    /// A sentence for the user.
    Note(String),
}
