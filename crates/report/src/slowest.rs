//! The slowest calls as text.

use crate::{
    chain::chain_label,
    events::{self, WHY},
    number::{counted, duration, grouped, is_narrow, signed},
    table::Table,
    view::View,
    wrapped::Wrapped,
};
use jfathom_calibration::CorrectedTimes;
use jfathom_profile::{Frame, Profile};
use jfathom_views::{
    Difference, Differences, Names, Nothing, SlowestCalls, begin_with_the_earliest, fit, slowest,
    thread_name,
};
use std::io::{self, Write};

/// A difference below this share of what the slowest calls take longer is not worth a line.
const LEAST_SHARE: f64 = 0.01;
/// No more differences than this are worth one.
const MOST_WORTH: usize = 100;

/// What a view shows: the calls of paths that begin with one of its methods.
pub(crate) fn shown<'a>(
    profile: &'a Profile,
    corrected: Option<&CorrectedTimes>,
    view: &View,
) -> Vec<SlowestCalls<'a>> {
    let mut shown = slowest(profile, corrected);
    shown.retain(|of| match (&view.latency_of, of.path.first()) {
        (Some(methods), Some(Frame::Method(root) | Frame::Task(root))) => methods.contains(*root),
        _ => true,
    });
    shown
}

/// Writes the slowest calls of each root and task, and where they take longer than the others.
pub(crate) fn write(
    profile: &Profile,
    corrected: Option<&CorrectedTimes>,
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    let shown = shown(profile, corrected, view);
    let without_spans = profile.latencies.slowest_without_spans;
    if shown.is_empty() {
        write_line!(out, "slowest calls")?;
        if without_spans > 0 {
            return write_without_spans(without_spans, out);
        }
        if view.latency_of.is_some() && !profile.latencies.slowest.is_empty() {
            return write_line!(out, "none: no call path begins with the methods of --root");
        }
        let why = Nothing::of_slow_calls(profile).unwrap_or(Nothing::NoSlowCalls);
        return write_line!(out, "none: {why}");
    }
    let names = Names::of(&profile.methods);
    for (at, of) in shown.iter().take(view.limit).enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        let found = of.differences(profile, corrected, MOST_WORTH);
        write_line!(
            out,
            "slowest calls of {}: {} of {} recorded",
            names.path(profile, of.path).join(" › "),
            grouped(of.kept.len() as u64),
            grouped(found.calls)
        )?;
        write_calls(profile, of, &names, view, out)?;
        match of.kept.len() as u64 >= found.calls {
            true => write_line!(out, "these are all recorded calls, so there are no others")?,
            false => write_differences(profile, &found, &names, view, out)?,
        }
    }
    if let more @ 1.. = shown.len().saturating_sub(view.limit) {
        let more = counted(more as u64, "more call path", "more call paths");
        writeln!(out)?;
        write_line!(out, "{more} with slow calls (--limit shows more)")?;
    }
    if without_spans > 0 {
        write_without_spans(without_spans, out)?;
    }
    let bars = match corrected {
        Some(_) => "times are without the probes' cost",
        None => "times are as measured, the probes' cost in them",
    };
    let begun = match begin_with_the_earliest(profile) {
        true => "after the earliest slow call",
        false => "after the recording began",
    };
    let out = &mut Wrapped::new(out, view.width);
    write_line!(
        out,
        "{bars}; begun: {begun}; calls: below it; `jfathom export --to perfetto` shows when what \
         was called"
    )?;
    out.flush()
}

fn write_without_spans(calls: u64, out: &mut dyn Write) -> io::Result<()> {
    let calls = counted(calls, "of the slowest calls is", "of the slowest calls are");
    write_line!(out, "{calls} not kept: there was no room for the records")
}

fn write_calls(
    profile: &Profile,
    of: &SlowestCalls,
    names: &Names,
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    let has_left_out = of.kept.iter().any(|call| call.activation.left_out > 0);
    let has_events = of.kept.iter().any(|call| !call.kinds.is_empty());
    let is_narrow = view.width.is_some_and(is_narrow);
    // There is no room for all columns.
    let has_begun = !(is_narrow && has_left_out && has_events);
    let mut titles = vec!["time"];
    titles.extend(has_begun.then_some("begun"));
    titles.extend(["calls", "%"]);
    titles.extend(has_left_out.then_some("left out"));
    titles.extend(has_events.then_some(WHY));
    let mut table = Table::new(&titles, "most of it in");
    for call in of.kept.iter().take(view.limit) {
        let activation = call.activation;
        let began = profile.rate.nanos(call.began);
        let left_out = match activation.left_out {
            0 => String::new(),
            records => grouped(records),
        };
        let (name, share) = call.most.map_or_else(Default::default, |(frame, nanos)| {
            let share = nanos / call.nanos.max(1.0) * 100.0;
            (names.frame(profile, frame), format!("{share:.0}"))
        });
        let thread = thread_name(profile, activation.thread);
        let mut cells = vec![signed(call.nanos)];
        cells.extend(has_begun.then(|| format!("+{}", duration(began).trim())));
        cells.extend([grouped(call.calls_below()), share]);
        cells.extend(has_left_out.then_some(left_out));
        cells.extend(has_events.then(|| events::cell(&call.kinds, None, call.nanos, is_narrow)));
        table.row_of(cells, 0, move |width| beside(&name, &thread, width));
    }
    table.write(view.width, out)?;
    if let more @ 1.. = of.kept.len().saturating_sub(view.limit) {
        write_line!(out, "{} more (--limit shows more)", grouped(more as u64))?;
    }
    Ok(())
}

fn write_differences(
    profile: &Profile,
    found: &Differences,
    names: &Names,
    view: &View,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_line!(out, "slow against typical: self time and calls in one call, on average")?;
    let mut table =
        Table::new(&["slowest", "all", "longer by", "calls", "of all"], "call path below");
    let least = found.longer_nanos * LEAST_SHARE;
    let worth: Vec<&Difference> = found.first.iter().filter(|of| of.nanos() > least).collect();
    for difference in worth.iter().take(view.limit) {
        let path = names.difference(profile, difference);
        table.row_of(
            vec![
                signed(difference.slow_nanos),
                signed(difference.all_nanos),
                signed(difference.nanos()),
                mean(difference.slow_calls),
                mean(difference.all_calls),
            ],
            0,
            move |width| match path.is_empty() {
                true => "in the call itself".to_owned(),
                false => chain_label(&path, width),
            },
        );
    }
    if worth.is_empty() {
        return write_line!(out, "nowhere: the slowest calls do the same as the others");
    }
    table.write(view.width, out)?;
    if let more @ 1.. = worth.len().saturating_sub(view.limit) {
        let more = counted(more as u64, "more call path", "more call paths");
        write_line!(out, "{more} (--limit shows more)")?;
    }
    Ok(())
}

/// Columns for the name of a method, at least.
const MIN_ROOM: usize = 24;

/// A method and its thread. The thread goes if there is no room for both.
fn beside(method: &str, thread: &str, width: Option<usize>) -> String {
    let room = width.unwrap_or(usize::MAX);
    let behind = format!(", {thread}");
    match room.checked_sub(behind.chars().count()) {
        Some(room) if room >= MIN_ROOM.min(method.chars().count()) => fit(method, room) + &behind,
        _ => fit(method, room),
    }
}

/// A mean number of calls.
fn mean(calls: f64) -> String {
    match calls {
        _ if calls == calls.trunc() => grouped(calls as u64),
        _ if calls < 10.0 => format!("{calls:.2}"),
        _ => grouped(calls.round() as u64),
    }
}
