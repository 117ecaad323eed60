//! Differences and gates as JSON; `docs/reference/json.md` describes them.

mod contexts;
mod gate;
mod methods;
mod numbers;
mod walks;

#[cfg(test)]
pub(crate) use gate::GateDocument;
pub use gate::gate_json;

use super::{names::Names, view::DiffView};
use crate::json::Stream;
use contexts::{Context, contexts};
use jfathom_compare::{
    Diff, FALSE_DISCOVERY_RATE, RootDiff, RootKind, TimeKind, are_interleaved,
    condition_differences,
};
use jfathom_views::Comparison;
use methods::{Ambiguous, ComparedMethod};
use numbers::{AllEvents, ColumnOfRoot, Columns, columns};
use serde::Serialize;
use std::io::{self, Write};
use walks::{WalkedMethods, walked_methods};

/// Raised with every change that readers of older documents must know of.
pub const DIFF_JSON_VERSION: u32 = 3;

/// Writes a difference as one JSON document, followed by a newline. The threshold of the view
/// chooses the contexts; methods are always all there.
pub fn diff_json(
    compared: &Comparison<'_>,
    view: &DiffView,
    out: &mut dyn Write,
) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &DiffDocument::of(compared, compared.diff, view))?;
    writeln!(out)
}

object! {
    DiffDocument<'a>(compared: &'a Comparison<'a>, diff: &'a Diff, view: &DiffView) {
        /// methods without a unique counterpart: same code
        ambiguous: Vec<Ambiguous<'a>> =
            diff.matching.ambiguous.iter().map(|(a, b)| Ambiguous::of(compared, a, b)).collect(),
        /// as `new`
        base: Side<'a> = Side::of(compared, 0, compared.base),
        /// call paths over all threads, preorder
        contexts: Stream<'a, Context<'a>> = contexts(compared, view),
        events: AllEvents<'a> = AllEvents::of(&diff.events),
        /// share of false ones among the significant differences
        false_discovery_rate: f64 = FALSE_DISCOVERY_RATE,
        #[cfg_attr(test, schemars(extend("const" = "jfathom-diff")))]
        format: &'a str = "jfathom-diff",
        /// by `record --baseline`
        interleaved: bool = are_interleaved(compared.base, compared.new),
        /// of both sides; `<between>` of class `jfathom` is
        /// [`⋯`](../explanation/counted-calls.md) and has no numbers
        methods: Stream<'a, ComparedMethod<'a>> =
            Stream::of(diff.methods.iter().map(|found| ComparedMethod::of(compared, found))),
        new: Side<'a> = Side::of(compared, 1, compared.new),
        /// differing recording conditions
        notes: Vec<String> = condition_differences(compared.base, compared.new),
        /// roots, else the methods at the bottom of stacks, largest first
        roots: Vec<Root<'a>> = diff.roots.iter().map(|root| Root::of(diff, root)).collect(),
        times: ComparedTimes<'a> = ComparedTimes::of(diff),
        #[cfg_attr(test, schemars(extend("const" = DIFF_JSON_VERSION)))]
        version: u32 = DIFF_JSON_VERSION,
        /// callers of methods [walked](../how-to/callers.md) on both sides
        walks: Option<Vec<WalkedMethods>> = walked_methods(diff, &Names::of(compared)),
    }
}

object! {
    ComparedTimes<'a>(diff: &Diff) {
        #[serde(with = "TimesKind")]
        kind: TimeKind = diff.times,
        #[cfg_attr(test, schemars(extend("const" = "ns")))]
        unit: &'a str = "ns",
        /// subtracted, as observed in all runs
        without_run_queue_delay: bool = diff.without_delay,
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(remote = "TimeKind", rename_all = "lowercase")]
enum TimesKind {
    /// a side has no calibration
    Measured,
    Corrected,
}

object! {
    /// The baseline (`base`) or the candidate (`new`).
    Side<'a>(compared: &'a Comparison<'a>, side: usize, profile: &'a jfathom_profile::Profile) {
        clean: bool = profile.quality.is_clean(),
        command: &'a [String] = &profile.meta.command,
        file: &'a str = compared.called[side],
        runs: usize = compared.diff.runs[side],
        /// of the first run
        started_millis: u64 = profile.meta.started_millis,
        /// mean time in all recorded methods, over all threads
        total_nanos: f64 = compared.diff.total_nanos[side],
    }
}

object! {
    Root<'a>(diff: &jfathom_compare::Diff, root: &'a RootDiff) {
        /// total time per run
        base_nanos: &'a [f64] = &root.nanos[0],
        columns: Columns<ColumnOfRoot> = columns(diff, &root.columns, ColumnOfRoot::of),
        growth: Option<f64> = root.growth(),
        #[serde(with = "KindOfRoot")]
        kind: RootKind = root.kind,
        new_nanos: &'a [f64] = &root.nanos[1],
        /// place in `methods`
        of: usize = root.method,
        /// of the time of all roots, on its larger side
        share: f64 = root.share,
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(remote = "RootKind", rename_all = "lowercase")]
enum KindOfRoot {
    Method,
    /// handed off by it
    Task,
}
