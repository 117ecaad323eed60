//! A growth as JSON; `docs/growth-json.md` describes it.

use crate::diff::gate::word;
use jfathom_compare::{Growth, GrowthGate, MethodGrowth, Trend, Verdict};
use jfathom_profile::Method;
use serde_json::{Value, json};
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
    let verdict = |method: usize| {
        let found = gate?.beyond.iter().find(|found| found.method == method);
        found.map(|found| lower(found.verdict))
    };
    let rows = growth.table.iter().zip(&growth.methods).enumerate();
    let methods: Vec<Value> =
        rows.map(|(at, (method, found))| row(method, found, verdict(at))).collect();
    let document = json!({
        "format": "jfathom-growth",
        "version": GROWTH_JSON_VERSION,
        "sizes": growth.sizes,
        "gate": gate.map(|gate| json!({
            "limit": gate.limit.exponent(),
            "strict": gate.strict,
            "failed": gate.is_failed(),
            "within": gate.within,
            "notes": gate.notes,
        })),
        "methods": methods,
    });
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}

fn row(method: &Method, found: &MethodGrowth, verdict: Option<String>) -> Value {
    let key = &method.info.key;
    let (trend, fit) = match found.trend {
        Trend::Power(fit) => ("power", Some(fit)),
        Trend::Partial => ("partial", None),
    };
    json!({
        "class": key.class,
        "name": key.name,
        "descriptor": key.descriptor,
        "calls": found.calls,
        "trend": trend,
        "exponent": fit.map(|fit| fit.exponent),
        "rSquared": fit.map(|fit| fit.r_squared),
        "lowest": fit.map(|fit| fit.lowest),
        "highest": fit.map(|fit| fit.highest),
        "verdict": verdict,
    })
}

fn lower(verdict: Verdict) -> String {
    word(verdict).to_lowercase()
}
