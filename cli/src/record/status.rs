//! The status line of `record`, on stderr while the command runs.

use crate::out;
use jfathom_collector::Status;
use jfathom_report::number::{grouped, seconds};

/// A line on a terminal, and nothing elsewhere. The command writes to the same terminal: the cursor
/// stays at the line's beginning, so that the next output overwrites the status.
pub(super) struct StatusLine {
    terminal: bool,
    shown: bool,
}

impl StatusLine {
    pub(super) fn new(quiet: bool) -> Self {
        Self { terminal: !quiet && out::is_terminal(), shown: false }
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
        out::show_status(&text);
        self.shown = true;
    }

    /// Erases the line.
    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            out::erase_status();
        }
    }

    /// Prints a sentence on a line of its own.
    pub(super) fn say(&mut self, sentence: &str) {
        self.clear();
        out::say(sentence);
    }
}
