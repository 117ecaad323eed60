//! How long calls took.

use super::node::{Frame, frames};
use jfathom_profile::Profile;
use jfathom_views::{QUANTILES, ShownDuration, ShownLatency};

object! {
    Latencies(profile: &Profile, shown: &[ShownLatency], is_corrected: bool) {
        /// of roots and tasks, most time first
        paths: Vec<Latency> = shown.iter().map(|of| Latency::of(of, is_corrected)).collect(),
        /// not in `slowest`, no room
        slowest_without_spans: u64 = profile.latencies.slowest_without_spans,
        /// too many roots and tasks
        unwatched_nodes: u64 = profile.latencies.unwatched,
    }
}

object! {
    Latency(of: &ShownLatency, is_corrected: bool) {
        /// ended
        calls: u64 = of.calls,
        /// outermost first
        path: Vec<Frame> = frames(&of.path),
        quantiles: Vec<Quantile> = QUANTILES
            .into_iter()
            .zip(&of.quantiles)
            .chain([(1.0, &of.longest)])
            .map(|(share, of)| Quantile::of(share, of, is_corrected))
            .collect(),
    }
}

object! {
    Quantile(share: f64, of: &ShownDuration, is_corrected: bool) {
        /// of the probes
        bar_nanos: Option<f64> = is_corrected.then_some(of.bar_nanos),
        corrected_nanos: Option<f64> = is_corrected.then_some(of.nanos),
        /// at most 0.8 % too long
        measured_nanos: f64 = of.measured_nanos,
        /// 0.5, 0.9, 0.99, 0.999; 1: longest
        share: f64 = share,
    }
}

object! {
    /// A root with calls left out.
    SampledRoot(root: jfathom_views::SampledRoot) {
        /// ended outermost calls
        calls: u64 = root.calls,
        /// sampling error of sums by `factor`
        error_share: Option<f64> = root.error_share,
        /// from recorded to all
        factor: Option<f64> = root.factor,
        /// place in `methods`
        of: u32 = root.method.0,
        /// of `calls`; other numbers but `latencies` are theirs
        recorded: u64 = root.recorded,
    }
}
