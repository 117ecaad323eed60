//! The signals of this process, which go on to the command.

use signal_hook::{
    consts::{SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2},
    iterator::{SignalsInfo, exfiltrator::WithOrigin},
    low_level::siginfo::Cause,
};
use std::{fs, io};

const PASSED_ON: [i32; 7] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM];

/// A signal that this process has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReceivedSignals {
    pub number: i32,
    /// Whether the terminal sent it. The command is in the same process group, so it has got the
    /// signal, too.
    pub from_terminal: bool,
}

impl ReceivedSignals {
    /// Whether it asks a program to end.
    pub(crate) fn is_termination(self) -> bool {
        matches!(self.number, SIGHUP | SIGINT | SIGTERM)
    }
}

/// Receives the signals of this process, as long as it lives.
#[derive(Debug)]
pub(crate) struct Signals {
    all: SignalsInfo<WithOrigin>,
    /// Whether SIGINT is received.
    interrupts: bool,
}

impl Signals {
    /// Begins to receive signals. Those that this process ignores stay ignored (nohup, background
    /// jobs): the command must ignore them, too.
    pub(crate) fn take() -> io::Result<Self> {
        let ignored = ignored_signals();
        let taken = |signal: i32| ignored >> (signal - 1) & 1 == 0;
        let all = SignalsInfo::new(PASSED_ON.into_iter().filter(|&signal| taken(signal)))?;
        Ok(Self { all, interrupts: taken(SIGINT) })
    }

    /// Note on how the user ends the recording.
    pub(crate) fn how_to_end(&self) -> String {
        match self.interrupts {
            true => "Ctrl-C ends the recording".to_owned(),
            false => format!("`kill {}` ends the recording", std::process::id()),
        }
    }

    /// The signals since the last call.
    pub(crate) fn arrived(&mut self) -> impl Iterator<Item = ReceivedSignals> {
        self.all.pending().map(|origin| ReceivedSignals {
            number: origin.signal,
            from_terminal: origin.cause == Cause::Kernel,
        })
    }
}

/// The signals that this process ignores, as a bit set with signal `n` at bit `n - 1`.
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
