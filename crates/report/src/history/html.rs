//! A history as one HTML file: charts with error bars, and their numbers. It has no script.

use super::{
    cells,
    chart::{Chart, Mark},
    name, number, points,
};
use crate::{
    escaped::escaped,
    number::{signed, with_error_bar},
};
use jfathom_compare::{History, HistoryPoint, MethodHistory};
use jfathom_views::{method_with_parameters, minute};
use std::io::{self, Write};

const STYLE: &str = include_str!("style.css");

/// Writes charts of calls and self time for each method, with a table of the numbers.
pub fn history_html(history: &History, out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> =
        history.methods.iter().map(|method| method_with_parameters(&method.key)).collect();
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{} · jfathom history</title>\n<style>\n{STYLE}</style>\n</head>\n<body>",
        escaped(&names.join(", "))
    )?;
    writeln!(out, "<h1><span class=\"brand\">jfathom</span> history</h1>")?;
    writeln!(
        out,
        "<p>{} recordings, the oldest first. Values are means over the runs of a recording; bars \
         are meant to hold the uninstrumented program's time in 95 of 100 cases. A filled point stands \
         where the method's code is another one than before.</p>",
        history.recordings.len()
    )?;
    for (method, name) in history.methods.iter().zip(&names) {
        write_method(history, method, name, out)?;
    }
    writeln!(out, "</body>\n</html>")
}

fn write_method(
    history: &History,
    method: &MethodHistory,
    called: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let called = escaped(called);
    writeln!(out, "<section>\n<h2>{called}</h2>")?;
    let day = |at: Option<usize>| {
        at.and_then(|at| history.recordings.get(at))
            .map_or_else(String::new, |recorded| escaped(&minute(recorded.started_millis)))
    };
    let count = history.recordings.len();
    let [first, last] = [day(Some(0)), day(count.checked_sub(1))];
    let ends = [&*first, &*last];
    let calls = marks(history, method, |point| Some((point.calls, 0.0)), &|value, _| number(value));
    let label = format!("Calls of {called}");
    let text = |value: f64| number(value.round());
    writeln!(out, "<h3>Calls</h3>")?;
    Chart { label: &label, count, marks: &calls, text: &text, ends }.write(out)?;
    let times = marks(
        history,
        method,
        |point| {
            let times = &point.times;
            (point.timed > 0.0).then_some((times.self_nanos, times.self_error_nanos))
        },
        &with_error_bar,
    );
    if !times.is_empty() {
        let label = format!("Self time of {called}");
        let text = |value: f64| signed(value).trim().to_owned();
        writeln!(out, "<h3>Self time</h3>")?;
        Chart { label: &label, count, marks: &times, text: &text, ends }.write(out)?;
    }
    write_table(history, method, out)?;
    writeln!(out, "</section>")
}

/// The points of a chart. `value` gives a value and its bar, `text` what is written of them.
fn marks(
    history: &History,
    method: &MethodHistory,
    value: impl Fn(&HistoryPoint) -> Option<(f64, f64)>,
    text: &dyn Fn(f64, f64) -> String,
) -> Vec<Mark> {
    let mark = |(at, point): (usize, &HistoryPoint)| {
        let (value, bar) = value(point)?;
        let recorded = &history.recordings[at];
        let title = format!("{}: {}", name(history, recorded, Some(point)), text(value, bar));
        Some(Mark { at, value, bar, is_edited: point.is_edited, title: escaped(&title) })
    };
    points(method).filter_map(mark).collect()
}

fn write_table(history: &History, method: &MethodHistory, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "<table>\n<thead><tr><th>recorded (UTC)</th><th>calls</th><th>timed</th><th>self</th><th>total</th>\
         <th class=\"name\">recording</th></tr></thead>\n<tbody>"
    )?;
    for (recorded, point) in history.recordings.iter().zip(&method.points) {
        write!(out, "<tr>")?;
        for cell in cells(recorded, point.as_ref(), with_error_bar) {
            write!(out, "<td>{}</td>", escaped(&cell))?;
        }
        let name = name(history, recorded, point.as_ref());
        writeln!(out, "<td class=\"name\">{}</td></tr>", escaped(&name))?;
    }
    writeln!(out, "</tbody>\n</table>")
}
