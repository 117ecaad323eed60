//! Why threads did not run, and what they threw, in sentences and in cells.

use crate::number::{counted, grouped, signed};
use jfathom_profile::{EventKind, EventSource, EventSum, NodeEvent, Profile};
use jfathom_views::{KindSum, unexplained};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The title of a column that says why threads did not run.
pub(crate) const WHY: &str = "why";
/// Kinds in a cell, where there is room, and where there is little.
const MOST_KINDS: usize = 2;
/// Classes of caught exceptions in a line.
const MOST_CLASSES: usize = 4;
/// Less of the whole is not worth a word, in a cell.
const SMALL_SHARE: f64 = 0.01;

/// Why threads did not run in a time of `whole` ns: its longest reasons.
pub(crate) fn cell(kinds: &[KindSum], blocked: Option<f64>, whole: f64, narrow: bool) -> String {
    let mut parts: Vec<(f64, String)> = kinds
        .iter()
        .filter(|sum| sum.kind.has_time() && sum.nanos >= 1.0)
        .map(|sum| (sum.nanos, format!("{} {}", sum.kind, signed(sum.nanos).trim())))
        .collect();
    if let Some(nanos) = unexplained(blocked, kinds).filter(|nanos| *nanos >= whole * SMALL_SHARE) {
        parts.extend(
            (nanos >= 1.0).then(|| (nanos, format!("unexplained {}", signed(nanos).trim()))),
        );
    }
    parts.sort_by(|a, b| b.0.total_cmp(&a.0));
    parts.truncate(if narrow { 1 } else { MOST_KINDS });
    let mut parts: Vec<String> = parts.into_iter().map(|(_, text)| text).collect();
    let thrown = kinds.iter().find(|sum| sum.kind == EventKind::Exception);
    if let Some(thrown) = thrown.filter(|_| !narrow || parts.is_empty()) {
        parts.push(format!("{} thrown", grouped(thrown.count)));
    }
    let caught = kinds.iter().find(|sum| sum.kind == EventKind::Caught);
    if let Some(caught) = caught.filter(|_| !narrow || parts.is_empty()) {
        parts.push(format!("{} caught", grouped(caught.count)));
    }
    parts.join(", ")
}

/// The blocked time against which waits are held: none where nobody asked for waits, for then all
/// of it would be unexplained.
pub(crate) fn with_waits(profile: &Profile, blocked: Option<f64>) -> Option<f64> {
    blocked.filter(|_| profile.events.waits != EventSource::Unasked)
}

/// Sums by kind in the order of the kinds.
fn by_kind<'a>(
    sums: impl Iterator<Item = (EventKind, &'a EventSum)>,
) -> BTreeMap<EventKind, EventSum> {
    let mut all: BTreeMap<EventKind, EventSum> = BTreeMap::new();
    sums.for_each(|(kind, sum)| all.entry(kind).or_default().add(*sum));
    all
}

/// Writes why threads did not run in all recorded calls, and what they threw, if it was asked for.
pub(crate) fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<()> {
    let events = &profile.events;
    let nanos = |sum: &EventSum| sum.time.0 as f64 * 1e9 / profile.rate.hz() as f64;
    let rows = profile.tree.all_events().iter();
    let inside = by_kind(rows.map(|row| (row.name.kind, &row.sum)));
    let outside = by_kind(events.outside.iter().map(|(name, sum)| (name.kind, sum)));
    let texts = |of: &BTreeMap<EventKind, EventSum>, wanted: fn(EventKind) -> bool| {
        let mut sums: Vec<_> = of.iter().filter(|(kind, _)| wanted(**kind)).collect();
        sums.sort_by_key(|(_, sum)| std::cmp::Reverse(sum.time));
        let texts = sums.into_iter().map(|(kind, sum)| {
            format!("{kind} {} in {}", signed(nanos(sum)).trim(), grouped(sum.count))
        });
        texts.collect::<Vec<_>>().join(", ")
    };
    let is_wait = |kind: EventKind| kind.has_time() && !kind.is_pause();
    if let Some(lacks) = lacks("why", events.waits, out)? {
        let micros = events.threshold_nanos as f64 / 1e3;
        let waits = texts(&inside, is_wait);
        let waits = if waits.is_empty() { "none".to_owned() } else { waits };
        write!(out, "why       waits of {micros} µs and more: {waits}")?;
        let beside = texts(&outside, is_wait);
        if !beside.is_empty() {
            write!(out, "; outside of recorded calls: {beside}")?;
        }
        writeln!(out, "{lacks}")?;
        let pauses = texts(&inside, EventKind::is_pause);
        if !pauses.is_empty() {
            writeln!(out, "pauses    of all threads, summed over calls and in no time: {pauses}")?;
        }
    }
    if let Some(lacks) = lacks("thrown", events.exceptions, out)? {
        let count = |of: &BTreeMap<EventKind, EventSum>| {
            of.get(&EventKind::Exception).map_or(0, |sum| sum.count)
        };
        let made = counted(count(&inside), "exception", "exceptions");
        write!(out, "thrown    {made} made in recorded calls")?;
        writeln!(out, ", {} outside of them{lacks}", grouped(count(&outside)))?;
    }
    if let Some(lacks) = lacks("caught", events.caught, out)? {
        let rows = profile.tree.all_events().iter();
        let caught = counted(
            inside.get(&EventKind::Caught).map_or(0, |sum| sum.count),
            "exception",
            "exceptions",
        );
        write!(out, "caught    {caught} caught by timed methods")?;
        let classes = caught_classes(rows);
        if !classes.is_empty() {
            write!(out, ": {classes}")?;
        }
        writeln!(out, "{lacks}")?;
    }
    if events.lost > 0 {
        writeln!(out, "lost      {} events of JFR, or pieces of its file", grouped(events.lost))?;
    }
    Ok(())
}

/// The classes of which most exceptions were caught, in words.
fn caught_classes<'a>(rows: impl Iterator<Item = &'a NodeEvent>) -> String {
    let mut sums: BTreeMap<Option<&str>, u64> = BTreeMap::new();
    for row in rows.filter(|row| row.name.kind == EventKind::Caught) {
        let sum = sums.entry(row.name.class.as_deref()).or_default();
        *sum = sum.saturating_add(row.sum.count);
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let more = sums.len().saturating_sub(MOST_CLASSES);
    let named = sums.into_iter().take(MOST_CLASSES).map(|(class, count)| match class {
        Some(class) => format!("{class} {}", grouped(count)),
        None => format!("{} of classes that are not known", grouped(count)),
    });
    let mut named: Vec<String> = named.collect();
    named.extend((more > 0).then(|| format!("{more} more classes")));
    named.join(", ")
}

/// What is missing in events that someone asked for; none if nobody did, or if there are none. Then
/// that is said.
fn lacks(what: &str, source: EventSource, out: &mut dyn Write) -> io::Result<Option<&'static str>> {
    Ok(match source {
        EventSource::Unasked => None,
        EventSource::Jfr | EventSource::Probes => Some(""),
        EventSource::Some => Some("; of some JVMs JFR told nothing"),
        EventSource::Partly => Some("; not all that was added up has recorded them"),
        EventSource::Pending => {
            writeln!(out, "{what:<9} told when the recording ends")?;
            None
        }
        EventSource::Refused => {
            writeln!(out, "{what:<9} not known: the JVM's JFR told nothing")?;
            None
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_profile::EventName;

    fn sum(kind: EventKind, nanos: f64) -> KindSum {
        KindSum { kind, count: 1_234, nanos }
    }

    #[test]
    fn a_cell_has_the_longest_reasons() {
        let kinds = [
            sum(EventKind::Park, 2e6),
            sum(EventKind::Gc, 1e6),
            sum(EventKind::Sleep, 5e5),
            sum(EventKind::Exception, 0.0),
            sum(EventKind::Caught, 0.0),
        ];
        let wide = "park 2.000 ms, gc 1.000 ms, 1,234 thrown, 1,234 caught";
        assert_eq!(cell(&kinds, None, 5e6, false), wide);
        assert_eq!(cell(&kinds[4..], None, 5e6, true), "1,234 caught");
        assert_eq!(cell(&kinds, None, 5e6, true), "park 2.000 ms");
        let blocked = Some(6.5e6);
        assert_eq!(cell(&kinds[..3], blocked, 9e6, true), "unexplained 4.000 ms");
        assert_eq!(cell(&[], None, 5e6, false), "");
    }

    #[test]
    fn blocked_time_is_explained_only_where_waits_were_asked_for() {
        let mut profile = jfathom_testkit::small_profile::profile();
        let blocked = Some(6.5e6);
        assert!(with_waits(&profile, blocked).is_none());
        profile.events.waits = EventSource::Jfr;
        assert!(with_waits(&profile, blocked).is_some());
    }

    #[test]
    fn the_classes_that_are_caught_most_are_named() {
        let row = |class: Option<&str>, count| NodeEvent {
            node: jfathom_profile::NodeIx(1),
            name: EventName { kind: EventKind::Caught, class: class.map(Into::into) },
            sum: EventSum { count, ..EventSum::default() },
        };
        let mut rows = vec![row(Some("a.B"), 2_000), row(None, 3), row(Some("a.B"), 1)];
        let text = caught_classes(rows.iter());
        assert_eq!(text, "a.B 2,001, 3 of classes that are not known");
        rows.extend(["c", "d", "e", "f"].map(|class| row(Some(class), 5)));
        let text = caught_classes(rows.iter());
        assert_eq!(text, "a.B 2,001, c 5, d 5, e 5, 2 more classes");
        rows.iter_mut().for_each(|row| row.name.kind = EventKind::Exception);
        assert_eq!(caught_classes(rows.iter()), "");
    }
}
