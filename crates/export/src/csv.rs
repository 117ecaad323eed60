//! A table of the call tree's nodes (RFC 4180), with all numbers and their error bars.

use crate::{decimal::one_digit, frame::FrameFacts, json::integer};
use jfathom_compare::{COLUMNS, Column};
use jfathom_plan::printable;
use jfathom_profile::{EventKind, EventSource, Frame, Metric, NodeIx, ThreadIx};
use jfathom_views::{KindSum, Shown};
use std::{
    borrow::Cow,
    collections::HashMap,
    io::{self, Write},
    iter,
};

const HEAD: &str = "node,parent,depth,kind,name,class,method,descriptor,calls,timed,throws,\
                    self_ns,self_bar_ns,total_ns,total_bar_ns";
/// Behind the columns of the table.
const EVENTS: &str = "waits_self_ns,waits_total_ns,pauses_self_ns,pauses_total_ns,\
                      exceptions_self,exceptions_total,caught_self,caught_total";

pub(crate) fn write(shown: &Shown, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{HEAD}")?;
    for Column { key, unit, has_bar, .. } in &COLUMNS {
        for of in ["self", "total"] {
            write!(out, ",{key}_{of}{}", unit.suffix())?;
            if *has_bar {
                write!(out, ",{key}_{of}_bar{}", unit.suffix())?;
            }
        }
    }
    writeln!(out, ",{EVENTS}")?;
    let tree = &shown.tree;
    let mut path: Vec<u32> = Vec::new();
    let mut frames: HashMap<Frame, String> = HashMap::new();
    for node in shown.all_nodes() {
        path.truncate(tree.depth(node) as usize);
        integer(out, u64::from(node.0))?;
        out.write_all(b",")?;
        if let Some(parent) = path.last() {
            integer(out, u64::from(*parent))?;
        }
        path.push(node.0);
        let frame = tree.frame(node);
        let columns = frames.entry(frame).or_insert_with(|| columns(shown, frame));
        out.write_all(b",")?;
        integer(out, u64::from(tree.depth(node)))?;
        out.write_all(columns.as_bytes())?;
        for number in [tree.calls(node), tree.timed(node), tree.number(Metric::Throws, node)] {
            out.write_all(b",")?;
            integer(out, number)?;
        }
        times(shown, node, out)?;
    }
    Ok(())
}

/// Kind, name, class, method and descriptor, each behind a comma.
fn columns(shown: &Shown, frame: Frame) -> String {
    let facts = FrameFacts::of(shown, frame);
    let (kind, [class, method, descriptor]) = match frame {
        Frame::Method(_) => ("method", [&*facts.class, &*facts.method, &*facts.descriptor]),
        Frame::Task(_) => ("task", [""; 3]),
        Frame::Thread(ThreadIx(_)) => ("thread", [""; 3]),
    };
    let texts = [&*facts.name, class, method, descriptor].map(|text| field(text).into_owned());
    format!(",{kind},{}", texts.join(","))
}

/// Self and total times in ns; error bars only of corrected times. Then the columns that a profile
/// may have, and its events.
fn times(shown: &Shown, node: NodeIx, out: &mut impl Write) -> io::Result<()> {
    match shown.times(node) {
        Some(times) => {
            for nanos in [
                times.self_nanos,
                times.self_error_nanos,
                times.total_nanos,
                times.total_error_nanos,
            ] {
                out.write_all(b",")?;
                one_digit(out, nanos)?;
            }
        }
        None => write!(out, ",{},,{},", shown.self_time(node).round(), shown.total(node).round())?,
    }
    let cells = shown.cells(node);
    for column in &COLUMNS {
        for value in column.values(&cells) {
            let bar = column.has_bar.then(|| value.bar());
            for number in iter::once(value.number).chain(bar) {
                match value.known() {
                    Some(_) => write!(out, ",{}", number.round())?,
                    None => write!(out, ",")?,
                }
            }
        }
    }
    events(shown, node, out)
}

/// Waits, pauses and exceptions in the node itself and with all below it, as far as they were told.
fn events(shown: &Shown, node: NodeIx, out: &mut impl Write) -> io::Result<()> {
    if !shown.has_events() {
        return writeln!(out, ",,,,,,,,");
    }
    let told = &shown.profile.events;
    let kinds = [shown.event_kinds(node), shown.total_event_kinds(node)];
    let sums = |is_wanted: fn(EventKind) -> bool, number: fn(&KindSum) -> f64| {
        kinds.each_ref().map(|sums| {
            // No sum of no numbers: that is -0.
            let sums = sums.iter().filter(|sum| is_wanted(sum.kind)).map(number);
            sums.fold(0.0, |all, of| all + of).round()
        })
    };
    let waits = sums(|kind| kind.has_time() && !kind.is_pause(), |sum| sum.nanos);
    let pauses = sums(EventKind::is_pause, |sum| sum.nanos);
    let made = sums(|kind| kind == EventKind::Exception, |sum| sum.count as f64);
    let caught = sums(|kind| kind == EventKind::Caught, |sum| sum.count as f64);
    for (source, sums) in [(told.waits, waits), (told.waits, pauses), (told.exceptions, made)] {
        sums.into_iter().try_for_each(|sum| cell(source, sum, out))?;
    }
    // Probes tell what timed calls catch: not counted ones, nor code outside of recorded methods.
    let has_probes = shown.tree.timed(node) > 0;
    let is_method = matches!(shown.tree.frame(node), Frame::Method(_));
    for (sum, is_known) in caught.into_iter().zip([has_probes && is_method, has_probes]) {
        cell(if is_known { told.caught } else { EventSource::Unasked }, sum, out)?;
    }
    writeln!(out)
}

/// A sum of events; an empty cell if nobody told them. What was told of some recordings alone has
/// no zero: the others may have had some.
fn cell(source: EventSource, sum: f64, out: &mut impl Write) -> io::Result<()> {
    let is_known = match source {
        EventSource::Jfr | EventSource::Probes => true,
        EventSource::Some | EventSource::Partly => sum > 0.0,
        EventSource::Unasked | EventSource::Refused | EventSource::Pending => false,
    };
    match is_known {
        true => write!(out, ",{sum}"),
        false => write!(out, ","),
    }
}

/// A field, in quotes where it needs them.
pub(crate) fn field(text: &str) -> Cow<'_, str> {
    match text.contains([',', '"']) {
        true => Cow::Owned(format!("\"{}\"", printable(text).replace('"', "\"\""))),
        false => printable(text),
    }
}
