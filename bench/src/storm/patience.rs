//! How long a round is waited for.

use std::{
    fs, thread,
    time::{Duration, Instant},
};

/// After this a round has hung, where the machine has nothing else to do: a stopped collector may
/// cost a thread 10 s.
const HANG: Duration = Duration::from_secs(150);

/// The patience of one round.
#[derive(Clone, Copy, Debug)]
pub struct Patience(Instant);

impl Patience {
    pub fn new() -> Self {
        Self(Instant::now())
    }

    /// Whether the round has hung. With more processes that want to run than processors, all takes
    /// so many times as long.
    pub fn over(self) -> bool {
        let waited = self.0.elapsed();
        waited > HANG && waited > HANG.mul_f64(load().max(1.0))
    }
}

/// Processes that wanted to run in the last minute, by processor.
fn load() -> f64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let running: f64 = text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
    running / thread::available_parallelism().map_or(1.0, |count| count.get() as f64)
}
