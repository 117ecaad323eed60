//! Numbers of both sides, and how they differ.

use jfathom_compare::{
    CallsChange, ColumnDiff, ColumnRuns, Diff, EventDiff, EventsDiff, MeanEvents, TimeDiff,
};
use std::collections::BTreeMap;

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
        /// error bar: what varies between runs, not what both calibrations share; null if a side
        /// has one run, as `pValue`
        half_width: Option<f64> = time.half_width,
        new: Option<f64> = time.new,
        /// adjusted for all compared times (Benjamini and Hochberg)
        p_value: Option<f64> = time.p_value,
        significant: bool = time.is_significant(),
    }
}

/// By key, the [columns](exports.md) that the whole of either side has.
pub(super) type Columns<T> = BTreeMap<&'static str, T>;

pub(super) fn columns<T, J>(diff: &Diff, all: &[T], json: impl Fn(&T) -> J) -> Columns<J> {
    diff.columns.iter().map(|of| of.column.key).zip(all.iter().map(json)).collect()
}

object! {
    /// A column, in its unit.
    ColumnChange(of: &ColumnDiff) {
        /// null without the method, and if not the whole side has the column
        base: Option<ColumnMean> = of.base.map(ColumnMean::of),
        difference: Option<f64> = of.difference(),
        /// with both sides' `error`; null if a side has one run, and where a series keeps the sum
        /// alone, as `pValue`
        half_width: Option<f64> = of.half_width,
        new: Option<ColumnMean> = of.new.map(ColumnMean::of),
        p_value: Option<f64> = of.p_value,
        /// and larger than both errors together
        significant: bool = of.is_significant(),
    }
}

object! {
    /// A column's mean over the runs of a side.
    ColumnMean(of: jfathom_compare::Value) {
        /// by how much it may be off
        error: f64 = of.bar(),
        /// it may be much more
        least: bool = of.is_least(),
        /// null if its calls have not read it on either side: it is among their callers'
        value: Option<f64> = of.known(),
    }
}

object! {
    ColumnOfMethod(of: &[ColumnDiff; 2]) {
        #[serde(rename = "self")]
        own: ColumnChange = ColumnChange::of(&of[0]),
        /// with callees
        total: ColumnChange = ColumnChange::of(&of[1]),
    }
}

object! {
    /// A column with callees.
    ColumnOfRoot(of: &[ColumnRuns; 2]) {
        base: Option<ColumnMean> = of[0].mean().map(ColumnMean::of),
        /// each run's, or the mean where a series keeps the sum alone
        base_runs: Vec<f64> = of[0].numbers.clone(),
        new: Option<ColumnMean> = of[1].mean().map(ColumnMean::of),
        new_runs: Vec<f64> = of[1].numbers.clone(),
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
