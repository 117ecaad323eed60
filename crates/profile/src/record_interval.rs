//! Record intervals: times between neighbouring records of a thread, by the kinds of both records.
//!
//! An interval is probe cost plus what the program did in between. If the program did next to
//! nothing in many intervals of one kind, their shortest times are the probe cost inside the
//! program: with its caches, branch predictors and compiled code, which no calibration loop has.

use jfathom_trace::layout as l;
use jfathom_trace::record::{TIME_MASK, time_bits, type_of};
use serde::{Deserialize, Serialize};

use crate::{TickRate, Ticks};

/// Kind of a timed record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum RecordKind {
    /// An entry.
    Entry,
    /// An exit by return.
    Return,
    /// An exit by exception.
    Throw,
}

impl RecordKind {
    /// All kinds, in the order of the profile file.
    pub const ALL: [Self; 3] = [Self::Entry, Self::Return, Self::Throw];
}

/// A random subset of the times from a record of kind `from` to the next record of the thread, of
/// kind `to`. Whether a time is chosen does not depend on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordIntervals {
    /// Kind of the first record.
    pub from: RecordKind,
    /// Kind of the second record.
    pub to: RecordKind,
    /// The shortest time.
    pub min: Ticks,
    /// [`bucket`] and number of times in it; ascending, without empty buckets.
    buckets: Vec<(u16, u64)>,
}

/// Number of buckets: one per tick up to [`FINE`], then [`FINE`] per doubling. The last one has all
/// times from 2¹⁹ ticks on.
const BUCKETS: usize = 256;
const FINE: u64 = 16;

/// The bucket of a time.
fn bucket(ticks: u64) -> usize {
    if ticks < FINE {
        return ticks as usize;
    }
    let doubling = u64::from(ticks.ilog2() - FINE.ilog2());
    let within = (ticks >> doubling) - FINE;
    ((FINE + doubling * FINE + within) as usize).min(BUCKETS - 1)
}

/// The first time of a bucket, in ticks.
fn start_of(bucket: u16) -> f64 {
    let (doubling, within) =
        ((u64::from(bucket) / FINE).saturating_sub(1), u64::from(bucket) % FINE);
    match u64::from(bucket) < FINE {
        true => f64::from(bucket),
        false => ((FINE + within) << doubling.min(40)) as f64,
    }
}

impl RecordIntervals {
    /// Number of times.
    pub fn count(&self) -> u64 {
        self.buckets.iter().map(|(_, count)| *count).fold(0, u64::saturating_add)
    }

    /// The quantile (0 to 1) of the times, in ns, to about 3 %. 0 without times.
    pub fn quantile(&self, quantile: f64, rate: TickRate) -> f64 {
        self.quantile_between(quantile, 0.0, f64::INFINITY, rate)
    }

    /// The median without the longest tenth, in ns. The longest times are the program's, not the
    /// probes'.
    pub fn trimmed_median(&self, rate: TickRate) -> f64 {
        self.quantile(0.45, rate)
    }

    /// Share of the times (0 to 1) that lie between two times in ns.
    pub fn share_between(&self, low: f64, high: f64, rate: TickRate) -> f64 {
        let inside: f64 = self.within(low, high, rate).map(|(_, _, count)| count).sum();
        inside / (self.count() as f64).max(1.0)
    }

    /// [`RecordIntervals::quantile`] of the times between `low` and `high` ns.
    pub(crate) fn quantile_between(
        &self,
        quantile: f64,
        low: f64,
        high: f64,
        rate: TickRate,
    ) -> f64 {
        let inside: f64 = self.within(low, high, rate).map(|(_, _, count)| count).sum();
        let mut left = inside * quantile.clamp(0.0, 1.0);
        let mut last = 0.0;
        for (start, end, count) in self.within(low, high, rate) {
            if left <= count {
                return start + (end - start) * (left / count);
            }
            left -= count;
            last = end;
        }
        last
    }

    /// The mean, in ns, of the times between `low` and `high` ns. 0 without such times.
    pub fn mean_between(&self, low: f64, high: f64, rate: TickRate) -> f64 {
        let (mut sum, mut inside) = (0.0, 0.0);
        for (start, end, count) in self.within(low, high, rate) {
            sum += (start + end) / 2.0 * count;
            inside += count;
        }
        if inside > 0.0 { sum / inside } else { 0.0 }
    }

    /// The parts of buckets between two times in ns: start and end in ns, and number of times. The
    /// times of a bucket count as spread evenly.
    fn within(&self, low: f64, high: f64, rate: TickRate) -> impl Iterator<Item = (f64, f64, f64)> {
        let nanos = 1e9 / rate.hz() as f64;
        self.buckets.iter().filter_map(move |(bucket, count)| {
            // A time of n ticks means anything from half a tick below to half a tick above.
            let start = (start_of(*bucket) - 0.5).max(0.0) * nanos;
            let end = (start_of(bucket + 1) - 0.5) * nanos;
            let (from, to) = (start.max(low), end.min(high));
            (from < to).then(|| (from, to, *count as f64 * (to - from) / (end - start)))
        })
    }

    pub(crate) fn is_valid(&self) -> bool {
        let ascending = self.buckets.windows(2).all(|pair| pair[0].0 < pair[1].0);
        ascending
            && self
                .buckets
                .iter()
                .all(|(bucket, count)| usize::from(*bucket) < BUCKETS && *count > 0)
    }
}

/// Records per window of neighbours whose intervals are kept.
const WINDOW: usize = 48;
/// Average number of records between the ends of two windows.
const PERIOD: u64 = 2048;

/// Keeps the intervals of randomly placed windows of records.
#[derive(Clone, Debug)]
pub(crate) struct IntervalReservoir {
    /// Times per bucket, by [`kind_pair`].
    counts: Vec<[u64; BUCKETS]>,
    /// Shortest time in ticks, by [`kind_pair`].
    shortest: [u64; KIND_PAIRS],
    /// Records until the next window.
    skip: usize,
    random: u64,
}

/// Number of pairs of [`RecordKind`]s.
const KIND_PAIRS: usize = 9;

/// Index of a pair of [`RecordKind`]s, each by its place in [`RecordKind::ALL`].
const fn kind_pair(from: usize, to: usize) -> usize {
    from * 3 + to
}

impl Default for IntervalReservoir {
    fn default() -> Self {
        let counts = vec![[0; BUCKETS]; KIND_PAIRS];
        Self { counts, shortest: [u64::MAX; KIND_PAIRS], skip: 0, random: 0x9e37_79b9_7f4a_7c15 }
    }
}

impl IntervalReservoir {
    /// Observes neighbouring records of one thread.
    #[inline]
    pub fn observe(&mut self, words: &[u64]) {
        if self.skip >= words.len() {
            self.skip -= words.len();
            return;
        }
        self.observe_windows(words);
    }

    #[inline(never)]
    fn observe_windows(&mut self, words: &[u64]) {
        if words.len() < 2 {
            return;
        }
        let mut at = self.skip;
        while at < words.len() {
            let window = &words[at..words.len().min(at + WINDOW)];
            for pair in window.windows(2) {
                self.add(pair[0], pair[1]);
            }
            // Random distances, so that windows keep no step with a period of the program.
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            at += WINDOW + PERIOD as usize / 2 + (self.random % PERIOD) as usize;
        }
        self.skip = at - words.len();
    }

    fn add(&mut self, first: u64, second: u64) {
        let (from, to) = (type_of(first), type_of(second));
        if from == l::TYPE_ESCAPE || to == l::TYPE_ESCAPE {
            return;
        }
        let ticks = time_bits(second).wrapping_sub(time_bits(first)) & TIME_MASK;
        let pair = kind_pair((from - l::TYPE_ENTRY) as usize, (to - l::TYPE_ENTRY) as usize);
        if let (Some(counts), Some(shortest)) =
            (self.counts.get_mut(pair), self.shortest.get_mut(pair))
        {
            counts[bucket(ticks)] += 1;
            *shortest = ticks.min(*shortest);
        }
    }

    /// The kept intervals, without empty pairs of kinds.
    pub fn record_intervals(&self) -> Vec<RecordIntervals> {
        let pairs =
            RecordKind::ALL.into_iter().flat_map(|from| RecordKind::ALL.map(|to| (from, to)));
        let all = pairs.zip(self.counts.iter().zip(&self.shortest)).map(
            |((from, to), (counts, shortest))| {
                let buckets = (0..)
                    .zip(counts)
                    .filter(|(_, count)| **count > 0)
                    .map(|(bucket, count)| (bucket, *count));
                RecordIntervals { from, to, min: Ticks(*shortest), buckets: buckets.collect() }
            },
        );
        all.filter(|intervals| !intervals.buckets.is_empty()).collect()
    }

    /// Distance to the next window, and state of the random numbers: with
    /// [`IntervalReservoir::record_intervals`] the whole state.
    pub fn position(&self) -> (u64, u64) {
        (self.skip as u64, self.random)
    }

    /// Continues from a saved state.
    pub fn resume(record_intervals: &[RecordIntervals], (skip, random): (u64, u64)) -> Self {
        let skip = skip.min(2 * PERIOD) as usize;
        let mut reservoir = Self { skip, random: random.max(1), ..Self::default() };
        for intervals in record_intervals {
            let pair = kind_pair(intervals.from as usize, intervals.to as usize);
            reservoir.shortest[pair] = intervals.min.0;
            for (bucket, count) in &intervals.buckets {
                reservoir.counts[pair][usize::from(*bucket)] = *count;
            }
        }
        reservoir
    }
}

#[cfg(test)]
mod tests;
