//! pprof and OpenTelemetry by the decoder of `prost`: pprof with the fields of its public proto,
//! OpenTelemetry with the types of `opentelemetry-proto`.

use super::{Sums, exported, exported_with, of_methods, profiles, truth};
use crate::Format;
use flate2::read::GzDecoder;
use jfathom_profile::{
    Activation, Frame, HandOff, HandOffs, MethodIx, Span, SpanKind, ThreadIx, Ticks,
};
use jfathom_testkit::small_profile;
use jfathom_views::Scope;
use opentelemetry_proto::tonic::profiles::v1development::ProfilesData;
use prost::Message;
use std::io::Read;

#[derive(Clone, PartialEq, Message)]
pub(super) struct PprofProfile {
    #[prost(message, repeated, tag = "1")]
    sample_type: Vec<ValueType>,
    #[prost(message, repeated, tag = "2")]
    sample: Vec<Sample>,
    #[prost(message, repeated, tag = "4")]
    location: Vec<Location>,
    #[prost(message, repeated, tag = "5")]
    function: Vec<Function>,
    #[prost(string, repeated, tag = "6")]
    string_table: Vec<String>,
    #[prost(int64, tag = "9")]
    time_nanos: i64,
    #[prost(int64, repeated, tag = "13")]
    comment: Vec<i64>,
}

#[derive(Clone, PartialEq, Message)]
struct ValueType {
    #[prost(int64, tag = "1")]
    r#type: i64,
    #[prost(int64, tag = "2")]
    unit: i64,
}

#[derive(Clone, PartialEq, Message)]
struct Sample {
    #[prost(uint64, repeated, tag = "1")]
    location_id: Vec<u64>,
    #[prost(int64, repeated, tag = "2")]
    value: Vec<i64>,
    #[prost(message, repeated, tag = "3")]
    label: Vec<Label>,
}

#[derive(Clone, PartialEq, Message)]
struct Label {
    #[prost(int64, tag = "1")]
    key: i64,
    #[prost(int64, tag = "2")]
    str: i64,
    #[prost(int64, tag = "3")]
    num: i64,
}

#[derive(Clone, PartialEq, Message)]
struct Location {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(message, repeated, tag = "4")]
    line: Vec<Line>,
}

#[derive(Clone, PartialEq, Message)]
struct Line {
    #[prost(uint64, tag = "1")]
    function_id: u64,
    #[prost(int64, tag = "2")]
    line: i64,
}

#[derive(Clone, PartialEq, Message)]
struct Function {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(int64, tag = "2")]
    name: i64,
    #[prost(int64, tag = "3")]
    system_name: i64,
    #[prost(int64, tag = "4")]
    filename: i64,
}

/// A stack from its outermost frame, and its values.
type StackValues<'a> = (Vec<String>, &'a [i64]);

pub(super) fn pprof(bytes: &[u8]) -> PprofProfile {
    let mut message = Vec::new();
    GzDecoder::new(bytes).read_to_end(&mut message).unwrap();
    PprofProfile::decode(&*message).unwrap()
}

impl PprofProfile {
    fn text(&self, at: i64) -> &str {
        &self.string_table[at as usize]
    }

    fn name(&self, location: u64) -> &str {
        let location = self.location.iter().find(|of| of.id == location).unwrap();
        let function = location.line[0].function_id;
        self.text(self.function.iter().find(|of| of.id == function).unwrap().name)
    }

    pub(super) fn comments(&self) -> Vec<&str> {
        self.comment.iter().map(|at| self.text(*at)).collect()
    }

    /// The types of values, and the stacks.
    pub(super) fn stacks(&self) -> (Vec<&str>, Vec<StackValues<'_>>) {
        let types = self.sample_type.iter().map(|of| self.text(of.r#type)).collect();
        let stack = |sample: &Sample| {
            sample.location_id.iter().rev().map(|at| self.name(*at).to_owned()).collect()
        };
        let samples = self.sample.iter();
        (types, samples.map(|sample| (stack(sample), &*sample.value)).collect())
    }

    fn sums(&self) -> Sums {
        let mut sums = Sums::new();
        for sample in &self.sample {
            let sum = sums.entry(self.name(sample.location_id[0]).to_owned()).or_default();
            sum.0 += sample.value[0] as u64;
            sum.1 += sample.value[1] as u64;
        }
        sums
    }
}

#[test]
fn pprof_has_the_profiles_sums() {
    for profile in profiles() {
        let read = pprof(&exported(&profile, Format::Pprof));
        let types: Vec<_> =
            read.sample_type.iter().map(|of| (read.text(of.r#type), read.text(of.unit))).collect();
        assert_eq!(types, [("calls", "count"), ("wall", "nanoseconds")]);
        assert_eq!(of_methods(read.sums()), truth(&profile));
        assert_eq!(read.time_nanos as u64, profile.meta.started_millis * 1_000_000);
    }
}

#[test]
fn labels_are_a_comment_of_pprof() {
    let mut profile = small_profile::profile();
    let labels = ["branch=main", "commit=7d2"].map(|label| label.parse().unwrap());
    profile.meta.labels = jfathom_profile::Labels::new(labels).unwrap();
    let read = pprof(&exported(&profile, Format::Pprof));
    let mut comments = read.comment.iter().map(|at| read.text(*at));
    assert!(comments.any(|comment| comment == "labels: branch=main, commit=7d2"));
}

#[test]
fn pprof_has_stacks_from_the_leaf_and_threads_as_labels() {
    let read = pprof(&exported(&small_profile::profile(), Format::Pprof));
    let deep = read.sample.iter().max_by_key(|sample| sample.location_id.len()).unwrap();
    let stack: Vec<&str> = deep.location_id.iter().map(|id| read.name(*id)).collect();
    let step = "com.acme.Engine::step(long)";
    assert_eq!(stack, [step, step, "com.acme.Engine::run"]);
    let labels: Vec<_> =
        deep.label.iter().map(|of| (read.text(of.key), read.text(of.str), of.num)).collect();
    assert_eq!(labels, [("thread", "main #1", 0), ("thread_id", "", 11)]);
    let task = read
        .sample
        .iter()
        .find(|sample| sample.location_id.len() == 2 && read.name(sample.location_id[0]) == "?9");
    assert_eq!(read.name(task.unwrap().location_id[1]), "spawned from com.acme.Engine::run");
}

/// Calls whose probes took more than was measured: each has its calls, and no time is below zero.
#[test]
fn pprof_has_all_calls_where_probes_took_the_time() {
    let mut profile = small_profile::calibrated();
    profile.tree = profile.tree.map(|frame| frame, |time| jfathom_profile::Ticks(time.0 / 100_000));
    let read = pprof(&exported_with(&profile, &Scope::default(), Format::Pprof));
    let comments: Vec<&str> = read.comment.iter().map(|at| read.text(*at)).collect();
    assert!(comments[0].starts_with("quality: NOT CLEAN: "), "{comments:?}");
    assert!(read.sample.iter().all(|sample| sample.value[1] >= 0));
    let calls: u64 = of_methods(read.sums()).values().map(|sum| sum.0).sum();
    assert_eq!(calls, truth(&profile).values().map(|sum| sum.0).sum::<u64>());
}

#[test]
fn opentelemetry_has_the_profiles_sums() {
    for profile in profiles() {
        let bytes = exported(&profile, Format::Otlp);
        let read = ProfilesData::decode(&*bytes).unwrap();
        let tables = read.dictionary.as_ref().unwrap();
        let text = |at: i32| &*tables.string_table[at as usize];
        assert_eq!(text(0), "");
        assert_eq!(tables.mapping_table, [Default::default()]);
        assert_eq!(tables.link_table, [Default::default()]);
        assert_eq!(tables.stack_table[0], Default::default());
        assert_eq!(tables.location_table[0], Default::default());
        assert_eq!(tables.function_table[0], Default::default());
        assert_eq!(tables.attribute_table[0], Default::default());
        let mut sums = Sums::new();
        let of_profiles = &read.resource_profiles[0].scope_profiles[0].profiles;
        assert_eq!(of_profiles.len(), 2);
        for of_type in of_profiles {
            let kind = text(of_type.sample_type.as_ref().unwrap().type_strindex);
            for sample in &of_type.samples {
                let stack = &tables.stack_table[sample.stack_index as usize];
                let location = &tables.location_table[stack.location_indices[0] as usize];
                let function = &tables.function_table[location.lines[0].function_index as usize];
                let sum = sums.entry(text(function.name_strindex).to_owned()).or_default();
                match kind {
                    "wall" => sum.1 += sample.values[0] as u64,
                    _ => sum.0 += sample.values[0] as u64,
                }
                let thread = &tables.attribute_table[sample.attribute_indices[0] as usize];
                assert_eq!(text(thread.key_strindex), "thread.name");
            }
        }
        assert_eq!(of_methods(sums), truth(&profile));
    }
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct PerfettoTrace {
    #[prost(message, repeated, tag = "1")]
    pub packet: Vec<TracePacket>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TracePacket {
    #[prost(uint64, tag = "8")]
    pub timestamp: u64,
    #[prost(message, optional, tag = "11")]
    pub event: Option<TrackEvent>,
    #[prost(message, optional, tag = "60")]
    track: Option<TrackDescriptor>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TrackEvent {
    #[prost(int32, tag = "9")]
    pub r#type: i32,
    #[prost(uint64, tag = "11")]
    pub track: u64,
    #[prost(string, repeated, tag = "22")]
    pub categories: Vec<String>,
    #[prost(string, tag = "23")]
    pub name: String,
    #[prost(fixed64, repeated, tag = "47")]
    flow_ids: Vec<u64>,
    #[prost(fixed64, repeated, tag = "48")]
    terminating_flow_ids: Vec<u64>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TrackDescriptor {
    #[prost(uint64, tag = "1")]
    uuid: u64,
    #[prost(string, tag = "2")]
    name: String,
    #[prost(uint64, tag = "5")]
    parent: u64,
}

/// A call of two spans, of which the inner one seems to end later.
#[test]
fn perfetto_has_a_track_for_each_slow_call() {
    let mut profile = small_profile::profile();
    let method = MethodIx(0);
    let span = |depth, began, duration| Span {
        method,
        kind: SpanKind::Call,
        depth,
        began: Ticks(began),
        duration: Ticks(duration),
        records_before: 0,
        records: 0,
        counted: 0,
        thrown: false,
    };
    profile.latencies.slowest = vec![Activation {
        path: vec![Frame::Method(method)],
        thread: ThreadIx(0),
        thread_id: 7,
        began: Ticks(1_000),
        duration: Ticks(100),
        records: 3,
        left_out: 0,
        hand_offs: HandOffs::default(),
        events: Vec::new(),
        spans: vec![span(0, 0, 100), span(1, 10, 95)],
    }];
    let bytes = exported(&profile, Format::Perfetto);
    let trace = PerfettoTrace::decode(bytes.as_slice()).unwrap();
    let tracks: Vec<&TrackDescriptor> =
        trace.packet.iter().filter_map(|packet| packet.track.as_ref()).collect();
    assert_eq!(
        tracks.iter().map(|track| (track.uuid, track.parent)).collect::<Vec<_>>(),
        [(1, 0), (2, 1)]
    );
    assert!(tracks[1].name.ends_with("thread id 7"), "{}", tracks[1].name);
    let events: Vec<(u64, i32)> = (trace.packet.iter())
        .filter_map(|packet| Some((packet.timestamp, packet.event.as_ref()?.r#type)))
        .collect();
    let rate = |ticks| profile.rate.nanos(Ticks(ticks)).0;
    let expected = [(1_000, 1), (1_010, 1), (1_100, 2), (1_100, 2)];
    assert_eq!(events, expected.map(|(ticks, kind)| (rate(ticks), kind)));
}

/// A call that hands two tasks off, one of which is kept.
#[test]
fn perfetto_has_an_arrow_from_a_hand_off_to_its_task() {
    let mut profile = small_profile::profile();
    let call = |began, hand_offs, is_task| {
        let method = MethodIx(0);
        let span = Span {
            method,
            kind: if is_task { SpanKind::Task } else { SpanKind::Call },
            depth: 0,
            began: Ticks(0),
            duration: Ticks(100),
            records_before: 0,
            records: 0,
            counted: 0,
            thrown: false,
        };
        Activation {
            path: vec![span.frame()],
            thread: ThreadIx(0),
            thread_id: 7,
            began: Ticks(began),
            duration: Ticks(100),
            records: 0,
            left_out: 0,
            hand_offs,
            events: Vec::new(),
            spans: vec![span],
        }
    };
    let made = |number, after| HandOff { number, after: Ticks(after) };
    profile.latencies.slowest = vec![
        call(1_000, HandOffs { task: 0, made: vec![made(1, 20), made(2, 40)] }, false),
        call(1_050, HandOffs { task: 2, made: Vec::new() }, true),
    ];
    let bytes = exported(&profile, Format::Perfetto);
    let trace = PerfettoTrace::decode(bytes.as_slice()).unwrap();
    let flows = (trace.packet.iter()).filter_map(|packet| {
        let event = packet.event.as_ref()?;
        let ends = [&event.flow_ids, &event.terminating_flow_ids];
        let has_any = ends.iter().any(|ids| !ids.is_empty());
        has_any.then(|| (packet.timestamp, event.r#type, ends.map(Clone::clone)))
    });
    let mut flows: Vec<_> = flows.collect();
    flows.sort();
    let rate = |ticks| profile.rate.nanos(Ticks(ticks)).0;
    let expected = [(rate(1_040), 3, [vec![1], vec![]]), (rate(1_050), 1, [vec![], vec![1]])];
    assert_eq!(flows, expected);
}
