//! What the recorded calls of roots stand for, where root sampling left out others.

use jfathom_profile::{Durations, Frame, MethodIx, Profile};

/// A root of which not all calls are recorded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampledRoot {
    /// The root.
    pub method: MethodIx,
    /// Its outermost calls that have ended, recorded or not.
    pub calls: u64,
    /// Those of them that are recorded, with all below them.
    pub recorded: u64,
    /// What a sum over the recorded calls is multiplied with for all. None without recorded calls.
    pub factor: Option<f64>,
    /// By how much such a sum is uncertain because others could have been recorded, as a share of
    /// it: it is meant to hold in 95 of 100 cases. It follows from how different the calls'
    /// durations are. None with fewer than two recorded calls.
    pub error_share: Option<f64>,
}

/// Standard deviations of a mean on either side that hold in 95 of 100 cases.
const NORMAL_95: f64 = 1.96;

/// The roots of which not all calls are recorded, in no order.
pub fn sampled_roots(profile: &Profile) -> Vec<SampledRoot> {
    let latencies = &profile.latencies;
    let of = |unsampled: &jfathom_profile::UnsampledCalls| {
        let path = [Frame::Method(unsampled.method)];
        let found = latencies.paths.iter().find(|latency| latency.path == path);
        let all = found.map_or(unsampled.calls, |latency| latency.calls.count());
        let recorded = all.saturating_sub(unsampled.calls);
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

    /// The fixture, of whose first method so many of these calls were left out.
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
    fn equal_calls_have_no_sampling_error() {
        let roots = sampled_roots(&profile(990, &[(500, 1000)]));
        assert_eq!((roots[0].calls, roots[0].recorded), (1000, 10));
        assert_eq!((roots[0].factor, roots[0].error_share), (Some(100.0), Some(0.0)));
    }

    #[test]
    fn the_error_is_that_of_a_sum_of_some_of_a_finite_number() {
        // Half of the calls take 1, half 3: the mean is 2, the deviation 1.
        let root = sampled_roots(&profile(900, &[(100, 500), (300, 500)]))[0];
        let expected = 1.96 * 0.5 * (0.9_f64 / 100.0).sqrt();
        assert!((root.error_share.unwrap() / expected - 1.0).abs() < 0.01, "{root:?}");
    }

    #[test]
    fn without_recorded_calls_nothing_is_known_of_them() {
        let root = sampled_roots(&profile(10, &[(100, 10)]))[0];
        assert_eq!((root.recorded, root.factor, root.error_share), (0, None, None));
        assert_eq!(sampled_roots(&small_profile::profile()), []);
    }
}
