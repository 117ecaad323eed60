//! How long single calls took: histograms by call path.

use jfathom_plan::Problem;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::{Activation, Frame, MethodIx, Ticks};

/// The ended calls of one call path, on all threads, by how long they took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latency {
    /// The call path below the thread, outermost frame first.
    pub path: Vec<Frame>,
    /// The calls.
    pub calls: Durations,
}

/// A histogram of durations. A bucket is at most a 128th of its durations wide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Durations {
    /// The longest duration, exactly.
    longest: Ticks,
    /// Buckets with calls, ascending by duration.
    buckets: Vec<Bucket>,
}

/// The calls whose durations fall into one bucket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bucket {
    /// The longest duration of the bucket.
    pub upper: Ticks,
    /// Calls, at least one.
    pub calls: u64,
    /// Records that these calls caused on their threads: from after each one's entry to its exit.
    /// Each record took some of the call's time.
    pub records: u64,
}

impl Durations {
    /// A histogram of these buckets, in any order.
    pub fn new(longest: Ticks, mut buckets: Vec<Bucket>) -> Self {
        buckets.retain(|bucket| bucket.calls != 0);
        buckets.sort_unstable_by_key(|bucket| bucket.upper);
        buckets.dedup_by(|later, kept| {
            let is_same = later.upper == kept.upper;
            if is_same {
                kept.calls = kept.calls.saturating_add(later.calls);
                kept.records = kept.records.saturating_add(later.records);
            }
            is_same
        });
        Self { longest, buckets }
    }

    /// A histogram as it is, for tests of what is refused.
    #[cfg(test)]
    pub(crate) fn unchecked(longest: Ticks, buckets: Vec<Bucket>) -> Self {
        Self { longest, buckets }
    }

    /// The longest duration.
    pub fn longest(&self) -> Ticks {
        self.longest
    }

    /// Buckets with calls, ascending by duration.
    pub fn buckets(&self) -> &[Bucket] {
        &self.buckets
    }

    /// Ended calls.
    pub fn count(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.calls).fold(0, u64::saturating_add)
    }

    /// Records of all calls.
    pub fn records(&self) -> u64 {
        self.buckets.iter().map(|bucket| bucket.records).fold(0, u64::saturating_add)
    }

    /// The bucket of the shortest duration that at least this share of the calls does not exceed:
    /// the quantile by the nearest rank. None without calls.
    pub fn quantile(&self, share: f64) -> Option<Bucket> {
        // Counts beyond 2^53 lose digits here, which no bucket shows.
        let rank = (self.count() as f64 * share.clamp(0.0, 1.0)).ceil().max(1.0);
        let mut below = 0_u64;
        let found = self.buckets.iter().find(|bucket| {
            below = below.saturating_add(bucket.calls);
            below as f64 >= rank
        });
        let bucket = *found.or(self.buckets.last())?;
        Some(Bucket { upper: bucket.upper.min(self.longest), ..bucket })
    }

    /// The calls of both.
    pub fn plus(mut self, other: Self) -> Self {
        self.buckets.extend(other.buckets);
        Self::new(self.longest.max(other.longest), self.buckets)
    }

    /// The same calls by another clock.
    pub fn converted(&self, convert: impl Fn(Ticks) -> Ticks) -> Self {
        let bucket = |of: &Bucket| Bucket { upper: convert(of.upper), ..*of };
        Self::new(convert(self.longest), self.buckets.iter().map(bucket).collect())
    }

    /// Whether buckets ascend and have calls, and the longest duration lies in the last one.
    pub(crate) fn is_valid(&self) -> bool {
        let ascends = self.buckets.is_sorted_by(|one, next| one.upper < next.upper);
        let fits = self.buckets.last().is_some_and(|last| self.longest <= last.upper);
        ascends && fits && self.buckets.iter().all(|bucket| bucket.calls != 0)
    }
}

/// How long calls took, by call path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latencies {
    /// Those of call paths whose calls were watched, each path once.
    pub paths: Vec<Latency>,
    /// Nodes that should have been watched, for which there was no room.
    pub unwatched: u64,
    /// Calls that root sampling left out, by root, each root once. They are among `paths`, and in
    /// no tree.
    pub unsampled: Vec<UnsampledCalls>,
    /// The slowest calls of each path, slowest first, if they were kept.
    pub slowest: Vec<Activation>,
    /// How many of the slowest calls of each path are kept at most; zero if that is not known.
    pub most_slowest: usize,
    /// Further calls among the slowest that are not in `slowest`, as there was no room for their
    /// records.
    pub slowest_without_spans: u64,
}

/// Outermost calls of a root that root sampling left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnsampledCalls {
    /// The root.
    pub method: MethodIx,
    /// The calls.
    pub calls: u64,
    /// Their time as measured: what probes outside cost is in it.
    pub time: Ticks,
}

impl Latencies {
    /// What contradicts itself or a profile with so many methods and threads.
    pub(crate) fn check(&self, methods: usize, threads: usize) -> Result<(), Problem> {
        let is_method = |frame: &Frame| match frame {
            Frame::Method(method) | Frame::Task(method) => (method.0 as usize) < methods,
            Frame::Thread(_) => false,
        };
        let is_sound = |of: &Latency| {
            !of.path.is_empty() && of.path.iter().all(is_method) && of.calls.is_valid()
        };
        if !self.paths.iter().all(is_sound) {
            return Err("a latency whose path or buckets do not fit".into());
        }
        if let Some(of) = self.unsampled.iter().find(|of| of.method.0 as usize >= methods) {
            return Err(
                format!("unsampled calls of method {}, which is not there", of.method.0).into()
            );
        }
        self.slowest.iter().try_for_each(|call| call.check(methods, threads))
    }

    /// Adds the calls of others, those with equal call paths together. Of the slowest calls of each
    /// path as many are kept as the one with more of them keeps.
    pub fn add(&mut self, others: Self) {
        let paths = std::mem::take(&mut self.paths);
        self.paths = sum_latencies(paths.into_iter().chain(others.paths));
        self.unwatched = self.unwatched.saturating_add(others.unwatched);
        self.add_unsampled(others.unsampled);
        self.slowest.extend(others.slowest);
        self.slowest.sort_by_key(|of| std::cmp::Reverse(of.duration));
        self.most_slowest = self.most_slowest.max(others.most_slowest);
        self.slowest_without_spans =
            self.slowest_without_spans.saturating_add(others.slowest_without_spans);
        self.drop_faster();
    }

    /// Keeps the [`Latencies::most_slowest`] slowest calls of each path.
    fn drop_faster(&mut self) {
        if self.most_slowest == 0 {
            return;
        }
        let mut counts: HashMap<Vec<Frame>, usize> = HashMap::new();
        let most = self.most_slowest;
        self.slowest.retain(|of| match counts.get_mut(&of.path) {
            Some(count) => {
                *count += 1;
                *count <= most
            }
            None => {
                counts.insert(of.path.clone(), 1);
                true
            }
        });
    }

    fn add_unsampled(&mut self, others: Vec<UnsampledCalls>) {
        let mut places: HashMap<MethodIx, usize> =
            self.unsampled.iter().zip(0..).map(|(of, at)| (of.method, at)).collect();
        for of in others {
            let next = self.unsampled.len();
            let place = *places.entry(of.method).or_insert(next);
            match self.unsampled.get_mut(place) {
                Some(known) => {
                    known.calls = known.calls.saturating_add(of.calls);
                    known.time += of.time;
                }
                None => self.unsampled.push(of),
            }
        }
    }

    /// The same calls with other frames, by another clock. Call paths that become equal are one.
    pub fn mapped(&self, frame: impl Fn(Frame) -> Frame, convert: impl Fn(Ticks) -> Ticks) -> Self {
        let paths = self.paths.iter().map(|of| Latency {
            path: of.path.iter().map(|of| frame(*of)).collect(),
            calls: of.calls.converted(&convert),
        });
        let slowest = self.slowest.iter().filter_map(|of| of.mapped(&frame, &convert));
        let mut mapped = Self {
            paths: sum_latencies(paths),
            unwatched: self.unwatched,
            unsampled: Vec::new(),
            slowest: slowest.collect(),
            most_slowest: self.most_slowest,
            slowest_without_spans: self.slowest_without_spans,
        };
        let unsampled =
            self.unsampled.iter().filter_map(|of| match frame(Frame::Method(of.method)) {
                Frame::Method(method) => {
                    Some(UnsampledCalls { method, time: convert(of.time), ..*of })
                }
                Frame::Thread(_) | Frame::Task(_) => None,
            });
        mapped.add_unsampled(unsampled.collect());
        mapped
    }
}

/// The calls of all, those with equal call paths together, in the order in which paths are met.
pub(crate) fn sum_latencies(latencies: impl IntoIterator<Item = Latency>) -> Vec<Latency> {
    let mut sums: Vec<Latency> = Vec::new();
    let mut places: HashMap<Vec<Frame>, usize> = HashMap::new();
    for latency in latencies {
        match places.get(&latency.path) {
            Some(place) => {
                let sum = &mut sums[*place].calls;
                *sum = std::mem::take(sum).plus(latency.calls);
            }
            None => {
                places.insert(latency.path.clone(), sums.len());
                sums.push(latency);
            }
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(upper: u64, calls: u64, records: u64) -> Bucket {
        Bucket { upper: Ticks(upper), calls, records }
    }

    fn durations(buckets: &[(u64, u64, u64)]) -> Durations {
        let longest = buckets.iter().map(|bucket| bucket.0).max().unwrap_or_default();
        let buckets =
            buckets.iter().map(|(upper, calls, records)| bucket(*upper, *calls, *records));
        Durations::new(Ticks(longest), buckets.collect())
    }

    #[test]
    fn quantiles_are_of_the_nearest_rank() {
        let calls = durations(&[(10, 98, 98), (200, 1, 7), (50, 1, 3)]);
        let at = |share| calls.quantile(share).map(|bucket| bucket.upper.0);
        assert_eq!(
            [0.0, 0.5, 0.98, 0.981, 0.99, 0.991, 1.0].map(at),
            [10, 10, 10, 50, 50, 200, 200].map(Some)
        );
        assert_eq!(Durations::default().quantile(0.5), None);
    }

    #[test]
    fn the_longest_duration_bounds_quantiles() {
        let calls = Durations::new(Ticks(130), vec![bucket(131, 1, 1)]);
        assert_eq!(calls.quantile(0.5).map(|bucket| bucket.upper), Some(Ticks(130)));
    }

    #[test]
    fn sums_have_the_calls_of_both() {
        let sum = durations(&[(10, 1, 1), (30, 2, 2)]).plus(durations(&[(20, 4, 4), (30, 8, 8)]));
        assert_eq!(sum, durations(&[(10, 1, 1), (20, 4, 4), (30, 10, 10)]));
        assert_eq!((sum.count(), sum.records()), (15, 15));
    }

    #[test]
    fn sums_keep_as_many_slowest_calls_of_each_path_as_one_does() {
        let call = |method: u32, duration: u64| Activation {
            path: vec![Frame::Method(MethodIx(method))],
            thread: crate::ThreadIx(0),
            thread_id: 1,
            began: Ticks(0),
            duration: Ticks(duration),
            records: 1,
            left_out: 0,
            hand_offs: crate::HandOffs::default(),
            events: Vec::new(),
            spans: Vec::new(),
        };
        let kept = |slowest: Vec<Activation>, most_slowest| Latencies {
            slowest,
            most_slowest,
            ..Latencies::default()
        };
        let shown = |sum: &Latencies| -> Vec<(Frame, u64)> {
            sum.slowest.iter().map(|of| (of.path[0], of.duration.0)).collect()
        };
        let method = |method| Frame::Method(MethodIx(method));
        let mut sum = kept(vec![call(1, 50), call(1, 30)], 2);
        sum.add(kept(vec![call(2, 45), call(1, 40), call(1, 35)], 2));
        assert_eq!(shown(&sum), [(method(1), 50), (method(2), 45), (method(1), 40)]);
        // Without a number all are kept.
        let mut sum = kept(vec![call(1, 50)], 0);
        sum.add(kept(vec![call(1, 40)], 0));
        assert_eq!(sum.slowest.len(), 2);
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        let checked = |path: &[u32], upper: &[u64]| {
            let buckets = upper.iter().map(|upper| bucket(*upper, 1, 1)).collect();
            let path = path.iter().map(|of| Frame::Method(MethodIx(*of))).collect();
            let calls = Durations::unchecked(Ticks(5), buckets);
            Latencies { paths: vec![Latency { path, calls }], ..Latencies::default() }.check(2, 1)
        };
        assert_eq!(checked(&[1], &[2, 9]), Ok(()));
        for (path, upper) in
            [(&[2][..], &[9][..]), (&[], &[9]), (&[1], &[]), (&[1], &[9, 9]), (&[1], &[4])]
        {
            assert!(checked(path, upper).is_err(), "{path:?} {upper:?}");
        }
    }

    #[test]
    fn equal_call_paths_are_summed() {
        let latency = |method: u32, upper: u64| Latency {
            path: vec![Frame::Method(MethodIx(method))],
            calls: durations(&[(upper, 1, 1)]),
        };
        let sums = sum_latencies([latency(2, 10), latency(1, 20), latency(2, 30)]);
        assert_eq!(sums.len(), 2);
        assert_eq!(sums[0].calls, durations(&[(10, 1, 1), (30, 1, 1)]));
        assert_eq!(sums[1].calls, durations(&[(20, 1, 1)]));
    }
}
