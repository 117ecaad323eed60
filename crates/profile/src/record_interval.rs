//! Times between neighbouring records, by the kinds of the two: what the probes cost within the
//! program itself.
//!
//! Between two records lies some of the probes' cost and whatever the program did. Where a class of
//! transitions has many that did next to nothing, the low part of its distribution is the probes'
//! cost in place: with the caches, the branch predictors and the compiled code of the real program,
//! which no calibration loop has.

use jfathom_trace::layout as l;
use jfathom_trace::record::{TIME_MASK, time_bits, type_of};
use serde::{Deserialize, Serialize};

use crate::{TickRate, Ticks};

/// A timed record, as one end of a transition.
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
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Entry, Self::Return, Self::Throw];
}

/// The times between neighbouring records of one thread, the first of kind `from` and the second of
/// kind `to`. A sample: some of the transitions, chosen without regard to their times.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordIntervals {
    /// The first record.
    pub from: RecordKind,
    /// The second.
    pub to: RecordKind,
    /// The shortest time.
    pub min: Ticks,
    /// How many of the times lie in which [`bucket`]; buckets in ascending order, none empty.
    buckets: Vec<(u16, u64)>,
}

/// Number of buckets: one a tick up to 16, then 16 to each doubling; the last holds all from 2¹⁹
/// ticks on.
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
    /// Transitions in the sample.
    pub fn count(&self) -> u64 {
        self.buckets.iter().map(|(_, count)| *count).fold(0, u64::saturating_add)
    }

    /// The time in nanoseconds below which the part `quantile` of the sample lies, to about 3 %. 0
    /// without a sample.
    pub fn quantile(&self, quantile: f64, rate: TickRate) -> f64 {
        self.quantile_between(quantile, 0.0, f64::INFINITY, rate)
    }

    /// The median without the longest tenth, in nanoseconds: what the program did for longer is no
    /// cost of probes.
    pub fn trimmed_median(&self, rate: TickRate) -> f64 {
        self.quantile(0.45, rate)
    }

    /// How many of the sample, as a share, lie between two times in nanoseconds.
    pub fn share_between(&self, low: f64, high: f64, rate: TickRate) -> f64 {
        let inside: f64 = self.within(low, high, rate).map(|(_, _, count)| count).sum();
        inside / (self.count() as f64).max(1.0)
    }

    /// [`RecordIntervals::quantile`] of the times between `low` and `high` nanoseconds.
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

    /// The mean of the times between `low` and `high` nanoseconds; 0 where there is none.
    pub fn mean_between(&self, low: f64, high: f64, rate: TickRate) -> f64 {
        let (mut sum, mut inside) = (0.0, 0.0);
        for (start, end, count) in self.within(low, high, rate) {
            sum += (start + end) / 2.0 * count;
            inside += count;
        }
        if inside > 0.0 { sum / inside } else { 0.0 }
    }

    /// The parts of the buckets between two times in nanoseconds: start and end in nanoseconds, and
    /// how many, as if those of a bucket were spread evenly.
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

/// Records of a window that is looked at, ...
const WINDOW: usize = 48;
/// ... and how many records there are to a window, on average.
const PERIOD: u64 = 2048;

/// Takes samples from the records that pass.
#[derive(Clone, Debug)]
pub(crate) struct IntervalReservoir {
    counts: Vec<[u64; BUCKETS]>,
    shortest: [u64; CLASSES],
    /// Records until the next window.
    skip: usize,
    random: u64,
}

const CLASSES: usize = 9;

impl Default for IntervalReservoir {
    fn default() -> Self {
        let counts = vec![[0; BUCKETS]; CLASSES];
        Self { counts, shortest: [u64::MAX; CLASSES], skip: 0, random: 0x9e37_79b9_7f4a_7c15 }
    }
}

impl IntervalReservoir {
    /// Records of one thread pass.
    #[inline]
    pub fn pass(&mut self, words: &[u64]) {
        if self.skip >= words.len() {
            self.skip -= words.len();
            return;
        }
        self.look(words);
    }

    #[inline(never)]
    fn look(&mut self, words: &[u64]) {
        if words.len() < 2 {
            return;
        }
        let mut at = self.skip;
        while at < words.len() {
            let window = &words[at..words.len().min(at + WINDOW)];
            for pair in window.windows(2) {
                self.take(pair[0], pair[1]);
            }
            // Of odd lengths, so that no period of the program is met in step.
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            at += WINDOW + PERIOD as usize / 2 + (self.random % PERIOD) as usize;
        }
        self.skip = at - words.len();
    }

    fn take(&mut self, first: u64, second: u64) {
        let (from, to) = (type_of(first), type_of(second));
        if from == l::TYPE_ESCAPE || to == l::TYPE_ESCAPE {
            return;
        }
        let ticks = time_bits(second).wrapping_sub(time_bits(first)) & TIME_MASK;
        let class = (from - l::TYPE_ENTRY) as usize * 3 + (to - l::TYPE_ENTRY) as usize;
        if let (Some(counts), Some(shortest)) =
            (self.counts.get_mut(class), self.shortest.get_mut(class))
        {
            counts[bucket(ticks)] += 1;
            *shortest = ticks.min(*shortest);
        }
    }

    /// What was taken, classes without a transition left out.
    pub fn sequences(&self) -> Vec<RecordIntervals> {
        let classes =
            RecordKind::ALL.into_iter().flat_map(|from| RecordKind::ALL.map(|to| (from, to)));
        let all = classes.zip(self.counts.iter().zip(&self.shortest)).map(
            |((from, to), (counts, shortest))| {
                let buckets = (0..)
                    .zip(counts)
                    .filter(|(_, count)| **count > 0)
                    .map(|(bucket, count)| (bucket, *count));
                RecordIntervals { from, to, min: Ticks(*shortest), buckets: buckets.collect() }
            },
        );
        all.filter(|sequence| !sequence.buckets.is_empty()).collect()
    }

    /// Where the next sample is taken: with [`Sampler::sequences`] all that there is to know.
    pub fn place(&self) -> (u64, u64) {
        (self.skip as u64, self.random)
    }

    /// Goes on from what was taken before.
    pub fn resume(sequences: &[RecordIntervals], (skip, random): (u64, u64)) -> Self {
        let skip = skip.min(2 * PERIOD) as usize;
        let mut sampler = Self { skip, random: random.max(1), ..Self::default() };
        for sequence in sequences {
            let class = sequence.from as usize * 3 + sequence.to as usize;
            sampler.shortest[class] = sequence.min.0;
            for (bucket, count) in &sequence.buckets {
                sampler.counts[class][usize::from(*bucket)] = *count;
            }
        }
        sampler
    }
}

#[cfg(test)]
mod tests;
