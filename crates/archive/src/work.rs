//! Threads and progress.

use std::fmt;
use std::num::NonZeroUsize;

use crate::{Error, ErrorKind, KeepBudget, Location};

/// Progress of a visit or rewrite, in entries of the outermost container.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Entries done so far.
    pub done: usize,
    /// Entries in all.
    pub total: usize,
}

/// Number of threads, the receiver of progress, and what is kept. The default is all cores, no
/// receiver and nothing.
#[derive(Clone, Copy, Default)]
pub struct Work<'a> {
    /// The number of threads; `None` for one per core. The output does not depend on it.
    pub threads: Option<NonZeroUsize>,
    /// Called after each entry, from any thread, so `done` may come out of order. Should be fast.
    pub progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    /// Keeps inflated classes of jars, but for nested ones, within this budget. `None` keeps none.
    pub keep: Option<&'a KeepBudget>,
}

impl Work<'_> {
    /// Runs `job`, whose parallel iterators use this number of threads.
    pub(crate) fn run<T: Send>(
        &self,
        location: &Location,
        job: impl FnOnce() -> T + Send,
    ) -> Result<T, Error> {
        let Some(threads) = self.threads else { return Ok(job()) };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build();
        match pool {
            Ok(pool) => Ok(pool.install(job)),
            Err(e) => Err(Error::new(location.clone(), ErrorKind::Threads(e.to_string()))),
        }
    }
}

impl fmt::Debug for Work<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let progress = self.progress.map(|_| "Fn(Progress)");
        f.debug_struct("Work")
            .field("threads", &self.threads)
            .field("progress", &progress)
            .field("keep", &self.keep)
            .finish()
    }
}
