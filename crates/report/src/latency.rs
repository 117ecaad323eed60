//! How long calls took, as text.

use crate::{
    chain::chain_label,
    number::{counted, grouped, is_narrow, signed, time_format},
    table::Table,
    view::View,
    wrapped::Wrapped,
};
use jfathom_calibration::{CorrectedTimes, TimeStatus};
use jfathom_profile::{Frame, Profile};
use jfathom_views::{Names, QUANTILES, ShownDuration, ShownLatency, latencies};
use std::io::{self, Write};

/// The latencies that a view shows: those of call paths that begin with one of its methods.
pub(crate) fn shown(
    profile: &Profile,
    corrected: Option<&CorrectedTimes>,
    view: &View,
) -> Vec<ShownLatency> {
    let mut shown = latencies(profile, corrected);
    shown.retain(|latency| match (&view.latency_of, latency.path.first()) {
        (Some(of), Some(Frame::Method(root) | Frame::Task(root))) => of.contains(*root),
        _ => true,
    });
    shown
}

/// Writes how long the calls of roots and tasks took.
pub(crate) fn write(
    profile: &Profile,
    corrected: Option<&CorrectedTimes>,
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    let shown = shown(profile, corrected, view);
    let names = Names::of(&profile.methods);
    let is_narrow = view.width.is_some_and(is_narrow);
    let titles: &[&str] = match is_narrow {
        true => &["calls", "p50", "p99", "longest"],
        false => &["calls", "p50", "p90", "p99", "p99.9", "longest"],
    };
    let mut table = Table::new(titles, "call path");
    for latency in shown.iter().take(view.limit) {
        let shown: &[usize] = if is_narrow { &[0, 2] } else { &[0, 1, 2, 3] };
        let quantiles = shown.iter().map(|at| match is_above(latency.calls, QUANTILES[*at]) {
            true => cell(&latency.quantiles[*at], corrected.is_some(), view),
            false => "-".to_owned(),
        });
        let longest = cell(&latency.longest, corrected.is_some(), view);
        let cells = quantiles.chain([longest]);
        let cells = std::iter::once(grouped(latency.calls)).chain(cells).collect();
        let path = names.path(profile, &latency.path);
        table.row_of(cells, 0, move |width| chain_label(&path, width));
    }
    write_line!(out, "latency of ended calls, by the time of all calls")?;
    if shown.is_empty() {
        if view.latency_of.is_some() && !profile.latencies.paths.is_empty() {
            return write_line!(out, "none: no call path begins with the methods of --root");
        }
        write_line!(
            out,
            "none: no call of a root or task ended, or the profile is of an older version"
        )?;
        return Ok(());
    }
    table.write(view.width, out)?;
    if let more @ 1.. = shown.len().saturating_sub(view.limit) {
        let more = counted(more as u64, "more call path", "more call paths");
        write_line!(out, "{more} (--limit shows more)")?;
    }
    let out = &mut Wrapped::new(out, view.width);
    match profile.latencies.unwatched {
        0 => {}
        1 => write_line!(out, "1 more node has no latency: there were too many call paths")?,
        more => {
            let more = grouped(more);
            write_line!(out, "{more} more nodes have no latency: there were too many call paths")?;
        }
    }
    let bars = match corrected {
        Some(_) => "without the probes' cost, ± what is uncertain about it",
        None => "as measured, the probes' cost in it",
    };
    write_line!(out, "p99: 99 % of the calls took no longer; {bars}; up to 0.8 % too long")?;
    out.flush()
}

/// Whether one of so many calls at least is above this share of them. A quantile beyond is no more
/// than the longest call.
fn is_above(calls: u64, share: f64) -> bool {
    calls as f64 * (1.0 - share) >= 1.0 - 1e-9
}

fn cell(of: &ShownDuration, is_corrected: bool, view: &View) -> String {
    match (is_corrected, of.status()) {
        (true, TimeStatus::AboveResolution) => time_format(view.width)(of.nanos, of.bar_nanos),
        (true, TimeStatus::BelowResolution) => {
            format!("≤ {}", signed((of.nanos + of.bar_nanos).clamp(0.0, of.measured_nanos)))
        }
        (false, _) => signed(of.nanos),
    }
}
