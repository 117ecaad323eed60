use super::super::{Builder, ThreadHandle};
use super::*;
use crate::model::frame;
use jfathom_plan::MethodId;
use jfathom_trace::record::Record;
use jfathom_trace::{ThreadInfo, layout as l};

const BLOCKED: fn(u64) -> OffCpu = |ticks| OffCpu { blocked: Ticks(ticks), ..OffCpu::default() };
const PREEMPTED: fn(u64) -> OffCpu =
    |ticks| OffCpu { preempted: Ticks(ticks), ..OffCpu::default() };
const UNKNOWN: fn(u64) -> OffCpu = |ticks| OffCpu { unknown: Ticks(ticks), ..OffCpu::default() };

fn span(start: u64, end: u64, parts: fn(u64) -> OffCpu) -> OffCpuSpan {
    OffCpuSpan { start: Ticks(start), end: Ticks(end), parts: parts(end - start) }
}

fn entry(id: u32, time: u64) -> u64 {
    Record::Entry { id: MethodId::new(id).unwrap(), time }.encode()
}

fn exit(id: u32, time: u64) -> u64 {
    Record::Return { id: MethodId::new(id).unwrap(), time }.encode()
}

/// A builder that splits times, with one thread that has begun.
fn builder() -> (Builder, ThreadHandle) {
    let mut builder = Builder::new();
    builder.record_cpu();
    let info = ThreadInfo { sequence: 1, thread_id: 1, kernel_id: 1, name: String::new() };
    let thread = builder.thread(&info);
    builder.feed(thread, &[l::ESCAPE_THREAD_START | 1]);
    (builder, thread)
}

/// By method: self time and what of it was without a processor.
fn methods(builder: &Builder) -> Vec<(u32, u64, OffCpu)> {
    let nodes = (0..).zip(&builder.tree.nodes);
    let methods = nodes.filter(|(_, node)| frame::kind(node.frame) == frame::METHOD);
    methods
        .filter(|(at, _)| *at != crate::build::tree_builder::NONE)
        .map(|(at, node)| (node.frame, node.self_ticks, builder.tree.extra(at).off_cpu()))
        .collect()
}

#[test]
fn each_span_is_in_the_method_that_was_on_top() {
    let (mut builder, thread) = builder();
    builder.add_off_cpu(thread, OffCpuSpan::unknown_until(5));
    for part in [span(12, 18, BLOCKED), span(22, 23, PREEMPTED), span(24, 29, BLOCKED)] {
        builder.add_off_cpu(thread, part);
    }
    builder.feed(thread, &[entry(1, 10), entry(2, 20), exit(2, 30)]);
    builder.add_off_cpu(thread, span(31, 39, PREEMPTED));
    builder.feed(thread, &[exit(1, 40), entry(3, 50), exit(3, 60)]);
    let own = BLOCKED(6) + PREEMPTED(8);
    let below = BLOCKED(5) + PREEMPTED(1);
    assert_eq!(methods(&builder), [(1, 20, own), (2, 10, below), (3, 10, OffCpu::default())]);
}

#[test]
fn of_an_unwatched_thread_nothing_is_known() {
    let (mut builder, thread) = builder();
    builder.feed(thread, &[entry(1, 10), exit(1, 40)]);
    assert_eq!(methods(&builder), [(1, 30, UNKNOWN(30))]);
    // The first switch says until when.
    builder.add_off_cpu(thread, OffCpuSpan::unknown_until(60));
    builder.feed(thread, &[entry(1, 50), exit(1, 90)]);
    assert_eq!(methods(&builder), [(1, 70, UNKNOWN(40))]);
}

#[test]
fn without_the_column_nothing_is_split() {
    let mut builder = Builder::new();
    let info = ThreadInfo { sequence: 1, thread_id: 1, kernel_id: 1, name: String::new() };
    let thread = builder.thread(&info);
    builder.add_off_cpu(thread, span(12, 18, BLOCKED));
    builder.feed(thread, &[entry(1, 10), exit(1, 40)]);
    assert_eq!(methods(&builder), [(1, 30, OffCpu::default())]);
}

#[test]
fn excluded_time_takes_its_spans_along() {
    let (mut builder, thread) = builder();
    builder.add_off_cpu(thread, OffCpuSpan::unknown_until(0));
    builder.add_off_cpu(thread, span(12, 32, BLOCKED));
    builder.add_off_cpu(thread, span(40, 45, BLOCKED));
    let wait = Record::Adjust { ticks: 25 }.encode();
    builder.feed(thread, &[entry(1, 10), wait, exit(1, 50)]);
    assert_eq!(methods(&builder), [(1, 15, BLOCKED(5))]);
}

#[test]
fn a_record_in_a_span_shows_that_a_switch_is_missing() {
    let (mut builder, thread) = builder();
    builder.add_off_cpu(thread, OffCpuSpan::unknown_until(0));
    builder.add_off_cpu(thread, span(20_000, 60_000, BLOCKED));
    builder.feed(thread, &[entry(1, 10_000), entry(2, 40_000), exit(2, 80_000)]);
    assert_eq!(methods(&builder), [(1, 30_000, UNKNOWN(20_000)), (2, 40_000, UNKNOWN(20_000))]);
    // By the uncertainty of the clocks a span may reach a little beyond its record.
    builder.add_off_cpu(thread, span(90_000, 100_010, BLOCKED));
    builder.feed(thread, &[exit(1, 100_000)]);
    assert_eq!(methods(&builder)[0], (1, 50_000, UNKNOWN(20_000) + BLOCKED(10_000)));
}

#[test]
fn a_thread_that_waits_often_takes_no_memory_for_it() {
    let (mut builder, thread) = builder();
    builder.add_off_cpu(thread, OffCpuSpan::unknown_until(0));
    builder.feed(thread, &[entry(1, 10)]);
    let mut most = 0;
    for round in 0..1_000 {
        for at in 0..10 {
            let start = 1_000 + round * 1_000 + at * 100;
            builder.add_off_cpu(thread, span(start, start + 50, BLOCKED));
        }
        builder.end_round();
        most = most.max(builder.threads[thread.0 as usize].off_cpu.spans.len());
    }
    assert!(most < MANY + 20, "{most}");
    builder.feed(thread, &[exit(1, 2_000_000)]);
    assert_eq!(methods(&builder), [(1, 1_999_990, BLOCKED(500_000))]);
}

#[test]
fn what_a_checkpoint_does_not_have_is_not_known() {
    let (mut builder, thread) = builder();
    builder.add_off_cpu(thread, OffCpuSpan::unknown_until(0));
    builder.add_off_cpu(thread, span(20, 25, BLOCKED));
    builder.feed(thread, &[entry(1, 10), entry(2, 30)]);
    let mut bytes = Vec::new();
    builder.checkpoint(Vec::new()).write(&mut bytes).unwrap();
    let mut read = crate::Checkpoint::read(&mut bytes.as_slice()).unwrap().builder;
    read.feed(thread, &[exit(2, 40), exit(1, 70)]);
    assert!(read.has_cpu());
    assert_eq!(methods(&read), [(1, 50, BLOCKED(5) + UNKNOWN(30)), (2, 10, UNKNOWN(10))]);
}

#[test]
fn the_next_slice_goes_on() {
    let (mut builder, thread) = builder();
    builder.add_off_cpu(thread, OffCpuSpan::unknown_until(0));
    builder.feed(thread, &[entry(1, 10)]);
    builder.add_off_cpu(thread, span(20, 25, BLOCKED));
    let (_, handles) = builder.cut();
    builder.feed(handles[&thread], &[exit(1, 70)]);
    assert_eq!(methods(&builder), [(1, 60, BLOCKED(5))]);
}

/// Of what lies before its last record nothing becomes a part of later times.
#[test]
fn a_thread_that_was_long_unknown_and_waits_often() {
    let (mut builder, thread) = builder();
    builder.add_off_cpu(thread, OffCpuSpan::unknown_until(1 << 30));
    let begun = (1 << 30) + 10;
    builder.feed(thread, &[entry(1, begun)]);
    for round in 0..300 {
        builder.add_off_cpu(thread, span(begun + round * 100, begun + round * 100 + 50, BLOCKED));
        builder.end_round();
    }
    builder.feed(thread, &[exit(1, begun + 30_000)]);
    assert_eq!(methods(&builder), [(1, 30_000, BLOCKED(15_000))]);
}
