//! A line of a list.

use jfathom_calibration::Times;
use jfathom_profile::{Bytes, Frame, NodeIx, Profile};
use jfathom_views::{
    CpuTimes,
    number::{percent, short_with_error_bar, size},
};

/// A line of a list: numbers, then a name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    /// Cells in the order of the page's titles.
    pub cells: Vec<String>,
    /// Levels by which the name is indented.
    pub level: usize,
    /// `▸`, `▾` or a blank: whether there is something below, and whether it is open.
    pub mark: char,
    /// The name.
    pub name: String,
    /// What the line stands for.
    pub target: Target,
}

/// What a line stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A node of the tree.
    Node(NodeIx),
    /// A frame, without a place in the tree.
    Frame(Frame),
    /// A line between others.
    Nothing,
}

/// Cells of a time: its share of the whole, and the time with its bar; empty for calls without any
/// time.
pub(crate) fn time_cells(nanos: f64, bar: f64, whole: f64, has_time: bool) -> [String; 2] {
    match has_time {
        true => [percent(nanos, whole), short_with_error_bar(nanos, bar)],
        false => [String::new(), String::new()],
    }
}

/// Cells of a total time.
pub(crate) fn total_cells(times: Times, whole: f64, has_time: bool) -> [String; 2] {
    time_cells(times.total_nanos, times.total_error_nanos, whole, has_time)
}

/// Titles of the cells of a page, with those of the columns that a profile has.
pub(crate) fn titles(own: &[&'static str], profile: &Profile) -> Vec<&'static str> {
    let mut titles = own.to_vec();
    if profile.allocation.is_recorded() {
        titles.extend(["alloc self", "alloc"]);
    }
    if profile.cpu.is_recorded() {
        titles.extend(["cpu self", "cpu"]);
    }
    titles
}

/// Cells of those columns: of the line itself, and with all that it calls.
pub(crate) fn column_cells(
    profile: &Profile,
    allocated: Option<[Bytes; 2]>,
    cpu: Option<[CpuTimes; 2]>,
) -> Vec<String> {
    let mut cells = Vec::new();
    if profile.allocation.is_recorded() {
        let text = |bytes: Bytes| if bytes.0 > 0 { size(bytes.0) } else { String::new() };
        // As in the report: a method that has not read what it allocates has no number.
        cells.extend(allocated.map_or(["-"; 2].map(str::to_owned), |bytes| bytes.map(text)));
    }
    if profile.cpu.is_recorded() {
        cells.extend(cpu.unwrap_or_default().map(CpuTimes::running_text));
    }
    cells
}
