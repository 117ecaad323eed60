//! The methods that changed, as a table.

use super::{
    events,
    names::Names,
    texts::{change, column_change, nanos},
    view::DiffView,
};
use crate::{number::grouped, table::Table};
use jfathom_compare::{Calls, CallsChange, Column, ColumnUnit, Diff, MethodDiff, Prominence};
use jfathom_views::{Comparison, Sort};
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
    let columns = diff.seen(Prominence::Detail);
    let leasts: Vec<(usize, f64)> = (columns.iter())
        .map(|(at, column)| (*at, least_of(diff, *at, column, view.threshold)))
        .collect();
    let mut changed: Vec<(usize, &MethodDiff)> = diff
        .methods
        .iter()
        .enumerate()
        .filter(|(_, method)| is_changed(method, view.threshold, least, &leasts))
        .collect();
    let size = |method: &MethodDiff| match view.sort {
        Sort::SelfTime => method.self_time.difference().abs(),
        Sort::TotalTime => method.total_time.difference().abs(),
        Sort::Calls => method.calls.mean_growth().abs(),
        Sort::Column(column) => {
            let found = diff.place(column).and_then(|at| method.columns[at][0].difference());
            found.unwrap_or(0.0).abs()
        }
    };
    // What exists on one side only, or has other counts, comes before what chance may have moved.
    let weight = |method: &MethodDiff| {
        u8::from(!(method.calls.changed() || method.self_time.is_significant()))
    };
    changed.sort_by(|(a, one), (b, other)| {
        size(other).total_cmp(&size(one)).then(weight(one).cmp(&weight(other))).then(a.cmp(b))
    });
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
    write_line!(out, "methods that changed, by {}", view.sort.as_str())?;
    let shown = shown_columns(diff, columns);
    let changes: Vec<String> =
        shown.iter().map(|of| format!("Δ {}", of.column.titles[0])).collect();
    let mut titles = vec!["calls", "Δ calls", "self", "Δ self", "", "Δ total", ""];
    for (of, title) in shown.iter().zip(&changes) {
        titles.push(title);
        titles.extend(of.has_bar.then_some(""));
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
        for ShownColumn { at, column, has_bar } in &shown {
            let [change, bar] = column_change(column, &method.columns[*at][0]);
            cells.push(change);
            cells.extend(has_bar.then_some(bar));
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

/// A column of the table.
struct ShownColumn {
    /// Its place in the difference.
    at: usize,
    column: &'static Column,
    has_bar: bool,
}

/// The columns that are not zero everywhere.
fn shown_columns(diff: &Diff, columns: Vec<(usize, &'static Column)>) -> Vec<ShownColumn> {
    let own = |at: usize| diff.methods.iter().map(move |method| &method.columns[at][0]);
    let is_there = |of: [f64; 2]| of.iter().any(|of| of.round() != 0.0);
    let is_shown = |at: usize| own(at).any(|of| of.numbers().is_some_and(is_there));
    let shown = columns.into_iter().filter(|(at, _)| is_shown(*at));
    shown
        .map(|(at, column)| {
            let has_bar = column.has_bar || own(at).any(|of| of.is_significant());
            ShownColumn { at, column, has_bar }
        })
        .collect()
}

/// The least difference of a column that is shown: that part of the whole, of the total times for
/// one that is a part of them.
fn least_of(diff: &Diff, at: usize, column: &Column, threshold: f64) -> f64 {
    let all = |side: usize| match column.unit {
        ColumnUnit::Nanos => diff.total_nanos[side],
        ColumnUnit::Bytes | ColumnUnit::Count => {
            let numbers = diff.methods.iter().filter_map(|method| {
                let of = &method.columns[at][0];
                [of.base, of.new][side]?.known()
            });
            numbers.sum()
        }
    };
    threshold / 100.0 * all(0).max(all(1))
}

/// Whether calls changed, or a time or a column by more than chance and the least that is shown.
/// With a threshold of nothing, whether anything differs. `leasts` has the places of the columns.
fn is_changed(method: &MethodDiff, threshold: f64, least: f64, leasts: &[(usize, f64)]) -> bool {
    let all = threshold == 0.0;
    let time = |time: &jfathom_compare::TimeDiff| {
        let large = time.difference().abs() >= least && time.difference() != 0.0;
        large && (all || time.p_value.is_none_or(|_| time.is_significant()))
    };
    let column = |(at, least): &(usize, f64)| {
        let of = &method.columns[*at][0];
        let difference = of.difference().unwrap_or(0.0);
        difference != 0.0 && difference.abs() >= *least && (all || of.is_known())
    };
    method.calls.changed()
        || all && method.calls.mean_growth() != 0.0
        || time(&method.self_time)
        || time(&method.total_time)
        || leasts.iter().any(column)
        || events::differ(&method.events, least)
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
