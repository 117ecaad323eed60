//! A recording beside samples of uninstrumented runs, as text.

pub(crate) mod json;

pub use json::{TRUST_JSON_VERSION, trust_json};

use crate::{
    number::{counted, grouped, signed},
    table::Table,
};
use jfathom_profile::{ComparedShare, MethodIx, Profile, Trust};
use jfathom_views::{Names, verdict_text};
use std::io::{self, Write};

/// Settings of the text.
#[derive(Clone, Copy, Debug)]
pub struct TrustView {
    /// Methods and call paths in a list.
    pub limit: usize,
    /// Columns of the terminal; none if names are never shortened.
    pub width: Option<usize>,
}

/// Writes the comparison: what was sampled, the verdicts' shares of the time, methods, call paths.
pub fn trust_text(
    profile: &Profile,
    trust: &Trust,
    view: TrustView,
    out: &mut dyn Write,
) -> io::Result<()> {
    head(trust, out)?;
    writeln!(out)?;
    methods(profile, trust, view, out)?;
    writeln!(out)?;
    contexts(profile, trust, view, out)
}

/// Writes what was sampled, and how much of the time has which verdict.
pub(crate) fn head(trust: &Trust, out: &mut dyn Write) -> io::Result<()> {
    let samples = trust.samples;
    let every = match trust.period_nanos {
        0 => String::new(),
        nanos => format!(", one every {}", signed(nanos as f64).trim()),
    };
    write_line!(
        out,
        "trust     {} below the roots in {}{every}",
        counted(samples.inside, "sample", "samples"),
        counted(trust.runs, "uninstrumented run", "uninstrumented runs"),
    )?;
    let [confirmed, doubtful, distorted, rest] = trust.by_verdict().map(|share| 100.0 * share);
    write_line!(
        out,
        "          of their time {confirmed:.1} % is confirmed, {doubtful:.1} % doubtful, \
         {distorted:.1} % distorted; {rest:.1} % is in methods below 0.5 %"
    )?;
    let beside = [
        (samples.outside, "outside the roots"),
        (samples.native, "in native methods"),
        (samples.off_path, "on call paths that the recording does not have"),
        (samples.truncated, "without a whole stack, left out"),
    ];
    let beside: Vec<String> = beside
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", grouped(*count)))
        .collect();
    if !beside.is_empty() {
        write_line!(out, "          samples: {}", beside.join(", "))?;
    }
    if trust.waited_nanos + trust.waited_error_nanos > 0.0 {
        write_line!(
            out,
            "          {} ± {} of waits are taken out of the recorded times",
            signed(trust.waited_nanos).trim(),
            signed(trust.waited_error_nanos).trim()
        )?;
    }
    if trust.unexplained_wait_nanos > 0.0 {
        write_line!(
            out,
            "          {} of waits are left in the recorded times: which methods waited is not known",
            signed(trust.unexplained_wait_nanos).trim()
        )?;
    }
    Ok(())
}

fn methods(
    profile: &Profile,
    trust: &Trust,
    view: TrustView,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names = Names::of(&profile.methods);
    let titles = ["sampled %", "recorded %", "combined %", "samples", "self/call", "verdict"];
    let mut table = Table::new(&titles, "method");
    for row in trust.methods.iter().take(view.limit) {
        let [plain, recorded] = cells(&row.share);
        table.row(
            vec![
                plain,
                recorded,
                percentage(row.combined, row.combined_error),
                grouped(row.share.samples),
                row.nanos_per_call.map_or(String::new(), |nanos| signed(nanos).trim().to_owned()),
                verdict_text(&row.share),
            ],
            0,
            names.method(MethodIx(row.method)).to_owned(),
        );
    }
    write_line!(out, "methods, by sampled self time")?;
    table.write(view.width, out)?;
    more(trust.methods.len(), view.limit, "methods", out)
}

fn contexts(
    profile: &Profile,
    trust: &Trust,
    view: TrustView,
    out: &mut dyn Write,
) -> io::Result<()> {
    let names = Names::of(&profile.methods);
    let mut table = Table::new(&["sampled %", "recorded %", "samples", "verdict"], "call path");
    for row in trust.contexts.iter().take(view.limit) {
        let [plain, recorded] = cells(&row.share);
        table.row(
            vec![plain, recorded, grouped(row.share.samples), verdict_text(&row.share)],
            row.depth as usize,
            names.method(MethodIx(row.method)).to_owned(),
        );
    }
    write_line!(out, "call paths, by total time")?;
    table.write(view.width, out)?;
    more(trust.contexts.len(), view.limit, "call paths", out)
}

fn more(all: usize, limit: usize, what: &str, out: &mut dyn Write) -> io::Result<()> {
    match all.checked_sub(limit) {
        None | Some(0) => Ok(()),
        Some(rest) => {
            write_line!(out, "{} more {what} (--limit shows more)", grouped(rest as u64))
        }
    }
}

/// Both shares as percentages with their errors.
fn cells(share: &ComparedShare) -> [String; 2] {
    [
        percentage(share.sampled, share.sampled_error),
        percentage(share.recorded, share.recorded_error),
    ]
}

fn percentage(share: f64, error: f64) -> String {
    format!("{:.1} ± {:.1}", 100.0 * share, 100.0 * error)
}

#[cfg(test)]
pub(crate) mod tests;
