//! The page of a profile.

use crate::{
    columns::Columns,
    events::class_rows,
    facts::facts,
    frames::{FrameTable, method_facts},
    html::{self, Packing},
    latency::{latency_rows, slowest_rows},
    metrics,
    runs::add_runs,
    samples::sampled_lines,
    threads::threads,
    tree::{PageNode, add_tree},
};
use jfathom_compare::{Column, HotMethod, Prominence};
use jfathom_profile::{Frame, Meta, MethodIx, NodeIx, Profile};
use jfathom_views::{Scope, Shown, Sort, WalkedCallers, method_verdicts, walked_callers};
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
    let node = |at| {
        let node = PageNode {
            depth: tree.depth(at),
            frame: frames.place(tree.frame(at)),
            timed: tree.timed(at),
            counted: tree.counted(at),
            ..PageNode::default()
        };
        node.with_times(shown.times_or_measured(at))
    };
    let nodes: Vec<PageNode> = shown.all_nodes().map(node).collect();
    let mut columns = Columns::default();
    let all: Vec<NodeIx> = shown.all_nodes().collect();
    let metrics = metrics::of_profile(&shown, &all);
    let metrics = add_tree(&mut columns, &nodes, &[], &metrics, frames.len());
    let runs = add_runs(&mut columns, profile, scope, &frames);
    let (columns, places) = columns.finish();
    let verdicts = method_verdicts(profile);
    let callers: HashMap<MethodIx, WalkedCallers> =
        walked_callers(profile).into_iter().map(|of| (of.method.method, of)).collect();
    let uncertain = uncertain(&shown);
    let events = class_rows(&shown, &mut |frame| frames.place(frame));
    let head = json!({
        "kind": "profile",
        "title": title(&profile.meta),
        "facts": facts(profile, scope, summary),
        "corrected": shown.is_corrected(),
        "areCallsSampled": shown.are_calls_sampled(),
        "nodes": nodes.len(),
        "metrics": metrics,
        "runs": runs,
        "frames": frames.json(|frame| shown.frame_name(frame), |frame| match frame {
            Frame::Method(method) => {
                let verdict = verdicts.get(&method).map(String::as_str);
                let (uncertain, callers) = (uncertain.get(&method), callers.get(&method));
                Some(method_facts(profile.method(method), uncertain, verdict, callers))
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

/// By method: which of its columns are not exact.
fn uncertain(shown: &Shown) -> HashMap<MethodIx, Value> {
    let columns: Vec<&Column> = Column::seen(shown.profile, Prominence::Detail).collect();
    let of = |hot: HotMethod| {
        let cells = shown.method_cells(&hot);
        let values = columns.iter().map(|column| (*column, column.values(&cells)));
        Some((hot.method, metrics::uncertain(values)?))
    };
    shown.hot_methods(Sort::SelfTime).into_iter().filter_map(of).collect()
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
