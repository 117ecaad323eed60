//! A history as JSON; `docs/reference/json.md` describes it.

use jfathom_compare::{History, HistoryPoint, MethodHistory, Recorded};
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// Raised with every change that readers of older documents must know of.
pub const HISTORY_JSON_VERSION: u32 = 1;

/// Writes a history as one JSON document, followed by a newline.
pub fn history_json(history: &History, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &HistoryDocument::of(history))?;
    writeln!(out)
}

object! {
    HistoryDocument<'a>(history: &'a History) {
        #[cfg_attr(test, schemars(extend("const" = "jfathom-history")))]
        format: &'a str = "jfathom-history",
        /// selected
        methods: Vec<HistoricMethod<'a>> = history
            .methods
            .iter()
            .map(|method| HistoricMethod::of(&history.recordings, method))
            .collect(),
        /// oldest first
        recordings: Vec<Recording<'a>> = history.recordings.iter().map(Recording::of).collect(),
        #[cfg_attr(test, schemars(extend("const" = HISTORY_JSON_VERSION)))]
        version: u32 = HISTORY_JSON_VERSION,
    }
}

object! {
    Recording<'a>(recorded: &'a Recorded) {
        clean: bool = recorded.is_clean,
        /// times are
        corrected: bool = recorded.is_corrected,
        /// name
        file: &'a str = &recorded.called,
        /// `record --label`
        labels: BTreeMap<&'a str, &'a str> = recorded.labels.iter().collect(),
        runs: usize = recorded.runs,
        started_millis: u64 = recorded.started_millis,
    }
}

object! {
    HistoricMethod<'a>(recordings: &[Recorded], method: &'a MethodHistory) {
        class: &'a str = &method.key.class,
        descriptor: &'a str = &method.key.descriptor,
        name: &'a str = &method.key.name,
        /// by recording; null without calls
        points: Vec<Option<Point>> = recordings
            .iter()
            .zip(&method.points)
            .map(|(of, point)| point.as_ref().map(|point| Point::of(of.is_corrected, point)))
            .collect(),
    }
}

object! {
    /// Means over the runs of a recording. Times are null if nothing was timed, bars without
    /// correction.
    Point(is_corrected: bool, point: &HistoryPoint) {
        calls: f64 = point.calls,
        /// code differs from the recording before with calls
        edited: bool = point.is_edited,
        self_bar_nanos: Option<f64> =
            time(point, point.times.self_error_nanos).filter(|_| is_corrected),
        self_nanos: Option<f64> = time(point, point.times.self_nanos),
        timed: f64 = point.timed,
        total_bar_nanos: Option<f64> =
            time(point, point.times.total_error_nanos).filter(|_| is_corrected),
        /// recursive calls once
        total_nanos: Option<f64> = time(point, point.times.total_nanos),
    }
}

fn time(point: &HistoryPoint, nanos: f64) -> Option<f64> {
    (point.timed > 0.0).then_some(nanos)
}
