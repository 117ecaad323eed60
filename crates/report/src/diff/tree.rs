//! The tree of what changed.

use super::{events, methods::growth, names::Names, texts::change, view::DiffView};
use crate::{number::grouped, table::Table};
use jfathom_compare::{ContextDiff, ContextFrame, Diff};
use jfathom_views::{Comparison, Sort};
use std::io::{self, Write};

/// Writes the contexts that changed, with those above them, the largest change first.
pub(super) fn write(
    compared: &Comparison<'_>,
    names: &Names,
    view: &DiffView,
    out: &mut dyn Write,
) -> io::Result<()> {
    let diff = compared.diff;
    let ends = ends(&diff.contexts);
    let shown = shown(diff, view.threshold, &ends);
    let all = shown.iter().filter(|shown| **shown).count();
    if all == 0 {
        return write_line!(out, "no call path changed");
    }
    write_line!(out, "call paths that changed, threads added up")?;
    let mut titles = vec!["Δ total", "", "Δ self", "", "Δ calls"];
    if diff.events.is_known() {
        titles.push(events::TITLE);
    }
    let mut table = Table::new(&titles, "call path");
    // A stack of its own: a path may be deeper than the stack of this thread.
    let mut stack = children(diff, &shown, &ends, 0..diff.contexts.len(), view.sort);
    let modes = modes_differ(diff, &ends);
    let mut written = 0;
    while let Some(at) = stack.pop() {
        if written == view.limit {
            break;
        }
        written += 1;
        let context = &diff.contexts[at];
        let [total, total_half] = change(&context.total_time);
        let [own, own_half] = change(&context.self_time);
        let calls = if modes[at] { String::new() } else { growth(&context.calls) };
        let mut cells = vec![total, total_half, own, own_half, calls];
        if diff.events.is_known() {
            cells.push(events::cell(&context.events));
        }
        table.row(cells, context.depth as usize, label(names, context));
        stack.extend(children(diff, &shown, &ends, at + 1..ends[at], view.sort));
    }
    table.write(view.width, out)?;
    if written < all {
        write_line!(out, "{} more (--limit shows more)", grouped((all - written) as u64))?;
    }
    Ok(())
}

fn label(names: &Names, context: &ContextDiff) -> String {
    let name = names.frame(context.frame);
    match (context.calls.base, context.calls.new) {
        _ if name.ends_with(')') => name,
        (Some(_), None) => format!("{name} (gone here)"),
        (None, Some(_)) => format!("{name} (new here)"),
        _ => name,
    }
}

/// One past the last descendant of each context.
pub(super) fn ends(contexts: &[ContextDiff]) -> Vec<usize> {
    let mut ends = vec![contexts.len(); contexts.len()];
    let mut path: Vec<usize> = Vec::new();
    for (at, context) in contexts.iter().enumerate() {
        for left in path.drain((context.depth as usize).min(path.len())..) {
            ends[left] = at;
        }
        path.push(at);
    }
    ends
}

/// Which contexts do not compare: a method was timed on one side and counted on the other, so that
/// its callees' calls stand below it on one side, and beside it on the other. That concerns all
/// contexts at and below such a method's siblings.
fn modes_differ(diff: &Diff, ends: &[usize]) -> Vec<bool> {
    let own = |context: &ContextDiff| match context.frame {
        ContextFrame::Method(method) | ContextFrame::Task(method) => {
            diff.methods[method].modes_differ
        }
    };
    let contexts = &diff.contexts;
    let mut differ = vec![false; contexts.len()];
    // The place of each open context's parent, by depth.
    let mut path: Vec<usize> = Vec::new();
    for (at, context) in contexts.iter().enumerate() {
        path.truncate(context.depth as usize);
        if own(context) && !differ[at] {
            let siblings =
                path.last().map_or(0..contexts.len(), |parent| parent + 1..ends[*parent]);
            differ[siblings].fill(true);
        }
        path.push(at);
    }
    differ
}

/// Which contexts changed, or have one below them that did.
pub(super) fn shown(diff: &Diff, threshold: f64, ends: &[usize]) -> Vec<bool> {
    let least = threshold / 100.0 * diff.total_nanos[0].max(diff.total_nanos[1]);
    let modes = modes_differ(diff, ends);
    let changed = |(context, modes_differ): (&ContextDiff, &bool)| {
        let time = |time: &jfathom_compare::TimeDiff| {
            let large = time.difference().abs() >= least && time.difference() != 0.0;
            large && time.p_value.is_none_or(|_| time.is_significant())
        };
        let calls = !modes_differ && context.calls.changed();
        let events = events::differ(&context.events, least);
        calls || events || time(&context.self_time) || time(&context.total_time)
    };
    let mut shown: Vec<bool> = diff.contexts.iter().zip(&modes).map(changed).collect();
    let mut below = 0;
    for at in (0..shown.len()).rev() {
        // `below`: the nearest shown context after this one, plus one.
        if !shown[at] && below > at && below <= ends[at] {
            shown[at] = true;
        }
        if shown[at] {
            below = at + 1;
        }
    }
    shown
}

/// The shown contexts next below, the largest change last.
fn children(
    diff: &Diff,
    shown: &[bool],
    ends: &[usize],
    range: std::ops::Range<usize>,
    sort: Sort,
) -> Vec<usize> {
    let mut children = Vec::new();
    let mut at = range.start;
    while at < range.end {
        if shown[at] {
            children.push(at);
        }
        at = ends[at];
    }
    let size = |at: &usize| {
        let context = &diff.contexts[*at];
        match sort {
            Sort::Calls => context.calls.mean_growth().abs(),
            // A path has no totals of columns.
            Sort::SelfTime | Sort::TotalTime | Sort::Column(_) => {
                context.total_time.difference().abs()
            }
        }
    };
    children.sort_by(|a, b| size(a).total_cmp(&size(b)).then(b.cmp(a)));
    children
}
