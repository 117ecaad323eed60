//! The phase of a session, the threads that are in the middle of it, and whether it has time.

use crate::lock::{lock, wait_until};
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// Phase of a session. Phases only grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Phase {
    /// The session begins: nothing is instrumented so far.
    Starting,
    /// Classes get probes.
    Running,
    /// Classes get their original bytes back.
    Restoring,
    /// All classes are restored.
    Over,
    /// The JVM ends. Its threads run on for a moment and record. Classes stay as they are: JVMTI
    /// takes no further call.
    Ending,
}

impl Phase {
    const ALL: [Self; 5] =
        [Self::Starting, Self::Running, Self::Restoring, Self::Over, Self::Ending];
}

/// The phase, with the threads that rely on it.
#[derive(Debug)]
pub struct PhaseState {
    /// A [`Phase`] as a number. Written by the threads that begin, restore and end the session.
    phase: AtomicU8,
    /// How many load hooks and native methods are in the middle of the session. Written by any
    /// thread.
    visitors: AtomicU32,
}

impl Default for PhaseState {
    fn default() -> Self {
        Self { phase: AtomicU8::new(Phase::Starting as u8), visitors: AtomicU32::new(0) }
    }
}

impl PhaseState {
    pub fn get(&self) -> Phase {
        let phase = usize::from(self.phase.load(Ordering::Acquire));
        Phase::ALL.get(phase).copied().unwrap_or(Phase::Ending)
    }

    /// Goes from one phase to a later one; whether it was `from` before.
    pub fn advance(&self, from: Phase, to: Phase) -> bool {
        let (from, to) = (from as u8, to as u8);
        self.phase.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Takes part in a running session: classes are not restored while the guard lives.
    pub fn enter(&self) -> Option<SessionGuard<'_>> {
        // Counted before the phase is read: whoever restores reads them in the opposite order.
        self.visitors.fetch_add(1, Ordering::AcqRel);
        let guard = SessionGuard(self);
        (self.get() == Phase::Running).then_some(guard)
    }

    /// How many load hooks and native methods are in the middle of the session.
    pub fn visitors(&self) -> u32 {
        self.visitors.load(Ordering::Acquire)
    }
}

/// A load hook or native method in the middle of a running session.
#[derive(Debug)]
pub struct SessionGuard<'s>(&'s PhaseState);

impl Drop for SessionGuard<'_> {
    fn drop(&mut self) {
        self.0.visitors.fetch_sub(1, Ordering::AcqRel);
    }
}

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
