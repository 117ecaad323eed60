//! Why threads did not run on both sides, and what they threw, as text.

use super::texts::{nanos, signed};
use crate::number::grouped;
use jfathom_compare::{EventDiff, EventsDiff, events_by_kind};
use jfathom_profile::EventKind;
use std::io::{self, Write};

/// Title of the column of [`cell`].
pub(super) const TITLE: &str = "Δ why";
/// Kinds in a cell.
const MOST_KINDS: usize = 2;
/// Classes of exceptions in the head of a difference.
const MOST_CLASSES: usize = 4;

/// Writes the sums of all recorded calls, if both sides know any.
pub(super) fn write(events: &EventsDiff, runs: [usize; 2], out: &mut dyn Write) -> io::Result<()> {
    let per_run = match runs {
        [1, 1] => "",
        _ => " per run (how much runs vary is not known)",
    };
    if events.has_waits {
        let kinds = events_by_kind(&events.total);
        let kinds: Vec<String> = kinds.iter().filter_map(time_of_both).collect();
        let kinds = if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") };
        write_line!(out, "why    waits and pauses{per_run}: {kinds}")?;
    }
    if events.has_exceptions {
        let named = classes(&events.total, EventKind::Exception);
        write_line!(out, "thrown exceptions made{per_run}: {named}")?;
    }
    if events.has_caught {
        let named = classes(&events.total, EventKind::Caught);
        write_line!(out, "caught exceptions caught{per_run}: {named}")?;
    }
    Ok(())
}

/// The classes of exceptions whose number changed most.
fn classes(events: &[EventDiff], kind: EventKind) -> String {
    let mut classes: Vec<&EventDiff> =
        events.iter().filter(|event| event.name.kind == kind).collect();
    classes.sort_by(|a, b| b.count().abs().total_cmp(&a.count().abs()));
    let more = classes.len().saturating_sub(MOST_CLASSES);
    let named = classes.iter().take(MOST_CLASSES).map(|event| {
        let class = event.name.class.as_deref().unwrap_or("exceptions");
        format!("{class} {} → {}", mean(event.base.count), mean(event.new.count))
    });
    let mut named: Vec<String> = named.collect();
    named.extend((more > 0).then(|| format!("{more} more classes")));
    if named.is_empty() { "none".to_owned() } else { named.join(", ") }
}

/// What changed in a method or call path itself: the kinds with the largest changes of time, and
/// the number of exceptions.
pub(super) fn cell(events: &[EventDiff]) -> String {
    let kinds = events_by_kind(events);
    let waits = kinds.iter().filter(|of| of.name.kind.has_time() && of.nanos().abs() >= 1.0);
    let mut parts: Vec<String> = waits
        .take(MOST_KINDS)
        .map(|of| format!("{} {}", of.name.kind, signed(of.nanos(), nanos)))
        .collect();
    for (kind, word) in [(EventKind::Exception, "thrown"), (EventKind::Caught, "caught")] {
        let of_kind = kinds.iter().find(|of| of.name.kind == kind);
        if let Some(of) = of_kind.filter(|of| of.count() != 0.0) {
            let sign = if of.count() > 0.0 { '+' } else { '-' };
            parts.push(format!("{sign}{} {word}", mean(of.count().abs())));
        }
    }
    parts.join(", ")
}

/// Whether waits of a kind differ by so many ns, or the number of exceptions of a class.
pub(super) fn differ(events: &[EventDiff], least: f64) -> bool {
    let waits = events_by_kind(events);
    let is_long = |of: &EventDiff| of.nanos() != 0.0 && of.nanos().abs() >= least;
    let is_thrown = |of: &EventDiff| !of.name.kind.has_time() && of.count() != 0.0;
    waits.iter().any(is_long) || events.iter().any(is_thrown)
}

fn time_of_both(of: &EventDiff) -> Option<String> {
    of.name.kind.has_time().then(|| {
        format!(
            "{} {} → {} ({} → {} times)",
            of.name.kind,
            nanos(of.base.nanos),
            nanos(of.new.nanos),
            mean(of.base.count),
            mean(of.new.count)
        )
    })
}

/// A mean number: whole, or with one digit behind the point.
fn mean(count: f64) -> String {
    match count.fract() == 0.0 {
        true => grouped(count as u64),
        false => format!("{count:.1}"),
    }
}
