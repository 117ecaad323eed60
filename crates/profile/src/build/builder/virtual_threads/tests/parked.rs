//! Parked times: a part of the self time of the node that the thread stands at.

use super::*;
use crate::Metric;

fn parked(ticks: u64) -> u64 {
    Record::Parked { ticks }.encode()
}

/// Self time and parked time below the group, by call path.
fn times(builder: &Builder) -> Vec<(Vec<u32>, u64, u64)> {
    let mut builder = builder.clone();
    builder.settle(true);
    builder.check_counts().unwrap();
    let nodes = (1..).zip(&builder.tree.nodes[1..]);
    let methods = nodes.filter(|(_, node)| frame::kind(node.frame) != frame::THREAD);
    let mut all: Vec<_> = methods
        .map(|(at, node)| {
            (builder.tree.path(at), node.self_ticks, builder.tree.extra(at)[Metric::Parked])
        })
        .collect();
    all.sort();
    all
}

/// A call of 2 in one of 1, in which the thread is parked twice and changes its carrier once.
fn feed(sink: &mut BuilderSink) {
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.records(RingIx(0), &[entry(1, 10), entry(2, 20)]);
    sink.records(RingIx(0), &switch(70, BASE + 60));
    sink.records(RingIx(0), &[parked(35), exit(2, 60)]);
    sink.round();
    sink.records(RingIx(1), &switch(70, BASE + 100));
    sink.records(RingIx(1), &[parked(30), exit(1, 100)]);
    sink.round();
    sink.round();
}

#[test]
fn parked_time_is_a_part_of_the_self_time() {
    let mut sink = carriers(2);
    feed(&mut sink);
    assert_eq!(times(sink.builder()), [(vec![1], 50, 30), (vec![1, 2], 40, 35)]);
    let mut bytes = Vec::new();
    sink.builder().checkpoint(Vec::new()).write(&mut bytes).unwrap();
    let read = Checkpoint::read(&mut bytes.as_slice()).unwrap();
    assert_eq!(times(&read.builder), times(sink.builder()));
}

/// More than has passed is not counted, and no time runs backwards for it.
#[test]
fn parked_time_lasts_no_longer_than_the_clock() {
    let mut sink = carriers(1);
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.records(RingIx(0), &[parked(500), entry(1, 10), parked(25), exit(1, 30), entry(1, 40)]);
    sink.records(RingIx(0), &[parked(3), Record::Adjust { ticks: 4 }.encode(), exit(1, 60)]);
    sink.round();
    sink.round();
    // The first time was before any known one. Of the second one 5 ticks are in later time.
    assert_eq!(times(sink.builder()), [(vec![1], 41, 28)]);
    assert_eq!(sink.builder().quality.backward_times, 0);
}

#[test]
fn a_gap_has_no_parked_time() {
    let mut sink = carriers(1);
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.records(RingIx(0), &[entry(1, 10)]);
    sink.builder_mut().gap(ThreadHandle(0), 7);
    sink.records(RingIx(0), &switch(70, BASE + 80));
    sink.records(RingIx(0), &[parked(35), exit(1, 90)]);
    sink.round();
    sink.round();
    assert_eq!(times(sink.builder()), [(vec![1], 0, 0)]);
}

#[test]
fn each_slice_has_its_own() {
    let mut sink = carriers(1);
    sink.records(RingIx(0), &switch(70, BASE + 10));
    sink.records(RingIx(0), &[entry(1, 10), parked(5), entry(2, 20), parked(7)]);
    sink.round();
    sink.round();
    let mut builder = sink.builder().clone();
    let (first, handles) = builder.cut();
    assert_eq!(times(&first), [(vec![1], 10, 5), (vec![1, 2], 7, 7)]);
    let carrier = handles.values().next().copied().unwrap();
    builder.feed(carrier, &[parked(1), exit(2, 40), exit(1, 40)]);
    builder.end_round();
    builder.end_round();
    assert_eq!(times(&builder), [(vec![1], 0, 0), (vec![1, 2], 13, 1)]);
}
