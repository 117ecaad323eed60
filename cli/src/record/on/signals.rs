//! The signals of this process while it records on another machine.

use anyhow::{Context, Result};
use signal_hook::{
    consts::{SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2},
    iterator::Signals as Received,
};
use std::{
    fs, thread,
    time::{Duration, Instant},
};

/// Signals that go on to the recording, with the names that `kill -s` has for them.
const PASSED_ON: [(i32, &str); 7] = [
    (SIGHUP, "HUP"),
    (SIGINT, "INT"),
    (SIGQUIT, "QUIT"),
    (SIGTERM, "TERM"),
    (SIGUSR1, "USR1"),
    (SIGUSR2, "USR2"),
    (SIGALRM, "ALRM"),
];
/// Signals that end a session: the first ends the program, the second the recording, as without
/// `--on`.
const PATIENCE: u32 = 3;

/// Time between two looks at what has happened.
pub(super) const TICK: Duration = Duration::from_millis(30);

/// The signals of this process, received as long as it lives.
#[derive(Debug)]
pub(super) struct Signals {
    received: Received,
    /// The first one that asks to end.
    first: Option<u8>,
    /// How many have asked to end since the patience was set.
    count: u32,
    /// How many end a session.
    patience: u32,
}

impl Signals {
    /// Begins to receive signals. Those that this process ignores stay ignored (nohup, background
    /// jobs).
    pub(super) fn new() -> Result<Self> {
        let ignored = ignored();
        let taken = PASSED_ON.iter().map(|(number, _)| *number);
        let received = Received::new(taken.filter(|number| ignored >> (number - 1) & 1 == 0))
            .context("cannot handle signals")?;
        Ok(Self { received, first: None, count: 0, patience: 1 })
    }

    /// The names of the signals since the last call.
    pub(super) fn arrived(&mut self) -> Vec<&'static str> {
        let numbers: Vec<i32> = self.received.pending().collect();
        for number in &numbers {
            if matches!(*number, SIGHUP | SIGINT | SIGTERM) {
                self.first = self.first.or(u8::try_from(*number).ok());
                self.count += 1;
            }
        }
        let named = PASSED_ON.iter().filter(|(number, _)| numbers.contains(number));
        named.map(|(_, name)| *name).collect()
    }

    /// From now on there is something to lose: only several signals end a session.
    pub(super) fn be_patient(&mut self) {
        self.count = 0;
        self.patience = PATIENCE;
    }

    /// Whether the session is to end, whatever it does.
    pub(super) fn is_enough(&self) -> bool {
        self.count >= self.patience
    }

    /// The first signal that has asked to end.
    pub(super) fn first(&self) -> Option<u8> {
        self.first
    }

    /// Waits, and whether it was to the end.
    pub(super) fn wait(&mut self, time: Duration) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < time {
            self.arrived();
            if self.is_enough() {
                return false;
            }
            thread::sleep(TICK);
        }
        true
    }
}

/// The signals that this process ignores, as a bit set with signal `n` at bit `n - 1`.
pub(in crate::record) fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
