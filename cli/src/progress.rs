//! A progress bar, on a terminal only.

use indicatif::{ProgressDrawTarget, ProgressStyle};
use jfathom_instrument::{Observer, Stage};
use std::sync::{Mutex, MutexGuard};

/// One bar per stage; none if stderr is not a terminal.
pub(crate) struct ProgressBar {
    is_shown: bool,
    /// The bar of the current stage. Replaced between stages only.
    bar: Mutex<Option<indicatif::ProgressBar>>,
}

impl ProgressBar {
    pub(crate) fn new(quiet: bool) -> Self {
        Self { is_shown: !quiet && crate::out::is_terminal(), bar: Mutex::default() }
    }

    fn bar(&self) -> MutexGuard<'_, Option<indicatif::ProgressBar>> {
        self.bar.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Observer for ProgressBar {
    fn stage_started(&self, stage: Stage, entries: u64) {
        if !self.is_shown {
            return;
        }
        let name = match stage {
            Stage::Reading => "reading  ",
            Stage::Planning => "planning ",
            Stage::Rewriting => "rewriting",
        };
        let style = ProgressStyle::with_template("{msg} [{bar:40}] {pos}/{len} {eta}")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let target = ProgressDrawTarget::stderr();
        let bar = indicatif::ProgressBar::with_draw_target(Some(entries), target)
            .with_style(style)
            .with_message(name);
        *self.bar() = Some(bar);
    }

    fn stage_advanced(&self, done: u64) {
        if let (true, Some(bar)) = (self.is_shown, &*self.bar()) {
            bar.set_position(done);
        }
    }

    fn stage_ended(&self) {
        if let Some(bar) = self.bar().take() {
            bar.finish_and_clear();
        }
    }
}
