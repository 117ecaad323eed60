//! Latencies against the exact durations of their calls.

use jfathom_profile::{Builder, Frame, Latency, MethodIx, Profile, Ticks};
use jfathom_testkit::{Random, profiles::*, records::*};
use jfathom_trace::record::Record;

const START: Record = Record::ThreadStart { high: 0, sequence: 1 };

/// The latency of a call path, by the names of its methods.
fn of<'a>(profile: &'a Profile, path: &[&str]) -> Option<&'a Latency> {
    let name = |frame: &Frame| match frame {
        Frame::Method(MethodIx(method)) => profile.methods[*method as usize].info.key.name.clone(),
        Frame::Task(MethodIx(root)) => {
            format!("task {}", profile.methods[*root as usize].info.key.name)
        }
        Frame::Thread(_) => "thread".to_owned(),
    };
    let is_wanted = |of: &&Latency| of.path.iter().map(name).eq(path.iter().copied());
    profile.latencies.paths.iter().find(is_wanted)
}

/// The longest call of each node, in preorder.
fn longest(profile: &Profile) -> Vec<u64> {
    profile.tree.nodes().map(|node| profile.tree.longest(node).0).collect()
}

#[test]
fn calls_at_the_bottom_of_a_thread_and_tasks_have_latencies() {
    let p = one_thread(&[
        START,
        e(1, 0),
        e(2, 10),
        r(2, 15),
        e(2, 20),
        r(2, 60),
        r(1, 100),
        Record::TaskOpen { id: id(0), time: 128 },
        e(2, 200),
        r(2, 210),
        Record::TaskClose { id: id(0), time: 256 },
        e(1, 300),
        r(1, 307),
    ]);
    let paths: Vec<usize> = p.latencies.paths.iter().map(|of| of.path.len()).collect();
    assert_eq!(paths, [1, 1]);
    let calls = &of(&p, &["m1"]).unwrap().calls;
    assert_eq!((calls.count(), calls.longest()), (2, Ticks(100)));
    // Records from after the entry to the exit: five of the first call, one of the second.
    assert_eq!(calls.records(), 6);
    let task = &of(&p, &["task m0"]).unwrap().calls;
    assert_eq!((task.count(), task.longest()), (1, Ticks(128)));
    // Thread, m1, its m2, the task, its m2.
    assert_eq!(longest(&p), [0, 100, 40, 128, 10]);
}

#[test]
fn excluded_time_is_in_no_latency() {
    let p = one_thread(&[
        START,
        e(1, 0),
        Record::Adjust { ticks: 50 },
        r(1, 100),
        e(1, 110),
        r(1, 120),
    ]);
    let calls = &of(&p, &["m1"]).unwrap().calls;
    assert_eq!((calls.longest(), calls.count()), (Ticks(50), 2));
}

#[test]
fn calls_across_a_gap_have_no_latency() {
    let mut builder = Builder::new();
    let main = builder.thread(&info(1, "main"));
    feed(&mut builder, main, &[START, e(1, 100), e(2, 110)]);
    builder.gap(main, 3);
    feed(&mut builder, main, &[e(3, 500), r(3, 520), r(2, 530), r(1, 600), e(1, 700), r(1, 701)]);
    let p = profile(&builder);
    let calls = &of(&p, &["m1"]).unwrap().calls;
    assert_eq!((calls.count(), calls.longest()), (1, Ticks(1)));
    // Thread, m1, m2, m3.
    assert_eq!(longest(&p), [0, 1, 0, 20]);
}

/// The high bits of times are lost with the records of a gap, and come again within a call.
#[test]
fn calls_entered_before_the_high_bits_are_known_again_have_their_latency() {
    let mut builder = Builder::new();
    let main = builder.thread(&info(1, "main"));
    feed(&mut builder, main, &[START, e(2, 100), r(2, 110)]);
    builder.gap(main, 3);
    let most = (1 << 40) - 1;
    let high = Record::TimeHigh { high: 8 };
    feed(&mut builder, main, &[e(1, most - 9), high, r(1, 20)]);
    let p = profile(&builder);
    assert_eq!(of(&p, &["m1"]).unwrap().calls.longest(), Ticks(30));
}

#[test]
fn calls_whose_exit_is_inferred_end_with_the_record_that_closed_them() {
    let p = one_thread(&[START, e(1, 0), e(2, 10), e(3, 20), r(1, 50), e(1, 60)]);
    assert_eq!(longest(&p), [0, 50, 40, 30]);
    assert_eq!(of(&p, &["m1"]).unwrap().calls.count(), 1);
}

#[test]
fn threads_share_the_histogram_of_a_call_path() {
    let mut builder = Builder::new();
    for (sequence, length) in [(1, 10), (2, 1000)] {
        let thread = builder.thread(&info(sequence, "worker"));
        feed(&mut builder, thread, &[START, e(1, 0), r(1, length)]);
    }
    let p = profile(&builder);
    let calls = &of(&p, &["m1"]).unwrap().calls;
    assert_eq!((calls.count(), calls.longest()), (2, Ticks(1000)));
    assert_eq!(longest(&p), [0, 10, 0, 1000]);
}

/// Calls whose durations spread over eight decades, and these.
fn random_calls(builder: &mut Builder, count: u64) -> Vec<u64> {
    let main = builder.thread(&info(1, "main"));
    let mut random = Random(7);
    let (mut time, mut durations) = (0_u64, Vec::new());
    feed(builder, main, &[START]);
    for _ in 0..count {
        let decades = 1 + random.below(8) as u32;
        let duration = random.below(10_u64.pow(decades));
        if (time + duration) >> 40 != time >> 40 {
            break;
        }
        feed(builder, main, &[e(1, time), e(2, time), r(2, time), r(1, time + duration)]);
        time += duration + 1;
        durations.push(duration);
    }
    durations.sort_unstable();
    durations
}

#[test]
fn quantiles_are_within_a_128th_of_the_exact_ones() {
    let mut builder = Builder::new();
    let exact = random_calls(&mut builder, 20_000);
    let p = profile(&builder);
    let calls = &of(&p, &["m1"]).unwrap().calls;
    assert_eq!(calls.count(), exact.len() as u64);
    assert_eq!(calls.longest().0, *exact.last().unwrap());
    assert_eq!(calls.records(), 3 * exact.len() as u64);
    for share in [0.0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0] {
        let rank = ((exact.len() as f64 * share).ceil() as usize).max(1);
        let (exact, found) = (exact[rank - 1], calls.quantile(share).unwrap().upper.0);
        let is_near = found >= exact && found - exact <= exact / 128;
        assert!(is_near, "{share}: {found} for {exact}");
    }
}

#[test]
fn files_and_checkpoints_keep_latencies() {
    let mut builder = Builder::new();
    random_calls(&mut builder, 1_000);
    let p = profile(&builder);
    let mut file = Vec::new();
    p.write(&mut file).unwrap();
    let read = Profile::read_whole(&mut &file[..]).unwrap();
    assert_eq!((&read.latencies, longest(&read)), (&p.latencies, longest(&p)));
    let mut saved = Vec::new();
    builder.checkpoint(Vec::new()).write(&mut saved).unwrap();
    let resumed = jfathom_profile::Checkpoint::read(&mut &saved[..]).unwrap().builder;
    let resumed = profile(&resumed);
    assert_eq!((&resumed.latencies, longest(&resumed)), (&p.latencies, longest(&p)));
}

#[test]
fn a_checkpoint_goes_on_inside_of_calls() {
    let mut builder = Builder::new();
    let main = builder.thread(&info(1, "main"));
    feed(&mut builder, main, &[START, e(1, 100), e(2, 110)]);
    let mut saved = Vec::new();
    builder.checkpoint(Vec::new()).write(&mut saved).unwrap();
    let mut resumed = jfathom_profile::Checkpoint::read(&mut &saved[..]).unwrap().builder;
    let rest = [r(2, 150), r(1, 400)];
    feed(&mut builder, main, &rest);
    feed(&mut resumed, main, &rest);
    let (whole, resumed) = (profile(&builder), profile(&resumed));
    assert_eq!(longest(&resumed), [0, 300, 40]);
    assert_eq!(resumed.latencies, whole.latencies);
}

#[test]
fn calls_that_root_sampling_left_out_are_counted_and_timed() {
    let left_out = |ticks| Record::Unsampled { id: id(1), ticks };
    let only = Record::Unsampled { id: id(3), ticks: 7 };
    let records = [START, left_out(40), e(1, 100), e(2, 110), r(2, 120), r(1, 130), left_out(60)];
    let mut builder = Builder::new();
    let main = builder.thread(&info(1, "main"));
    feed(&mut builder, main, &records);
    feed(&mut builder, main, &[only]);
    let mut saved = Vec::new();
    builder.checkpoint(Vec::new()).write(&mut saved).unwrap();
    let resumed = jfathom_profile::Checkpoint::read(&mut &saved[..]).unwrap().builder;
    for p in [profile(&builder), profile(&resumed)] {
        let calls = &of(&p, &["m1"]).unwrap().calls;
        // Records are those of the recorded call alone.
        assert_eq!((calls.count(), calls.longest(), calls.records()), (3, Ticks(60), 3));
        assert_eq!(of(&p, &["m3"]).unwrap().calls.count(), 1);
        let unsampled = p.latencies.unsampled.iter();
        let unsampled: Vec<_> = unsampled.map(|of| (of.calls, of.time.0)).collect();
        assert_eq!(unsampled, [(2, 100), (1, 7)]);
        assert_eq!(longest(&p), [0, 30, 10]);
        let mut file = Vec::new();
        p.write(&mut file).unwrap();
        assert_eq!(Profile::read_whole(&mut &file[..]).unwrap().latencies, p.latencies);
        let twice = jfathom_compare::merge(vec![p.clone(), p]).unwrap();
        let twice: Vec<u64> = twice.latencies.unsampled.iter().map(|of| of.calls).collect();
        assert_eq!(twice, [4, 2]);
    }
}

#[test]
fn too_many_call_paths_are_said() {
    let mut builder = Builder::new();
    let main = builder.thread(&info(1, "main"));
    let mut records = vec![START];
    for method in 0..5_000 {
        records.extend([e(method, 0), r(method, 0)]);
    }
    feed(&mut builder, main, &records);
    let p = profile(&builder);
    assert_eq!((p.latencies.paths.len(), p.latencies.unwatched), (1024, 3976));
}
