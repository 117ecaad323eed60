//! The status line of `record`, on stderr while the command runs.

use crate::out;
use jfathom_collector::Status;
use jfathom_report::number::{counted, rounded, seconds};

/// A line on a terminal that no recorded program writes to, and nothing elsewhere: the program's
/// output would stand in the middle of the line.
pub(super) struct StatusLine {
    terminal: bool,
    shown: bool,
}

impl StatusLine {
    /// `jvm` is the process that is attached to; none if a command runs, which has the streams of
    /// this process.
    pub(super) fn new(quiet: bool, jvm: Option<u32>) -> Self {
        let is_free = jvm.is_some_and(|pid| !out::shares_terminal(pid));
        Self { terminal: !quiet && out::is_terminal() && is_free, shown: false }
    }

    /// Shows how far a recording is.
    pub(super) fn show(&mut self, status: &Status) {
        if !self.terminal || status.jvms == 0 {
            return;
        }
        out::show_status(&text(status));
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

/// How far a recording is, with numbers short enough for one line.
fn text(status: &Status) -> String {
    format!(
        "{}  {}  {} records, {}/s  {}  {} nodes",
        seconds(status.elapsed),
        counted(status.jvms, "JVM", "JVMs"),
        rounded(status.records),
        rounded(status.records_per_second as u64),
        counted(status.threads, "thread", "threads"),
        rounded(status.nodes),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_long_recording_has_one_short_line() {
        let status = Status {
            elapsed: Duration::from_secs(3600),
            jvms: 1,
            records: 1_400_000_000,
            records_per_second: 12_345_678.9,
            threads: 128,
            nodes: 987_654,
        };
        let expected = "3600.0 s  1 JVM  1.4 G records, 12.3 M/s  128 threads  988 k nodes";
        assert_eq!(text(&status), expected);
        assert!(expected.len() < 80);
    }
}
