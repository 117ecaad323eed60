//! The hot methods as text.

use crate::{
    counted::TIMED_LEGEND,
    events,
    number::{grouped, percent, share, signed, time_format},
    resumed,
    room::has_little,
    table::Table,
    view::View,
};
use jfathom_calibration::Times;
use jfathom_compare::HotMethod;
use jfathom_profile::Frame;
use jfathom_views::{Names, Pruned, blocked_nanos, method_verdicts, text_columns, value_text};
use std::io::{self, Write};

/// Writes the methods that cost most, over all threads that are shown. Totals are those of
/// outermost calls, so recursion counts once.
pub(crate) fn write(shown: &Pruned, view: &View, out: &mut dyn Write) -> io::Result<()> {
    let profile = shown.profile;
    let is_corrected = shown.is_corrected();
    let hot = shown.hot_methods(view.sort);
    let whole: f64 = hot.iter().map(|hot| hot.times.self_nanos).sum();
    let names = Names::of(&profile.methods);
    let has_counted = hot.iter().any(|hot| hot.timed() < hot.calls());
    let is_narrow = has_little(shown, view.width);
    let time = time_format(view.width);
    let mut titles = match is_narrow {
        true => vec!["self %", "self", "total", "calls"],
        false => vec!["self %", "self", "self/call", "total %", "total", "calls"],
    };
    if has_counted {
        titles.push("timed");
    }
    let verdicts = method_verdicts(profile);
    let has_trust = !is_narrow && !verdicts.is_empty();
    if has_trust {
        titles.push("trust");
    }
    let columns = text_columns(profile);
    for [own, total] in columns.iter().map(|column| column.titles) {
        titles.push(own);
        titles.extend((!is_narrow).then_some(total));
    }
    let kinds = shown.method_event_kinds();
    let has_events = shown.has_events();
    titles.extend(has_events.then_some(events::WHY));
    let mut table = Table::new(&titles, "method");
    let mut has_resumed = false;
    for hot in hot.iter().take(view.limit) {
        let Times { self_nanos: own, total_nanos: total, .. } = hot.times;
        let of_calls = if shown.are_calls_sampled() { hot.calls() } else { hot.timed() };
        let each = own / of_calls as f64;
        let (own_cell, each, total_cell) = match is_corrected {
            true => (
                time(own, hot.times.self_error_nanos),
                with_bar_of_call(each, hot),
                time(total, hot.times.total_error_nanos),
            ),
            false => (signed(own), signed(each.floor()), signed(total)),
        };
        let mut cells = vec![
            percent(own, whole),
            own_cell,
            each,
            percent(total, whole),
            total_cell,
            grouped(hot.calls()),
        ];
        if !hot.has_time() {
            // Its time is in its callers.
            cells[..5].iter_mut().for_each(String::clear);
        }
        if is_narrow {
            cells.drain(2..4);
        }
        if has_counted {
            let is_counted = hot.timed() < hot.calls();
            cells.push(if is_counted { grouped(hot.timed()) } else { String::new() });
        }
        if has_trust {
            cells.push(verdicts.get(&hot.method).cloned().unwrap_or_default());
        }
        let values = shown.method_cells(hot);
        for column in &columns {
            let [own, total] = column.values(&values).map(|value| value_text(column, value));
            cells.push(own);
            cells.extend((!is_narrow).then_some(total));
        }
        if has_events {
            let kinds = kinds.get(&hot.method).map_or(&[][..], Vec::as_slice);
            let [blocked, _] = blocked_nanos(&values);
            let blocked = events::with_waits(profile, blocked);
            cells.push(events::cell(kinds, blocked, own, is_narrow));
        }
        let frame = Frame::Method(hot.method);
        has_resumed |= resumed::is_marked(profile, frame);
        let name = names.method(hot.method).to_owned();
        table.row(cells, 0, resumed::marked(profile, frame, name));
    }
    let by = view.sort.as_str();
    write_line!(out, "hot methods, by {by}")?;
    table.write(view.width, out)?;
    if has_counted && !view.has_legend_at_end {
        write_line!(out, "{TIMED_LEGEND}")?;
    }
    if has_resumed && !view.has_legend_at_end {
        write_line!(out, "{}", resumed::RESUMED_LEGEND)?;
    }
    let rest = hot.get(view.limit..).unwrap_or_default();
    if !rest.is_empty() {
        let own: f64 = rest.iter().map(|hot| hot.times.self_nanos).sum();
        // Where all calls were only counted there is none.
        let of_time = match whole > 0.0 {
            true => format!(" with {:.1} % of the time", share(own, whole)),
            false => String::new(),
        };
        let count = grouped(rest.len() as u64);
        write_line!(out, "{count} more methods{of_time} (--limit shows more)")?;
    }
    Ok(())
}

/// The time of one call, if there is one to tell.
fn with_bar_of_call(each: f64, hot: &HotMethod) -> String {
    match hot.times.self_status() {
        jfathom_calibration::TimeStatus::BelowResolution => "-".to_owned(),
        // A few nanoseconds need their decimals.
        _ if each < 100.0 => format!("{each:.1} ns"),
        _ => signed(each),
    }
}
