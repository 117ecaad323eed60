use super::*;
use crate::{Builder, ThreadHandle};
use jfathom_plan::MethodId;
use jfathom_trace::record::Record;
use jfathom_trace::{ThreadInfo, layout as l};
use std::sync::Arc;

fn thread(builder: &mut Builder, id: u64) -> ThreadHandle {
    let info = ThreadInfo { sequence: id, thread_id: id, kernel_id: 0, name: String::new() };
    let handle = builder.thread(&info);
    builder.feed(handle, &[l::ESCAPE_THREAD_START | id]);
    handle
}

fn method(of: u32) -> MethodId {
    MethodId::new(of).unwrap()
}

fn entry(of: u32, time: u64) -> u64 {
    Record::Entry { id: method(of), time }.encode()
}

fn exit(of: u32, time: u64) -> u64 {
    Record::Return { id: method(of), time }.encode()
}

/// Thread 1 in method 1 from 1,600 to 160,000 and below it in method 2 from 16,000 to 80,000;
/// thread 2 in method 3 from 32,000 to 48,000.
fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.keep_timeline(Ticks(1), 1 << 20);
    let first = thread(&mut builder, 1);
    let records = [entry(1, 1_600), entry(2, 16_000), exit(2, 80_000), exit(1, 160_000)];
    builder.feed(first, &records);
    let second = thread(&mut builder, 2);
    builder.feed(second, &[entry(3, 32_000), exit(3, 48_000)]);
    builder
}

fn event(thread: u64, kind: EventKind, begin: u64, end: u64) -> TimedEvent {
    let (begin, end) = (Ticks(begin), Ticks(end));
    TimedEvent { thread: Some(thread), name: EventName::of(kind), begin, end }
}

fn pause(kind: EventKind, begin: u64, end: u64) -> TimedEvent {
    TimedEvent { thread: None, ..event(0, kind, begin, end) }
}

/// Innermost method, kind, count and time.
type Row = (u32, EventKind, u64, u64);

fn placed(events: Vec<TimedEvent>) -> (Vec<Row>, BTreeMap<EventName, EventSum>) {
    let mut builder = builder();
    let timeline = builder.take_timeline().unwrap();
    let placed = place(&timeline, events);
    let rows = placed.nodes.iter().map(|((node, name), sum)| {
        let last = builder.methods_to(*node).last().map(|id| id.get());
        (last.unwrap(), name.kind, sum.count, sum.time.0)
    });
    let mut rows: Vec<Row> = rows.collect();
    rows.sort_unstable();
    (rows, placed.outside)
}

fn rows(events: Vec<TimedEvent>) -> Vec<Row> {
    let (rows, outside) = placed(events);
    assert_eq!(outside, BTreeMap::new());
    rows
}

use EventKind::{ClassLoading, Exception, Gc, Monitor, Park, Safepoint, Sleep, Socket};

#[test]
fn a_wait_is_in_the_innermost_call_around_it() {
    let events = vec![
        event(1, Sleep, 3_200, 4_800),
        event(1, Park, 20_000, 30_000),
        event(1, Park, 40_000, 50_000),
        event(2, Monitor, 33_000, 34_000),
    ];
    let expected = [(1, Sleep, 1, 1_600), (2, Park, 2, 20_000), (3, Monitor, 1, 1_000)];
    assert_eq!(rows(events), expected);
}

/// The clocks of the two differ a little.
#[test]
fn a_wait_that_reaches_beyond_its_call_is_in_it() {
    let events = vec![event(1, Park, 15_990, 70_000), event(1, Sleep, 79_000, 80_100)];
    assert_eq!(rows(events), [(2, Park, 1, 54_010), (2, Sleep, 1, 1_100)]);
}

#[test]
fn a_class_is_loaded_in_all_calls_that_it_takes() {
    let events = vec![event(1, ClassLoading, 8_000, 112_000)];
    let expected = [(1, ClassLoading, 0, 40_000), (2, ClassLoading, 1, 64_000)];
    assert_eq!(rows(events), expected);
}

#[test]
fn each_moment_counts_once() {
    // A socket that parks its thread, which is stopped while it waits; a class that needs another
    // one, for which it waits.
    let events = vec![
        event(1, Socket, 20_000, 40_000),
        event(1, Park, 21_000, 39_000),
        pause(Gc, 30_000, 41_000),
        event(1, ClassLoading, 81_000, 91_000),
        event(1, ClassLoading, 82_000, 84_000),
        event(1, Monitor, 85_000, 86_000),
    ];
    let expected = [
        (1, Monitor, 1, 1_000),
        (1, ClassLoading, 2, 9_000),
        (2, Socket, 1, 20_000),
        (2, Gc, 1, 1_000),
        (3, Gc, 1, 11_000),
    ];
    assert_eq!(rows(events), expected);
}

#[test]
fn pauses_are_in_the_open_calls_of_all_threads() {
    // What the collector does is an operation of the JVM, too, and is told once.
    let events = vec![
        pause(Safepoint, 39_000, 46_000),
        pause(Gc, 40_000, 45_000),
        pause(Safepoint, 100_000, 101_000),
        pause(Gc, 200_000, 300_000),
    ];
    let expected = [
        (1, Safepoint, 1, 1_000),
        (2, Gc, 1, 5_000),
        (2, Safepoint, 2, 2_000),
        (3, Gc, 1, 5_000),
        (3, Safepoint, 2, 2_000),
    ];
    assert_eq!(rows(events), expected);
}

#[test]
fn exceptions_are_counted_by_class() {
    let of = |class: &str, at| {
        let class: Arc<str> = class.into();
        let name = EventName { kind: Exception, class: Some(class) };
        TimedEvent { name, ..event(1, Exception, at, at) }
    };
    let events = vec![of("a.A", 17_000), of("a.A", 18_000), of("a.B", 19_000), of("a.A", 90_000)];
    let expected = [(1, Exception, 1, 0), (2, Exception, 1, 0), (2, Exception, 2, 0)];
    assert_eq!(rows(events), expected);
}

#[test]
fn what_is_outside_of_calls_is_summed_up() {
    let events = vec![event(1, Park, 0, 1_000), event(9, Park, 0, 500), event(2, Exception, 1, 1)];
    let (rows, outside) = placed(events);
    let sum = |count, time| EventSum { count, time: Ticks(time) };
    let expected = [(EventName::of(Park), sum(2, 1_500)), (EventName::of(Exception), sum(1, 0))];
    assert_eq!((rows, outside), (vec![], BTreeMap::from(expected)));
}

/// Held against a mark for each moment.
#[test]
fn free_pieces_are_those_that_nobody_has_taken() {
    let mut state = 9_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    for _ in 0..200 {
        let (mut taken, mut marks) = (Taken::default(), [false; 64]);
        for _ in 0..20 {
            let begin = random(64);
            let end = begin + random(64 - begin);
            let free = taken.claim(begin, end);
            let expected: Vec<u64> = (begin..end).filter(|at| !marks[*at as usize]).collect();
            let found: Vec<u64> = free.iter().flat_map(|(from, to)| *from..*to).collect();
            assert_eq!(found, expected);
            assert!(free.windows(2).all(|pair| pair[0].1 < pair[1].0));
            (begin..end).for_each(|at| marks[at as usize] = true);
        }
    }
}
