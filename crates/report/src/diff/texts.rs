//! Differences of times and columns as text.

use crate::number::duration;
use jfathom_compare::{Column, ColumnDiff, TimeDiff};
use jfathom_profile::Nanos;
use jfathom_views::number_text;

/// Nanoseconds that may be below zero.
pub(super) fn nanos(value: f64) -> String {
    let text = duration(Nanos(value.abs().round() as u64)).trim_end().to_owned();
    if value.round() < 0.0 { format!("-{text}") } else { text }
}

/// A number of a column.
pub(super) fn number(column: &Column, value: f64) -> String {
    number_text(column.unit, value).trim_end().to_owned()
}

/// A difference with its sign.
pub(super) fn signed(value: f64, text: impl Fn(f64) -> String) -> String {
    match value.round() {
        0.0 => "=".to_owned(),
        v if v > 0.0 => format!("+{}", text(value)),
        _ => text(value),
    }
}

/// A difference, its interval and its mark.
pub(super) fn change(time: &TimeDiff) -> [String; 2] {
    let half = time.half_width.map(|half| with_mark(nanos(half), time.is_significant()));
    [signed(time.difference(), nanos), half.unwrap_or_default()]
}

/// A difference of a column, its bar and mark: `-` where it was not read, empty where a side does
/// not know it. With one run on a side the bar holds only what the values may be off by.
pub(super) fn column_change(column: &Column, of: &ColumnDiff) -> [String; 2] {
    let Some(difference) = of.difference() else {
        return [if of.is_unread() { "-" } else { "" }.to_owned(), String::new()];
    };
    let text = |of| number(column, of);
    let bar = of.bar().map(|bar| with_mark(text(bar), of.is_significant()));
    [signed(difference, text), bar.unwrap_or_default()]
}

fn with_mark(bar: String, is_significant: bool) -> String {
    format!("±{bar}{}", if is_significant { " *" } else { "  " })
}

/// A ratio to three digits behind the point, without zeros at the end.
pub(super) fn ratio(ratio: f64) -> String {
    ((ratio * 1e3).round() / 1e3).to_string()
}
