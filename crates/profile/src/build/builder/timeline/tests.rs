use super::*;
use crate::build::builder::test_records::*;
use crate::build::builder::{Builder, ThreadHandle};
use jfathom_trace::record::Record;
use jfathom_trace::{ThreadInfo, layout as l};

/// A multiple of a timeline's unit, and of the times here.
const STEP: u64 = 16;

/// A call as the test knows it.
#[derive(Clone, Debug)]
struct Truth {
    thread: u64,
    path: Vec<u32>,
    begin: u64,
    end: u64,
    /// Without excluded time.
    length: u64,
}

fn thread(builder: &mut Builder, id: u64) -> ThreadHandle {
    let info = ThreadInfo { sequence: id, thread_id: id, kernel_id: 0, name: String::new() };
    let handle = builder.thread(&info);
    builder.feed(handle, &[l::ESCAPE_THREAD_START | id]);
    handle
}

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state >> 16
}

/// Feeds random calls of two threads, with missing exits, waits for the recorder, and calls that
/// stay open, and returns them.
fn feed_random(builder: &mut Builder, rounds: usize) -> Vec<Truth> {
    let mut all = Vec::new();
    let mut state = 88_172_645_463_325_252;
    for id in [5, 6] {
        let handle = thread(builder, id);
        // Method, begin, and what was excluded before.
        let mut open: Vec<(u32, u64, u64)> = Vec::new();
        let (mut time, mut excluded) = (1_000_000, 0);
        let mut end = |open: &mut Vec<(u32, u64, u64)>, time: u64, excluded: u64| {
            let path = open.iter().map(|call| call.0).collect();
            let Some((method, begin, before)) = open.pop() else { panic!() };
            let length = (time - excluded).saturating_sub(begin - before);
            all.push(Truth { thread: id, path, begin, end: time, length });
            method
        };
        for _ in 0..rounds {
            time += STEP * (1 + random(&mut state) % 90);
            let word = match random(&mut state) % 16 {
                0 => {
                    let ticks = STEP * (random(&mut state) % 50);
                    excluded += ticks;
                    time += ticks;
                    Record::Adjust { ticks }.encode()
                }
                1 if open.len() > 1 => {
                    end(&mut open, time, excluded);
                    exit(end(&mut open, time, excluded), time)
                }
                2..9 if !open.is_empty() => exit(end(&mut open, time, excluded), time),
                _ if open.len() < 12 => {
                    // No recursion: a missing exit would be that of another call.
                    let method = open.len() as u32 * 8 + random(&mut state) as u32 % 8;
                    open.push((method, time, excluded));
                    entry(method, time)
                }
                _ => exit(end(&mut open, time, excluded), time),
            };
            builder.feed(handle, &[word]);
        }
        while !open.is_empty() {
            end(&mut open, u64::MAX, 0);
        }
    }
    all
}

/// The innermost of the calls in which a thread was at a time.
fn innermost(all: &[Truth], thread: u64, time: u64) -> Option<&Truth> {
    let around =
        all.iter().filter(|call| call.thread == thread && (call.begin..call.end).contains(&time));
    around.max_by_key(|call| call.path.len())
}

fn path(builder: &Builder, node: Option<BuilderNode>) -> Option<Vec<u32>> {
    node.map(|node| builder.methods_to(node).iter().map(|id| id.get()).collect())
}

/// Times from before the first call to behind the last one that ended.
fn times(all: &[Truth]) -> impl Iterator<Item = u64> {
    let last = all.iter().map(|call| call.end).filter(|end| *end != u64::MAX).max().unwrap();
    (999_000 / STEP * STEP..last + 10 * STEP).step_by(STEP as usize * 7)
}

#[test]
fn each_moment_is_in_the_innermost_call_around_it() {
    let mut builder = Builder::new();
    builder.keep_timeline(Ticks(1), 1 << 20);
    let all = feed_random(&mut builder, 2_000);
    let timeline = builder.take_timeline().unwrap();
    assert_eq!((timeline.resolution(), timeline.unknown_calls()), (Ticks(1), 0));
    let mut found = 0;
    for thread in [5, 6, 7] {
        for time in times(&all) {
            let expected = innermost(&all, thread, time).map(|call| call.path.clone());
            let node = timeline.innermost(thread, Ticks(time));
            assert_eq!(path(&builder, node), expected, "at {time}");
            found += usize::from(node.is_some());
        }
    }
    assert!(found > 2_000);
    assert!(builder.take_timeline().is_none());
}

#[test]
fn an_interval_is_split_where_its_innermost_call_changes() {
    let mut builder = Builder::new();
    builder.keep_timeline(Ticks(1), 1 << 20);
    let all = feed_random(&mut builder, 600);
    let timeline = builder.take_timeline().unwrap();
    let mut state = 1;
    let mut most = 0;
    for begin in times(&all) {
        let end = begin + STEP * (random(&mut state) % 400);
        let parts = timeline.parts(5, Ticks(begin), Ticks(end));
        most = most.max(parts.len());
        let ends: Vec<u64> = parts.iter().map(|part| part.end.0).collect();
        let begins: Vec<u64> = parts.iter().map(|part| part.begin.0).collect();
        match end > begin {
            true => assert_eq!([&begins[1..], &[end]].concat(), ends),
            false => assert_eq!(parts, []),
        }
        for time in (begin..end).step_by(STEP as usize) {
            let part = parts.iter().find(|part| part.end.0 > time).unwrap();
            assert_eq!(part.node, timeline.innermost(5, Ticks(time)));
        }
    }
    assert!(most > 5 && most < MOST_PARTS, "{most}");
    // Nothing costs more than its bound.
    let parts = timeline.parts(5, Ticks(0), Ticks(u64::MAX));
    assert_eq!(parts.len(), MOST_PARTS + 1);
    assert_eq!(parts.last().unwrap().node, None);
}

#[test]
fn the_shortest_calls_are_dropped_where_memory_ends() {
    let mut builder = Builder::new();
    builder.keep_timeline(Ticks(1), 20_000);
    let all = feed_random(&mut builder, 3_000);
    assert!(builder.latencies.call_log.bytes() <= 20_000);
    let timeline = builder.take_timeline().unwrap();
    let resolution = timeline.resolution().0;
    assert!(resolution > STEP && all.len() > 2_000);
    let kept: Vec<Truth> = all.iter().filter(|of| of.length >= resolution).cloned().collect();
    assert!(kept.len() > 200);
    for time in times(&all) {
        // What was excluded is in the clock's time: a call that is kept for it does no harm.
        let node = timeline.innermost(6, Ticks(time));
        let expected = innermost(&all, 6, time);
        let least = innermost(&kept, 6, time);
        let found = path(&builder, node).unwrap_or_default();
        let expected = expected.map_or(&[][..], |call| &call.path);
        assert!(expected.starts_with(&found), "{found:?} is not above {expected:?}");
        assert!(found.len() >= least.map_or(0, |call| call.path.len()));
    }
}

#[test]
fn folded_calls_are_found_in_the_rows_of_their_methods() {
    let mut builder = Builder::new();
    builder.keep_timeline(Ticks(1), 1 << 20);
    builder.set_max_memory(40_000);
    let all = feed_random(&mut builder, 4_000);
    assert!(builder.folds() > 0);
    let timeline = builder.take_timeline().unwrap();
    for time in times(&all) {
        let node = timeline.innermost(5, Ticks(time));
        let last = path(&builder, node).and_then(|path| path.last().copied());
        let expected = innermost(&all, 5, time).and_then(|call| call.path.last().copied());
        assert_eq!(last, expected, "at {time}");
    }
}

#[test]
fn calls_with_missing_records_are_not_placed() {
    let mut builder = Builder::new();
    builder.keep_timeline(Ticks(1), 1 << 20);
    let handle = thread(&mut builder, 5);
    builder.feed(handle, &[entry(1, 1_600), entry(2, 3_200), exit(2, 4_800), entry(2, 6_400)]);
    builder.gap(handle, 9);
    let high = Record::TimeHigh { high: 0 }.encode();
    builder.feed(handle, &[high, entry(3, 16_000), exit(3, 32_000), exit(1, 48_000)]);
    let timeline = builder.take_timeline().unwrap();
    let at = |time| path(&builder, timeline.innermost(5, Ticks(time)));
    assert_eq!(at(4_000), Some(vec![1, 2]));
    assert_eq!(at(20_000), Some(vec![1, 2, 3]));
    assert_eq!((at(2_000), at(9_000), at(40_000)), (None, None, None));
    assert_eq!(timeline.unknown_calls(), 2);
}

/// A copy is for a checkpoint, which must stay small.
#[test]
fn copies_have_no_timeline() {
    let mut builder = Builder::new();
    builder.keep_timeline(Ticks(1), 1 << 20);
    feed_random(&mut builder, 100);
    assert!(builder.clone().take_timeline().is_none());
    assert!(builder.checkpoint(Vec::new()).builder.take_timeline().is_none());
    assert!(builder.take_timeline().is_some());
}

/// A virtual thread has its calls by its own id, on whatever carriers it was.
#[test]
fn virtual_threads_have_timelines_of_their_own() {
    let mut builder = Builder::new();
    builder.keep_timeline(Ticks(1), 1 << 20);
    let carriers = [1, 2].map(|id| thread(&mut builder, id));
    let to =
        |thread, time| [Record::Switch { thread }.encode(), Record::SwitchTime { time }.encode()];
    let first = [&to(70, 1_600)[..], &[entry(1, 1_600), entry(2, 3_200)], &to(0, 4_800)].concat();
    builder.feed(carriers[0], &first);
    builder.end_round();
    let second = [&to(70, 8_000)[..], &[exit(2, 9_600), exit(1, 16_000)], &to(0, 16_000)].concat();
    builder.feed(carriers[1], &second);
    let timeline = builder.take_timeline().unwrap();
    let at = |thread, time| path(&builder, timeline.innermost(thread, Ticks(time)));
    assert_eq!(at(70, 6_400), Some(vec![1, 2]));
    assert_eq!((at(70, 12_800), at(70, 16_000)), (Some(vec![1]), None));
    assert_eq!((at(1, 2_000), at(2, 9_000)), (None, None));
}

/// The agent held all threads up for 50 steps, and one learns of it when it has already made calls
/// in that time: its records lie before the end of the time that is excluded for it.
#[test]
fn calls_in_a_pause_that_is_known_late_are_where_their_records_say() {
    let mut builder = Builder::new();
    builder.keep_timeline(Ticks(1), 1 << 20);
    let handle = thread(&mut builder, 5);
    let at = |steps: u64| 1_000_000 + steps * STEP;
    let pause = Record::Adjust { ticks: 50 * STEP }.encode();
    let words = [
        entry(1, at(0)),
        entry(2, at(1)),
        pause,
        exit(2, at(10)),
        entry(3, at(12)),
        entry(4, at(14)),
        exit(4, at(16)),
        exit(3, at(90)),
        entry(5, at(92)),
        exit(5, at(95)),
        exit(1, at(100)),
    ];
    builder.feed(handle, &words);
    let timeline = builder.take_timeline().unwrap();
    let innermost = |steps: u64| {
        let node = timeline.innermost(5, Ticks(at(steps)));
        node.and_then(|node| builder.methods_to(node).last().map(|id| id.get()))
    };
    let found = [5, 11, 13, 40, 89, 91, 93, 98, 101].map(innermost);
    let expected = [2, 1, 3, 3, 3, 1, 5, 1].map(Some);
    assert_eq!((&found[..8], found[8]), (&expected[..], None));
}
