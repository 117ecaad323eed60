//! Differences and gates as JSON; `docs/diff-json.md` describes them.

use super::{gate::word, names::Names, tree, view::DiffView, walks};
use jfathom_compare::{
    BytesDiff, Calls, CallsChange, ContextFrame, CpuDiff, CpuParts, EventDiff, EventsDiff,
    FALSE_DISCOVERY_RATE, Gate, MeanEvents, MethodDiff, RootDiff, RootKind, TimeDiff, TimeKind,
    are_interleaved, condition_differences,
};
use jfathom_profile::{Method, MethodIx, Profile};
use jfathom_views::Comparison;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Raised with every change that readers of older documents must know of.
pub const DIFF_JSON_VERSION: u32 = 3;

/// Writes a difference as one JSON document, followed by a newline. The threshold of the view
/// chooses the contexts; methods are always all there.
pub fn diff_json(
    compared: &Comparison<'_>,
    view: &DiffView,
    out: &mut dyn Write,
) -> io::Result<()> {
    let diff = compared.diff;
    let of = |of: &[MethodIx], methods: &[Method]| {
        of.iter().filter_map(|at| Some(key(methods.get(at.0 as usize)?))).collect::<Vec<_>>()
    };
    let ambiguous =
        diff.matching.ambiguous.iter().map(
            |(base, new)| json!({ "base": of(base, &compared.base.methods), "new": of(new, &compared.new.methods) }),
        );
    let document = json!({
        "format": "jfathom-diff",
        "version": DIFF_JSON_VERSION,
        "times": {
            "unit": "ns",
            "kind": kind(diff.times),
            "withoutRunQueueDelay": diff.without_delay,
        },
        "falseDiscoveryRate": FALSE_DISCOVERY_RATE,
        "interleaved": are_interleaved(compared.base, compared.new),
        "base": side(compared, 0),
        "new": side(compared, 1),
        "methods": diff.methods.iter().map(|found| method(compared, found)).collect::<Vec<_>>(),
        "ambiguous": ambiguous.collect::<Vec<_>>(),
        "roots": diff.roots.iter().map(root).collect::<Vec<_>>(),
        "contexts": contexts(compared, view),
        "events": all_events(&diff.events),
        "walks": walks::value(compared, &Names::of(compared)),
        "notes": condition_differences(compared.base, compared.new),
    });
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}

/// Writes a gate's verdict as one JSON document, followed by a newline.
pub fn gate_json(compared: &Comparison<'_>, gate: &Gate, out: &mut dyn Write) -> io::Result<()> {
    let diff = compared.diff;
    let named = |place: &usize| diff.methods.get(*place).map(|found| keys(compared, found));
    let exceeded = gate.calls_exceeded.iter().map(|calls| {
        let methods: Vec<_> = calls.methods.iter().filter_map(named).collect();
        json!({ "methods": methods, "base": calls.base, "new": calls.new })
    });
    let roots = gate.roots.iter().map(|found| {
        let of = &diff.roots[found.root];
        json!({
            "method": named(&of.method),
            "kind": root_kind(of.kind),
            "growth": found.growth,
            "changedGrowth": found.changed_growth,
            "pValue": found.p_value,
            "exact": found.exact,
            "verdict": word(found.verdict).to_lowercase(),
            "baseNanos": of.nanos[0],
            "newNanos": of.nanos[1],
        })
    });
    let allocated = gate.allocated.iter().map(|found| {
        let of = &diff.roots[found.root];
        json!({
            "method": named(&of.method),
            "kind": root_kind(of.kind),
            "base": found.bytes[0],
            "new": found.bytes[1],
            "growth": found.growth(),
            "verdict": word(found.verdict).to_lowercase(),
        })
    });
    let cpu = gate.cpu.iter().map(|found| {
        let of = &diff.roots[found.root];
        let [base, new] = of.running_nanos();
        json!({
            "method": named(&of.method),
            "kind": root_kind(of.kind),
            "growth": found.growth,
            "error": found.error,
            "pValue": found.p_value,
            "exact": found.exact,
            "verdict": word(found.verdict).to_lowercase(),
            "baseNanos": base,
            "newNanos": new,
        })
    });
    let ratios = gate.ratios.iter().filter_map(|found| {
        let limit = gate.limits.ratios.get(found.limit)?;
        Some(json!({
            "of": limit.of.to_string(),
            "per": limit.per.to_string(),
            "max": limit.max,
            "ofCalls": found.of,
            "perCalls": found.per,
            "verdict": word(found.verdict).to_lowercase(),
        }))
    });
    let document = json!({
        "format": "jfathom-gate",
        "version": DIFF_JSON_VERSION,
        "failed": gate.is_failed(),
        "strict": gate.limits.strict,
        "alpha": gate.alpha,
        "interleaved": are_interleaved(compared.base, compared.new),
        "calls": {
            "within": gate.calls_within,
            "exceeded": exceeded.collect::<Vec<_>>(),
            "varying": gate.varying.iter().filter_map(named).collect::<Vec<_>>(),
        },
        "edited": gate.edited.iter().filter_map(named).collect::<Vec<_>>(),
        "roots": roots.collect::<Vec<_>>(),
        "allocated": allocated.collect::<Vec<_>>(),
        "cpu": cpu.collect::<Vec<_>>(),
        "ratios": ratios.collect::<Vec<_>>(),
        "refused": gate.refused,
        "notes": gate.notes,
    });
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}

fn kind(times: TimeKind) -> &'static str {
    match times {
        TimeKind::Measured => "measured",
        TimeKind::Corrected => "corrected",
    }
}

fn side(compared: &Comparison<'_>, side: usize) -> Value {
    let profile = [compared.base, compared.new][side];
    json!({
        "file": compared.called[side],
        "runs": compared.diff.runs[side],
        "totalNanos": compared.diff.total_nanos[side],
        "clean": profile.quality.is_clean(),
        "command": profile.meta.command,
        "startedMillis": profile.meta.started_millis,
    })
}

fn key(method: &Method) -> Value {
    let key = &method.info.key;
    json!({ "class": key.class, "name": key.name, "descriptor": key.descriptor })
}

fn keys(compared: &Comparison<'_>, found: &MethodDiff) -> Value {
    json!({
        "base": found.base.map(|at| key(compared.base.method(at))),
        "new": found.new.map(|at| key(compared.new.method(at))),
    })
}

fn method(compared: &Comparison<'_>, found: &MethodDiff) -> Value {
    let mut value = keys(compared, found);
    value["match"] = json!(found.pair.map(|pair| pair.how.as_str()));
    value["edited"] = json!(found.pair.map(|pair| pair.changed));
    value["modesDiffer"] = json!(found.modes_differ);
    value["calls"] = calls(&found.calls);
    value["timed"] = json!({ "base": found.timed[0], "new": found.timed[1] });
    value["self"] = time(&found.self_time);
    value["total"] = time(&found.total_time);
    value["allocated"] = bytes(found.allocated);
    value["totalAllocated"] = bytes(found.total_allocated);
    value["cpu"] = cpu(compared, &found.cpu);
    value["totalCpu"] = cpu(compared, &found.total_cpu);
    value["events"] = json!(events(&compared.diff.events, &found.events));
    value
}

fn calls(change: &CallsChange) -> Value {
    let side = |calls: Calls| json!({ "least": calls.least, "most": calls.most, "mean": calls.mean, "runs": calls.runs });
    let growth = change.growth().and_then(|growth| i64::try_from(growth).ok());
    json!({
        "base": change.base.map(side),
        "new": change.new.map(side),
        "varies": change.varies(),
        "growth": growth,
    })
}

fn bytes(bytes: BytesDiff) -> Value {
    json!({ "base": bytes.base, "new": bytes.new, "difference": bytes.difference() })
}

fn cpu(compared: &Comparison<'_>, cpu: &CpuDiff) -> Value {
    let side = |parts: CpuParts, profile: &Profile| {
        let is_told = profile.cpu.tells_preempted();
        json!({
            "running": parts.running,
            "preempted": is_told.then_some(parts.preempted),
            "blocked": is_told.then_some(parts.blocked),
            "notRunning": parts.not_running(),
            "unknown": parts.unknown,
            "error": parts.error,
        })
    };
    json!({
        "base": cpu.base.map(|parts| side(parts, compared.base)),
        "new": cpu.new.map(|parts| side(parts, compared.new)),
        "difference": cpu.difference(|parts| parts.running),
        "halfWidth": cpu.running.half_width,
        "pValue": cpu.running.p_value,
        "significant": cpu.is_significant(),
    })
}

fn all_events(all: &EventsDiff) -> Value {
    json!({
        "waits": all.has_waits,
        "exceptions": all.has_exceptions,
        "caught": all.has_caught,
        "inCalls": events(all, &all.total),
    })
}

/// None unless both sides know any.
fn events(all: &EventsDiff, of: &[EventDiff]) -> Option<Vec<Value>> {
    let side = |of: MeanEvents| json!({ "count": of.count, "nanos": of.nanos });
    let row = |event: &EventDiff| {
        json!({
            "kind": event.name.kind.as_str(),
            "class": event.name.class.as_deref(),
            "base": side(event.base),
            "new": side(event.new),
            "countDifference": event.count(),
            "nanosDifference": event.nanos(),
        })
    };
    all.is_known().then(|| of.iter().map(row).collect())
}

fn time(time: &TimeDiff) -> Value {
    json!({
        "base": time.base,
        "new": time.new,
        "difference": time.difference(),
        "halfWidth": time.half_width,
        "pValue": time.p_value,
        "significant": time.is_significant(),
    })
}

fn root_kind(kind: RootKind) -> &'static str {
    match kind {
        RootKind::Method => "method",
        RootKind::Task => "task",
    }
}

fn root(root: &RootDiff) -> Value {
    let running = root.running_nanos();
    json!({
        "kind": root_kind(root.kind),
        "of": root.method,
        "share": root.share,
        "growth": root.growth(),
        "baseNanos": root.nanos[0],
        "newNanos": root.nanos[1],
        "allocated": bytes(root.allocated),
        "baseRunningNanos": running[0],
        "newRunningNanos": running[1],
    })
}

/// The contexts that are shown; all where the threshold is zero.
fn contexts(compared: &Comparison<'_>, view: &DiffView) -> Vec<Value> {
    let contexts = &compared.diff.contexts;
    let shown = match view.threshold {
        0.0 => vec![true; contexts.len()],
        threshold => tree::shown(compared.diff, threshold, &tree::ends(contexts)),
    };
    // Places in the list of the ancestors of the context at hand, one for each level.
    let mut path: Vec<usize> = Vec::new();
    let mut list = Vec::new();
    for (context, _) in contexts.iter().zip(shown).filter(|(_, shown)| *shown) {
        path.truncate(context.depth as usize);
        let parent = path.last().copied();
        path.push(list.len());
        let (kind, of) = match context.frame {
            ContextFrame::Method(of) => ("method", of),
            ContextFrame::Task(of) => ("task", of),
        };
        list.push(json!({
            "parent": parent,
            "kind": kind,
            "of": of,
            "calls": calls(&context.calls),
            "callsUnknown": context.calls.is_unknown,
            "self": time(&context.self_time),
            "total": time(&context.total_time),
            "allocated": bytes(context.allocated),
            "cpu": cpu(compared, &context.cpu),
            "events": events(&compared.diff.events, &context.events),
        }));
    }
    list
}
