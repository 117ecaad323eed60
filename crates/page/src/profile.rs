//! The page of a profile.

use crate::{
    columns::Columns,
    events::{class_rows, waits},
    facts::facts,
    frames::{FrameTable, method_facts},
    html::{self, Packing},
    latency::{latency_rows, slowest_rows},
    runs::add_runs,
    samples::sampled_lines,
    threads::threads,
    tree::{CpuColumns, PageNode, add_tree},
};
use jfathom_profile::{Frame, Meta, MethodIx, Metric, Profile, Ticks};
use jfathom_views::{CpuTimes, Scope, Shown, WalkedCallers, method_verdicts, walked_callers};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    io::{self, Write},
};

/// Writes the page of a profile: what a scope shows of it. `summary` stands at its top, in lines
/// that begin with a label, or with blanks if they belong to the line before.
pub fn profile_page(
    profile: &Profile,
    scope: &Scope,
    summary: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (head, columns) = document(profile, scope, summary);
    html::write(&head, &columns, out)
}

/// The data of that page alone, as [`live_page`](crate::live_page) reads them: a gzip stream.
///
/// # Errors
/// Fails if the document has more than 4 GiB.
pub fn profile_data(profile: &Profile, scope: &Scope, summary: &str) -> io::Result<Vec<u8>> {
    let (head, columns) = document(profile, scope, summary);
    html::packed(&head, &columns, Packing::Fast)
}

/// The document and the columns of a page.
fn document(profile: &Profile, scope: &Scope, summary: &str) -> (Value, Vec<u8>) {
    let corrected = scope.corrected(profile);
    let shown = Shown::new(profile, corrected.as_ref(), scope);
    let mut frames = FrameTable::default();
    let tree = &shown.tree;
    // The page's totals are sums of the nodes' own bytes.
    let has_bytes = !shown.lacks_bytes_of_callers();
    let node = |at| {
        let node = PageNode {
            depth: tree.depth(at),
            frame: frames.place(tree.frame(at)),
            timed: tree.timed(at),
            counted: tree.counted(at),
            parked_nanos: shown.nanos(Ticks(tree.number(Metric::Parked, at))).round() as u64,
            allocated: if has_bytes { tree.number(Metric::Allocated, at) } else { 0 },
            cpu: shown.cpu(at).map_or([0; 3], |[own, _]| parts(own)),
            waits: waits(&shown, at),
            ..PageNode::default()
        };
        node.with_times(shown.times_or_measured(at))
    };
    let nodes: Vec<PageNode> = shown.all_nodes().map(node).collect();
    let mut columns = Columns::default();
    let cpu = CpuColumns::of(profile.cpu.tells_preempted());
    add_tree(&mut columns, &nodes, &[], cpu, frames.len());
    let runs = add_runs(&mut columns, profile, scope, &frames);
    let (columns, places) = columns.finish();
    let verdicts = method_verdicts(profile);
    let callers: HashMap<MethodIx, WalkedCallers> =
        walked_callers(profile).into_iter().map(|of| (of.method.method, of)).collect();
    let events = class_rows(&shown, &mut |frame| frames.place(frame));
    let head = json!({
        "kind": "profile",
        "title": title(&profile.meta),
        "facts": facts(profile, scope, summary),
        "corrected": shown.is_corrected(),
        "nodes": nodes.len(),
        "runs": runs,
        "frames": frames.json(|frame| shown.frame_name(frame), |frame| match frame {
            Frame::Method(method) => {
                let verdict = verdicts.get(&method).map(String::as_str);
                let is_unread =
                    profile.allocation.is_recorded() && !profile.knows_bytes_of(method);
                let callers = callers.get(&method);
                Some(method_facts(profile.method(method), is_unread, verdict, callers))
            }
            Frame::Thread(_) | Frame::Task(_) => None,
        }),
        "events": events,
        "threads": threads(&shown, corrected.as_ref(), scope),
        "latencies": latency_rows(profile, corrected.as_ref()),
        "slowestWithoutSpans": profile.latencies.slowest_without_spans,
        "slowest": slowest_rows(profile, corrected.as_ref()),
        "samples": sampled_lines(&shown),
        "columns": places,
    });
    (head, columns)
}

/// The parts of a self time, by [`CpuColumns`].
fn parts(own: CpuTimes) -> [u64; 3] {
    let off = match own.preempted().zip(own.blocked()) {
        Some((preempted, blocked)) => [preempted, blocked],
        None => [own.not_running(), 0.0],
    };
    [own.running, off[0], off[1]].map(|nanos| nanos.round() as u64)
}

/// What was recorded, in a line: main class or jar with its arguments if it is one for all JVMs,
/// else the recorded command, which may begin with many JVM options.
fn title(meta: &Meta) -> String {
    let mut commands = meta.jvms.iter().map(|jvm| &*jvm.command);
    match commands.next() {
        Some(first) if !first.is_empty() && commands.all(|other| other == first) => {
            first.to_owned()
        }
        _ => meta.command.join(" "),
    }
}
