//! How long calls took, by call path: quantiles without the probes' cost.

use jfathom_calibration::{CorrectedTimes, TimeStatus, Times};
use jfathom_profile::{Bucket, Frame, Latency, NodeIx, Profile, Ticks};

/// Shares of the calls whose duration is shown: p50, p90, p99, p99.9.
pub const QUANTILES: [f64; 4] = [0.5, 0.9, 0.99, 0.999];

/// The ended calls of one call path.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownLatency {
    /// The call path below the thread, outermost frame first.
    pub path: Vec<Frame>,
    /// Ended calls.
    pub calls: u64,
    /// The time of all of them, corrected if that is shown.
    pub total_nanos: f64,
    /// Durations by [`QUANTILES`].
    pub quantiles: [ShownDuration; QUANTILES.len()],
    /// The longest call.
    pub longest: ShownDuration,
    /// What the probes cost per record that a call caused, in ns; zero if times are as measured.
    pub record_nanos: f64,
}

/// How long a call took, in ns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShownDuration {
    /// As measured, the probes' cost in it.
    pub measured_nanos: f64,
    /// Without the probes' cost, or as measured.
    pub nanos: f64,
    /// Error bar of `nanos` for the probes; zero if times are as measured.
    pub bar_nanos: f64,
}

impl ShownDuration {
    /// Where its interval lies.
    pub fn status(&self) -> TimeStatus {
        TimeStatus::from_interval(self.nanos, self.bar_nanos)
    }
}

/// The cost of a record, in ns of the call that caused it.
#[derive(Clone, Copy, Debug, Default)]
struct RecordCost {
    nanos: f64,
    bar_nanos: f64,
}

/// The latencies of a profile, those with most time first. Corrected times are those of its nodes.
///
/// The correction of a call path's whole time is distributed to its calls by the records that each
/// one caused, so that the corrections of all calls add up to it.
pub fn latencies(profile: &Profile, corrected: Option<&CorrectedTimes>) -> Vec<ShownLatency> {
    let mut shown: Vec<ShownLatency> =
        profile.latencies.paths.iter().map(|of| shown(profile, corrected, of)).collect();
    shown.sort_by(|a, b| b.total_nanos.total_cmp(&a.total_nanos));
    shown
}

fn shown(profile: &Profile, corrected: Option<&CorrectedTimes>, latency: &Latency) -> ShownLatency {
    let tick = 1e9 / profile.rate.hz() as f64;
    let calls = &latency.calls;
    let measured: f64 =
        calls.buckets().iter().map(|of| of.upper.0 as f64 * of.calls as f64 * tick).sum();
    let cost = corrected.map(|corrected| {
        // Calls that root sampling left out are in the histogram, and in no node.
        let recorded = measured - unsampled_ticks(profile, &latency.path) * tick;
        record_cost(
            &nodes_of(profile, &latency.path),
            profile,
            corrected,
            recorded,
            calls.records(),
        )
    });
    let duration = |bucket: Bucket| {
        let measured_nanos = bucket.upper.0 as f64 * tick;
        let records = bucket.records as f64 / bucket.calls.max(1) as f64;
        let RecordCost { nanos, bar_nanos } = cost.unwrap_or_default();
        ShownDuration {
            measured_nanos,
            nanos: (measured_nanos - records * nanos).max(0.0),
            bar_nanos: records * bar_nanos,
        }
    };
    let at = |share| calls.quantile(share).map(duration).unwrap_or_default();
    ShownLatency {
        path: latency.path.clone(),
        calls: calls.count(),
        total_nanos: (measured - calls.records() as f64 * cost.unwrap_or_default().nanos).max(0.0),
        quantiles: QUANTILES.map(at),
        longest: at(1.0),
        record_nanos: cost.unwrap_or_default().nanos,
    }
}

/// The time of the calls of a call path that root sampling left out, in ticks.
fn unsampled_ticks(profile: &Profile, path: &[Frame]) -> f64 {
    let [Frame::Method(root)] = path else { return 0.0 };
    let mut unsampled = profile.latencies.unsampled.iter();
    unsampled.find(|of| of.method == *root).map_or(0.0, |of| of.time.0 as f64)
}

/// What the probes cost per record in the calls of these nodes.
fn record_cost(
    nodes: &[NodeIx],
    profile: &Profile,
    corrected: &CorrectedTimes,
    ended_nanos: f64,
    records: u64,
) -> RecordCost {
    let times = nodes.iter().map(|node| corrected.node(*node)).reduce(Times::plus);
    let ticks: Ticks = nodes.iter().map(|node| profile.tree.total_time(*node)).sum();
    let measured = ticks.0 as f64 * 1e9 / profile.rate.hz() as f64;
    let (Some(times), true) = (times, measured > 0.0 && records > 0) else {
        return RecordCost::default();
    };
    // Calls that have not ended are in the nodes' times, and in no histogram.
    let share = (ended_nanos / measured).clamp(0.0, 1.0) / records as f64;
    RecordCost {
        nanos: (measured - times.total_nanos) * share,
        bar_nanos: times.total_error_nanos * share,
    }
}

/// The nodes of a call path, on all threads.
pub(crate) fn nodes_of(profile: &Profile, path: &[Frame]) -> Vec<NodeIx> {
    let tree = &profile.tree;
    let mut nodes: Vec<NodeIx> = tree.roots().collect();
    for frame in path {
        let children = nodes.iter().flat_map(|node| tree.children(*node));
        nodes = children.filter(|child| tree.frame(*child) == *frame).collect();
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_calibration::correct_times;
    use jfathom_testkit::small_profile;

    #[test]
    fn without_a_correction_durations_are_as_measured() {
        let profile = small_profile::profile();
        let shown = latencies(&profile, None);
        assert!(!shown.is_empty());
        for latency in shown {
            assert!(latency.calls > 0);
            let durations = latency.quantiles.iter().chain([&latency.longest]);
            for duration in durations {
                assert_eq!(duration.nanos, duration.measured_nanos);
                assert_eq!(duration.bar_nanos, 0.0);
            }
        }
    }

    #[test]
    fn corrections_of_calls_add_up_to_that_of_their_nodes() {
        let profile = small_profile::calibrated();
        let corrected = correct_times(&profile).unwrap();
        let tick = 1e9 / profile.rate.hz() as f64;
        let mut found = 0;
        for latency in &profile.latencies.paths {
            let nodes = nodes_of(&profile, &latency.path);
            let calls: u64 = nodes.iter().map(|node| profile.tree.timed(*node)).sum();
            if calls != latency.calls.count() {
                // One of them is still open.
                continue;
            }
            let measured: f64 =
                nodes.iter().map(|node| profile.tree.total_time(*node).0 as f64 * tick).sum();
            let total: f64 = nodes.iter().map(|node| corrected.node(*node).total_nanos).sum();
            let shown = shown(&profile, Some(&corrected), latency);
            let upper: f64 = latency
                .calls
                .buckets()
                .iter()
                .map(|of| of.upper.0 as f64 * of.calls as f64 * tick)
                .sum();
            let (subtracted, expected) = (upper - shown.total_nanos, measured - total);
            // Buckets may be up to a 128th too long.
            assert!((subtracted - expected).abs() <= expected.abs() / 100.0, "{latency:?}");
            found += 1;
        }
        assert!(found > 0);
    }

    #[test]
    fn the_nodes_of_a_call_path_are_those_of_all_threads() {
        let profile = small_profile::profile();
        for latency in &profile.latencies.paths {
            let nodes = nodes_of(&profile, &latency.path);
            assert!(!nodes.is_empty());
            for node in nodes {
                assert_eq!(Some(&profile.tree.frame(node)), latency.path.last());
                assert_eq!(profile.tree.depth(node) as usize, latency.path.len());
            }
        }
    }
}
