//! How far a request is, for whoever shows it.

use std::sync::Mutex;

/// A part of the work, in which each entry of the inputs is passed once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Class files are read for selection.
    Reading,
    /// Class files are rewritten in memory, for a dry run.
    Planning,
    /// Class files are rewritten.
    Rewriting,
}

/// Is told how far a request is. Stages follow each other; none contains another.
pub trait Observer: Sync {
    /// A stage begins that passes this many entries.
    fn stage_started(&self, stage: Stage, entries: u64);
    /// This many entries of the stage are done. Several threads call it, not always in order.
    fn stage_advanced(&self, done: u64);
    /// The stage is over, or has failed.
    fn stage_ended(&self);
}

/// An observer that shows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn stage_started(&self, _: Stage, _: u64) {}
    fn stage_advanced(&self, _: u64) {}
    fn stage_ended(&self) {}
}

/// A stage that goes through several inputs; it ends when this is dropped.
pub(crate) struct StageProgress<'a> {
    observer: &'a dyn Observer,
    /// Entries of the inputs before the current one. Written between inputs only.
    before: Mutex<u64>,
}

impl<'a> StageProgress<'a> {
    pub(crate) fn start(observer: &'a dyn Observer, stage: Stage, entries: u64) -> Self {
        observer.stage_started(stage, entries);
        Self { observer, before: Mutex::new(0) }
    }

    /// Reports how far the current input is.
    pub(crate) fn report(&self, progress: jfathom_archive::Progress) {
        let before = *self.before.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.observer.stage_advanced(before + progress.done as u64);
    }

    /// Goes on to the next input; the current one had this many entries.
    pub(crate) fn next_input(&self, entries: u64) {
        *self.before.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) += entries;
    }
}

impl Drop for StageProgress<'_> {
    fn drop(&mut self) {
        self.observer.stage_ended();
    }
}
