//! A gate's verdict as JSON.

use super::{DIFF_JSON_VERSION, KindOfRoot, methods::Keys};
use crate::diff::verdict::VerdictName;
use jfathom_compare::{
    CallsVerdict, ColumnVerdict, Gate, RatioLimit, RatioVerdict, RootDiff, RootKind, RootVerdict,
    are_interleaved,
};
use jfathom_views::Comparison;
use std::io::{self, Write};

/// Writes a gate's verdict as one JSON document, followed by a newline.
pub fn gate_json(compared: &Comparison<'_>, gate: &Gate, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &GateDocument::of(compared, gate, &compared.diff.roots))?;
    writeln!(out)
}

object! {
    GateDocument<'a>(compared: &'a Comparison<'_>, gate: &'a Gate, roots: &'a [RootDiff]) {
        /// [significance level](../comparison.md#times-in-a-gate)
        alpha: f64 = gate.alpha,
        calls: GatedCalls<'a> = GatedCalls::of(compared, gate),
        /// with the limit of a column, such as `--max alloc=+1%`
        columns: Vec<GatedColumn<'a>> = gate
            .columns
            .iter()
            .map(|found| GatedColumn::of(compared, found, &roots[found.root]))
            .collect(),
        /// methods edited, or on one side only
        edited: Vec<Keys<'a>> = named(compared, &gate.edited),
        /// exceeded, or inconclusive with `--strict`
        failed: bool = gate.is_failed(),
        #[cfg_attr(test, schemars(extend("const" = "jfathom-gate")))]
        format: &'a str = "jfathom-gate",
        interleaved: bool = are_interleaved(compared.base, compared.new),
        notes: &'a [String] = &gate.notes,
        /// checked limits (`--max A/B`)
        ratios: Vec<Ratio> = gate
            .ratios
            .iter()
            .filter_map(|found| Some(Ratio::of(gate.limits.ratios.get(found.limit)?, found)))
            .collect(),
        /// questions without an answer
        refused: &'a [String] = &gate.refused,
        /// if a time is limited
        roots: Vec<GatedRoot<'a>> = gate
            .roots
            .iter()
            .map(|found| GatedRoot::of(compared, found, &roots[found.root]))
            .collect(),
        strict: bool = gate.limits.strict,
        #[cfg_attr(test, schemars(extend("const" = DIFF_JSON_VERSION)))]
        version: u32 = DIFF_JSON_VERSION,
    }
}

fn method<'a>(compared: &'a Comparison<'_>, place: usize) -> Option<Keys<'a>> {
    compared.diff.methods.get(place).map(|found| Keys::of(compared, found))
}

fn named<'a>(compared: &'a Comparison<'_>, places: &[usize]) -> Vec<Keys<'a>> {
    places.iter().filter_map(|place| method(compared, *place)).collect()
}

object! {
    /// Calls per method.
    GatedCalls<'a>(compared: &'a Comparison<'_>, gate: &Gate) {
        exceeded: Vec<ExceededCalls<'a>> =
            gate.calls_exceeded.iter().map(|calls| ExceededCalls::of(compared, calls)).collect(),
        /// left out, as calls differ between a side's runs
        varying: Vec<Keys<'a>> = named(compared, &gate.varying),
        /// methods
        within: usize = gate.calls_within,
    }
}

object! {
    ExceededCalls<'a>(compared: &'a Comparison<'_>, calls: &CallsVerdict) {
        base: u64 = calls.base,
        /// several if ambiguous
        methods: Vec<Keys<'a>> = named(compared, &calls.methods),
        new: u64 = calls.new,
    }
}

object! {
    GatedRoot<'a>(compared: &'a Comparison<'_>, found: &RootVerdict, root: &'a RootDiff) {
        /// total time per run
        base_nanos: &'a [f64] = &root.nanos[0],
        /// by self times of the changed methods alone; null if none, or several roots have a limit
        changed_growth: Option<f64> = found.changed_growth,
        /// the test is
        exact: bool = found.exact,
        /// relative: 0.1 is ten per cent ([comparison](../comparison.md))
        growth: f64 = found.growth,
        #[serde(with = "KindOfRoot")]
        kind: RootKind = root.kind,
        method: Option<Keys<'a>> = method(compared, root.method),
        new_nanos: &'a [f64] = &root.nanos[1],
        /// adjusted for all roots; null within the limit
        p_value: Option<f64> = found.p_value,
        verdict: VerdictName = found.verdict.into(),
    }
}

object! {
    /// A column of a root, in its unit.
    GatedColumn<'a>(compared: &'a Comparison<'_>, found: &ColumnVerdict, root: &RootDiff) {
        /// mean of the lower half of the runs; of all where a series keeps the sum alone
        base: f64 = found.sides[0],
        /// its key
        column: &'a str = found.column.key,
        /// of `growth`
        error: f64 = found.error,
        /// the test is, if there is one
        exact: bool = found.exact,
        /// relative; null if only the candidate has any
        growth: Option<f64> = found.growth,
        #[serde(with = "KindOfRoot")]
        kind: RootKind = root.kind,
        method: Option<Keys<'a>> = method(compared, root.method),
        new: f64 = found.sides[1],
        /// null where it did not decide
        p_value: Option<f64> = found.p_value,
        /// [rules](../comparison.md#columns)
        verdict: VerdictName = found.verdict.into(),
    }
}

object! {
    Ratio(limit: &RatioLimit, found: &RatioVerdict) {
        max: f64 = limit.max,
        /// selector whose calls are limited
        of: String = limit.of.to_string(),
        /// in the candidate's run with the largest ratio
        of_calls: u64 = found.of,
        /// selector they are compared with
        per: String = limit.per.to_string(),
        /// in that run
        per_calls: u64 = found.per,
        verdict: VerdictName = found.verdict.into(),
    }
}
