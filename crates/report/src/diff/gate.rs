//! A gate's verdict as text.

use super::{
    edited,
    names::Names,
    texts::{bytes, nanos, ratio},
};
use crate::{
    number::{counted, grouped},
    table::Table,
};
use jfathom_compare::{ALPHA, AllocVerdict, CpuVerdict, Gate, RootDiff, RootKind, Verdict};
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
            let name = match root.kind {
                RootKind::Method => names.with_note(root.method),
                RootKind::Task => format!("spawned from {}", names.on(1, root.method)),
            };
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
            table.row(cells, 0, name);
        }
        table.write(width, out)?;
    }
    if !gate.allocated.is_empty() {
        write_line!(out, "bytes that roots allocate, per run")?;
        let mut table = Table::new(&["base", "new", "Δ", "verdict"], "root");
        for found in &gate.allocated {
            let root = &compared.diff.roots[found.root];
            let name = match root.kind {
                RootKind::Method => names.with_note(root.method),
                RootKind::Task => format!("spawned from {}", names.on(1, root.method)),
            };
            let [base, new] = found.bytes.map(bytes);
            let cells = vec![base, new, growth_of_bytes(found), word(found.verdict).to_owned()];
            table.row(cells, 0, name);
        }
        table.write(width, out)?;
    }
    if !gate.cpu.is_empty() {
        write_line!(
            out,
            "running time of roots, lower halves of {} and {} runs",
            compared.diff.runs[0],
            compared.diff.runs[1]
        )?;
        let mut table = Table::new(&["base", "new", "Δ", "±", "p-value", "verdict"], "root");
        for found in &gate.cpu {
            let root = &compared.diff.roots[found.root];
            let name = match root.kind {
                RootKind::Method => names.with_note(root.method),
                RootKind::Task => format!("spawned from {}", names.on(1, root.method)),
            };
            let [base, new] = running(root);
            let cells = vec![
                base,
                new,
                format!("{:+.1} %", found.growth * 100.0),
                error_of_growth(found),
                found.p_value.map_or("-".to_owned(), percent),
                word(found.verdict).to_owned(),
            ];
            table.row(cells, 0, name);
        }
        table.write(width, out)?;
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

/// The growth of a root's bytes; a dash if there were none before.
pub(super) fn growth_of_bytes(found: &AllocVerdict) -> String {
    // A limit may be below a thousandth of a per cent.
    found.growth().map_or("-".to_owned(), |growth| format!("{:+.3} %", growth * 100.0))
}

/// The running times of a root on both sides: the lower halves of its runs.
pub(super) fn running(root: &RootDiff) -> [String; 2] {
    root.lower_half_running_nanos().map(nanos)
}

/// By how much the growth of a running time may be off.
pub(super) fn error_of_growth(found: &CpuVerdict) -> String {
    format!("± {:.2} %", found.error * 100.0)
}

pub(super) fn percent(p_value: f64) -> String {
    if p_value <= ALPHA / 100.0 {
        format!("< {:.3} %", ALPHA)
    } else {
        format!("{:.2} %", p_value * 100.0)
    }
}
