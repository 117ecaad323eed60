//! Numbers of both sides, and how they differ.

use jfathom_compare::{
    BytesDiff, CallsChange, CpuDiff, CpuParts, EventDiff, EventsDiff, MeanEvents, TimeDiff,
};
use jfathom_profile::Profile;
use jfathom_views::Comparison;

object! {
    Calls(change: &CallsChange) {
        base: Option<CallsOfRuns> = change.base.map(CallsOfRuns::of),
        /// null if they vary
        growth: Option<i64> = change.growth().and_then(|growth| i64::try_from(growth).ok()),
        new: Option<CallsOfRuns> = change.new.map(CallsOfRuns::of),
        /// runs of one side differ
        varies: bool = change.varies(),
    }
}

object! {
    /// Calls of all runs of a side.
    CallsOfRuns(calls: jfathom_compare::Calls) {
        least: u64 = calls.least,
        mean: f64 = calls.mean,
        most: u64 = calls.most,
        /// runs with any
        runs: u32 = calls.runs,
    }
}

object! {
    /// Nanoseconds, means over a side's runs.
    Time(time: &TimeDiff) {
        base: Option<f64> = time.base,
        difference: f64 = time.difference(),
        /// error bar: what varies between runs, not what both calibrations share; null if a side has
        /// one run, as `pValue`
        half_width: Option<f64> = time.half_width,
        new: Option<f64> = time.new,
        /// adjusted for all compared times (Benjamini and Hochberg)
        p_value: Option<f64> = time.p_value,
        significant: bool = time.is_significant(),
    }
}

object! {
    /// Null if not recorded, or not read by its calls on either side.
    Bytes(bytes: BytesDiff) {
        base: Option<f64> = bytes.base,
        difference: Option<f64> = bytes.difference(),
        new: Option<f64> = bytes.new,
    }
}

object! {
    /// Threads' states (`--metrics cpu`).
    Cpu(compared: &Comparison<'_>, cpu: &CpuDiff) {
        /// null if not all runs know it
        base: Option<States> = cpu.base.map(|parts| States::of(parts, compared.base)),
        /// of `running`
        difference: Option<f64> = cpu.difference(|parts| parts.running),
        /// with both sides' `error`
        half_width: Option<f64> = cpu.running.half_width,
        new: Option<States> = cpu.new.map(|parts| States::of(parts, compared.new)),
        p_value: Option<f64> = cpu.running.p_value,
        /// and larger than both errors together
        significant: bool = cpu.is_significant(),
    }
}

object! {
    States(parts: CpuParts, profile: &Profile) {
        /// null with `thread-clock`
        blocked: Option<f64> = profile.cpu.tells_preempted().then_some(parts.blocked),
        /// of `running`, for unknown switches
        error: f64 = parts.error,
        /// preempted or blocked
        not_running: f64 = parts.not_running(),
        /// null with `thread-clock`
        preempted: Option<f64> = profile.cpu.tells_preempted().then_some(parts.preempted),
        /// without probes and run-queue delay
        running: f64 = parts.running,
        /// `running` may be so much more
        unknown: f64 = parts.unknown,
    }
}

object! {
    /// Events in all recorded calls; the booleans: known in all runs of both sides.
    AllEvents<'a>(all: &'a EventsDiff) {
        caught: bool = all.has_caught,
        exceptions: bool = all.has_exceptions,
        /// by kind and class
        in_calls: Option<Vec<EventRow<'a>>> = events(all, &all.total),
        /// with pauses
        waits: bool = all.has_waits,
    }
}

/// None unless both sides know any.
pub(super) fn events<'a>(all: &EventsDiff, of: &'a [EventDiff]) -> Option<Vec<EventRow<'a>>> {
    all.is_known().then(|| of.iter().map(EventRow::of).collect())
}

object! {
    /// Waits, pauses, exceptions.
    EventRow<'a>(event: &'a EventDiff) {
        base: Mean = Mean::of(event.base),
        class: Option<&'a str> = event.name.class.as_deref(),
        /// exact with one run per side; else of unknown variation, without interval
        count_difference: f64 = event.count(),
        /// as in the report
        kind: &'a str = event.name.kind.as_str(),
        nanos_difference: f64 = event.nanos(),
        new: Mean = Mean::of(event.new),
    }
}

object! {
    /// Means over the runs of a side.
    Mean(of: MeanEvents) {
        count: f64 = of.count,
        /// 0 for exceptions
        nanos: f64 = of.nanos,
    }
}
