//! What is said of all times, and the corrected ones of a method or node.

use jfathom_calibration::{
    CorrectedTimes, Cost as MeasuredCost, Costs as MeasuredCosts, TimeStatus, constants_machine,
};
use jfathom_profile::Profile;
use serde::Serialize;

object! {
    /// How times were measured and corrected.
    Times<'a>(profile: &Profile, corrected: Option<&CorrectedTimes>) {
        calibrated: bool = corrected.is_some(),
        #[cfg_attr(test, schemars(extend("const" = "wall")))]
        clock: &'a str = "wall",
        /// where the residual overhead's constants were fitted
        constants_machine: Option<&'a str> = corrected.map(|_| constants_machine()),
        /// null if not calibrated
        corrected: Option<Estimate<'a>> =
            corrected.map(|corrected| Estimate::of(profile, corrected, whole(profile, corrected))),
        /// per JVM; null without calibration
        costs: Option<Vec<Option<Costs>>> = corrected
            .map(|of| of.costs.iter().map(|costs| costs.as_ref().map(Costs::of)).collect()),
        #[cfg_attr(test, schemars(extend("const" = "ns")))]
        unit: &'a str = "ns",
    }
}

/// The sum over all threads.
fn whole(profile: &Profile, corrected: &CorrectedTimes) -> jfathom_calibration::Times {
    let roots = profile.tree.roots().map(|root| corrected.node(root));
    roots.reduce(jfathom_calibration::Times::plus).unwrap_or_default()
}

object! {
    /// Corrected time of all threads.
    Estimate<'a>(profile: &Profile, corrected: &CorrectedTimes, whole: jfathom_calibration::Times) {
        /// `measured` or `assumed`
        between_runs: &'a str = if profile.run_count() > 1 { "measured" } else { "assumed" },
        /// what runs differ by; not in `totalBarNanos`
        between_runs_bar_nanos: f64 = whole.total_between_runs_nanos,
        /// the part of the probes
        probes_bar_nanos: f64 = whole.total_probes_error_nanos(),
        /// the part of waiting for a processor
        queue_bar_nanos: f64 = whole.total_queue_nanos,
        /// residual overhead subtracted
        residual_nanos: f64 = corrected.residual_nanos,
        total_bar_nanos: f64 = whole.total_error_nanos,
        total_nanos: f64 = whole.total_nanos,
        /// wait correction subtracted
        waits_nanos: f64 = corrected.waits_nanos,
    }
}

object! {
    /// Probe costs of a JVM.
    Costs(costs: &MeasuredCosts) {
        /// per counted call
        count: Cost = Cost::of(costs.count),
        /// per COUNTED record
        count_record: Cost = Cost::of(costs.count_record),
        /// of a timed call that returns
        inner: Cost = Cost::of(costs.inner),
        /// of one that throws
        inner_throw: Cost = Cost::of(costs.inner_throw),
        /// charged to the caller
        outer: Cost = Cost::of(costs.outer),
        outer_throw: Cost = Cost::of(costs.outer_throw),
    }
}

object! {
    Cost(cost: MeasuredCost) {
        bar_nanos: f64 = cost.error_nanos,
        nanos: f64 = cost.nanos,
    }
}

object! {
    /// Root time that `--roots-only` runs measured.
    Anchor(anchor: &jfathom_profile::Anchor) {
        /// of the corrected time before
        correction_share: f64 = anchor.correction_share,
        full_runs: u32 = anchor.full_runs,
        /// per timed call, beyond its calibration
        residual_nanos: f64 = anchor.residual_nanos,
        /// of one run
        roots_only_deviation_nanos: f64 = anchor.roots_only_deviation,
        /// median time in the roots
        roots_only_nanos: f64 = anchor.roots_only_nanos,
        roots_only_runs: u32 = anchor.roots_only_runs,
    }
}

object! {
    /// Times without the probes' cost; null if `times.calibrated` is false.
    Corrected(times: jfathom_calibration::Times) {
        self_nanos: f64 = times.self_nanos,
        self_bar_nanos: f64 = times.self_error_nanos,
        /// what runs differ by; not in `selfBarNanos`
        self_between_runs_bar_nanos: f64 = times.self_between_runs_nanos,
        #[serde(with = "Status")]
        self_status: TimeStatus = times.self_status(),
        /// in nodes exactly self plus children
        total_nanos: f64 = times.total_nanos,
        total_bar_nanos: f64 = times.total_error_nanos,
        total_between_runs_bar_nanos: f64 = times.total_between_runs_nanos,
        #[serde(with = "Status")]
        total_status: TimeStatus = times.total_status(),
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(remote = "TimeStatus", rename_all = "camelCase")]
enum Status {
    AboveResolution,
    BelowResolution,
}
