//! The summary of a recording, and its events.

use std::{os::unix::process::ExitStatusExt, path::PathBuf, process::ExitStatus, time::Duration};

/// How a recorded process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The command exited with this code.
    Code(u8),
    /// This signal ended the command.
    Signal(u8),
    /// A JVM that is no child of this process has ended.
    Jvm,
    /// A JVM runs on, with its classes restored.
    Restored,
}

impl ExitReason {
    /// The exit code that a shell would show: 128 + N if signal N ended the command.
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
    /// How the last run ended.
    pub exit: ExitReason,
    /// The runs in the profile, without roots-only runs.
    pub runs: u32,
    /// The profiles that were written.
    pub profiles: Vec<PathBuf>,
    /// The JVMs that have recorded, in the runs that are in the profile.
    pub jvms: usize,
    /// The records of these JVMs.
    pub records: u64,
    /// Time from the start of each run to the end of its last JVM, summed over all runs.
    pub elapsed: Duration,
}

/// A recording while it runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Status {
    /// Time since the command was started.
    pub elapsed: Duration,
    /// JVMs that have joined.
    pub jvms: usize,
    /// Records consumed so far.
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
    /// Whether it is a roots-only run.
    pub roots_only: bool,
    /// Its side; none if the runs of one command are recorded alone.
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
    /// The baseline.
    Base,
    /// The candidate.
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
    /// Time since the recording began.
    pub after: Duration,
}

/// An event of a recording.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// One of several runs begins.
    Run(RunNumber),
    /// How far it is; a few times a second.
    Status(Status),
    /// A root of a live session has its probes: its next call is recorded.
    Live(RootEvent),
    /// These roots of a live session, in one text, wait for their classes to be loaded and
    /// analysed.
    Waiting(String),
    /// A sentence for the user.
    Note(String),
}
