//! The sleep of the agent's thread.

use crate::lock::{lock, wait_until};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// Wakes the agent's thread before its time.
#[derive(Debug, Default)]
pub struct Alarm {
    is_set: Mutex<bool>,
    changed: Condvar,
}

impl Alarm {
    pub fn wake(&self) {
        *lock(&self.is_set) = true;
        self.changed.notify_all();
    }

    /// Sleeps so long, or until the alarm is set; it is not set afterwards.
    pub fn sleep(&self, duration: Duration) {
        wait_until(&self.changed, &self.is_set, duration, |is_set| *is_set);
        *lock(&self.is_set) = false;
    }
}
