//! Differences of times and bytes as text.

use crate::number::{duration, size};
use jfathom_compare::TimeDiff;
use jfathom_profile::Nanos;

/// Nanoseconds that may be below zero.
pub(super) fn nanos(value: f64) -> String {
    let text = duration(Nanos(value.abs().round() as u64)).trim_end().to_owned();
    if value.round() < 0.0 { format!("-{text}") } else { text }
}

/// An amount of memory.
pub(super) fn bytes(value: f64) -> String {
    size(value.abs().round() as u64)
}

/// A difference of amounts of memory, with its sign.
pub(super) fn byte_change(value: f64) -> String {
    match value.round() {
        0.0 => "=".to_owned(),
        v if v > 0.0 => format!("+{}", bytes(value)),
        _ => format!("-{}", bytes(value)),
    }
}

/// A difference with its sign.
fn signed(value: f64) -> String {
    match value.round() {
        0.0 => "=".to_owned(),
        v if v > 0.0 => format!("+{}", nanos(value)),
        _ => nanos(value),
    }
}

/// A difference, its interval and its mark.
pub(super) fn change(time: &TimeDiff) -> [String; 2] {
    let mark = if time.is_significant() { " *" } else { "  " };
    let half = time.half_width.map_or(String::new(), |half| format!("±{}{mark}", nanos(half)));
    [signed(time.difference()), half]
}

/// A ratio to three digits behind the point, without zeros at the end.
pub(super) fn ratio(ratio: f64) -> String {
    ((ratio * 1e3).round() / 1e3).to_string()
}
