//! Methods over recordings.

mod chart;
mod html;
pub(crate) mod json;

pub use html::history_html;
pub use json::{HISTORY_JSON_VERSION, history_json};

use crate::{
    number::{counted, time_format},
    table::Table,
    wrapped::Wrapped,
};
use jfathom_compare::{History, HistoryPoint, MethodHistory, Recorded};
use jfathom_views::{method_with_parameters, minute};
use std::{
    collections::BTreeSet,
    io::{self, Write},
};

/// Writes a table for each method: a row for each recording.
pub fn history_text(
    history: &History,
    width: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<()> {
    for method in &history.methods {
        write_line!(out, "{}", method_with_parameters(&method.key))?;
        let mut table = Table::new(&["recorded", "calls", "timed", "self", "total"], "recording");
        for (recorded, point) in history.recordings.iter().zip(&method.points) {
            let cells = cells(recorded, point.as_ref(), time_format(width));
            table.row(cells, 0, name(history, recorded, point.as_ref()));
        }
        table.write(width, out)?;
        writeln!(out)?;
    }
    let mut out = Wrapped::new(out, width);
    write_line!(
        out,
        "{}, times of day in UTC; numbers are means over the runs of a recording; timed: calls with a \
         time, where not all have one; ±: 95 % error bar",
        counted(history.recordings.len() as u64, "recording", "recordings")
    )?;
    out.flush()
}

fn cells(
    recorded: &Recorded,
    point: Option<&HistoryPoint>,
    time: fn(f64, f64) -> String,
) -> Vec<String> {
    let time_of = minute(recorded.started_millis);
    let Some(point) = point else {
        return vec![time_of, "0".to_owned(), String::new(), String::new(), String::new()];
    };
    let times = &point.times;
    let time = |nanos, bar| match (point.timed > 0.0, recorded.is_corrected) {
        (false, _) => "not timed".to_owned(),
        (true, true) => time(nanos, bar),
        (true, false) => time(nanos, 0.0),
    };
    vec![
        time_of,
        number(point.calls),
        if point.timed < point.calls { number(point.timed) } else { String::new() },
        time(times.self_nanos, times.self_error_nanos),
        time(times.total_nanos, times.total_error_nanos),
    ]
}

/// A mean of calls: whole, or with one digit.
fn number(calls: f64) -> String {
    match calls.fract() == 0.0 {
        true => crate::number::grouped(calls as u64),
        false => format!("{calls:.1}"),
    }
}

/// What a recording is called: its labels where they tell recordings apart, and its profile.
fn name(history: &History, recorded: &Recorded, point: Option<&HistoryPoint>) -> String {
    let mut words: Vec<String> = telling(history)
        .into_iter()
        .filter_map(|key| Some(format!("{key}={}", recorded.labels.get(key)?)))
        .collect();
    words.push(recorded.called.clone());
    if point.is_some_and(|point| point.is_edited) {
        words.push("(edited)".to_owned());
    }
    if !recorded.is_clean {
        words.push("(NOT CLEAN)".to_owned());
    }
    words.join(" ")
}

/// The keys of labels that not all recordings have alike.
fn telling(history: &History) -> BTreeSet<&str> {
    let labels = || history.recordings.iter().map(|recorded| &recorded.labels);
    let keys = labels().flat_map(|labels| labels.iter().map(|(key, _)| key));
    keys.filter(|key| {
        let mut values = labels().map(|labels| labels.get(key));
        let first = values.next();
        values.any(|value| Some(value) != first)
    })
    .collect()
}

/// Recordings with a point of a method, by place.
fn points(method: &MethodHistory) -> impl Iterator<Item = (usize, &HistoryPoint)> {
    method.points.iter().enumerate().filter_map(|(at, point)| Some((at, point.as_ref()?)))
}

#[cfg(test)]
mod tests;
