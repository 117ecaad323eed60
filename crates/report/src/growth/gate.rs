//! The gate of a growth: as text, and as the findings that other formats write.

use super::{index, power, r_squared, sizes};
use crate::{
    diff::{
        findings::{Finding, Outcome, Rule},
        gate::word,
        judged::Judged,
    },
    location::location,
    number::{counted, grouped},
    table::Table,
};
use jfathom_compare::{Growth, GrowthGate, GrowthVerdict, Trend, Verdict};
use jfathom_views::Names;
use std::io::{self, Write};

/// Writes the methods that are not within the limit, and the verdict.
pub fn growth_gate_text(
    growth: &Growth,
    gate: &GrowthGate,
    width: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names = Names::of(&growth.table);
    if !gate.beyond.is_empty() {
        write_line!(out, "growth of calls over the sizes {}", sizes(growth))?;
        let titles = ["exponent", "allowed", "R²", "first", "last", "verdict"];
        let mut table = Table::new(&titles, "method");
        for found in &gate.beyond {
            let method = &growth.methods[found.method];
            let (exponent, fit) = match method.trend {
                Trend::Power(fit) => (power(fit.exponent), r_squared(fit.r_squared)),
                Trend::Partial => ("-".to_owned(), "-".to_owned()),
            };
            let end = |calls: Option<&u64>| grouped(calls.copied().unwrap_or(0));
            let cells = vec![
                exponent,
                gate.limit.to_string(),
                fit,
                end(method.calls.first()),
                end(method.calls.last()),
                word(found.verdict).to_owned(),
            ];
            table.row(cells, 0, names.method(index(found.method)).to_owned());
        }
        table.write(width, out)?;
    }
    write_line!(
        out,
        "{} within the limit of growth",
        counted(gate.within as u64, "method", "methods")
    )?;
    for note in &gate.notes {
        write_line!(out, "note: {note}")?;
    }
    write_line!(out, "gate: {}", verdict(gate))
}

/// The gate's result for JUnit XML, SARIF, GitHub and Markdown.
pub fn judged_growth(growth: &Growth, gate: &GrowthGate) -> Judged {
    let within = counted(gate.within as u64, "method", "methods");
    let within = format!("growth of the calls of {within} within the limit");
    let mut findings: Vec<Finding> =
        gate.beyond.iter().map(|found| finding(growth, gate, found)).collect();
    findings.sort_by_key(|finding| finding.outcome);
    Judged {
        findings,
        within: (gate.within > 0).then(|| (Rule::Growth, within.clone())),
        left_out: None,
        refused: Vec::new(),
        notes: gate.notes.clone(),
        verdict: verdict(gate),
        remarks: vec![format!("sizes {}", sizes(growth)), within],
    }
}

fn finding(growth: &Growth, gate: &GrowthGate, found: &GrowthVerdict) -> Finding {
    let method = &growth.methods[found.method];
    let info = &growth.table[found.method].info;
    let calls: Vec<String> = method.calls.iter().map(|calls| grouped(*calls)).collect();
    let (new, change) = match method.trend {
        Trend::Power(fit) => {
            let exponent = power(fit.exponent);
            (
                format!("n^{exponent}"),
                format!("{} calls, R² {}", calls.join(", "), r_squared(fit.r_squared)),
            )
        }
        Trend::Partial => ("at some sizes only".to_owned(), format!("{} calls", calls.join(", "))),
    };
    Finding {
        rule: Rule::Growth,
        outcome: match found.verdict {
            verdict if gate.fails(verdict) => Outcome::Beyond,
            Verdict::Exceeded | Verdict::Inconclusive => Outcome::InDoubt,
            Verdict::Within => Outcome::Within,
            Verdict::Negligible => Outcome::Negligible,
        },
        subject: info.key.selector(),
        base: None,
        new,
        change,
        limit: format!("n^{}", gate.limit),
        location: location(info),
    }
}

fn verdict(gate: &GrowthGate) -> &'static str {
    match (gate.is_failed(), gate.beyond.is_empty()) {
        (true, _) => "FAILED",
        (false, true) => "within the limits",
        (false, false) => "not failed, but in doubt",
    }
}
