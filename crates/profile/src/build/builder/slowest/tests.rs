use super::log::{MOST_RECORDS, PIECE};
use super::*;
use crate::build::builder::test_records::*;
use crate::{
    BuilderSink, Context, EventKind, EventName, HandOff, HandOffs, Meta, MethodNames, Profile,
    TickRate, TimedEvent, place_in_slowest,
};
use jfathom_trace::record::Record;
use jfathom_trace::{RingIx, Sink as _, ThreadInfo, layout as l};

fn sink(most: usize) -> BuilderSink {
    let mut sink = BuilderSink::new();
    sink.builder_mut().keep_slowest(most);
    let name = "worker".to_owned();
    sink.begin(RingIx(0), &ThreadInfo { sequence: 1, thread_id: 9, kernel_id: 0, name }, 0);
    sink.records(RingIx(0), &[l::ESCAPE_THREAD_START | 3 << 32 | 1]);
    sink
}

fn profile(sink: BuilderSink) -> Profile {
    let names = &MethodNames::default();
    let (meta, rate) = (Meta::default(), TickRate::NANOS);
    let context = Context { meta, rate, names, virtual_calls: &[] };
    sink.into_builder().finish(context)
}

/// Id, depth, begin, duration and counted calls of each span.
fn spans(profile: &Profile, at: usize) -> Vec<(u32, u32, u64, u64, u64)> {
    let spans = profile.latencies.slowest[at].spans.iter();
    spans
        .map(|span| {
            let id = profile.method(span.method).id.get();
            (id, span.depth, span.began.0, span.duration.0, span.counted)
        })
        .collect()
}

#[test]
fn the_slowest_calls_are_kept_with_all_below() {
    let mut sink = sink(2);
    let mut time = 0;
    for length in [30, 10, 50, 20, 40] {
        let counted = Record::Counted { id: id(7), calls: 3 }.encode();
        let throws = Record::Throw { id: id(3), time: time + length - 1 }.encode();
        let words = [
            entry(1, time),
            entry(2, time + 1),
            exit(2, time + 4),
            entry(3, time + 5),
            counted,
            throws,
            exit(1, time + length),
        ];
        // Records come in any pieces.
        words.iter().for_each(|word| sink.records(RingIx(0), &[*word]));
        time += length;
    }
    let profile = profile(sink);
    let kept: Vec<(u64, u64)> = profile
        .latencies
        .slowest
        .iter()
        .map(|of| (of.began.0 - (3 << l::TIME_BITS), of.duration.0))
        .collect();
    assert_eq!(kept, [(40, 50), (110, 40)]);
    let expected = [(1, 0, 0, 50, 0), (2, 1, 1, 3, 0), (3, 1, 5, 44, 3)];
    assert_eq!(spans(&profile, 0), expected);
    let slowest = &profile.latencies.slowest[0];
    assert!(slowest.spans[2].thrown && !slowest.spans[1].thrown);
    assert_eq!((slowest.records, slowest.left_out, slowest.thread_id), (6, 0, 9));
    assert_eq!(slowest.spans.iter().map(|span| span.records).collect::<Vec<_>>(), [6, 1, 2]);
    read_back(profile);
}

#[test]
fn excluded_time_is_in_no_span_and_missing_exits_are_inferred() {
    let mut sink = sink(1);
    let adjust = Record::Adjust { ticks: 100 }.encode();
    sink.records(RingIx(0), &[entry(1, 0), entry(2, 10), entry(3, 20), adjust]);
    sink.records(RingIx(0), &[exit(2, 150), exit(1, 160)]);
    let profile = profile(sink);
    let expected = [(1, 0, 0, 60, 0), (2, 1, 10, 40, 0), (3, 2, 20, 30, 0)];
    assert_eq!(spans(&profile, 0), expected);
}

#[test]
fn events_of_slow_calls_are_without_excluded_time_as_their_spans_are() {
    let mut sink = sink(1);
    sink.records(RingIx(0), &[entry(1, 0), entry(2, 10), entry(3, 20), adjust(100)]);
    sink.records(RingIx(0), &[exit(2, 150), exit(1, 160)]);
    let clocks = sink.builder().slow_call_clocks();
    let mut profile = profile(sink);
    let began = profile.latencies.slowest[0].began.0;
    let event = |kind, begin: u64, end: u64| {
        let (begin, end) = (Ticks(began + begin), Ticks(began + end));
        TimedEvent { thread: Some(9), name: EventName::of(kind), begin, end }
    };
    let told = vec![
        event(EventKind::Park, 30, 45),
        event(EventKind::Socket, 60, 140),
        event(EventKind::Monitor, 155, 158),
        event(EventKind::Sleep, 161, 170),
    ];
    place_in_slowest(&mut profile.latencies.slowest, &clocks, told);
    let rows = profile.latencies.slowest[0].events.iter();
    let rows: Vec<_> = rows.map(|of| (of.span, of.name.kind, of.sum.time.0)).collect();
    assert_eq!(rows, [(0, EventKind::Monitor, 3), (2, EventKind::Park, 15)]);
}

#[test]
fn what_is_too_long_is_cut_at_its_end() {
    let mut sink = sink(1);
    sink.records(RingIx(0), &[entry(1, 0)]);
    let mut time = 0;
    for _ in 0..MOST_RECORDS {
        sink.records(RingIx(0), &[entry(2, time + 1), exit(2, time + 2)]);
        time += 2;
    }
    sink.records(RingIx(0), &[exit(1, time + 1)]);
    let profile = profile(sink);
    let slowest = &profile.latencies.slowest[0];
    assert_eq!(slowest.duration.0, time + 1);
    assert_eq!(slowest.spans.len(), MOST_RECORDS / 2 + 1);
    assert_eq!(slowest.left_out, MOST_RECORDS as u64 + 2);
    assert_eq!(slowest.records, 2 * MOST_RECORDS as u64 + 1);
}

fn adjust(ticks: u64) -> u64 {
    Record::Adjust { ticks }.encode()
}

fn switch(thread: u64, time: u64) -> [u64; 2] {
    [Record::Switch { thread }.encode(), Record::SwitchTime { time }.encode()]
}

/// The profile, with slow calls that were written and read.
fn read_back(profile: Profile) -> Profile {
    let bytes = postcard::to_stdvec(&profile.latencies).unwrap();
    let latencies: crate::Latencies = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(latencies, profile.latencies);
    profile
}

const BASE: u64 = 3 << l::TIME_BITS;

/// An open call of the ring's own thread, and another thread's records in the ring.
#[test]
fn records_of_other_threads_are_in_no_call() {
    let mut sink = sink(5);
    let mut words = vec![entry(1, 0), entry(2, 10)];
    words.extend(switch(70, BASE + 15));
    words.extend([entry(7, 20), exit(7, 22)]);
    words.push(Record::VirtualEnd { thread: 70 }.encode());
    words.extend(switch(0, BASE + 30));
    words.extend([exit(2, 40), Record::VirtualEnd { thread: 71 }.encode(), entry(3, 50)]);
    words.extend([exit(3, 55), exit(1, 60), entry(4, 70), exit(4, 90)]);
    sink.records(RingIx(0), &words);
    let profile = read_back(profile(sink));
    let kept: Vec<_> = (0..profile.latencies.slowest.len()).map(|at| spans(&profile, at)).collect();
    let first = vec![(1, 0, 0, 60, 0), (2, 1, 10, 30, 0), (3, 1, 50, 5, 0)];
    assert_eq!(kept, [first, vec![(4, 0, 0, 20, 0)], vec![(7, 0, 0, 2, 0)]]);
}

/// The runtime writes the new high bits only with the switch.
#[test]
fn a_parked_call_goes_on_with_other_high_bits() {
    let next = BASE + (1 << l::TIME_BITS);
    for thread in [70, 0] {
        let mut sink = sink(1);
        sink.records(RingIx(0), &switch(thread, BASE + 5));
        sink.records(RingIx(0), &[entry(1, 10)]);
        sink.records(RingIx(0), &switch(99, BASE + 20));
        sink.records(RingIx(0), &switch(thread, next + 5));
        sink.records(RingIx(0), &[entry(2, 10), exit(2, 30), exit(1, 50)]);
        let profile = profile(sink);
        let all = 1 << l::TIME_BITS;
        assert_eq!(spans(&profile, 0), [(1, 0, 0, all + 40, 0), (2, 1, all, 20, 0)], "{thread}");
    }
}

/// A log that goes on from one call of a root into the next, whose pieces are given up.
#[test]
fn what_is_forgotten_leaves_the_high_bits() {
    let mut sink = sink(1);
    let high = Record::TimeHigh { high: 4 }.encode();
    let mut words = vec![entry(1, 0), high];
    words.extend((0..PIECE as u64).flat_map(|at| [entry(2, 2 * at), exit(2, 2 * at + 1)]));
    words.extend([exit(1, 20_000), entry(1, 20_001)]);
    words.extend((0..PIECE as u64).flat_map(|at| [entry(2, 30_000 + at), exit(2, 30_001 + at)]));
    let slow = (1 << l::TIME_BITS) - 1;
    words.push(exit(1, slow));
    sink.builder_mut().keep_slowest(2);
    sink.records(RingIx(0), &words);
    let profile = profile(sink);
    let second = &profile.latencies.slowest[1];
    assert_eq!((second.began.0, second.duration.0), ((4 << l::TIME_BITS) + 20_001, slow - 20_001));
    assert_eq!(second.spans[1].began.0, 30_000 - 20_001);
}

#[test]
fn a_catch_ends_the_calls_above() {
    let mut sink = sink(1);
    let caught = Record::Caught { id: id(1), time: 64 }.encode();
    sink.records(RingIx(0), &[entry(1, 0), entry(2, 10), entry(3, 20), caught, entry(4, 70)]);
    sink.records(RingIx(0), &[exit(4, 80), exit(1, 90)]);
    let profile = profile(sink);
    let expected = [(1, 0, 0, 90, 0), (2, 1, 10, 54, 0), (3, 2, 20, 44, 0), (4, 1, 70, 10, 0)];
    assert_eq!(spans(&profile, 0), expected);
}

/// A thread learns late of a pause.
#[test]
fn excluded_time_may_be_longer_than_the_time_since() {
    let mut sink = sink(1);
    sink.records(RingIx(0), &[entry(1, 0), entry(2, 50), adjust(100), exit(2, 60)]);
    sink.records(RingIx(0), &[entry(3, 70), exit(3, 170), exit(1, 200)]);
    let profile = profile(sink);
    let expected = [(1, 0, 0, 100, 0), (2, 1, 50, 0, 0), (3, 1, 50, 20, 0)];
    assert_eq!(spans(&profile, 0), expected);
}

/// A server loop as root: a named method has its calls kept wherever in it they are.
#[test]
fn calls_late_in_a_long_one_are_kept() {
    let mut sink = sink(1);
    sink.builder_mut().watch(&[id(2)]);
    sink.records(RingIx(0), &[entry(1, 0)]);
    let mut time = 1;
    for call in 0..300_u64 {
        let below = (0..1000).flat_map(|at| [entry(3, time + at), exit(3, time + at + 1)]);
        let below: Vec<u64> = below.collect();
        sink.records(RingIx(0), &below);
        sink.records(RingIx(0), &[entry(2, time + 1001), exit(2, time + 1002 + call)]);
        time += 2000;
    }
    let log = &sink.builder().threads[0].log;
    assert!(log.size() < 310_000, "{}", log.size());
    sink.records(RingIx(0), &[exit(1, time)]);
    assert_eq!(sink.builder().latencies.slowest.logged, 0);
    let profile = profile(sink);
    let of = |path: usize| profile.latencies.slowest.iter().find(|of| of.path.len() == path);
    assert_eq!(of(2).unwrap().duration.0, 300);
    let root = of(1).unwrap();
    assert_eq!((root.records, root.left_out), (300 * 2002 + 1, 300 * 2002 + 2 - (1 << 17)));
    assert_eq!(profile.latencies.slowest_without_spans, 0);
}

#[test]
fn calls_without_room_for_their_records_are_counted() {
    let calls = |most_logged, most_spans| {
        let mut sink = sink(3);
        sink.builder_mut().watch(&[id(2)]);
        let slowest = &mut sink.builder_mut().latencies.slowest;
        (slowest.most_logged, slowest.most_spans) = (most_logged, most_spans);
        for at in 0..4_u64 {
            let time = 1000 * at;
            sink.records(RingIx(0), &[entry(1, time), entry(2, time + 1), exit(2, time + 9 - at)]);
            sink.records(RingIx(0), &[exit(1, time + 100)]);
        }
        let slowest = &sink.builder().latencies.slowest;
        assert!(slowest.spans <= most_spans && slowest.logged <= most_logged);
        let profile = read_back(profile(sink));
        let kept = profile.latencies.slowest.iter().map(|of| (of.path.len(), of.duration.0));
        (kept.collect::<Vec<_>>(), profile.latencies.slowest_without_spans)
    };
    let (outer, inner) = ([(1, 100); 3], [(2, 8), (2, 7), (2, 6)]);
    assert_eq!(calls(MOST_LOGGED, MOST_SPANS), ([outer, inner].concat(), 0));
    // The calls of the inner method begin and end in one piece of the ring.
    assert_eq!(calls(0, MOST_SPANS), (inner.to_vec(), 3));
    let (kept, without) = calls(MOST_LOGGED, 5);
    assert_eq!((kept.contains(&(2, 8)), kept.len(), without), (true, 4, 2));
}

#[test]
fn a_checkpoint_has_neither_logs_nor_slow_calls() {
    let mut sink = sink(1);
    sink.records(RingIx(0), &[entry(1, 0), exit(1, 10), entry(1, 20)]);
    let builder = sink.builder();
    assert!(builder.threads[0].log.size() > 0 && !builder.latencies.slowest.kept.is_empty());
    let copy = builder.checkpoint(Vec::new()).builder;
    assert!(copy.threads[0].log.size() == 0 && copy.latencies.slowest.kept.is_empty());
    assert_eq!((copy.latencies.slowest.logged, copy.latencies.slowest.most()), (0, 1));
    // The next slice has the whole call.
    let before = sink.cut();
    assert_eq!(before.latencies.slowest.without_spans(), 0);
    sink.records(RingIx(0), &[entry(2, 30), exit(2, 40), exit(1, 60)]);
    assert_eq!(sink.builder().latencies.slowest.logged, 0);
    assert_eq!(spans(&profile(sink), 0), [(1, 0, 0, 40, 0), (2, 1, 10, 10, 0)]);
}

/// A method that the next slice has only in the records of a call from before the cut.
#[test]
fn a_call_over_a_cut_has_methods_of_the_slice_before() {
    let mut sink = sink(1);
    sink.records(RingIx(0), &[entry(1, 0), entry(2, 10), exit(2, 20)]);
    sink.cut();
    sink.records(RingIx(0), &[exit(1, 60)]);
    assert_eq!(spans(&profile(sink), 0), [(1, 0, 0, 60, 0), (2, 1, 10, 10, 0)]);
}

/// A call that hands a task off within another one, and a task that hands one off.
#[test]
fn hand_offs_belong_to_all_calls_that_they_are_in() {
    let mut sink = sink(5);
    let hand_off = |number, time| Record::HandOff { number, time }.encode();
    let open = Record::TaskOpen { id: id(1), time: 640 }.encode();
    let number = Record::TaskNumber { number: 9, time: 640 }.encode();
    let close = Record::TaskClose { id: id(1), time: 1_280 }.encode();
    sink.records(RingIx(0), &[entry(1, 0), hand_off(7, 64), entry(1, 100), hand_off(8, 128)]);
    sink.records(RingIx(0), &[exit(1, 200), exit(1, 300)]);
    sink.records(RingIx(0), &[open, number, hand_off(10, 704), close]);
    let profile = profile(sink);
    let of = |began: u64| {
        let mut all = profile.latencies.slowest.iter();
        all.find(|of| of.began.0 == BASE + began).map(|of| of.hand_offs.clone())
    };
    let made = |made: &[(u32, u64)]| {
        made.iter()
            .map(|(number, after)| HandOff { number: *number, after: Ticks(*after) })
            .collect()
    };
    assert_eq!(of(0), Some(HandOffs { task: 0, made: made(&[(7, 64), (8, 128)]) }));
    assert_eq!(of(640), Some(HandOffs { task: 9, made: made(&[(10, 64)]) }));
    read_back(profile);
}
