//! How long calls took, and the slowest of them, for a page.

use jfathom_calibration::{CorrectedTimes, TimeStatus};
use jfathom_profile::Profile;
use jfathom_views::{
    Difference, NameSum, Names, QUANTILES, ShownDuration, SlowCall, latencies, slowest, thread_name,
};
use serde_json::{Value, json};

/// Call paths, calls and differences beyond are in the text report and its JSON.
const MOST_PATHS: usize = 200;
const MOST_CALLS: usize = 20;
const MOST_DIFFERENCES: usize = 20;

/// The latencies by call path, those with most time first. A time is a triple: ns, its error bar,
/// and what it is at most if its interval reaches zero. A quantile that no call exceeds is null.
pub(crate) fn latency_rows(profile: &Profile, corrected: Option<&CorrectedTimes>) -> Vec<Value> {
    let names = Names::of(&profile.methods);
    // No call took longer than was measured, whatever its error bar is.
    let most = |of: &ShownDuration| match of.status() {
        TimeStatus::AboveResolution => None,
        TimeStatus::BelowResolution => {
            Some((of.nanos + of.bar_nanos).clamp(0.0, of.measured_nanos.max(0.0)))
        }
    };
    let duration = |of: &ShownDuration| json!([of.nanos, of.bar_nanos, most(of)]);
    let rows = latencies(profile, corrected).into_iter().take(MOST_PATHS);
    rows.map(|of| {
        let quantiles = QUANTILES.into_iter().zip(&of.quantiles).map(|(share, quantile)| {
            let is_above = of.calls as f64 * (1.0 - share) >= 1.0 - 1e-9;
            is_above.then(|| duration(quantile))
        });
        json!({
            "path": names.path(profile, &of.path),
            "calls": of.calls,
            "quantiles": quantiles.collect::<Vec<_>>(),
            "longest": duration(&of.longest),
        })
    })
    .collect()
}

/// Why the thread of a slow call did not run, or what it threw: kind, class, count and ns.
fn reason(of: &NameSum) -> Value {
    json!([of.name.kind.as_str(), of.name.class.as_deref(), of.count, of.nanos])
}

/// The slowest calls by call path, and where they take longer than the others.
pub(crate) fn slowest_rows(profile: &Profile, corrected: Option<&CorrectedTimes>) -> Vec<Value> {
    let names = Names::of(&profile.methods);
    let call = |of: &SlowCall| {
        let most = of.most.map(|(frame, nanos)| json!([names.frame(profile, frame), nanos]));
        json!({
            "nanos": of.nanos,
            "began": profile.rate.nanos(of.began).0,
            "calls": of.calls_below(),
            "leftOut": of.activation.left_out,
            "most": most,
            "thread": thread_name(profile, of.activation.thread),
            "why": of.names.iter().map(reason).collect::<Vec<_>>(),
        })
    };
    let difference = |of: &Difference| {
        json!({
            "path": names.difference(profile, of),
            "slow": of.slow_nanos,
            "all": of.all_nanos,
            "slowCalls": of.slow_calls,
            "allCalls": of.all_calls,
        })
    };
    let groups = slowest(profile, corrected).into_iter().take(MOST_PATHS);
    groups
        .map(|of| {
            let found = of.differences(profile, corrected, MOST_DIFFERENCES);
            let longer = found.first.iter().filter(|of| of.nanos() > 0.0);
            json!({
                "path": names.path(profile, of.path),
                "calls": found.calls,
                "kept": of.kept.iter().take(MOST_CALLS).map(call).collect::<Vec<_>>(),
                "differences": longer.map(difference).collect::<Vec<_>>(),
            })
        })
        .collect()
}
