//! What `record` says on stderr while the command runs.

use crate::numbers::{grouped, seconds};
use jfathom_collector::Status;
use std::io::{IsTerminal, Write};

/// A line at the cursor, on a terminal only. The command writes to the same terminal: the cursor is left at the line's
/// beginning, so that its next output goes over the status.
pub(super) struct StatusLine {
    terminal: bool,
    shown: bool,
}

/// Erases from the cursor to the line's end (ECMA-48).
const ERASE: &str = "\x1b[K";

impl StatusLine {
    pub(super) fn new(quiet: bool) -> Self {
        Self { terminal: !quiet && std::io::stderr().is_terminal(), shown: false }
    }

    /// Shows how far a recording is.
    pub(super) fn show(&mut self, status: &Status) {
        if !self.terminal || status.jvms == 0 {
            return;
        }
        let text = format!(
            "{}  {} JVM{}  {} records, {}/s  {} threads  {} nodes",
            seconds(status.elapsed),
            status.jvms,
            if status.jvms == 1 { "" } else { "s" },
            grouped(status.records),
            grouped(status.records_per_second as u64),
            grouped(status.threads),
            grouped(status.nodes),
        );
        self.write(&format!("{text}{ERASE}\r"));
        self.shown = true;
    }

    /// Takes the line away.
    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            self.write(ERASE);
        }
    }

    /// Says a sentence, on a line of its own.
    pub(super) fn say(&mut self, sentence: &str) {
        self.clear();
        self.write(&format!("jfathom: {sentence}\n"));
    }

    /// A terminal that is gone is no reason to end the recording.
    fn write(&self, text: &str) {
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }
}
