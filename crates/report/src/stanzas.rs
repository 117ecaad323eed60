//! Callers and callees of methods as text, in the form of gprof's call graph.

use crate::{
    number::{grouped, percent, time_format},
    table::Table,
    view::View,
};
use jfathom_calibration::Times;
use jfathom_profile::Frame;
use jfathom_views::{Edge, Edges, Pruned};
use std::io::{self, Write};

/// Callers or callees of a method that are shown.
const LINES: usize = 12;

/// Writes a stanza for each method: its callers, then the method itself, then its callees. A
/// caller's line has the method's times in calls from there, a callee's line the time that the
/// method spent in it.
pub(crate) fn write(shown: &Pruned, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let edges = Edges::of(shown);
    let methods = view.methods(shown);
    let time = time_format(view.width);
    write_line!(out, "callers and callees")?;
    let mut table = Table::new(&["%", "self", "callees", "calls"], "caller / METHOD / callee");
    for method in &methods {
        let stanza = edges.stanza(*method);
        let skipped = stanza.callers.len().saturating_sub(LINES);
        if skipped > 0 {
            table.row(blank(), 2, format!("{} more callers", grouped(skipped as u64)));
        }
        for (caller, edge) in stanza.callers.iter().skip(skipped) {
            let name = match caller {
                Some(frame) => shown.frame_name(*frame),
                None => "the bottom of a stack".to_owned(),
            };
            table.row(of_caller(shown, edge, time), 2, name);
        }
        let name = shown.frame_name(Frame::Method(*method));
        table.row(of_caller(shown, &stanza.sum, time), 0, name);
        for (callee, edge) in stanza.callees.iter().take(LINES) {
            let Times { total_nanos, total_error_nanos, .. } = edge.in_caller;
            let cells = vec![
                percent(total_nanos, shown.whole),
                String::new(),
                time_of(edge, time(total_nanos, total_error_nanos)),
                edge.calls_text(),
            ];
            table.row(cells, 2, shown.frame_name(*callee));
        }
        if let more @ 1.. = stanza.callees.len().saturating_sub(LINES) {
            table.row(blank(), 2, format!("{} more callees", grouped(more as u64)));
        }
        table.row(blank(), 0, String::new());
    }
    table.write(view.width, out)?;
    write_line!(
        out,
        "above a method: its self time and the time of its callees in calls from there; they add up to its own"
    )?;
    write_line!(
        out,
        "below it: the time that it spent in each callee, recursive calls counted once; a call without a time was counted"
    )
}

fn of_caller(shown: &Pruned, edge: &Edge, time: fn(f64, f64) -> String) -> Vec<String> {
    let times = edge.of_callee;
    vec![
        percent(times.self_nanos + times.total_nanos, shown.whole),
        time_of(edge, time(times.self_nanos, times.self_error_nanos)),
        time_of(edge, time(times.total_nanos, times.total_error_nanos)),
        edge.calls_text(),
    ]
}

/// The time of an edge, if it has one.
fn time_of(edge: &Edge, time: String) -> String {
    if edge.has_time() { time } else { String::new() }
}

fn blank() -> Vec<String> {
    vec![String::new(); 4]
}
