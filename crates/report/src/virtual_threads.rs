//! Calls on virtual threads as text.

use crate::{number::grouped, table::Table, view::View};
use jfathom_profile::{MethodIx, Profile};
use jfathom_views::Names;
use std::{
    cmp::Reverse,
    io::{self, Write},
};

/// Writes the methods that virtual threads called most.
pub(crate) fn write(profile: &Profile, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let mut called: Vec<(u64, MethodIx)> = (0..)
        .map(MethodIx)
        .zip(&profile.methods)
        .filter(|(_, method)| method.virtual_calls > 0)
        .map(|(ix, method)| (method.virtual_calls, ix))
        .collect();
    if called.is_empty() {
        write_line!(out, "calls on virtual threads without call paths")?;
        return write_line!(out, "none: all that were recorded are in the call tree");
    }
    called.sort_by_key(|(calls, method)| (Reverse(*calls), *method));
    let names = Names::of(&profile.methods);
    let mut table = Table::new(&["calls"], "method");
    for (calls, method) in called.iter().take(view.limit) {
        table.row(vec![grouped(*calls)], 0, names.method(*method).to_owned());
    }
    write_line!(out, "calls on virtual threads (counted, not timed)")?;
    table.write(view.width, out)?;
    if let more @ 1.. = called.len().saturating_sub(view.limit) {
        write_line!(out, "{} more methods (--limit shows more)", grouped(more as u64))?;
    }
    Ok(())
}
