//! What the recorded calls of roots stand for, where root sampling left out others.

use jfathom_profile::{Durations, Frame, MethodIx, Profile};
use std::collections::HashMap;

/// A root of which not all calls are recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampledRoot {
    /// The root.
    pub method: MethodIx,
    /// Its outermost calls, recorded or not.
    pub calls: u64,
    /// Those of them that are recorded, with all below them.
    pub recorded: u64,
    /// What a sum over the recorded calls is multiplied with for all. None without recorded calls.
    pub factor: Option<f64>,
    /// By how much the root's total time for all calls is uncertain because others could have been
    /// recorded, as a share of it: it is meant to hold in 95 of 100 cases. It follows from how
    /// different the calls' durations are. Sums of what few calls do are less certain. None with
    /// fewer than two recorded calls.
    pub error_share: Option<f64>,
}

/// Standard deviations of a mean on either side that hold in 95 of 100 cases.
const NORMAL_95: f64 = 1.96;

/// The roots of which not all calls are recorded, in no order.
pub fn sampled_roots(profile: &Profile) -> Vec<SampledRoot> {
    let latencies = &profile.latencies;
    let mut of_roots: HashMap<MethodIx, u64> = HashMap::new();
    let tree = &profile.tree;
    for node in tree.roots().flat_map(|thread| tree.children(thread)) {
        if let Frame::Method(method) = tree.frame(node) {
            let calls = of_roots.entry(method).or_default();
            *calls = calls.saturating_add(tree.timed(node));
        }
    }
    let of = |unsampled: &jfathom_profile::UnsampledCalls| {
        let path = [Frame::Method(unsampled.method)];
        let found = latencies.paths.iter().find(|latency| latency.path == path);
        let recorded = of_roots.get(&unsampled.method).copied().unwrap_or(0);
        let all = recorded.saturating_add(unsampled.calls);
        let share = recorded as f64 / all.max(1) as f64;
        let variation = found.and_then(|latency| variation(&latency.calls));
        let error =
            |variation: f64| NORMAL_95 * variation * ((1.0 - share) / recorded as f64).sqrt();
        SampledRoot {
            method: unsampled.method,
            calls: all,
            recorded,
            factor: (recorded > 0).then(|| 1.0 / share),
            error_share: variation.filter(|_| recorded > 1).map(error),
        }
    };
    latencies.unsampled.iter().map(of).collect()
}

/// The standard deviation of durations as a share of their mean; none for fewer than two.
fn variation(calls: &Durations) -> Option<f64> {
    let count = calls.count() as f64;
    let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
        calls.buckets().iter().map(|bucket| bucket.calls as f64 * of(bucket.upper.0 as f64)).sum()
    };
    let mean = sum(&|upper| upper) / count;
    let variance = sum(&|upper| (upper - mean).powi(2)) / (count - 1.0);
    (count > 1.0 && mean > 0.0).then(|| variance.sqrt() / mean)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_profile::{Bucket, Latency, Ticks, UnsampledCalls};
    use jfathom_testkit::small_profile;

    /// The fixture, of whose root so many calls were left out, with these durations of all. It has
    /// one recorded call.
    fn profile(unsampled: u64, durations: &[(u64, u64)]) -> Profile {
        let mut profile = small_profile::profile();
        let buckets = durations.iter().map(|(upper, calls)| Bucket {
            upper: Ticks(*upper),
            calls: *calls,
            records: 0,
        });
        let longest = durations.iter().map(|(upper, _)| *upper).max().unwrap_or_default();
        let calls = Durations::new(Ticks(longest), buckets.collect());
        profile.latencies.paths = vec![Latency { path: vec![Frame::Method(MethodIx(0))], calls }];
        let calls =
            UnsampledCalls { method: MethodIx(0), calls: unsampled, time: Ticks(unsampled) };
        profile.latencies.unsampled = vec![calls];
        profile
    }

    #[test]
    fn one_recorded_call_of_a_hundred_stands_for_all() {
        let root = sampled_roots(&profile(99, &[(500, 100)]))[0];
        assert_eq!((root.calls, root.recorded), (100, 1));
        assert_eq!((root.factor, root.error_share), (Some(100.0), None));
        assert_eq!(sampled_roots(&small_profile::profile()), []);
    }

    #[test]
    fn the_error_is_that_of_a_sum_of_some_of_a_finite_number() {
        // Two recorded calls, as of a merge of two.
        let mut profile = profile(198, &[(100, 100), (300, 100)]);
        let other =
            jfathom_compare::merge(vec![small_profile::profile(), small_profile::profile()]);
        let other = other.unwrap();
        profile.tree = other.tree;
        profile.threads = other.threads;
        let root = sampled_roots(&profile)[0];
        // Half of the calls take 100, half 300: a deviation of half the mean.
        let expected = 1.96 * 0.5 * (0.99_f64 / 2.0).sqrt();
        assert_eq!(root.recorded, 2);
        assert!((root.error_share.unwrap() / expected - 1.0).abs() < 0.01, "{root:?}");
    }

    #[test]
    fn equal_calls_have_no_sampling_error() {
        let calls =
            Durations::new(Ticks(500), vec![Bucket { upper: Ticks(500), calls: 1000, records: 0 }]);
        assert_eq!(variation(&calls), Some(0.0));
    }

    #[test]
    fn without_recorded_calls_nothing_is_known_of_them() {
        let mut profile = profile(10, &[(100, 10)]);
        profile.tree = jfathom_profile::Tree::default();
        let root = sampled_roots(&profile)[0];
        assert_eq!((root.recorded, root.factor, root.error_share), (0, None, None));
    }
}
