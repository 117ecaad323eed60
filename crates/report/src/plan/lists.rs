//! The lists of a plan: counts, inputs, what is skipped, and calls that may be missing.

use super::{AnalysisView, PlanInput};
use crate::{
    analysis::{REMEDIES, names_and_more},
    number::{counted, grouped},
    skips::skip_counts,
    unfollowed::unfollowed_sentence,
};
use std::{
    fmt::Display,
    io::{self, Write},
};

/// Roots and recursive methods that are named.
pub(super) const NAMES: usize = 3;

pub(super) fn table(
    title: &str,
    counts: &[(impl Display, usize)],
    rows: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    if counts.is_empty() {
        return Ok(());
    }
    writeln!(out, "  {title}")?;
    for (name, count) in counts.iter().take(rows) {
        write_line!(out, "  {:>10}  {name}", grouped(*count as u64))?;
    }
    more(counts.len(), rows, out)
}

/// How many rows are not shown, if any.
pub(super) fn more(all: usize, shown: usize, out: &mut dyn Write) -> io::Result<()> {
    match all.checked_sub(shown) {
        None | Some(0) => Ok(()),
        Some(more) => {
            writeln!(out, "              and {} more (-v lists all)", grouped(more as u64))
        }
    }
}

pub(super) fn inputs(inputs: &[PlanInput<'_>], rows: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut listed: Vec<_> = inputs.iter().collect();
    listed.sort_by_key(|input| std::cmp::Reverse(input.methods));
    writeln!(out, "  by input")?;
    for input in listed.iter().take(rows) {
        let of =
            input.all_methods.map_or(String::new(), |all| format!("of {} ", grouped(all as u64)));
        write_line!(out, "  {:>10}  {of}in {}", grouped(input.methods as u64), input.name)?;
    }
    more(listed.len(), rows, out)
}

pub(super) fn skipped(
    inputs: &[PlanInput<'_>],
    verbose: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(counts) = skip_counts(inputs.iter().flat_map(|input| input.skips)) else {
        return writeln!(out, "skipped     nothing that can be rewritten");
    };
    let hint = if verbose { "" } else { " (-v lists them)" };
    writeln!(out, "skipped     {counts}{hint}")?;
    for input in inputs.iter().filter(|_| verbose) {
        for skip in input.skips {
            write_line!(out, "  {}!{skip}", input.name)?;
        }
    }
    Ok(())
}

/// Calls that may be missing, and recursion.
pub(super) fn gaps(
    analysis: &AnalysisView<'_>,
    rows: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    if let Some(what) = unfollowed_sentence(analysis.unfollowed) {
        writeln!(out, "unfollowed  {what}: calls below may be missing ({REMEDIES})")?;
    }
    let missing = &analysis.missing;
    if !missing.is_empty() {
        let count = counted(missing.len(), "class or method", "classes or methods");
        writeln!(out, "missing     {count}:")?;
        for (what, from) in missing.iter().take(rows) {
            write_line!(out, "              {what} (needed by {from})")?;
        }
        more(missing.len(), rows, out)?;
    }
    let Some(largest) = analysis.recursion.first() else { return Ok(()) };
    let names = names_and_more(largest, NAMES);
    let cycles = match analysis.recursion.len() {
        1 => String::new(),
        cycles => format!(
            ", in {cycles} separate cycles; the largest has {}",
            counted(largest.len(), "method", "methods")
        ),
    };
    write_line!(
        out,
        "recursion   {}{cycles}: {names}",
        counted(
            analysis.recursion.iter().map(Vec::len).sum::<usize>(),
            "method may be called again below itself",
            "methods may be called again below themselves"
        )
    )
}
