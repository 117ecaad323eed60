//! A progress bar, on a terminal only.

use indicatif::{ProgressDrawTarget, ProgressStyle};
use jfathom_archive::Progress;
use std::sync::Mutex;

/// One bar over several inputs, one after another.
pub(crate) struct ProgressBar {
    bar: indicatif::ProgressBar,
    /// Entries of the inputs before the current one. Written between inputs only.
    before: Mutex<u64>,
}

impl ProgressBar {
    /// A bar over `entries`; hidden where stderr is no terminal or `quiet`.
    pub(crate) fn new(what: &'static str, entries: u64, quiet: bool) -> Self {
        let target = match quiet || !crate::out::is_terminal() {
            true => ProgressDrawTarget::hidden(),
            false => ProgressDrawTarget::stderr(),
        };
        let style = ProgressStyle::with_template("{msg} [{bar:40}] {pos}/{len} {eta}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = indicatif::ProgressBar::with_draw_target(Some(entries), target)
            .with_style(style)
            .with_message(what);
        Self { bar, before: Mutex::new(0) }
    }

    /// Shows how far the current input is.
    pub(crate) fn show(&self, progress: Progress) {
        if self.bar.is_hidden() {
            return;
        }
        let before = *self.before.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.bar.set_position(before + progress.done as u64);
    }

    /// Goes on to the next input; the current one had so many entries.
    pub(crate) fn next(&self, entries: u64) {
        *self.before.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) += entries;
    }
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
