use jfathom_plan::{CallTraits, MethodId};
use jfathom_trace::layout as l;
use jfathom_trace::record::Record;
use jfathom_trace::{RingIx, Sink as _, ThreadInfo};

use crate::build::builder::test_records::{entry, exit};
use crate::build::possible_calls::tests::Program;
use crate::{BuilderSink, Context, Frame, Meta, MethodNames, Profile, SpanKind, TickRate};

const PLAIN: CallTraits = CallTraits(0);
const P: u32 = 1;
const K: u32 = 2;
const C: u32 = 3;
const OTHER: u32 = 4;

/// `p` calls `k` and `other`, which call `c`.
fn names() -> MethodNames {
    let mut program = Program::default();
    program.class("A", None, &[]);
    program.method("p", PLAIN, &["A.k", "A.other"]);
    program.method("k", PLAIN, &["A.c"]);
    program.method("c", PLAIN, &[]);
    program.method("other", PLAIN, &["A.c"]);
    program.names()
}

fn counted(of: u32, calls: u64) -> u64 {
    Record::Counted { id: MethodId::new(of).unwrap(), calls }.encode()
}

fn sink(words: &[u64]) -> BuilderSink {
    let mut sink = BuilderSink::new();
    sink.builder_mut().keep_slowest(2);
    sink.builder_mut().watch(&[MethodId::new(C).unwrap()]);
    let info = ThreadInfo { sequence: 1, thread_id: 9, kernel_id: 0, name: String::new() };
    sink.begin(RingIx(0), &info, 0);
    sink.records(RingIx(0), &[l::ESCAPE_THREAD_START | 1]);
    sink.records(RingIx(0), words);
    sink
}

fn finish(sink: BuilderSink, names: &MethodNames) -> Profile {
    let (meta, rate) = (Meta::default(), TickRate::NANOS);
    let profile = sink.into_builder().finish(Context { meta, rate, names, virtual_calls: &[] });
    let calls = &profile.latencies.slowest;
    calls.iter().for_each(|call| call.check(profile.methods.len(), 1).unwrap());
    profile
}

fn name(profile: &Profile, frame: Frame) -> String {
    let (Frame::Method(method) | Frame::Task(method)) = frame else { return String::new() };
    let info = &profile.method(method).info;
    if info.is_between() { "⋯".to_owned() } else { info.key.name.clone() }
}

fn path(profile: &Profile, path: &[Frame]) -> String {
    path.iter().map(|of| name(profile, *of)).collect::<Vec<_>>().join(" ")
}

/// Each slow call as its path, then its spans: depth, name, begin and duration, in brackets what
/// was counted.
fn drawn(profile: &Profile) -> Vec<String> {
    let calls = profile.latencies.slowest.iter().map(|call| {
        let spans = call.spans.iter().map(|span| {
            let name = name(profile, span.frame());
            let text = format!("{}{name} {} {}", span.depth, span.began.0, span.duration.0);
            if span.kind == SpanKind::Counted { format!("[{text}]") } else { text }
        });
        format!("{}: {}", path(profile, &call.path), spans.collect::<Vec<_>>().join(", "))
    });
    calls.collect()
}

/// The call paths with latencies, and their calls.
fn latencies(profile: &Profile) -> Vec<(String, u64)> {
    let paths = profile.latencies.paths.iter();
    paths.map(|of| (path(profile, &of.path), of.calls.count())).collect()
}

#[test]
fn spans_have_between_them_what_the_tree_has() {
    let one = [entry(P, 0), counted(K, 7), entry(C, 20), exit(C, 30), exit(P, 40)];
    let profile = finish(sink(&one), &names());
    assert_eq!(drawn(&profile), ["p: 0p 0 40, [1k 20 10], 2c 20 10", "p k c: 0c 0 10"]);
    let two = [
        &[entry(P, 0), counted(K, 7), counted(OTHER, 1), entry(C, 20), exit(C, 30)][..],
        &[entry(K, 31), entry(C, 32), exit(C, 35), exit(K, 36), exit(P, 40)],
    ];
    let profile = finish(sink(&two.concat()), &names());
    let of_p = "p: 0p 0 40, [1⋯ 20 10], 2c 20 10, 1k 31 5, 2c 32 3";
    assert_eq!(drawn(&profile), [of_p, "p k c: 0c 0 3", "p ⋯ c: 0c 0 10"]);
    let expected = [("p".to_owned(), 1), ("p ⋯ c".to_owned(), 1), ("p k c".to_owned(), 1)];
    assert_eq!(latencies(&profile), expected);
    // No manifest says what can call what.
    let profile = finish(sink(&one), &MethodNames::default());
    let spans = &profile.latencies.slowest[0].spans;
    assert!(spans.iter().all(|span| span.kind == SpanKind::Call), "{spans:?}");
}

#[test]
fn calls_that_have_one_call_path_in_the_end_are_kept_together() {
    let timed = [entry(P, 0), entry(K, 1), entry(C, 2), exit(C, 22), exit(K, 23)];
    let later = [counted(K, 7), entry(C, 30), exit(C, 45), entry(C, 60), exit(C, 70), exit(P, 80)];
    let profile = finish(sink(&[timed.as_slice(), &later].concat()), &names());
    assert_eq!(latencies(&profile), [("p".to_owned(), 1), ("p k c".to_owned(), 3)]);
    let of_p = "p: 0p 0 80, 1k 1 22, 2c 2 20, [1k 30 15], 2c 30 15, [1k 60 10], 2c 60 10";
    assert_eq!(drawn(&profile), [of_p, "p k c: 0c 0 20", "p k c: 0c 0 15"]);
    let of_c = profile.tree.nodes().last().unwrap();
    assert_eq!((profile.tree.timed(of_c), profile.tree.longest(of_c).0), (3, 20));
}

#[test]
fn a_call_path_of_several_threads_is_true_of_each() {
    let mut sink = sink(&[entry(P, 0), entry(C, 20), exit(C, 30), exit(P, 40)]);
    let info = ThreadInfo { sequence: 2, thread_id: 10, kernel_id: 0, name: String::new() };
    sink.begin(RingIx(1), &info, 0);
    sink.records(RingIx(1), &[l::ESCAPE_THREAD_START | 2]);
    let words = [entry(P, 0), counted(K, 7), entry(C, 20), exit(C, 31), exit(P, 41)];
    sink.records(RingIx(1), &words);
    let builder = sink.builder().clone();
    let names = names();
    let finish = |builder: crate::Builder| {
        let (meta, rate) = (Meta::default(), TickRate::NANOS);
        builder.finish(Context { meta, rate, names: &names, virtual_calls: &[] })
    };
    // The first thread has called it, so the code has this call.
    assert_eq!(latencies(&finish(builder)), [("p".to_owned(), 2), ("p c".to_owned(), 2)]);
    sink.records(RingIx(1), &[entry(P, 50), counted(OTHER, 1), entry(C, 60), exit(C, 70)]);
    sink.records(RingIx(1), &[exit(P, 80)]);
    let profile = finish(sink.into_builder());
    assert_eq!(latencies(&profile), [("p".to_owned(), 3), ("p ⋯ c".to_owned(), 3)]);
}

#[test]
fn what_the_tree_does_not_have_is_called_by_nobody_known() {
    let mut sink = sink(&[entry(P, 0), entry(C, 5), exit(C, 6), counted(K, 1)]);
    sink.records(RingIx(0), &[entry(C, 20), exit(C, 30)]);
    sink.cut();
    sink.records(RingIx(0), &[exit(P, 60)]);
    let profile = finish(sink, &names());
    assert_eq!(drawn(&profile), ["p: 0p 0 60, [1⋯ 5 1], 2c 5 1, [1⋯ 20 10], 2c 20 10"]);
    assert!(profile.has_between());
}
