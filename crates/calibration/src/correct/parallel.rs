//! Work on several processors.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Threads that work at once, at most: more would wait for memory.
const MOST_THREADS: usize = 8;

/// The results of two functions, which run at once.
pub(super) fn both<A: Send, B>(
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B,
) -> (A, B) {
    thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        (one.join().unwrap_or_else(|panic| resume_unwind(panic)), other)
    })
}

/// Calls a function for each of the jobs, on as many threads as there are processors.
pub(super) fn for_each<T: Send>(jobs: Vec<T>, work: impl Fn(T) + Sync) {
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = processors.min(MOST_THREADS).min(jobs.len());
    let jobs = Mutex::new(jobs.into_iter());
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work_off = || {
        while let Some(job) = next() {
            work(job);
        }
    };
    thread::scope(|scope| {
        (1..threads).for_each(|_| {
            scope.spawn(work_off);
        });
        work_off();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn each_job_is_done_once() {
        for jobs in [0, 1, 2, 1000] {
            let sum = AtomicU64::new(0);
            for_each((0..jobs).collect(), |job| {
                sum.fetch_add(job + 1, Ordering::Relaxed);
            });
            assert_eq!(sum.into_inner(), jobs * (jobs + 1) / 2);
        }
    }

    #[test]
    fn both_results_are_returned() {
        assert_eq!(both(|| 1, || "two"), (1, "two"));
    }
}
