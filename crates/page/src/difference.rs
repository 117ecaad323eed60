//! The page of a difference.

use crate::{
    changed_callers::changed_callers,
    columns::Columns,
    facts::labelled_lines,
    frames::FrameTable,
    html, metrics,
    runs::add_runs_of_sides,
    tree::{BaseSide, PageNode, add_tree},
};
use jfathom_compare::{
    Calls, CallsChange, Column, ContextDiff, ContextFrame, EventDiff, MethodDiff, Prominence,
    TimeDiff, TimeKind, events_by_kind,
};
use jfathom_profile::{EventKind, Frame, MethodIx};
use jfathom_views::{Comparison, Names};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Writes the page of a difference. Numbers are means over the runs of a side, and bars those of
/// the difference. A difference is of call paths without threads. `summary` is as in
/// [`profile_page`](crate::profile_page).
pub fn difference_page(
    compared: &Comparison<'_>,
    summary: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let diff = compared.diff;
    let mut frames = FrameTable::default();
    let nodes: Vec<PageNode> =
        diff.contexts.iter().map(|context| node(context, &mut frames)).collect();
    let mut columns = Columns::default();
    let bases: Vec<BaseSide> = diff.contexts.iter().map(base_side).collect();
    let metrics = metrics::of_difference(diff, |context| waits(&context.events));
    let metrics = add_tree(&mut columns, &nodes, &bases, &metrics, frames.len());
    let seen = diff.seen(Prominence::Detail);
    let runs = add_runs_of_sides(&mut columns, diff, &frames);
    let (columns, places) = columns.finish();
    let names = [&compared.base.methods, &compared.new.methods].map(|methods| Names::of(methods));
    let name = |frame| match frame {
        Frame::Task(at) => format!("spawned from {}", method_name(&names, &diff.methods, at)),
        Frame::Method(at) => method_name(&names, &diff.methods, at).to_owned(),
        Frame::Thread(_) => String::new(),
    };
    let walked = changed_callers(compared, |at| {
        method_name(&names, &diff.methods, MethodIx(at as u32)).to_owned()
    });
    let facts = |frame| match frame {
        Frame::Method(MethodIx(at)) => {
            let at = at as usize;
            diff.methods.get(at).map(|of| method_facts(of, &seen, &names, walked.get(&at)))
        }
        Frame::Task(_) | Frame::Thread(_) => None,
    };
    let head = json!({
        "kind": "difference",
        "title": compared.called.join(" → "),
        "called": compared.called,
        "facts": labelled_lines(summary),
        "corrected": diff.times == TimeKind::Corrected,
        "sides": diff.runs,
        "nodes": nodes.len(),
        "metrics": metrics,
        "runs": runs,
        "frames": frames.json(name, facts),
        "threads": [],
        "columns": places,
    });
    html::write(&head, &columns, out)
}

/// The candidate's numbers of a call path, with the bars of the difference.
fn node(context: &ContextDiff, frames: &mut FrameTable) -> PageNode {
    let index = |at: usize| MethodIx(u32::try_from(at).unwrap_or(u32::MAX));
    let frame = match context.frame {
        ContextFrame::Method(at) => Frame::Method(index(at)),
        ContextFrame::Task(at) => Frame::Task(index(at)),
    };
    let ContextDiff { calls, self_time, total_time, .. } = context;
    PageNode {
        depth: context.depth,
        frame: frames.place(frame),
        timed: mean_calls(calls.new),
        counted: 0,
        self_nanos: self_time.new.unwrap_or(0.0),
        total_nanos: total_time.new.unwrap_or(0.0),
        self_bar: self_time.half_width.unwrap_or(0.0) as f32,
        total_bar: total_time.half_width.unwrap_or(0.0) as f32,
    }
}

/// The baseline's numbers of a call path.
fn base_side(context: &ContextDiff) -> BaseSide {
    let ContextDiff { calls, self_time, total_time, .. } = context;
    let bit = |flag: bool, bit: u64| if flag { bit } else { 0 };
    BaseSide {
        calls: mean_calls(calls.base),
        self_nanos: self_time.base.unwrap_or(0.0),
        total_nanos: total_time.base.unwrap_or(0.0),
        flags: bit(self_time.is_significant(), 1)
            | bit(total_time.is_significant(), 2)
            | bit(calls.varies(), 4),
    }
}

fn mean_calls(calls: Option<Calls>) -> u64 {
    calls.map_or(0.0, |calls| calls.mean).round() as u64
}

/// The name in the candidate, or in the baseline if it is not there.
fn method_name<'a>(names: &'a [Names; 2], methods: &[MethodDiff], at: MethodIx) -> &'a str {
    match methods.get(at.0 as usize) {
        Some(MethodDiff { new: Some(new), .. }) => names[1].method(*new),
        Some(MethodDiff { base: Some(base), .. }) => names[0].method(*base),
        _ => "?",
    }
}

/// What a page says of a method: where it is, how it was matched, its numbers on both sides, and
/// `walked`, its callers by walked stacks.
fn method_facts(
    method: &MethodDiff,
    columns: &[(usize, &'static Column)],
    names: &[Names; 2],
    walked: Option<&Value>,
) -> Value {
    json!({
        "side": match (method.base, method.new) {
            (Some(_), None) => "base",
            (None, Some(_)) => "new",
            _ => "both",
        },
        "match": method.pair.map(|pair| pair.how.as_str()),
        "was": method.base.zip(method.new)
            .map(|(base, new)| (names[0].method(base), names[1].method(new)))
            .filter(|(base, new)| base != new)
            .map(|(base, _)| base),
        "edited": method.is_edited(),
        "calls": calls_json(&method.calls),
        "self": time_json(&method.self_time),
        "total": time_json(&method.total_time),
        "columns": columns_json(method, columns),
        "waits": waits_json(&method.events),
        "thrown": classes_json(&method.events, EventKind::Exception),
        "caught": classes_json(&method.events, EventKind::Caught),
        "walked": walked,
    })
}

/// For how long threads did not run in the candidate, by kind, in ns.
fn waits(events: &[EventDiff]) -> [u64; EventKind::ALL.len()] {
    let mut nanos = [0; EventKind::ALL.len()];
    for event in events_by_kind(events) {
        if let Some(at) = EventKind::ALL.iter().position(|kind| *kind == event.name.kind) {
            nanos[at] = event.new.nanos.round() as u64;
        }
    }
    nanos
}

/// Why threads did not run: kind, and ns on both sides. None without any.
fn waits_json(events: &[EventDiff]) -> Option<Vec<Value>> {
    let kinds = events_by_kind(events).into_iter().filter(|event| event.name.kind.has_time());
    let rows = kinds.map(|of| json!([of.name.kind.as_str(), of.base.nanos, of.new.nanos]));
    Some(rows.collect::<Vec<_>>()).filter(|rows| !rows.is_empty())
}

/// Classes of exceptions in a page, for a method.
const MOST_CLASSES: usize = 8;

/// What was thrown or caught: class, and mean numbers of both sides, the largest change first. None
/// without any.
fn classes_json(events: &[EventDiff], kind: EventKind) -> Option<Vec<Value>> {
    let mut classes: Vec<_> = events.iter().filter(|event| event.name.kind == kind).collect();
    classes.sort_by(|a, b| b.count().abs().total_cmp(&a.count().abs()));
    let rows = classes.into_iter().take(MOST_CLASSES);
    let rows = rows.map(|of| json!([of.name.class.as_deref(), of.base.count, of.new.count]));
    Some(rows.collect::<Vec<_>>()).filter(|rows| !rows.is_empty())
}

/// By key: the method's own values on both sides, where both are known; `"unread"` where its calls
/// have not read them. With one run on a side the bar holds only what values may be off by.
fn columns_json(method: &MethodDiff, columns: &[(usize, &'static Column)]) -> Value {
    let json = |(at, column): &(usize, &'static Column)| {
        let [of, _] = method.columns.get(*at)?;
        let value = match of.numbers() {
            Some([base, new]) => json!({
                "base": base,
                "new": new,
                "bar": of.bar(),
                "p": of.p_value,
                "significant": of.is_significant(),
            }),
            None if of.is_unread() => json!("unread"),
            None => return None,
        };
        Some((column.key.to_owned(), value))
    };
    Value::Object(columns.iter().filter_map(json).collect())
}

fn calls_json(calls: &CallsChange) -> Value {
    json!({
        "base": calls.base.map_or(0.0, |calls| calls.mean),
        "new": calls.new.map_or(0.0, |calls| calls.mean),
        "varies": calls.varies(),
    })
}

fn time_json(time: &TimeDiff) -> Value {
    json!({
        "base": time.base,
        "new": time.new,
        "bar": time.half_width,
        "p": time.p_value,
        "significant": time.is_significant(),
    })
}
