//! A gate's verdict as text.

use super::{
    edited,
    names::Names,
    texts::{nanos, number, ratio},
};
use crate::{
    number::{counted, grouped},
    table::Table,
};
use jfathom_compare::{ALPHA, COLUMNS, Column, ColumnVerdict, Gate, RootDiff, RootKind, Verdict};
use jfathom_views::Comparison;
use std::io::{self, Write};

/// Varying methods that are named.
const NAMED: usize = 10;

/// Writes what a gate found: the calls and times that break it, then what was left out and why.
pub fn gate_text(
    compared: &Comparison<'_>,
    gate: &Gate,
    width: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names = Names::of(compared);
    if !gate.calls_exceeded.is_empty() {
        write_line!(out, "calls beyond the limit")?;
        let mut table = Table::new(&["base", "new", "Δ"], "method");
        for calls in &gate.calls_exceeded {
            let of: Vec<String> =
                calls.methods.iter().map(|place| names.with_note(*place)).collect();
            let cells = vec![
                grouped(calls.base),
                grouped(calls.new),
                format!("+{}", grouped(calls.new - calls.base)),
            ];
            table.row(cells, 0, of.join(", "));
        }
        table.write(width, out)?;
    }
    edited::write(compared, &names, width, out)?;
    if !gate.roots.is_empty() {
        let delay = if compared.diff.without_delay { ", without run-queue delay" } else { "" };
        write_line!(
            out,
            "time of roots, lower halves of {} and {} runs{delay}",
            compared.diff.runs[0],
            compared.diff.runs[1]
        )?;
        let columns = ["base", "new", "Δ", "Δ by changed methods", "p-value", "verdict"];
        let mut table = Table::new(&columns, "root");
        for found in &gate.roots {
            let root = &compared.diff.roots[found.root];
            let half = |side: usize| nanos(root.lower_half_nanos()[side]);
            let cells = vec![
                half(0),
                half(1),
                format!("{:+.1} %", found.growth * 100.0),
                found
                    .changed_growth
                    .map_or("-".to_owned(), |growth| format!("{:+.1} %", growth * 100.0)),
                found.p_value.map_or("-".to_owned(), percent),
                word(found.verdict).to_owned(),
            ];
            table.row(cells, 0, root_name(&names, root));
        }
        table.write(width, out)?;
    }
    for column in &COLUMNS {
        write_column(compared, gate, &names, column, width, out)?;
    }
    if !gate.ratios.is_empty() {
        write_line!(out, "calls per call of another method, in the run that has most")?;
        let mut table = Table::new(&["ratio", "allowed", "calls", "per", "verdict"], "methods");
        for found in &gate.ratios {
            let Some(limit) = gate.limits.ratios.get(found.limit) else { continue };
            let cells = vec![
                ratio(found.ratio()),
                limit.max.to_string(),
                grouped(found.of),
                grouped(found.per),
                word(found.verdict).to_owned(),
            ];
            table.row(cells, 0, format!("{} per {}", limit.of, limit.per));
        }
        table.write(width, out)?;
    }
    if gate.calls_within > 0 {
        write_line!(
            out,
            "{} within the limit of calls",
            counted(gate.calls_within as u64, "method", "methods")
        )?;
    }
    if !gate.varying.is_empty() {
        let of: Vec<&str> =
            gate.varying.iter().take(NAMED).map(|place| names.on(1, *place)).collect();
        let more = match gate.varying.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        write_line!(
            out,
            "left out: {} whose calls differ between equal runs: {}{more}",
            counted(gate.varying.len() as u64, "method", "methods"),
            of.join(", ")
        )?;
    }
    for note in &gate.notes {
        write_line!(out, "note: {note}")?;
    }
    for refused in &gate.refused {
        write_line!(out, "cannot answer {refused}")?;
    }
    write_line!(out, "gate: {}", verdict(gate))
}

/// Writes the verdicts on a column of the roots, if there are any.
fn write_column(
    compared: &Comparison<'_>,
    gate: &Gate,
    names: &Names,
    column: &Column,
    width: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut found = gate.columns.iter().filter(|of| of.column == column).peekable();
    if found.peek().is_none() {
        return Ok(());
    }
    let is_tested = column.keeps_runs();
    let [base, new] = compared.diff.runs;
    let of_runs = match is_tested {
        true => format!("lower halves of {base} and {new} runs"),
        false => "per run".to_owned(),
    };
    write_line!(out, "{} of roots, {of_runs}", column.name)?;
    let titles = match is_tested {
        true => &["base", "new", "Δ", "±", "p-value", "verdict"][..],
        false => &["base", "new", "Δ", "verdict"],
    };
    let mut table = Table::new(titles, "root");
    for found in found {
        let mut cells = Vec::from(found.sides.map(|of| number(column, of)));
        cells.push(growth_of_column(found));
        if is_tested {
            cells.push(error_of_growth(found));
            cells.push(found.p_value.map_or("-".to_owned(), percent));
        }
        cells.push(word(found.verdict).to_owned());
        table.row(cells, 0, root_name(names, &compared.diff.roots[found.root]));
    }
    table.write(width, out)
}

fn root_name(names: &Names, root: &RootDiff) -> String {
    match root.kind {
        RootKind::Method => names.with_note(root.method),
        RootKind::Task => format!("spawned from {}", names.on(1, root.method)),
    }
}

/// The verdict of the whole gate.
pub(super) fn verdict(gate: &Gate) -> &'static str {
    match gate.is_failed() {
        true => "FAILED",
        false if !gate.refused.is_empty() => "not answered in full",
        false if gate.is_in_doubt() => "not failed, but in doubt",
        false => "within the limits",
    }
}

pub(crate) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Within => "within",
        Verdict::Exceeded => "EXCEEDED",
        Verdict::Inconclusive => "inconclusive",
        Verdict::Negligible => "negligible",
    }
}

/// The growth of a column of a root; a dash if there was nothing before.
pub(super) fn growth_of_column(found: &ColumnVerdict) -> String {
    // Without a test a limit may be below a thousandth of a per cent.
    let digits = if found.column.keeps_runs() { 1 } else { 3 };
    found.growth.map_or("-".to_owned(), |growth| format!("{:+.digits$} %", growth * 100.0))
}

/// By how much the growth of a column may be off.
pub(super) fn error_of_growth(found: &ColumnVerdict) -> String {
    format!("± {:.2} %", found.error * 100.0)
}

pub(super) fn percent(p_value: f64) -> String {
    if p_value <= ALPHA / 100.0 {
        format!("< {:.3} %", ALPHA)
    } else {
        format!("{:.2} %", p_value * 100.0)
    }
}
