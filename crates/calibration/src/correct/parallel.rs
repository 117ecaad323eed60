//! Work on several processors.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Threads that work at once, at most: more would wait for memory.
const MOST_THREADS: usize = 8;

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
        for _ in 1..threads {
            // Where no thread can be started, the others do all.
            let _ = thread::Builder::new().spawn_scoped(scope, work_off);
        }
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
}
