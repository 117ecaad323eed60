//! Whether the first plans of a session may be made live at leisure.

use crate::lock::{lock, wait_until};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// True while a session begins in a running program and none of its roots can be inside. Threads of
/// the program then wait for no probes, and the agent lets the program run between two batches.
///
/// It ends when the plans are live, when a class with a root is loaded, whose probes run at once,
/// and with the session.
#[derive(Debug, Default)]
pub struct Patience {
    is_patient: Mutex<bool>,
    ended: Condvar,
}

impl Patience {
    pub fn begin(&self) {
        *lock(&self.is_patient) = true;
    }

    pub fn end(&self) {
        *lock(&self.is_patient) = false;
        self.ended.notify_all();
    }

    pub fn is_patient(&self) -> bool {
        *lock(&self.is_patient)
    }

    /// Waits so long, or until it ends. Returns whether it goes on.
    pub fn rest(&self, time: Duration) -> bool {
        !wait_until(&self.ended, &self.is_patient, time, |is_patient| !*is_patient)
    }
}
