use jfathom_plan::MethodId;
use jfathom_trace::record::{Record, TIME_MASK};
use jfathom_trace::{Counter, RingIx, Sink as _};

use super::*;
use crate::build::builder::test_records::*;
use crate::{BuilderSink, Checkpoint, Metric};

const BASE: u64 = 3 << l::TIME_BITS;

fn info(sequence: u64) -> ThreadInfo {
    ThreadInfo { sequence, thread_id: sequence, kernel_id: 0, name: format!("carrier {sequence}") }
}

fn switch(thread: u64, time: u64) -> [u64; 2] {
    [Record::Switch { thread }.encode(), Record::SwitchTime { time }.encode()]
}

/// A sink with so many carriers, whose own records have begun.
fn carriers(count: u32) -> BuilderSink {
    let mut sink = BuilderSink::new();
    for ring in 0..count {
        sink.begin(RingIx(ring), &info(u64::from(ring) + 1), 0);
        sink.records(RingIx(ring), &[l::ESCAPE_THREAD_START | 3 << 32 | u64::from(ring + 1)]);
    }
    sink
}

/// Call paths below the group, with timed calls, counted calls and self time, in order.
fn paths(sink: &BuilderSink) -> Vec<(Vec<u32>, u64, u64, u64)> {
    let mut builder = sink.builder().clone();
    builder.settle(true);
    builder.check_counts().unwrap();
    builder.place_calls(&crate::MethodNames::default());
    let Some(group) = builder.virtuals.group else { return Vec::new() };
    let root = builder.threads[group as usize].root;
    let nodes = (0..).zip(&builder.tree.nodes).skip(1);
    let below = nodes.filter(|(node, _)| *node != root && builder.root_of(*node) == root);
    let all = below.map(|(node, of)| {
        let counted = builder.tree.extra(node)[Metric::Counted];
        (builder.tree.path(node), of.calls, counted, of.self_ticks)
    });
    let mut all: Vec<_> = all.collect();
    all.sort();
    all
}

#[test]
fn a_thread_that_moves_has_one_stack() {
    let mut sink = carriers(2);
    // The second carrier's ring is read first: the thread came there from the other one.
    sink.records(RingIx(1), &switch(70, BASE + 50));
    sink.records(RingIx(1), &[exit(2, 60), exit(1, 100)]);
    sink.round();
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.records(RingIx(0), &[entry(1, 10), entry(2, 20)]);
    assert_eq!(paths(&sink), [(vec![1], 1, 0, 50), (vec![1, 2], 1, 0, 40)]);
    sink.round();
    assert!(sink.builder().virtuals.waiting.is_empty());
    assert!(sink.builder().virtuals.stacks.is_empty());
    assert_eq!(sink.builder().virtuals.round, 2);
    assert_eq!(paths(&sink), [(vec![1], 1, 0, 50), (vec![1, 2], 1, 0, 40)]);
}

#[test]
fn equal_paths_of_several_threads_are_one() {
    let mut sink = carriers(1);
    for thread in 70..80 {
        sink.records(RingIx(0), &switch(thread, BASE + thread));
        sink.records(RingIx(0), &[entry(1, thread), exit(1, thread + 5)]);
    }
    assert_eq!(paths(&sink), [(vec![1], 10, 0, 50)]);
    sink.round();
    sink.round();
    assert_eq!(sink.builder().thread_count(), 2);
}

#[test]
fn counted_calls_that_come_late_belong_where_the_segment_ended() {
    let mut sink = carriers(2);
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.records(RingIx(0), &[entry(1, 10)]);
    sink.records(RingIx(1), &switch(70, BASE + 50));
    sink.records(RingIx(1), &[entry(2, 60), exit(2, 70), exit(1, 100)]);
    sink.round();
    sink.round();
    sink.records(RingIx(0), &[counted(9, 4)]);
    sink.records(RingIx(0), &switch(0, BASE + 200));
    // The carrier's own call.
    sink.records(RingIx(0), &[entry(3, 210), exit(3, 220)]);
    sink.round();
    let expected = [(vec![1], 1, 0, 80), (vec![1, 2], 1, 0, 10), (vec![1, 9], 0, 4, 0)];
    assert_eq!(paths(&sink), expected);
    sink.round();
    assert_eq!(paths(&sink), expected);
    let methods = sink.builder().method_costs();
    let below = methods.map(|(id, sums)| (id.get(), sums.counted_below)).collect::<Vec<_>>();
    assert_eq!(below, [(1, 4), (2, 0), (3, 0)]);
}

#[test]
fn counters_at_a_rings_end_belong_to_the_carried_thread() {
    let mut sink = carriers(1);
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.records(RingIx(0), &[entry(1, 10)]);
    sink.counted(RingIx(0), &[(id(9), Counter::new(3, 0))]);
    sink.end(RingIx(0));
    assert_eq!(paths(&sink), [(vec![1], 1, 0, 0), (vec![1, 9], 0, 3, 0)]);
}

#[test]
fn a_carriers_end_ends_no_virtual_thread() {
    let mut sink = carriers(2);
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.records(RingIx(0), &[entry(1, 10), l::ESCAPE_THREAD_END]);
    sink.end(RingIx(0));
    sink.records(RingIx(1), &switch(70, BASE + 50));
    sink.records(RingIx(1), &[exit(1, 60)]);
    assert_eq!(paths(&sink), [(vec![1], 1, 0, 50)]);
    let builder = sink.builder();
    assert!(builder.threads[0].ended && builder.threads[0].open.is_empty());
}

#[test]
fn an_ended_thread_has_no_open_task() {
    let mut sink = carriers(1);
    sink.records(RingIx(0), &switch(70, BASE + 10));
    let task = Record::TaskOpen { id: id(1), time: 64 }.encode();
    sink.records(RingIx(0), &[task, Record::VirtualEnd { thread: 70 }.encode()]);
    sink.round();
    assert_eq!(sink.builder().virtuals.stacks.len(), 0, "one that waits");
    sink.round();
    assert_eq!(sink.builder().virtuals.stacks.len(), 0);
    assert_eq!(paths(&sink).len(), 1);
    assert_eq!(sink.builder().quality.repaired_tasks, 0);
}

#[test]
fn records_after_a_gap_belong_to_nobody_until_the_next_switch() {
    let mut sink = carriers(1);
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.records(RingIx(0), &[entry(1, 10)]);
    let handle = ThreadHandle(0);
    sink.builder_mut().gap(handle, 5);
    sink.records(RingIx(0), &[entry(7, 20), exit(7, 30)]);
    sink.records(RingIx(0), &switch(71, BASE + 40));
    sink.records(RingIx(0), &[entry(2, 40), exit(2, 50)]);
    assert_eq!(paths(&sink), [(vec![1], 1, 0, 0), (vec![2], 1, 0, 10)]);
    assert_eq!(sink.builder().quality.lost_with_collector, 7);
}

#[test]
fn records_after_a_gap_of_a_carrier_belong_to_nobody_wherever_it_was() {
    let mut sink = carriers(2);
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.records(RingIx(0), &[entry(1, 10), exit(1, 20)]);
    sink.records(RingIx(0), &switch(0, BASE + 30));
    // The other thread has recorded, and carried none.
    for thread in [ThreadHandle(0), ThreadHandle(1)] {
        sink.builder_mut().gap(thread, 5);
    }
    for ring in [RingIx(0), RingIx(1)] {
        sink.records(ring, &[entry(7, 40), exit(7, 50)]);
    }
    let mut builder = sink.builder().clone();
    builder.end_round();
    builder.end_round();
    assert_eq!(builder.quality.lost_with_collector, 12);
    // A ring that begins with missing records, until its thread's begin.
    let thread = builder.thread(&info(9));
    builder.gap(thread, 3);
    let start = Record::ThreadStart { high: 3, sequence: 9 }.encode();
    builder.feed(thread, &[entry(7, 60), exit(7, 70), start, entry(8, 80), exit(8, 90)]);
    assert_eq!(builder.quality.lost_with_collector, 12 + 3 + 2);
    // Until its next switch the first one's counters are nobody's, too.
    builder.add_counters(ThreadHandle(0), &[(id(9), Counter::new(3, 0))]);
    assert_eq!(builder.quality.lost_counts, 3);
    builder.feed(ThreadHandle(0), &switch(0, BASE + 90));
    builder.feed(ThreadHandle(0), &[entry(6, 100), exit(6, 110)]);
    let own = |thread: usize| {
        let root = builder.threads[thread].root;
        let children = builder.tree.children(root);
        children.map(|node| builder.tree.nodes[node as usize].frame).collect::<Vec<_>>()
    };
    assert_eq!([own(0), own(1), own(thread.0 as usize)], [vec![6], vec![7], vec![8]]);
}

#[test]
fn counted_calls_that_come_late_find_calls_that_are_open_over_a_cut() {
    let mut sink = carriers(2);
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.records(RingIx(0), &[entry(1, 10)]);
    sink.records(RingIx(1), &switch(70, BASE + 50));
    sink.records(RingIx(1), &[entry(2, 60)]);
    sink.round();
    sink.round();
    sink.cut();
    sink.records(RingIx(0), &[counted(9, 4)]);
    sink.records(RingIx(0), &switch(0, BASE + 200));
    sink.round();
    sink.round();
    let expected = [(vec![1], 1, 0, 0), (vec![1, 2], 1, 0, 0), (vec![1, 9], 0, 4, 0)];
    assert_eq!(paths(&sink), expected);
}

#[test]
fn a_damaged_number_of_rounds_is_refused() {
    let mut sink = carriers(1);
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.builder_mut().virtuals.round = u64::MAX;
    let mut bytes = Vec::new();
    sink.builder().checkpoint(Vec::new()).write(&mut bytes).unwrap();
    assert!(Checkpoint::read(&mut &*bytes).is_err());
    sink.round();
    assert_eq!(sink.builder().virtuals.round, u64::MAX);
}

#[test]
fn counters_behind_a_carriers_end_belong_to_the_carried_thread() {
    let mut sink = carriers(1);
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.records(RingIx(0), &[entry(1, 10), l::ESCAPE_THREAD_END]);
    sink.round();
    sink.counted(RingIx(0), &[(id(9), Counter::new(3, 0))]);
    sink.end(RingIx(0));
    assert!(sink.builder().virtuals.carriers.is_empty());
    assert_eq!(paths(&sink), [(vec![1], 1, 0, 0), (vec![1, 9], 0, 3, 0)]);
}

#[test]
fn segments_of_an_ended_carrier_are_in_the_next_slice() {
    let mut sink = carriers(2);
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.records(RingIx(0), &[entry(1, 10)]);
    sink.records(RingIx(1), &switch(70, BASE + 50));
    sink.records(RingIx(1), &[entry(2, 60)]);
    sink.round();
    sink.round();
    // Counted calls that come late, and a segment of another thread.
    sink.records(RingIx(0), &[counted(9, 4)]);
    sink.records(RingIx(0), &switch(71, BASE + 70));
    sink.records(RingIx(0), &[entry(3, 70), exit(3, 80), counted(8, 5), l::ESCAPE_THREAD_END]);
    sink.end(RingIx(0));
    sink.cut();
    // One more while they wait.
    sink.cut();
    sink.round();
    sink.round();
    let expected = [
        (vec![1], 1, 0, 0),
        (vec![1, 2], 1, 0, 0),
        (vec![1, 9], 0, 4, 0),
        (vec![3], 1, 0, 10),
        (vec![8], 0, 5, 0),
    ];
    assert_eq!(paths(&sink), expected);
}

/// Durations of the slowest calls, and the time in gaps.
fn slowest(sink: BuilderSink) -> (Vec<u64>, u64) {
    let names = &crate::MethodNames::default();
    let (meta, rate) = (crate::Meta::default(), crate::TickRate::NANOS);
    let context = crate::Context { meta, rate, names, virtual_calls: &[] };
    let profile = sink.into_builder().finish(context);
    let durations = profile.latencies.slowest.iter().map(|of| of.duration.0);
    (durations.collect(), profile.quality.gap_ticks.0)
}

#[test]
fn how_long_a_carried_threads_calls_take_is_unknown_after_a_gap() {
    let mut sink = carriers(1);
    sink.builder_mut().keep_slowest(3);
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.records(RingIx(0), &[entry(1, 10)]);
    sink.builder_mut().gap(ThreadHandle(0), 5);
    sink.records(RingIx(0), &switch(70, BASE + 40));
    // The second exit is that of an entry that is missing: it closes no call from before.
    sink.records(RingIx(0), &[entry(2, 50), exit(2, 52), exit(3, 55), exit(1, 60)]);
    sink.records(RingIx(0), &[entry(1, 70), exit(1, 75)]);
    let expected = [(vec![1], 2, 0, 13), (vec![1, 2], 1, 0, 2)];
    assert_eq!(paths(&sink), expected);
    assert_eq!(slowest(sink), (vec![5], 40));
}

#[test]
fn a_gap_may_come_when_its_thread_is_elsewhere() {
    let mut sink = carriers(2);
    sink.builder_mut().keep_slowest(3);
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.records(RingIx(0), &[entry(1, 10)]);
    sink.records(RingIx(1), &switch(70, BASE + 50));
    sink.records(RingIx(1), &[entry(2, 60)]);
    sink.round();
    sink.round();
    sink.builder_mut().gap(ThreadHandle(0), 5);
    sink.round();
    sink.round();
    sink.records(RingIx(1), &[exit(2, 70), exit(1, 80)]);
    sink.round();
    sink.round();
    assert_eq!(paths(&sink), [(vec![1], 1, 0, 60), (vec![1, 2], 1, 0, 0)]);
    assert_eq!(slowest(sink), (vec![], 10));
}

/// One thread with an open call, and a segment with counted calls that waits.
fn read_damaged(damage: impl Fn(&mut Segment, &mut Stack)) -> Result<Builder, crate::FileError> {
    let mut sink = carriers(1);
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.records(RingIx(0), &[entry(1, 10)]);
    sink.round();
    sink.round();
    sink.records(RingIx(0), &switch(71, BASE + 20));
    sink.counted(RingIx(0), &[(id(9), Counter::new(3, 0))]);
    let virtuals = &mut sink.builder_mut().virtuals;
    let segment = virtuals.waiting.get_mut(&71).unwrap().last_mut().unwrap();
    damage(segment, virtuals.stacks.get_mut(&70).unwrap());
    let mut bytes = Vec::new();
    sink.builder().checkpoint(Vec::new()).write(&mut bytes).unwrap();
    Checkpoint::read(&mut &*bytes).map(|checkpoint| checkpoint.builder)
}

#[test]
fn what_waits_in_a_damaged_checkpoint_is_refused() {
    assert!(read_damaged(|_, _| {}).is_ok());
    assert!(read_damaged(|segment, _| segment.round = 3).is_err());
    assert!(read_damaged(|segment, _| segment.counted[0].0 = 1 << MethodId::BITS).is_err());
    assert!(read_damaged(|segment, _| segment.counted[0].1 = u64::MAX).is_err());
    assert!(read_damaged(|_, stack| stack.state.open.clear()).is_err());
    assert!(read_damaged(|_, stack| stack.state.current = u32::MAX).is_err());
    // Only carriers with the same number are one.
    assert!(read_damaged(|segment, _| segment.carrier = u32::MAX).is_ok());
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}

mod order;
mod parked;
