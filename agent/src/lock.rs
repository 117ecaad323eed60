//! Locks whose poison is passed over: a panic of ours is caught at the border to the JVM, and what
//! they hold is changed in single steps.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Takes a lock.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until `done`, or so long; whether it is done.
pub fn wait_until<T>(
    changed: &Condvar,
    mutex: &Mutex<T>,
    most: Duration,
    mut done: impl FnMut(&T) -> bool,
) -> bool {
    let end = Instant::now() + most;
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
