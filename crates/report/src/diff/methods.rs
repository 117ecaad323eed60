//! The methods that changed, as a table.

use super::{
    events,
    names::Names,
    texts::{byte_change, change, cpu_change, nanos},
    view::{DiffSort, DiffView},
};
use crate::{number::grouped, table::Table};
use jfathom_compare::{Calls, CallsChange, CpuDiff, MethodDiff};
use jfathom_views::Comparison;
use std::io::{self, Write};

/// Writes the methods that changed, the largest change first.
pub(super) fn write(
    compared: &Comparison<'_>,
    names: &Names,
    view: &DiffView,
    out: &mut dyn Write,
) -> io::Result<()> {
    let diff = compared.diff;
    let least = view.threshold / 100.0 * diff.total_nanos[0].max(diff.total_nanos[1]);
    let all_bytes =
        |side: fn(&MethodDiff) -> Option<f64>| diff.methods.iter().filter_map(side).sum::<f64>();
    let whole = all_bytes(|of| of.allocated.base).max(all_bytes(|of| of.allocated.new));
    let least_bytes = view.threshold / 100.0 * whole;
    let mut changed: Vec<(usize, &MethodDiff)> = diff
        .methods
        .iter()
        .enumerate()
        .filter(|(_, method)| is_changed(method, view.threshold, least, least_bytes))
        .collect();
    let size = |method: &MethodDiff| match view.sort {
        DiffSort::SelfTime => method.self_time.difference().abs(),
        DiffSort::TotalTime => method.total_time.difference().abs(),
        DiffSort::Calls => method.calls.mean_growth().abs(),
        DiffSort::Allocated => method.allocated.difference().unwrap_or(0.0).abs(),
        DiffSort::Running => method.cpu.difference(|parts| parts.running).unwrap_or(0.0).abs(),
    };
    // What exists on one side only, or has other counts, comes before what chance may have moved.
    let weight = |method: &MethodDiff| {
        u8::from(!(method.calls.changed() || method.self_time.is_significant()))
    };
    changed.sort_by(|(a, one), (b, other)| {
        size(other).total_cmp(&size(one)).then(weight(one).cmp(&weight(other))).then(a.cmp(b))
    });
    let by = match view.sort {
        DiffSort::SelfTime => "self time",
        DiffSort::TotalTime => "total time",
        DiffSort::Calls => "calls",
        DiffSort::Allocated => "allocated bytes",
        DiffSort::Running => "running time",
    };
    if changed.is_empty() {
        let chance = if diff.runs.contains(&1) { "" } else { " significantly" };
        let (threshold, runs) = (view.threshold, diff.runs[0] + diff.runs[1]);
        let calls = if runs > 2 { "calls that do not vary between equal runs" } else { "calls" };
        match threshold {
            0.0 => write_line!(out, "no method changed: all calls and times are the same")?,
            _ => write_line!(
                out,
                "no method changed: {calls} are the same, and no time differs{chance} by {threshold} % of the whole (-t 0 shows all)"
            )?,
        }
        tell_whole(compared, names, view.threshold, out)?;
        return tell_varying(compared, out);
    }
    write_line!(out, "methods that changed, by {by}")?;
    let mut titles = vec!["calls", "Δ calls", "self", "Δ self", "", "Δ total", ""];
    let has_bytes = diff.methods.iter().any(|method| method.allocated.difference().is_some());
    if has_bytes {
        titles.push("Δ alloc self");
    }
    let has_cpu = diff.methods.iter().any(|of| of.cpu.base.is_some() && of.cpu.new.is_some());
    if has_cpu {
        titles.extend(["Δ cpu self", ""]);
        match compared.tells_preempted() {
            true => titles.extend(["Δ preempted", "Δ blocked"]),
            false => titles.push("Δ not running"),
        }
    }
    if diff.events.is_known() {
        titles.push(events::TITLE);
    }
    let mut table = Table::new(&titles, "method");
    for (place, method) in changed.iter().take(view.limit) {
        let [own, own_half] = change(&method.self_time);
        let [total, total_half] = change(&method.total_time);
        let mut cells = vec![
            both(&method.calls),
            growth(&method.calls),
            nanos(method.self_time.new.or(method.self_time.base).unwrap_or(0.0)),
            own,
            own_half,
            total,
            total_half,
        ];
        if has_bytes {
            let unknown = if method.is_unread { "-" } else { "" };
            let change = method.allocated.difference().map(byte_change);
            cells.push(change.unwrap_or_else(|| unknown.to_owned()));
        }
        if has_cpu {
            cells.extend(cpu_change(&method.cpu, compared.tells_preempted()));
        }
        if diff.events.is_known() {
            cells.push(events::cell(&method.events));
        }
        let counted = if method.modes_differ { " (counted on one side)" } else { "" };
        table.row(cells, 0, format!("{}{counted}", names.with_note(*place)));
    }
    table.write(view.width, out)?;
    let more = changed.len().saturating_sub(view.limit);
    if more > 0 {
        write_line!(out, "{} more changed (--limit shows more)", grouped(more as u64))?;
    }
    tell_varying(compared, out)
}

/// Methods that are named where the whole differs and no method alone.
const NAMED: usize = 5;

/// Writes where the whole differs by more than the threshold though no method alone differs by more
/// than chance.
fn tell_whole(
    compared: &Comparison<'_>,
    names: &Names,
    threshold: f64,
    out: &mut dyn Write,
) -> io::Result<()> {
    let [base, new] = compared.diff.total_nanos;
    let share = (new / base - 1.0) * 100.0;
    if !share.is_finite() || share.abs() < threshold.max(1.0) {
        return Ok(());
    }
    let mut largest: Vec<(usize, f64)> = (compared.diff.methods.iter().enumerate())
        .map(|(place, method)| (place, method.self_time.difference()))
        .filter(|(_, nanos)| *nanos * share > 0.0)
        .collect();
    largest.sort_by(|(_, one), (_, other)| other.abs().total_cmp(&one.abs()));
    let named = largest
        .iter()
        .take(NAMED)
        .map(|(place, nanos)| format!("{} {:+.1} %", names.on(1, *place), nanos / base * 100.0));
    write_line!(
        out,
        "the whole differs by {share:+.1} %, and no method alone shows it beyond chance; the largest \
         parts: {}",
        named.collect::<Vec<_>>().join(", ")
    )
}

/// Writes how many methods have calls that vary.
fn tell_varying(compared: &Comparison<'_>, out: &mut dyn Write) -> io::Result<()> {
    let diff = compared.diff;
    match diff.methods.iter().filter(|method| method.calls.varies()).count() {
        0 => Ok(()),
        varying => write_line!(
            out,
            "~ {varying} of {} methods have calls that vary between equal runs",
            diff.method_count()
        ),
    }
}

/// Whether calls or bytes changed, or a time by more than chance and the least that is shown. With
/// a threshold of nothing, whether anything differs.
fn is_changed(method: &MethodDiff, threshold: f64, least: f64, least_bytes: f64) -> bool {
    let all = threshold == 0.0;
    let time = |time: &jfathom_compare::TimeDiff| {
        let large = time.difference().abs() >= least && time.difference() != 0.0;
        large && (all || time.p_value.is_none_or(|_| time.is_significant()))
    };
    method.calls.changed()
        || all && method.calls.mean_growth() != 0.0
        || time(&method.self_time)
        || time(&method.total_time)
        || runs_longer(&method.cpu, least, all)
        || events::differ(&method.events, least)
        || (method.allocated.difference())
            .is_some_and(|bytes| bytes != 0.0 && bytes.abs() >= least_bytes)
}

/// Whether running times differ by more than chance, by more than they may be off, and by the least
/// that is shown; with one run on a side by more than they may be off.
fn runs_longer(cpu: &CpuDiff, least: f64, all: bool) -> bool {
    let Some(change) = cpu.difference(|parts| parts.running).filter(|change| *change != 0.0) else {
        return false;
    };
    let error = cpu.base.map_or(0.0, |of| of.error) + cpu.new.map_or(0.0, |of| of.error);
    let is_known = change.abs() > error && cpu.running.p_value.is_none_or(|_| cpu.is_significant());
    all || change.abs() >= least && is_known
}

/// Calls of the base and the new side, or one number where both have it: `20 → 40`; `~20` is a mean
/// of runs that differ.
fn both(calls: &CallsChange) -> String {
    let text = |calls: Option<Calls>| match calls {
        None => "0".to_owned(),
        Some(calls) if calls.varies() => format!("~{}", grouped(calls.mean.round() as u64)),
        Some(calls) => grouped(calls.least),
    };
    let (base, new) = (text(calls.base), text(calls.new));
    if base == new { new } else { format!("{base} → {new}") }
}

/// By how much calls grew: `+5`, `=`; `~+5` where they vary, `?` where that is unknown.
pub(super) fn growth(calls: &CallsChange) -> String {
    if calls.is_unknown {
        return "?".to_owned();
    }
    let (vary, growth) = match calls.growth() {
        Some(growth) => ("", growth),
        None => ("~", calls.mean_growth().round() as i128),
    };
    let digits = grouped(u64::try_from(growth.unsigned_abs()).unwrap_or(u64::MAX));
    match growth {
        0 => format!("{vary}="),
        1.. => format!("{vary}+{digits}"),
        _ => format!("{vary}-{digits}"),
    }
}
