//! A growth as JSON; `docs/reference/json.md` describes it.

use crate::diff::verdict::VerdictName;
use jfathom_compare::{Growth, GrowthGate, MethodGrowth, PowerFit, Trend};
use jfathom_plan::MethodKey;
use std::io::{self, Write};

/// Raised with every change that readers of older documents must know of.
pub const GROWTH_JSON_VERSION: u32 = 1;

/// Writes a growth, and how it stands to a limit if there is one, as one JSON document, followed by
/// a newline.
pub fn growth_json(
    growth: &Growth,
    gate: Option<&GrowthGate>,
    out: &mut dyn Write,
) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &GrowthDocument::of(growth, gate))?;
    writeln!(out)
}

object! {
    GrowthDocument<'a>(growth: &'a Growth, gate: Option<&'a GrowthGate>) {
        #[cfg_attr(test, schemars(extend("const" = "jfathom-growth")))]
        format: &'a str = "jfathom-growth",
        /// null from `growth`
        gate: Option<Limited<'a>> = gate.map(Limited::of),
        /// with calls, by class, name, descriptor
        methods: Vec<GrowingMethod<'a>> = rows(growth, gate),
        /// ascending
        sizes: &'a [u64] = &growth.sizes,
        #[cfg_attr(test, schemars(extend("const" = GROWTH_JSON_VERSION)))]
        version: u32 = GROWTH_JSON_VERSION,
    }
}

fn rows<'a>(growth: &'a Growth, gate: Option<&GrowthGate>) -> Vec<GrowingMethod<'a>> {
    let verdict = |method: usize| {
        let found = gate?.beyond.iter().find(|found| found.method == method)?;
        Some(VerdictName::from(found.verdict))
    };
    let rows = growth.table.iter().zip(&growth.methods).enumerate();
    let row = |(at, (method, found)): (usize, (&'a jfathom_profile::Method, &'a MethodGrowth))| {
        let fit = match &found.trend {
            Trend::Power(fit) => Some(fit),
            Trend::Partial => None,
        };
        GrowingMethod::of(&method.info.key, &found.calls, fit, verdict(at))
    };
    rows.map(row).collect()
}

object! {
    Limited<'a>(gate: &'a GrowthGate) {
        failed: bool = gate.is_failed(),
        /// largest exponent allowed
        limit: f64 = gate.limit.exponent(),
        notes: &'a [String] = &gate.notes,
        /// inconclusive fails
        strict: bool = gate.strict,
        /// checked methods within the limit
        within: usize = gate.within,
    }
}

object! {
    GrowingMethod<'a>(
        key: &'a MethodKey, calls: &'a [u64], fit: Option<&PowerFit>, verdict: Option<VerdictName>,
    ) {
        /// by size, with those on virtual threads
        calls: &'a [u64] = calls,
        class: &'a str = &key.class,
        descriptor: &'a str = &key.descriptor,
        /// null unless `power`
        exponent: Option<f64> = fit.map(|fit| fit.exponent),
        /// exponent between neighbouring sizes
        highest: Option<f64> = fit.map(|fit| fit.highest),
        /// likewise
        lowest: Option<f64> = fit.map(|fit| fit.lowest),
        name: &'a str = &key.name,
        /// of the fit
        r_squared: Option<f64> = fit.map(|fit| fit.r_squared),
        /// `power`; `partial`: no calls at some size
        trend: &'a str = if fit.is_some() { "power" } else { "partial" },
        /// null within the limit, or unchecked
        verdict: Option<VerdictName> = verdict,
    }
}
