//! The clock of sessions, as callbacks and signal handlers may read it: without locks and
//! allocations.

use std::sync::atomic::{AtomicU32, Ordering};

/// The clock of sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionClock {
    /// `System.nanoTime`: CLOCK_MONOTONIC, in nanoseconds.
    NanoTime,
    /// The processor's counter, in ticks.
    Counter,
}

impl SessionClock {
    /// The clock's value now; none if it cannot be read.
    pub fn now(self) -> Option<u64> {
        match self {
            Self::NanoTime => monotonic_nanos(),
            Self::Counter => jfathom_clock::now().map(i64::cast_unsigned),
        }
    }
}

fn monotonic_nanos() -> Option<u64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel writes the structure, which is ours.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    let nanos = time.tv_sec.wrapping_mul(1_000_000_000).wrapping_add(time.tv_nsec);
    (result == 0).then_some(nanos.cast_unsigned())
}

/// Which clock a session's callbacks read.
pub struct ChosenClock(
    /// [`OFF`], [`NANO_TIME`] or [`COUNTER`]. Written by the threads that begin and end sessions.
    AtomicU32,
);

const OFF: u32 = 0;
const NANO_TIME: u32 = 1;
const COUNTER: u32 = 2;

impl ChosenClock {
    /// None.
    pub const fn new() -> Self {
        Self(AtomicU32::new(OFF))
    }

    /// Chooses a clock.
    pub fn set(&self, clock: SessionClock) {
        let number = match clock {
            SessionClock::NanoTime => NANO_TIME,
            SessionClock::Counter => COUNTER,
        };
        self.0.store(number, Ordering::Release);
    }

    /// Chooses none. Returns whether one was chosen.
    pub fn clear(&self) -> bool {
        self.0.swap(OFF, Ordering::AcqRel) != OFF
    }

    /// The chosen clock's value now.
    pub fn now(&self) -> Option<u64> {
        let clock = match self.0.load(Ordering::Acquire) {
            NANO_TIME => SessionClock::NanoTime,
            COUNTER => SessionClock::Counter,
            _ => return None,
        };
        clock.now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chosen_clock_runs() {
        let chosen = ChosenClock::new();
        assert!(chosen.now().is_none() && !chosen.clear());
        for clock in [SessionClock::NanoTime, SessionClock::Counter] {
            if clock.now().is_some() {
                chosen.set(clock);
                let before = chosen.now().unwrap();
                assert!(clock.now().unwrap() >= before);
                assert!(chosen.clear());
            }
        }
    }
}
