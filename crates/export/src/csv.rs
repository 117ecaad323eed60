//! A table of the call tree's nodes (RFC 4180), with all numbers and their error bars. Corrected
//! times may be below zero.

use crate::{decimal::one_digit, frame::FrameFacts, json::integer};
use jfathom_plan::printable;
use jfathom_profile::{EventKind, EventSource, Frame, Metric, NodeIx, ThreadIx, Ticks};
use jfathom_views::{KindSum, Shown};
use std::{
    borrow::Cow,
    collections::HashMap,
    io::{self, Write},
};

const HEAD: &str = "node,parent,depth,kind,name,class,method,descriptor,calls,timed,throws,\
                    self_ns,self_bar_ns,total_ns,total_bar_ns,parked_ns,total_parked_ns,\
                    alloc_self_bytes,alloc_total_bytes,\
                    cpu_self_ns,cpu_self_bar_ns,preempted_self_ns,blocked_self_ns,\
                    not_running_self_ns,unknown_self_ns,\
                    cpu_total_ns,cpu_total_bar_ns,preempted_total_ns,blocked_total_ns,\
                    not_running_total_ns,unknown_total_ns,\
                    waits_self_ns,waits_total_ns,pauses_self_ns,pauses_total_ns,\
                    exceptions_self,exceptions_total,caught_self,caught_total";

pub(crate) fn write(shown: &Shown, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{HEAD}")?;
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

/// Self and total times in ns, and their parked parts; error bars only of corrected times. Then
/// allocated bytes, and which part of the times threads ran, if they were recorded.
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
    let tree = &shown.tree;
    let parked = [tree.number(Metric::Parked, node), tree.total(Metric::Parked, node)]
        .map(|ticks| shown.nanos(Ticks(ticks)));
    write!(out, ",{},{}", parked[0].round(), parked[1].round())?;
    match shown.bytes(node) {
        Some([own, total]) => write!(out, ",{},{}", own.0, total.0)?,
        None => write!(out, ",,")?,
    }
    let Some(cpu) = shown.cpu(node) else {
        write!(out, ",,,,,,,,,,,,")?;
        return events(shown, node, out);
    };
    for times in cpu {
        write!(out, ",{},{}", times.running.round(), times.error.round())?;
        for nanos in [times.preempted(), times.blocked()] {
            match nanos {
                Some(nanos) => write!(out, ",{}", nanos.round())?,
                None => write!(out, ",")?,
            }
        }
        write!(out, ",{},{}", times.not_running().round(), times.unknown.round())?;
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
