//! Planned probes that are not live so far.

use crate::engine::ClassName;
use crate::lock::{lock, wait_until};
use jfathom_plan::MethodId;
use jfathom_session::MethodsFileLine;
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

thread_local! {
    /// Whether this thread retransforms: classes that are loaded for that wait for nothing.
    static RETRANSFORMING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread retransforms.
pub fn is_retransforming() -> bool {
    RETRANSFORMING.get()
}

/// Marks this thread as one that retransforms.
pub struct RetransformingThread(());

impl RetransformingThread {
    /// None if the thread retransforms already.
    pub fn enter() -> Option<Self> {
        // Made only then: its drop ends the mark.
        (!RETRANSFORMING.replace(true)).then(|| Self(()))
    }
}

impl Drop for RetransformingThread {
    fn drop(&mut self) {
        RETRANSFORMING.set(false);
    }
}

/// The work that is left to do, and who does some of it.
#[derive(Debug, Default)]
pub struct PendingWork {
    work: Mutex<Pending>,
    /// Notified when [`Pending::running`] loses a batch.
    batch_done: Condvar,
}

#[derive(Debug, Default)]
pub struct Pending {
    /// Classes whose plans are newer than what is live.
    pub retransform: HashSet<ClassName>,
    /// Classes whose bytes the engine needs.
    pub need: Vec<ClassName>,
    /// Methods that lose the first-call trigger when all of `retransform` is live.
    pub timed: Vec<MethodId>,
    /// Lines for roots that are live when all of `retransform` is.
    pub roots: Vec<MethodsFileLine>,
    /// Classes under retransformation, by batch number.
    running: HashMap<ClassName, u64>,
    last_batch: u64,
}

/// Classes that this thread retransforms. When it is dropped, the threads that wait go on, whatever
/// has happened.
pub struct Batch<'s> {
    pending: &'s PendingWork,
    pub names: Vec<ClassName>,
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        let mut work = self.pending.lock();
        for name in &self.names {
            work.running.remove(name);
        }
        drop(work);
        self.pending.wake_waiting();
    }
}

impl PendingWork {
    pub fn lock(&self) -> MutexGuard<'_, Pending> {
        lock(&self.work)
    }

    /// Whether all that is planned is live.
    pub fn is_empty(&self) -> bool {
        let work = self.lock();
        work.retransform.is_empty()
            && work.need.is_empty()
            && work.timed.is_empty()
            && work.roots.is_empty()
            && work.running.is_empty()
    }

    /// As [`Self::begin_batch_of`], and moves the methods that lose their triggers after it to
    /// `timed`. What is planned meanwhile is pending again.
    pub fn begin_batch(
        &self,
        timed: &mut Vec<MethodId>,
        wanted: impl Fn(&ClassName, bool) -> bool,
    ) -> Batch<'_> {
        timed.append(&mut self.lock().timed);
        self.begin_batch_of(wanted)
    }

    /// Begins a batch with those classes that are `wanted` and that no other thread retransforms.
    /// `wanted` also gets whether any batch runs.
    pub fn begin_batch_of(&self, wanted: impl Fn(&ClassName, bool) -> bool) -> Batch<'_> {
        let mut work = self.lock();
        let Pending { retransform, running, .. } = &mut *work;
        let is_any_running = !running.is_empty();
        let names: Vec<ClassName> = retransform
            .extract_if(|name| !running.contains_key(name) && wanted(name, is_any_running))
            .collect();
        work.last_batch += 1;
        let number = work.last_batch;
        work.running.extend(names.iter().map(|name| (ClassName::clone(name), number)));
        Batch { pending: self, names }
    }

    /// Waits, a bounded time, until all batches are done that have begun by now, or the session
    /// `is_over`. Returns whether that is so.
    pub fn wait_for_batches(&self, timeout: Duration, is_over: impl Fn() -> bool) -> bool {
        let last = self.lock().last_batch;
        wait_until(&self.batch_done, &self.work, timeout, |work| {
            work.running.values().all(|batch| *batch > last) || is_over()
        })
    }

    /// The classes that some thread retransforms.
    pub fn running(&self) -> Vec<ClassName> {
        self.lock().running.keys().cloned().collect()
    }

    /// Wakes the threads that wait for batches, to look again.
    pub fn wake_waiting(&self) {
        self.batch_done.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::{RetransformingThread, is_retransforming};

    #[test]
    fn a_second_mark_does_not_end_the_first() {
        let thread = RetransformingThread::enter();
        assert!(thread.is_some() && is_retransforming());
        assert!(RetransformingThread::enter().is_none());
        assert!(is_retransforming());
        drop(thread);
        assert!(!is_retransforming());
    }
}
