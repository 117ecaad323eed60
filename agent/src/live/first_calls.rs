//! First calls that wait for the probes of their callees.

use crate::lock::{lock, wait_until};
use jfathom_plan::MethodId;
use std::collections::HashSet;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// The methods in whose first call some thread is.
#[derive(Debug, Default)]
pub struct FirstCalls {
    methods: Mutex<HashSet<MethodId>>,
    /// Notified when a method leaves the set.
    done: Condvar,
}

/// A first call for which this thread makes the callees' probes live. The threads that wait for it
/// go on when it is dropped, whatever has happened.
pub struct FirstCall<'s> {
    calls: &'s FirstCalls,
    id: MethodId,
}

impl Drop for FirstCall<'_> {
    fn drop(&mut self) {
        lock(&self.calls.methods).remove(&self.id);
        self.calls.wake_waiting();
    }
}

impl FirstCalls {
    /// Begins to work on a method's first call; none if another thread does.
    pub fn begin(&self, id: MethodId) -> Option<FirstCall<'_>> {
        lock(&self.methods).insert(id).then(|| FirstCall { calls: self, id })
    }

    /// Works on a first call that another thread does not end.
    pub fn take_over(&self, id: MethodId) -> FirstCall<'_> {
        FirstCall { calls: self, id }
    }

    /// Waits, a bounded time, until the method's first call is done, or the session `is_over`.
    /// Returns whether that is so.
    pub fn wait(&self, id: MethodId, timeout: Duration, is_over: impl Fn() -> bool) -> bool {
        wait_until(&self.done, &self.methods, timeout, |methods| {
            !methods.contains(&id) || is_over()
        })
    }

    /// Wakes the threads that wait, to look again.
    pub fn wake_waiting(&self) {
        self.done.notify_all();
    }
}
