//! Differences of times and bytes as text.

use crate::number::{duration, size};
use jfathom_compare::{CpuDiff, TimeDiff};
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
pub(super) fn signed(value: f64) -> String {
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

/// The differences of a running time, its bar and mark, and those of the times preempted and
/// blocked; of both in one unless the sides `tell` them apart. With one run on a side the bar holds
/// only what a running time may be off by. Empty where a side is not known.
pub(super) fn cpu_change(cpu: &CpuDiff, tell: bool) -> Vec<String> {
    let columns = if tell { 4 } else { 3 };
    let (Some(base), Some(new)) = (cpu.base, cpu.new) else { return vec![String::new(); columns] };
    let mark = if cpu.is_significant() { " *" } else { "  " };
    let bar = cpu.running.half_width.unwrap_or(base.error + new.error);
    let mut cells = vec![signed(new.running - base.running), format!("±{}{mark}", nanos(bar))];
    if tell {
        cells.push(signed(new.preempted - base.preempted));
        cells.push(signed(new.blocked - base.blocked));
    } else {
        cells.push(signed(new.not_running() - base.not_running()));
    }
    cells
}

/// A ratio to three digits behind the point, without zeros at the end.
pub(super) fn ratio(ratio: f64) -> String {
    ((ratio * 1e3).round() / 1e3).to_string()
}
