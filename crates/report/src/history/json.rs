//! A history as JSON; `docs/history-json.md` describes it.

use jfathom_compare::{History, HistoryPoint, MethodHistory, Recorded};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Raised with every change that readers of older documents must know of.
pub const HISTORY_JSON_VERSION: u32 = 1;

/// Writes a history as one JSON document, followed by a newline.
pub fn history_json(history: &History, out: &mut dyn Write) -> io::Result<()> {
    let document = json!({
        "format": "jfathom-history",
        "version": HISTORY_JSON_VERSION,
        "recordings": history.recordings.iter().map(recording).collect::<Vec<_>>(),
        "methods": history.methods.iter().map(|method| method_json(history, method))
            .collect::<Vec<_>>(),
    });
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}

fn recording(recorded: &Recorded) -> Value {
    json!({
        "file": recorded.called,
        "startedMillis": recorded.started_millis,
        "labels": recorded.labels,
        "runs": recorded.runs,
        "clean": recorded.is_clean,
        "corrected": recorded.is_corrected,
    })
}

fn method_json(history: &History, method: &MethodHistory) -> Value {
    let points = history.recordings.iter().zip(&method.points);
    json!({
        "class": method.key.class,
        "name": method.key.name,
        "descriptor": method.key.descriptor,
        "points": points.map(|(recorded, point)| {
            point.as_ref().map(|point| point_json(recorded, point))
        }).collect::<Vec<_>>(),
    })
}

fn point_json(recorded: &Recorded, point: &HistoryPoint) -> Value {
    let time = |nanos: f64| (point.timed > 0.0).then_some(nanos);
    let bar = |nanos: f64| time(nanos).filter(|_| recorded.is_corrected);
    json!({
        "calls": point.calls,
        "timed": point.timed,
        "selfNanos": time(point.times.self_nanos),
        "selfBarNanos": bar(point.times.self_error_nanos),
        "totalNanos": time(point.times.total_nanos),
        "totalBarNanos": bar(point.times.total_error_nanos),
        "edited": point.is_edited,
    })
}
