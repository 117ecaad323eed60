//! A profile as JSON; `docs/report-json.md` describes it.

use crate::events_json::{KindSumJson, NameSumJson};
use crate::resumed;
use crate::{
    events_json,
    latency::latency_json,
    sampled_roots::sampled_roots_json,
    samples_json::{self, NodeSamples},
    slowest::SlowestJson,
    stack_walks, unfollowed,
    view::View,
};
use jfathom_calibration::{
    CorrectedTimes, Cost, Costs, TimeStatus, Times, call_nanos, constants_machine,
};
use jfathom_compare::{HotMethod, hot_methods_with};
use jfathom_profile::{
    AllocationSource, Anchor, BatchStatistics, BudgetOutcome, Calibration, ClockDrift, Cpu,
    CpuSource, Frame, Jvm, KnownCalibration, LiveRootInfo, LiveSessionInfo, MethodIx, Metric, Mode,
    Mounts, Profile, Scheduling, Thread, ThreadIx, Ticks,
};
use jfathom_views::{Cells, Certainty, Column};
use serde::{Serialize, Serializer, ser::SerializeMap};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// Raised with every change that readers of older documents must know of.
pub const JSON_VERSION: u32 = 8;

/// Writes a profile as one JSON document, followed by a newline. Depth, threshold and threads of
/// the view choose the nodes of the tree; threads and methods are always all there.
pub fn json(profile: &Profile, view: &View, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(
        &mut *out,
        &Document { profile, view, corrected: view.scope.corrected(profile) },
    )?;
    writeln!(out)
}

struct Document<'a> {
    profile: &'a Profile,
    view: &'a View,
    corrected: Option<CorrectedTimes>,
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { profile, corrected, .. } = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("format", "jfathom-report")?;
        map.serialize_entry("version", &JSON_VERSION)?;
        map.serialize_entry("times", &times(profile, corrected.as_ref()))?;
        map.serialize_entry("anchor", &profile.anchor.as_ref().map(anchor))?;
        map.serialize_entry("runs", &profile.run_count())?;
        map.serialize_entry(
            "interleavingId",
            &profile.meta.interleaving_id.map(|id| format!("{id:016x}")),
        )?;
        map.serialize_entry("unfollowed", &unfollowed::json(&profile.meta.unfollowed))?;
        map.serialize_entry("quality", &quality_of(profile))?;
        map.serialize_entry("meta", &meta(profile))?;
        map.serialize_entry("jvms", &profile.meta.jvms.iter().map(jvm).collect::<Vec<_>>())?;
        map.serialize_entry("threads", &Threads(profile))?;
        map.serialize_entry("methods", &Methods(self))?;
        map.serialize_entry("sampledRoots", &sampled_roots_json(profile))?;
        let latencies = latency_json(profile, corrected.as_ref(), self.view);
        map.serialize_entry("latencies", &latencies)?;
        if !self.profile.latencies.slowest.is_empty() {
            let slowest = SlowestJson::of(self.profile, corrected.as_ref(), self.view);
            map.serialize_entry("slowest", &slowest)?;
        }
        if let Some(trust) = &profile.trust {
            map.serialize_entry("trust", &crate::trust::value(profile, trust))?;
        }
        if let Some(samples) = samples_json::head(profile) {
            map.serialize_entry("stackSamples", &samples)?;
        }
        if let Some(walks) = stack_walks::value(profile) {
            map.serialize_entry("stackWalks", &walks)?;
        }
        map.serialize_entry("tree", &Tree(self))?;
        map.end()
    }
}

fn times(profile: &Profile, corrected: Option<&CorrectedTimes>) -> Value {
    let costs =
        corrected.map(|corrected| corrected.costs.iter().map(|costs| costs.as_ref().map(costs_of)));
    json!({
        "unit": "ns",
        "clock": "wall",
        "calibrated": corrected.is_some(),
        "corrected": corrected.map(|corrected| estimate(profile, corrected)),
        "constantsMachine": corrected.map(|_| constants_machine()),
        "costs": costs.map(|costs| costs.collect::<Vec<_>>()),
    })
}

fn estimate(profile: &Profile, corrected: &CorrectedTimes) -> Value {
    let whole = profile
        .tree
        .roots()
        .map(|root| corrected.node(root))
        .reduce(Times::plus)
        .unwrap_or_default();
    json!({
        "totalNanos": whole.total_nanos,
        "totalBarNanos": whole.total_error_nanos,
        "probesBarNanos": whole.total_probes_error_nanos(),
        "betweenRunsBarNanos": whole.total_between_runs_nanos,
        "betweenRuns": if profile.run_count() > 1 { "measured" } else { "assumed" },
        "residualNanos": corrected.residual_nanos,
        "waitsNanos": corrected.waits_nanos,
    })
}

fn costs_of(costs: &Costs) -> Value {
    let cost = |cost: Cost| json!({ "nanos": cost.nanos, "barNanos": cost.error_nanos });
    json!({
        "inner": cost(costs.inner),
        "innerThrow": cost(costs.inner_throw),
        "outer": cost(costs.outer),
        "outerThrow": cost(costs.outer_throw),
        "count": cost(costs.count),
        "countRecord": cost(costs.count_record),
    })
}

fn anchor(anchor: &Anchor) -> Value {
    json!({
        "rootsOnlyRuns": anchor.roots_only_runs,
        "rootsOnlyNanos": anchor.roots_only_nanos,
        "rootsOnlyDeviationNanos": anchor.roots_only_deviation,
        "fullRuns": anchor.full_runs,
        "residualNanos": anchor.residual_nanos,
        "correctionShare": anchor.correction_share,
    })
}

fn calibration(calibration: &Calibration) -> Value {
    let batches = |batches: BatchStatistics| {
        json!({
            "count": batches.count,
            "minNanos": batches.min,
            "medianNanos": batches.median,
            "meanNanos": batches.mean,
            "deviationNanos": batches.deviation,
        })
    };
    json!({
        "phase": calibration.phase.key(),
        "kind": calibration.kind.key(),
        "calls": calibration.calls,
        "inner": batches(calibration.inner),
        "outer": batches(calibration.outer),
        "reference": batches(calibration.reference),
    })
}

fn known_calibration(known: &KnownCalibration) -> Value {
    json!({
        "takenMillis": known.taken_millis,
        "used": known.is_used,
        "callNanos": call_nanos(&known.calibrations),
    })
}

fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Time => "time",
        Mode::Count => "count",
        Mode::Off => "off",
    }
}

fn status(status: TimeStatus) -> &'static str {
    match status {
        TimeStatus::AboveResolution => "aboveResolution",
        TimeStatus::BelowResolution => "belowResolution",
    }
}

/// Corrected times as they are written; null where there are none.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NodeTimes {
    self_nanos: f64,
    self_bar_nanos: f64,
    self_between_runs_bar_nanos: f64,
    self_status: &'static str,
    total_nanos: f64,
    total_bar_nanos: f64,
    total_between_runs_bar_nanos: f64,
    total_status: &'static str,
}

impl NodeTimes {
    fn of(times: Times) -> Self {
        Self {
            self_nanos: times.self_nanos,
            self_bar_nanos: times.self_error_nanos,
            self_between_runs_bar_nanos: times.self_between_runs_nanos,
            self_status: status(times.self_status()),
            total_nanos: times.total_nanos,
            total_bar_nanos: times.total_error_nanos,
            total_between_runs_bar_nanos: times.total_between_runs_nanos,
            total_status: status(times.total_status()),
        }
    }
}

fn quality_of(profile: &Profile) -> Value {
    let q = &profile.quality;
    let mut quality = json!({
        "clean": q.is_clean(),
        "sentences": jfathom_views::quality::sentences(profile),
        "records": q.records,
        "inferredExits": q.inferred_exits,
        "constructorExits": q.constructor_exits,
        "unmatchedExits": q.unmatched_exits,
        "unmatchedCatches": q.unmatched_catches,
        "repairedTasks": q.repaired_tasks,
        "openFrames": q.open_frames,
        "unknownRecords": q.unknown_records,
        "backwardTimes": q.backward_times,
        "lostRecords": q.lost_records,
        "lostWaiting": q.lost_waiting,
        "lostRingless": q.lost_ringless,
        "lostOverflow": q.lost_overflow,
        "lostWithCollector": q.lost_with_collector,
        "killedCollectors": q.killed_collectors,
        "silentEnds": q.silent_ends,
        "mounts": mounts(profile.mounts),
        "allocation": allocation(profile.allocation.source),
        "unattributedBytes": profile.allocation.unattributed,
        "lostJvms": q.lost_jvms,
        "gapNanos": profile.rate.nanos(q.gap_ticks),
        "lostCounts": q.lost_counts,
        "lostRings": q.lost_rings,
        "lostThreads": q.lost_threads,
        "damagedRings": q.damaged_rings,
        "virtualCalls": q.virtual_calls,
        "unfollowedHandOffs": q.unfollowed_hand_offs,
        "duplicateRuntimes": q.duplicate_runtimes,
        "outsideSpan": q.outside_span,
        "infoDropped": q.info_dropped,
        "unnamedMethods": q.unnamed_methods,
        "brokenLines": q.broken_lines,
        "uncleanEnds": q.unclean_ends,
        "lateCalls": q.late_calls,
        "failedClasses": q.failed_classes,
        "restoredDifferently": q.restored_differently,
        "otherLosses": q.other_losses,
        "ringWaits": q.ring_waits,
        "adjustedNanos": profile.rate.nanos(q.excluded),
    });
    // Their own statements: one more key would pass the limit of the macro.
    quality["handOffs"] = q.handed_off.into();
    quality["cpu"] = cpu(profile.cpu);
    quality["events"] = events_json::events(profile);
    quality
}

fn mounts(mounts: Mounts) -> &'static str {
    match mounts {
        Mounts::Unasked => "unasked",
        Mounts::Seen => "seen",
        Mounts::Partly => "partly",
    }
}

fn allocation(source: AllocationSource) -> &'static str {
    match source {
        AllocationSource::Unasked => "unasked",
        AllocationSource::Fields => "fields",
        AllocationSource::Bean => "bean",
        AllocationSource::Either => "either",
        AllocationSource::Partly => "partly",
    }
}

fn cpu(cpu: Cpu) -> Value {
    let source = match cpu.source {
        CpuSource::Unasked => "unasked",
        CpuSource::Perf => "perf",
        CpuSource::Refused => "refused",
        CpuSource::Some => "some",
        CpuSource::Partly => "partly",
        CpuSource::ThreadClock => "thread-clock",
        CpuSource::Mixed => "mixed",
    };
    json!({
        "source": source,
        "switches": cpu.switches,
        "lost": cpu.lost,
        "switchErrorNanos": cpu.switch_error_nanos,
    })
}

/// A column's values as they are written: of a method or node itself, and with all callees.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ColumnJson {
    #[serde(rename = "self")]
    own: Option<u64>,
    total: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    self_bar: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total_bar: Option<u64>,
    /// Whether either value may be much more, of columns with bars.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_least: Option<bool>,
}

/// By name, the columns that the profile has.
type ColumnsJson = BTreeMap<&'static str, ColumnJson>;

fn columns(profile: &Profile, cells: &Cells<'_>) -> ColumnsJson {
    let whole = |of: f64| of.round() as u64;
    let json = |column: &Column| {
        let values = column.values(cells);
        let [own, total] = values.map(|value| value.map(|of| whole(of.number)));
        let [self_bar, total_bar] =
            values.map(|value| value.filter(|_| column.has_bar).map(|of| whole(of.bar())));
        let is_least = |of: jfathom_views::Value| matches!(of.certainty, Certainty::AtLeast(_));
        let is_least = column.has_bar.then(|| values.into_iter().flatten().any(is_least));
        ColumnJson { own, total, self_bar, total_bar, is_least }
    };
    Column::of(profile).map(|column| (column.key, json(column))).collect()
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
        "size": meta.size,
        "labels": meta.labels,
        "notices": meta.notices,
    })
}

fn clock_drift(drift: ClockDrift) -> Value {
    json!({
        "partsPerBillion": drift.parts_per_billion,
        "deviationNanos": drift.deviation_nanos,
        "suspendedNanos": drift.suspended_nanos,
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
        "clockDrift": jvm.clock.drift.map(clock_drift),
        "roots": jvm.has_roots,
        "rootsOnly": jvm.roots_only,
        "cleanEnd": jvm.clean_end,
        "calibrations": jvm.calibrations.iter().map(calibration).collect::<Vec<_>>(),
        "knownCalibration": jvm.known_calibration.as_ref().map(known_calibration),
        "limits": {
            "cpus": jvm.limits.milli_cpus.map(|milli| milli as f64 / 1e3),
            "memoryBytes": jvm.limits.memory_bytes,
        },
        "provenance": provenance.collect::<Vec<_>>(),
        "budget": jvm.budget.map(budget),
        "live": jvm.live.as_ref().map(live),
    })
}

fn budget(budget: BudgetOutcome) -> Value {
    json!({
        "limit": budget.limit,
        "costNanos": budget.cost_nanos,
        "programNanos": budget.program_nanos,
    })
}

fn live(live: &LiveSessionInfo) -> Value {
    let root = |root: &LiveRootInfo| json!({ "selector": root.selector, "liveAt": root.live_at, "method": root.method });
    json!({
        "scheme": live.scheme,
        "jdkMethods": live.include_jdk,
        "roots": live.roots.iter().map(root).collect::<Vec<_>>(),
        "methods": live.methods,
        "skipped": live.skipped,
        "retransformations": live.retransformations,
        "batches": live.batches,
        "retransformedClasses": live.retransformed_classes,
        "mostRetransformed": live.most_retransformed,
        "atLoad": live.at_load,
        "classesLoaded": live.classes_loaded,
        "firstCalls": live.first_calls,
        "pauseNanos": live.pause_nanos,
        "hookNanos": live.hook_nanos,
        "restored": live.restored,
    })
}

fn scheduling(found: Scheduling) -> Value {
    json!({
        "observedNanos": found.observed_nanos,
        "ranNanos": found.ran_nanos,
        "queuedNanos": found.queued_nanos,
        "involuntarySwitches": found.involuntary_switches,
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
                "unattributedNanos": nanos(thread.unattributed),
                "adjustedNanos": nanos(thread.excluded),
                "scheduling": thread.scheduling.map(scheduling),
            })
        }))
    }
}

struct Methods<'a>(&'a Document<'a>);

impl Serialize for Methods<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Document { profile, corrected, .. } = self.0;
        let nodes = corrected.as_ref().map_or(&[][..], CorrectedTimes::nodes);
        let mut sums: Vec<Option<HotMethod>> = vec![None; profile.methods.len()];
        for hot in hot_methods_with(profile, |_| true, nodes) {
            sums[hot.method.0 as usize] = Some(hot);
        }
        let resumptions = resumed::resumptions(profile);
        let rows = (0..).map(MethodIx).zip(&profile.methods).zip(&sums);
        serializer.collect_seq(rows.map(|((at, method), sum)| {
            let nanos = |of: fn(&HotMethod) -> Ticks| {
                profile.rate.nanos(sum.as_ref().map(of).unwrap_or_default())
            };
            let times = sum.as_ref().map(|sum| sum.times).unwrap_or_default();
            let none = HotMethod { method: at, ..HotMethod::default() };
            let cells = Cells::of_method(
                profile,
                sum.as_ref().unwrap_or(&none),
                corrected.is_some(),
                profile.knows_bytes_of(at),
            );
            let demotion = method.demotion.map(|demotion| {
                json!({
                    "calls": demotion.calls,
                    "millis": demotion.millis,
                    "reason": demotion.reason.as_str(),
                    "selfNanos": demotion.self_nanos,
                    "savedNanos": demotion.saved_nanos,
                    "costShare": demotion.cost_share,
                })
            });
            json!({
                "id": method.id,
                "class": method.info.key.class,
                "name": method.info.key.name,
                "descriptor": method.info.key.descriptor,
                "source": method.info.source,
                "line": method.info.line,
                "digest": method.info.digest,
                "root": method.info.root,
                "waits": method.info.waits,
                "resumes": method.info.resumes,
                "resumptions": resumptions.get(&at),
                "entries": method.entries,
                "returns": method.returns,
                "throws": method.throws,
                "inferred": method.inferred,
                "open": method.open,
                "unmatchedExits": method.unmatched_exits,
                "caught": method.caught,
                "virtualCalls": method.virtual_calls,
                "calls": method.calls(),
                "counted": method.counted,
                "mode": mode(method.mode),
                "demotion": demotion,
                "since": method.since,
                "corrected": corrected.as_ref().map(|_| NodeTimes::of(times)),
                "selfNanos": nanos(|sum| sum.self_time()),
                "totalNanos": nanos(|sum| sum.total_time()),
                "columns": columns(profile, &cells),
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
    timed: u64,
    self_nanos: u64,
    total_nanos: u64,
    columns: ColumnsJson,
    events: Option<Vec<NameSumJson>>,
    total_events: Option<Vec<KindSumJson>>,
    throws: u64,
    longest_nanos: u64,
    folded: u64,
    corrected: Option<NodeTimes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<NodeSamples>,
}

struct Tree<'a>(&'a Document<'a>);

impl Serialize for Tree<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Document { profile, view, corrected } = self.0;
        let shown = view.of(profile, corrected.as_ref());
        let tree = &shown.tree;
        let has_events = shown.has_events();
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
            let nanos = |ticks| profile.rate.nanos(ticks).0;
            Node {
                parent,
                kind,
                of,
                calls: tree.calls(node),
                timed: tree.timed(node),
                self_nanos: nanos(tree.self_time(node)),
                total_nanos: nanos(tree.total_time(node)),
                columns: columns(profile, &shown.cells(node)),
                events: has_events.then(|| NameSumJson::all(shown.event_names(node))),
                total_events: has_events.then(|| KindSumJson::all(shown.total_event_kinds(node))),
                throws: tree.number(Metric::Throws, node),
                longest_nanos: nanos(Ticks(tree.number(Metric::Longest, node))),
                folded: tree.number(Metric::Folded, node),
                corrected: shown.times(node).map(NodeTimes::of),
                samples: shown
                    .samples
                    .as_ref()
                    .filter(|of| !of.total(node).is_zero())
                    .map(|of| NodeSamples::of(of, node)),
            }
        }))
    }
}
