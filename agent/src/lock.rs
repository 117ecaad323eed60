//! Locks whose poison is ignored, since the border to the JVM catches our panics, and what the
//! locks hold changes in single steps; and the alarm that ends a sleep.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until `done`, or until the timeout. Returns whether it is done.
pub fn wait_until<T>(
    changed: &Condvar,
    mutex: &Mutex<T>,
    timeout: Duration,
    mut done: impl FnMut(&T) -> bool,
) -> bool {
    let end = Instant::now() + timeout;
    let mut held = lock(mutex);
    loop {
        if done(&held) {
            return true;
        }
        let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
        else {
            return false;
        };
        held = changed.wait_timeout(held, left).unwrap_or_else(PoisonError::into_inner).0;
    }
}

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
