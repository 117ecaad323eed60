//! What a recording waits for once its command has ended: JVMs that have joined, and those that may
//! still come.

use super::Recording;
use crate::{Event, ExitReason, Wait};
use jfathom_session::Process;
use std::time::Duration;

/// Time before the user gets a note that JVMs may still join: what the command leaves behind often
/// just ends.
const JOIN_PATIENCE: Duration = Duration::from_millis(500);
/// How many processes a note names.
const NAMED: usize = 3;

impl Recording<'_> {
    /// Whether the recording waits for JVMs that outlive the command.
    pub(super) fn is_patient(&self) -> bool {
        !(self.options.wait == Wait::NONE || self.stopped || self.overlap.is_some())
    }

    /// Whether no JVM has to join any more.
    pub(super) fn is_wait_over(&self) -> bool {
        self.idle.is_some_and(|since| self.options.wait.is_over(since.elapsed()))
    }

    /// Whether the time of a live session is over, so that it records no further JVM.
    pub(super) fn is_duration_over(&self) -> bool {
        let limit = self.options.live.as_ref().and_then(|live| live.duration);
        limit.zip(self.joined).is_some_and(|(limit, joined)| joined.elapsed() >= limit)
    }

    /// Processes of the command that still run and may yet become JVMs, or start some. Those of
    /// JVMs that have joined, or could not, are not among them.
    pub(super) fn left_behind(&mut self) -> Vec<Process> {
        if !self.is_patient() || self.is_duration_over() || self.subject.process().is_some() {
            return Vec::new();
        }
        let failed = self.dir.failed_jvms();
        let mut processes = self.descendants.living().unwrap_or_default();
        processes.retain(|process| {
            let pid = u64::from(process.pid());
            !failed.iter().any(|jvm| jvm.pid == pid)
                && !self.jvms.iter().any(|jvm| jvm.entry.jvm.pid == pid && jvm.is_process(*process))
        });
        processes
    }

    /// Reports once which JVMs the recording waits for after the command's end.
    pub(super) fn report_waiting(&mut self, exit: ExitReason, events: &mut dyn FnMut(Event)) {
        let running = self.jvms.iter().filter(|jvm| jvm.is_running());
        let names: Vec<String> = running.map(|jvm| format!("JVM {}", jvm.entry.jvm.pid)).collect();
        if self.reported.waiting || names.is_empty() || self.stopped {
            return;
        }
        self.reported.waiting = true;
        let names = names.join(", ");
        events(Event::Note(match (self.is_patient(), self.reported.joining) {
            (true, true) => format!("{names} has joined and is recorded to its end"),
            (true, false) => format!(
                "{exit}, but what it has started still runs ({names}): waiting; {}",
                self.signals.how_to_end()
            ),
            (false, _) => {
                format!("{exit}, but what it has started still runs ({names}): not waited for")
            }
        }));
    }

    /// Reports once that the recording waits for JVMs to join, after a while in which none has.
    pub(super) fn report_joining(
        &mut self,
        exit: ExitReason,
        others: &[Process],
        events: &mut dyn FnMut(Event),
    ) {
        let is_time = self.idle.is_some_and(|since| since.elapsed() >= JOIN_PATIENCE);
        if self.reported.joining || others.is_empty() || !is_time {
            return;
        }
        self.reported.joining = true;
        let how_long = match self.options.wait {
            wait @ Wait::AtMost(_) => format!("{wait} at most"),
            Wait::Forever => Wait::Forever.to_string(),
        };
        events(Event::Note(format!(
            "{exit}, but what it has started still runs ({}): waiting {how_long} for a JVM to join; {}",
            names(others),
            self.signals.how_to_end()
        )));
    }

    /// Reports what goes on although nothing waits for it any more.
    pub(super) fn report_unjoined(&self, others: &[Process], events: &mut dyn FnMut(Event)) {
        if !others.is_empty() {
            events(Event::Note(format!(
                "no JVM of what still runs ({}) has joined in {}; --wait 5m waits longer, --wait forever \
                 until it ends",
                names(others),
                self.options.wait
            )));
        }
    }
}

/// Processes for the user.
fn names(processes: &[Process]) -> String {
    let named = processes.iter().take(NAMED);
    let mut names: Vec<String> =
        named.map(|process| format!("{} {}", process.name(), process.pid())).collect();
    let others = processes.len() - names.len();
    if others > 0 {
        names.push(format!("{others} more"));
    }
    names.join(", ")
}
