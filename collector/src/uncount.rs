//! Uncounting: the hottest counted methods get their own bytes back, if the user allows it.

use jfathom_plan::MethodId;
use jfathom_profile::Builder;
use jfathom_trace::{SessionFile, layout};
use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};

/// A counted method with more calls per second on all threads is hot. A counted call takes 1 to 3
/// ns, so counting such a method takes 1 to 3 % of a processor, or more.
const HOT_RATE: f64 = 1e7;
/// A method is uncounted when it has been hot for so long in a row: a burst is not worth a
/// retransformation, which stops all threads and throws compiled code away.
const HOT_TIME: Duration = Duration::from_secs(1);
/// Time between two requests, at least: methods that become hot meanwhile share a batch.
const REQUEST_PERIOD: Duration = Duration::from_secs(1);
/// Time between two looks at the counts, at least: a few of them make up [`HOT_TIME`].
const PERIOD: Duration = Duration::from_millis(250);
/// The time between two looks is at least this many times the duration of the first.
const SHARE: u32 = 50;

/// Chooses the methods of one JVM that are uncounted, on its draining thread.
#[derive(Debug)]
pub(crate) struct Uncounter {
    rates: Rates,
    chosen: HashSet<MethodId>,
    /// Methods that the agent was requested to restore.
    requested: u32,
    last_request: Option<Instant>,
    last: Instant,
    took: Duration,
}

/// Calls of each method at the last look, and for how long it has been hot.
#[derive(Debug, Default)]
struct Rates {
    calls: HashMap<MethodId, u64>,
    hot: HashMap<MethodId, Duration>,
}

impl Default for Uncounter {
    fn default() -> Self {
        Self {
            rates: Rates::default(),
            chosen: HashSet::new(),
            requested: 0,
            last_request: None,
            last: Instant::now(),
            took: Duration::ZERO,
        }
    }
}

impl Uncounter {
    /// Compares the counts with those of the last look, if it is time for another. Requests the
    /// agent to restore the methods that have been hot for long enough.
    pub fn look_if_due(&mut self, file: &mut SessionFile, builder: &Builder) {
        let elapsed = self.last.elapsed();
        if elapsed < PERIOD.max(self.took.saturating_mul(SHARE)) {
            return;
        }
        let begun = Instant::now();
        let counted = file.all_counts().into_iter().map(|(id, counter)| (id, counter.calls()));
        self.rates.add_window(elapsed, builder.counted_calls().chain(counted));
        if self.last_request.is_none_or(|at| at.elapsed() >= REQUEST_PERIOD) {
            self.request(file);
        }
        self.last = Instant::now();
        self.took = self.last - begun;
    }

    fn request(&mut self, file: &SessionFile) {
        let is_counted = |id: &MethodId| {
            file.mode(*id) == Some(layout::MODE_COUNT as u8) && !file.has_stack_walks(*id)
        };
        let new = self.rates.hot_for(HOT_TIME).filter(|id| !self.chosen.contains(id));
        let mut new: Vec<MethodId> = new.filter(is_counted).collect();
        if new.is_empty() {
            return;
        }
        new.sort_unstable();
        self.requested = file.request_uncounted(self.requested, &new);
        self.chosen.extend(new);
        self.last_request = Some(Instant::now());
    }
}

impl Rates {
    /// Adds a window of time. `calls` has each method's calls so far, in any number of parts.
    fn add_window(&mut self, elapsed: Duration, calls: impl Iterator<Item = (MethodId, u64)>) {
        let mut sums: HashMap<MethodId, u64> = HashMap::new();
        for (id, calls) in calls {
            let sum = sums.entry(id).or_default();
            *sum = sum.saturating_add(calls);
        }
        let least = HOT_RATE * elapsed.as_secs_f64();
        let before = std::mem::replace(&mut self.calls, sums);
        let hot = std::mem::take(&mut self.hot);
        for (id, calls) in &self.calls {
            // A record and its counter, which is set to zero later, may both be there for a moment.
            let new = calls.saturating_sub(before.get(id).copied().unwrap_or_default());
            if new as f64 >= least {
                let so_far = hot.get(id).copied().unwrap_or_default();
                self.hot.insert(*id, so_far.saturating_add(elapsed));
            }
        }
    }

    /// The methods that have been hot for so long without a break.
    fn hot_for(&self, time: Duration) -> impl Iterator<Item = MethodId> {
        self.hot.iter().filter(move |(_, hot)| **hot >= time).map(|(id, _)| *id)
    }
}

#[cfg(test)]
mod tests;
