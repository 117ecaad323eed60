//! A profile as JSON; `docs/report-json.md` describes it.

use crate::{quality, view::View};
use jfathom_profile::{Frame, HotMethod, Jvm, MethodIx, Profile, Thread, ThreadIx, Ticks, hot_methods};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Raised with every change that readers of older documents must know of.
pub const JSON_VERSION: u32 = 1;

/// Writes a profile as one JSON document, followed by a newline. Depth, threshold and threads of the view choose the nodes
/// of the tree; threads and methods are always all there.
pub fn json(profile: &Profile, view: &View, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, &Document { profile, view })?;
    writeln!(out)
}

struct Document<'a> {
    profile: &'a Profile,
    view: &'a View,
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { profile, .. } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("format", "jfathom-report")?;
        map.serialize_entry("version", &JSON_VERSION)?;
        map.serialize_entry("times", &json!({ "unit": "ns", "clock": "wall", "calibrated": false }))?;
        map.serialize_entry("quality", &quality_of(profile))?;
        map.serialize_entry("meta", &meta(profile))?;
        map.serialize_entry("jvms", &profile.meta.jvms.iter().map(jvm).collect::<Vec<_>>())?;
        map.serialize_entry("threads", &Threads(profile))?;
        map.serialize_entry("methods", &Methods(profile))?;
        map.serialize_entry("tree", &Tree(self))?;
        map.end()
    }
}

fn quality_of(profile: &Profile) -> Value {
    let q = &profile.quality;
    json!({
        "clean": q.is_clean(),
        "sentences": quality::sentences(profile),
        "records": q.records,
        "inferredExits": q.inferred_exits,
        "unmatchedExits": q.unmatched_exits,
        "unmatchedCatches": q.unmatched_catches,
        "repairedTasks": q.repaired_tasks,
        "openFrames": q.open_frames,
        "unknownRecords": q.unknown_records,
        "backwardTimes": q.backward_times,
        "lostRecords": q.lost_records,
        "lostWithCollector": q.lost_with_collector,
        "gapNanos": profile.rate.nanos(q.gap_ticks),
        "lostRings": q.lost_rings,
        "damagedRings": q.damaged_rings,
        "virtualCalls": q.virtual_calls,
        "notFollowed": q.not_followed,
        "secondRuntimes": q.second_runtimes,
        "outsideSpan": q.outside_span,
        "infoDropped": q.info_dropped,
        "unnamedMethods": q.unnamed_methods,
        "uncleanEnds": q.unclean_ends,
        "waits": q.waits,
        "adjustedNanos": profile.rate.nanos(q.adjusted),
    })
}

fn meta(profile: &Profile) -> Value {
    let meta = &profile.meta;
    json!({
        "tool": meta.tool,
        "command": meta.command,
        "startedMillis": meta.started_millis,
        "durationMillis": meta.duration_millis,
        "os": meta.machine.os,
        "arch": meta.machine.arch,
        "cpu": meta.machine.cpu,
        "cpus": meta.machine.cpus,
        "notices": meta.notices,
    })
}

fn jvm(jvm: &Jvm) -> Value {
    let provenance = jvm.provenance.iter().map(|from| {
        json!({
            "container": from.container,
            "plan": from.plan,
            "firstId": from.first_id,
            "ids": from.ids,
            "tool": from.tool,
        })
    });
    json!({
        "pid": jvm.pid,
        "startMillis": jvm.start_millis,
        "javaVersion": jvm.java_version,
        "vmName": jvm.vm_name,
        "vmVersion": jvm.vm_version,
        "vendor": jvm.vendor,
        "command": jvm.command,
        "flags": jvm.flags,
        "clock": jvm.clock.name,
        "clockHz": jvm.clock.rate.hz(),
        "clockReason": jvm.clock.reason,
        "roots": jvm.roots,
        "cleanEnd": jvm.clean_end,
        "provenance": provenance.collect::<Vec<_>>(),
    })
}

struct Threads<'a>(&'a Profile);

impl Serialize for Threads<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let nanos = |ticks| self.0.rate.nanos(ticks);
        serializer.collect_seq(self.0.threads.iter().map(|thread: &Thread| {
            json!({
                "jvm": thread.jvm,
                "sequence": thread.sequence,
                "threadId": thread.thread_id,
                "name": thread.name,
                "ended": thread.ended,
                "outsideNanos": nanos(thread.outside),
                "adjustedNanos": nanos(thread.adjusted),
            })
        }))
    }
}

struct Methods<'a>(&'a Profile);

impl Serialize for Methods<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let profile = self.0;
        let mut times = vec![(Ticks(0), Ticks(0)); profile.methods.len()];
        for HotMethod { method: MethodIx(ix), self_time, total_time, .. } in hot_methods(profile, |_| true) {
            times[ix as usize] = (self_time, total_time);
        }
        serializer.collect_seq(profile.methods.iter().zip(&times).map(|(method, (self_time, total_time))| {
            json!({
                "id": method.id,
                "class": method.info.key.class,
                "name": method.info.key.name,
                "descriptor": method.info.key.descriptor,
                "source": method.info.source,
                "line": method.info.line,
                "digest": method.info.digest,
                "root": method.info.root,
                "entries": method.entries,
                "returns": method.returns,
                "throws": method.throws,
                "inferred": method.inferred,
                "open": method.open,
                "unmatchedExits": method.unmatched_exits,
                "caught": method.caught,
                "virtualCalls": method.virtual_calls,
                "selfNanos": profile.rate.nanos(*self_time),
                "totalNanos": profile.rate.nanos(*total_time),
            })
        }))
    }
}

/// A node as it is written; its place in the list is what `parent` of others refers to.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Node {
    parent: Option<u64>,
    kind: &'static str,
    of: u32,
    calls: u64,
    self_nanos: u64,
    total_nanos: u64,
}

struct Tree<'a>(&'a Document<'a>);

impl Serialize for Tree<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Document { profile, view } = self.0;
        let shown = view.of(profile);
        let tree = &*shown.tree;
        let mut written = 0;
        // Places in the list of the ancestors of the node at hand, one for each level.
        let mut path: Vec<u64> = Vec::new();
        serializer.collect_seq(shown.nodes().map(|node| {
            path.truncate(tree.depth(node) as usize);
            let parent = path.last().copied();
            path.push(written);
            written += 1;
            let (kind, of) = match tree.frame(node) {
                Frame::Thread(ThreadIx(of)) => ("thread", of),
                Frame::Method(method) => ("method", method.0),
                Frame::Task(root) => ("task", root.0),
            };
            let (self_nanos, total_nanos) = (shown.own(node).0, shown.total(node).0);
            Node { parent, kind, of, calls: tree.calls(node), self_nanos, total_nanos }
        }))
    }
}
