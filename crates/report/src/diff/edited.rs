//! The methods whose code differs, whatever chance says about their times.

use super::{
    methods::growth,
    names::Names,
    texts::{change, nanos},
};
use crate::{number::counted, table::Table};
use jfathom_compare::MethodDiff;
use jfathom_views::Comparison;
use std::io::{self, Write};

/// Edited methods that are listed, those with the largest change of self time first.
const SHOWN: usize = 20;

/// Writes the methods whose code is known to differ, or that are on one side only.
pub(super) fn write(
    compared: &Comparison<'_>,
    names: &Names,
    width: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let methods = &compared.diff.methods;
    let mut edited: Vec<(usize, &MethodDiff)> =
        methods.iter().enumerate().filter(|(_, method)| method.is_edited()).collect();
    if edited.is_empty() {
        return Ok(());
    }
    let size = |method: &MethodDiff| method.self_time.difference().abs();
    edited.sort_by(|(_, one), (_, other)| size(other).total_cmp(&size(one)));
    write_line!(out, "edited methods, whether or not their times differ by more than chance")?;
    let columns = ["self per call", "new", "Δ calls", "Δ self", ""];
    let mut table = Table::new(&columns, "method");
    for (place, method) in edited.iter().take(SHOWN) {
        let [own, half] = change(&method.self_time);
        let [base, new] = per_call(method);
        let cells = vec![base, new, growth(&method.calls), own, half];
        table.row(cells, 0, names.with_note(*place));
    }
    table.write(width, out)?;
    if let more @ 1.. = edited.len().saturating_sub(SHOWN) {
        let more = counted(more as u64, "edited method", "edited methods");
        write_line!(out, "and {more} more (--json has all)")?;
    }
    Ok(())
}

/// Self time per timed call on both sides. A counted call has no time.
fn per_call(method: &MethodDiff) -> [String; 2] {
    let [base, new] = method.timed;
    [(method.self_time.base, base), (method.self_time.new, new)].map(|side| match side {
        (Some(time), Some(timed)) if timed > 0.0 => nanos(time / timed),
        _ => "-".to_owned(),
    })
}
