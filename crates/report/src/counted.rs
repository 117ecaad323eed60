//! Methods whose calls were counted and not timed, as text.

use crate::{
    names::Names,
    number::{counted, grouped},
    table::Table,
    view::View,
};
use jfathom_compare::HotMethod;
use jfathom_profile::{Mode, Profile};
use std::{
    cmp::Reverse,
    io::{self, Write},
};

/// Writes the methods that were counted, most calls first: all their calls, and since when they are
/// only counted. Nothing where there are none.
pub(crate) fn write(
    profile: &Profile,
    hot: &[HotMethod],
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_counted =
        |hot: &&HotMethod| hot.counted > 0 || profile.method(hot.method).mode == Mode::Count;
    let mut methods: Vec<&HotMethod> = hot.iter().filter(is_counted).collect();
    if methods.is_empty() {
        return Ok(());
    }
    let all = |hot: &HotMethod| hot.calls.saturating_add(hot.counted);
    methods.sort_by_key(|hot| (Reverse(all(hot)), hot.method));
    let names = Names::of(&profile.methods);
    let mut table = Table::new(&["calls", "timed", "self/call then", "counted since"], "method");
    for hot in methods.iter().take(view.limit) {
        let (each, since) = match &profile.method(hot.method).demotion {
            Some(demotion) => (
                format!("{:.1} ns", demotion.self_nanos),
                format!(
                    "{} after {:.2} s",
                    counted(demotion.calls, "call", "calls"),
                    demotion.millis as f64 / 1e3
                ),
            ),
            None => ("-".to_owned(), "the start".to_owned()),
        };
        table.row(
            vec![grouped(all(hot)), grouped(hot.calls), each, since],
            0,
            names.method(hot.method).to_owned(),
        );
    }
    writeln!(out)?;
    write_line!(
        out,
        "counted methods: their calls are exact, their time is in the methods that call them"
    )?;
    table.write(view.width, out)?;
    if let more @ 1.. = methods.len().saturating_sub(view.limit) {
        write_line!(out, "{} more methods (--limit shows more)", grouped(more as u64))?;
    }
    Ok(())
}
