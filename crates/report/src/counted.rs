//! Methods whose calls were counted and not timed, as text.

use crate::{
    budget,
    number::{counted, grouped, signed},
    table::Table,
    view::View,
};
use jfathom_profile::{Method, MethodIx, Mode, Profile};
use jfathom_views::Names;
use std::{
    cmp::Reverse,
    io::{self, Write},
};

/// What a table with a column `timed` says of it.
pub(crate) const TIMED_LEGEND: &str = "timed: calls with a time; the others were counted: samples tell their time, or it is in the method that called them";

/// Writes the methods that were counted, most calls first: all their calls, and since when they are
/// only counted, why, and what timing them would have cost more. Nothing where there are none.
pub(crate) fn write(profile: &Profile, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let is_counted = |(_, method): &(MethodIx, &Method)| {
        !method.info.is_resumption()
            && (method.counted > 0 || method.mode == Mode::Count && method.calls() > 0)
    };
    let mut methods: Vec<(MethodIx, &Method)> =
        (0..).map(MethodIx).zip(&profile.methods).filter(is_counted).collect();
    if methods.is_empty() {
        return Ok(());
    }
    methods.sort_by_key(|(ix, method)| (Reverse(method.calls()), *ix));
    let names = Names::of(&profile.methods);
    let columns = ["calls", "timed", "why", "self/call then", "saved", "counted since"];
    let mut table = Table::new(&columns, "method");
    for (ix, method) in methods.iter().take(view.limit) {
        let (why, each, saved, since) = match &method.demotion {
            Some(demotion) => (
                budget::reason(demotion.reason).to_owned(),
                format!("{:.1} ns", demotion.self_nanos),
                signed(demotion.saved_nanos * method.counted as f64),
                format!(
                    "{} after {:.2} s",
                    counted(demotion.calls, "call", "calls"),
                    demotion.millis as f64 / 1e3
                ),
            ),
            None => {
                // One that is timed at the end was counted in between.
                let since = if method.mode == Mode::Count { "the start" } else { "-" };
                ("-".to_owned(), "-".to_owned(), "-".to_owned(), since.to_owned())
            }
        };
        table.row(
            vec![grouped(method.calls()), grouped(method.entries), why, each, saved, since],
            0,
            names.method(*ix).to_owned(),
        );
    }
    writeln!(out)?;
    write_line!(out, "counted methods")?;
    table.write(view.width, out)?;
    if let more @ 1.. = methods.len().saturating_sub(view.limit) {
        write_line!(out, "{} more methods (--limit shows more)", grouped(more as u64))?;
    }
    Ok(())
}
