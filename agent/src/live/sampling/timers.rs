//! The timers of the process's threads.

use crate::ffi::sampling::ThreadTimer;
use rustix::io::Errno;
use std::collections::HashMap;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::time::{Duration, Instant};

/// A thread's running time between two of its samples.
pub const PERIOD: Duration = Duration::from_millis(2);
/// The most timers.
const MOST: usize = 4096;
/// For how long a thread has no timer that the JVM did not know: the JVM's own threads cost
/// little then, and one that attaches later is sampled.
const REST: Duration = Duration::from_secs(1);
/// The names of HotSpot's compilers, as the kernel cuts them: the JVM knows these threads, but they
/// run no Java code.
const COMPILERS: [&str; 2] = ["C1 CompilerThre", "C2 CompilerThre"];

/// The timers of the process's threads, by the kernel's ids.
#[derive(Default)]
pub struct Timers {
    threads: HashMap<u32, State>,
    /// Where in the period first signals come, so that threads are not in step.
    offsets: RandomState,
}

enum State {
    Timer(#[expect(dead_code, reason = "held until the thread is gone")] ThreadTimer),
    /// Without a timer until then.
    Rests(Instant),
    /// Without a timer.
    Never,
}

impl Timers {
    /// Gives all threads a timer that have none, but for `own`, and deletes those of threads that
    /// are gone.
    ///
    /// # Errors
    /// Fails if /proc does not show the threads, or if the kernel refuses a timer for another
    /// reason than that the thread is gone. Other threads may have theirs.
    pub fn arm(&mut self, own: u32) -> io::Result<()> {
        let listed = threads()?;
        self.threads.retain(|thread, _| listed.binary_search(thread).is_ok());
        let now = Instant::now();
        for thread in listed {
            match self.threads.get(&thread) {
                None if self.threads.len() >= MOST => break,
                None => {}
                Some(State::Rests(until)) if *until <= now => {}
                Some(_) => continue,
            }
            let state = if thread == own || is_compiler(thread) {
                State::Never
            } else {
                match ThreadTimer::start(thread, self.offset(thread), PERIOD) {
                    Ok(timer) => State::Timer(timer),
                    Err(error) if is_gone(&error) => continue,
                    Err(error) => return Err(error),
                }
            };
            self.threads.insert(thread, state);
        }
        Ok(())
    }

    /// Whether a thread has a timer.
    pub fn has_any(&self) -> bool {
        self.threads.values().any(|state| matches!(state, State::Timer(_)))
    }

    /// Deletes a thread's timer for some time.
    pub fn rest(&mut self, thread: u32) {
        if let Some(state) = self.threads.get_mut(&thread) {
            *state = State::Rests(Instant::now() + REST);
        }
    }

    /// Deletes all timers.
    pub fn clear(&mut self) {
        self.threads.clear();
    }

    /// A part of the period, never zero.
    fn offset(&self, thread: u32) -> Duration {
        let period = PERIOD.as_nanos() as u64;
        Duration::from_nanos(self.offsets.hash_one(thread) % period + 1)
    }
}

/// The process's threads, in order.
fn threads() -> io::Result<Vec<u32>> {
    let names = fs::read_dir("/proc/self/task")?;
    let mut threads: Vec<u32> =
        names.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect();
    threads.sort_unstable();
    Ok(threads)
}

fn is_compiler(thread: u32) -> bool {
    let name = fs::read_to_string(format!("/proc/self/task/{thread}/comm"));
    name.is_ok_and(|name| COMPILERS.contains(&name.trim_end()))
}

fn is_gone(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::INVAL | Errno::SRCH))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_lie_in_the_period() {
        let timers = Timers::default();
        assert!(
            (0..100)
                .map(|thread| timers.offset(thread))
                .all(|offset| { !offset.is_zero() && offset <= PERIOD })
        );
    }

    #[test]
    fn threads_are_listed_in_order() {
        let listed = threads().unwrap();
        assert!(listed.is_sorted());
        assert!(listed.contains(&rustix::thread::gettid().as_raw_nonzero().get().cast_unsigned()));
    }
}
