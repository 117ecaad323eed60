use super::*;
use jfathom_profile::{
    Frame, HandOff, HandOffs, LiveSessionInfo, MethodIx, Slice, SpanKind, ThreadIx,
};
use jfathom_testkit::small_profile;

/// A call that began then, of methods at these depths, each with these counted calls.
fn activation(began: u64, methods: &[(u32, u32)], counted: u64) -> Activation {
    let span = |(depth, method): &(u32, u32)| Span {
        method: MethodIx(*method),
        kind: SpanKind::Call,
        depth: *depth,
        began: Ticks(u64::from(*depth)),
        duration: Ticks(1_000_000 - u64::from(*depth)),
        records_before: u64::from(*depth),
        records: 0,
        counted,
        thrown: false,
    };
    Activation {
        path: vec![Frame::Method(MethodIx(methods[0].1))],
        thread: ThreadIx(0),
        thread_id: 1,
        began: Ticks(began),
        duration: Ticks(1_000_000),
        records: 0,
        left_out: 0,
        hand_offs: HandOffs::default(),
        events: Vec::new(),
        spans: methods.iter().map(span).collect(),
    }
}

#[test]
fn a_deep_recursion_needs_no_more_memory_than_its_spans() {
    let mut profile = small_profile::profile();
    let deep: Vec<(u32, u32)> = (0..200_000).map(|depth| (depth, 1)).collect();
    profile.latencies.slowest = vec![activation(0, &deep, 0)];
    let found = slowest(&profile, None);
    let differences = found[0].differences(&profile, None, 5);
    assert_eq!((differences.first.len(), differences.left_off), (5, 199_995));
    // The innermost one has all the time but a tick for each of the others.
    let longest = &differences.first[0];
    assert_eq!(longest.slow_nanos, 1_000_000.0 - 199_999.0);
    assert_eq!((longest.path.len(), longest.frames_left_off), (64, 199_999 - 64));
    assert!(longest.path.iter().all(|frame| *frame == Frame::Method(MethodIx(1))));
}

#[test]
fn counted_calls_without_end_are_the_largest_number() {
    let mut profile = small_profile::profile();
    profile.latencies.slowest = vec![activation(0, &[(0, 1), (1, 2)], u64::MAX)];
    assert_eq!(slowest(&profile, None)[0].kept[0].calls_below(), u64::MAX);
}

#[test]
fn calls_of_all_paths_begin_on_one_clock() {
    let mut profile = small_profile::profile();
    profile.latencies.slowest =
        [(900, 1), (700, 2), (800, 1)].map(|(at, of)| activation(at, &[(0, of)], 0)).to_vec();
    let begins = |profile: &Profile| {
        let found = slowest(profile, None);
        let kept = found.iter().flat_map(|of| &of.kept);
        kept.map(|call| (call.activation.began.0, call.began.0)).collect::<HashMap<_, _>>()
    };
    assert_eq!(begins(&profile), [(900, 900), (700, 700), (800, 800)].into());
    profile.slice = Some(Slice::default());
    assert_eq!(begins(&profile), [(900, 200), (700, 0), (800, 100)].into());
    profile.slice = None;
    profile.meta.jvms[0].live = Some(LiveSessionInfo::default());
    assert_eq!(begins(&profile), [(900, 200), (700, 0), (800, 100)].into());
}

fn call(began: u64, task: u32, made: &[(u32, u64)]) -> Activation {
    let made = made.iter().map(|(number, after)| HandOff { number: *number, after: Ticks(*after) });
    Activation {
        path: vec![Frame::Method(MethodIx(0))],
        thread: ThreadIx(0),
        thread_id: 1,
        began: Ticks(began),
        duration: Ticks(100),
        records: 0,
        left_out: 0,
        hand_offs: HandOffs { task, made: made.collect() },
        events: Vec::new(),
        spans: Vec::new(),
    }
}

#[test]
fn a_task_belongs_to_the_last_hand_off_of_its_number_before_it() {
    let mut profile = small_profile::profile();
    profile.latencies.slowest = vec![
        call(1_000, 0, &[(5, 10), (6, 20), (0, 30)]),
        call(2_000, 0, &[(5, 10)]),
        call(1_500, 5, &[]),
        call(2_500, 5, &[]),
        call(900, 6, &[]),
        call(3_000, 0, &[]),
    ];
    let arrow = |from, after, to| HandOffArrow { from, after: Ticks(after), to };
    assert_eq!(hand_off_arrows(&profile), [arrow(0, 10, 2), arrow(1, 10, 3)]);
    // Another JVM's numbers are its own.
    let mut other = profile.threads[0].clone();
    other.jvm += 1;
    profile.threads.push(other);
    let last = ThreadIx(profile.threads.len() as u32 - 1);
    profile.latencies.slowest[2].thread = last;
    assert_eq!(hand_off_arrows(&profile), [arrow(1, 10, 3)]);
}

#[test]
fn of_two_calls_with_the_hand_off_the_inner_one_has_it() {
    let mut profile = small_profile::profile();
    profile.latencies.slowest =
        vec![call(1_000, 0, &[(5, 50)]), call(1_040, 0, &[(5, 10)]), call(1_050, 5, &[])];
    let arrow = HandOffArrow { from: 1, after: Ticks(10), to: 2 };
    assert_eq!(hand_off_arrows(&profile), [arrow]);
}
