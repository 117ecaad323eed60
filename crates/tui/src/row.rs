//! A line of a list.

use jfathom_calibration::Times;
use jfathom_compare::Cells;
use jfathom_profile::{Frame, NodeIx, Profile};
use jfathom_views::{
    number::{percent, short_with_error_bar},
    text_columns, value_text,
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
    let more = text_columns(profile);
    own.iter().copied().chain(more.into_iter().flat_map(|column| column.titles)).collect()
}

/// Cells of those columns: of the line itself, and with all that it calls.
pub(crate) fn column_cells(profile: &Profile, of: &Cells<'_>) -> Vec<String> {
    let columns = text_columns(profile).into_iter();
    columns.flat_map(|column| column.values(of).map(|value| value_text(column, value))).collect()
}
