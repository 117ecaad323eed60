//! The runtime in real JVMs. Programs with hand-written probes print their own numbers. What a
//! collector drains must equal them, on every JVM that is found.

use crate::support::{Collector, Outcome, default_jvm, jvms, process_dir, run};
use jfathom_plan::MANIFEST_PATH;
use jfathom_session::names;
use jfathom_trace::Recording;
use std::collections::BTreeMap;
use std::fs;
use std::time::Instant;

/// Entries and exits of `id` on all threads are `calls` each.
fn returned(outcome: &Outcome, id: u32, calls: u64) {
    let counters = &outcome.counters;
    assert_eq!(outcome.session.calls(id)[..3], [calls, calls, 0], "id {id}: {counters:?}");
}

#[test]
fn every_call_on_every_thread_is_recorded() {
    for jvm in jvms() {
        // Small rings, so that each is filled many times, and a heap that fills fast. Java 25's G1
        // may throw for a full heap after all of it has become garbage.
        let mut command = jvm.command();
        command
            .args(["-XX:+UseSerialGC", "-Xmx24m", "Calls", "600"])
            .env(names::ENV_RING_BYTES, "4096");
        let outcome = run(&mut command, Collector::Live);
        let session = &outcome.good().session;
        returned(&outcome, 1, outcome.number("work"));
        let thrown = outcome.number("throwing");
        assert_eq!(session.calls(2), [thrown, 0, thrown, 0]);
        let caught = outcome.number("catching");
        assert_eq!(session.calls(3), [caught, caught, 0, caught]);
        returned(&outcome, 7, outcome.number("many"));
        // At the end of the stack records may be missing, but none is wrong. Later ones are exact.
        let [entries, returns, throws, _] = session.calls(4);
        let open =
            session.threads.iter().flat_map(|thread| &thread.stack).filter(|&&id| id == 4).count();
        let inferred: u64 = session.threads.iter().map(|thread| thread.inferred).sum();
        assert_eq!(returns, 0);
        assert_eq!(entries, throws + inferred + open as u64);
        assert!(entries > 40 * 100, "{entries} frames of 40 overflows");
        let [after, left, _, _] = session.calls(5);
        assert!(after <= outcome.number("after") && left <= after);
        assert!(outcome.ended);
        assert!(outcome.counters.waits > 0, "a ring was full");
        assert!(session.threads.iter().any(|thread| thread.adjusts > 0));
        let threads = outcome.counters.threads_seen;
        assert_eq!(threads, session.threads.len() as u64);
        assert!(threads >= 1 + 1 + 50 + 200 + 600 + 1 + 40, "{threads}");
        let numbers: BTreeMap<u64, &str> =
            session.threads.iter().map(|thread| (thread.sequence, &*thread.name)).collect();
        assert_eq!((numbers.len() as u64, numbers[&1]), (threads, "main"));
    }
}

/// The three probes of handlers, and one of them where the stack is full.
#[test]
fn caught_exceptions_have_their_class() {
    for jvm in jvms() {
        let mut command = jvm.command();
        command.arg("Catches").env(names::ENV_METRICS, names::METRIC_CAUGHT);
        let outcome = run(&mut command, Collector::Live);
        let session = &outcome.good().session;
        let classes: BTreeMap<&str, u32> = outcome
            .info
            .iter()
            .filter_map(|entry| entry.caught_class())
            .map(|(number, name)| (name, number))
            .collect();
        let [state, full] = ["java.lang.IllegalStateException", "java.lang.StackOverflowError"]
            .map(|name| classes[name]);
        // Those of a full stack and heap are there before.
        assert_eq!((classes.len(), state, full), (3, 3, 1), "{classes:?}");
        let [main] = &session.threads[..] else { panic!("{} threads", session.threads.len()) };
        let count = |id, class| main.caught.get(&(id, class)).copied().unwrap_or_default();
        for class in [Some(state), None] {
            assert_eq!(count(1, class), outcome.number("each"), "{class:?}");
        }
        // Where the stack is full a record may come later, and then without its class.
        let of_deep: u64 = [Some(full), Some(0), None].map(|class| count(2, class)).iter().sum();
        assert_eq!(of_deep, session.calls(2)[3]);
        assert!(count(2, Some(full)) > 0, "{:?}", main.caught);
    }
}

/// Without the metric there is no record more.
#[test]
fn nobody_is_told_of_classes_that_nobody_asked_for() {
    for jvm in jvms() {
        let outcome = run(jvm.command().arg("Catches"), Collector::Live);
        let session = &outcome.good().session;
        let of_each = session.threads.iter().flat_map(|thread| &thread.caught);
        let of_each: Vec<_> = of_each.filter(|((id, _), _)| *id == 1).collect();
        assert_eq!(of_each, [(&(1, None), &(2 * outcome.number("each")))]);
        assert!(outcome.info.iter().all(|entry| entry.caught_class().is_none()));
    }
}

#[test]
fn the_header_says_who_recorded() {
    for jvm in jvms() {
        let outcome = run(jvm.command().args(["Storm", "1", "10"]), Collector::Live);
        outcome.good();
        let info = |kind| {
            outcome.info.iter().find(|entry| entry.kind == kind).map(|entry| entry.text.clone())
        };
        let version = info(jfathom_trace::layout::INFO_JAVA_VERSION).expect("a version");
        assert!(version.starts_with(&jvm.version.to_string()), "{version}");
        assert_eq!(info(jfathom_trace::layout::INFO_COMMAND).as_deref(), Some("Storm 1 10"));
    }
}

/// The beginning is as each version of the manifest has it.
#[test]
fn manifests_of_two_versions_are_seen() {
    for (version, roots, recording) in [
        (3, r#""has_roots":true"#, Recording::Roots),
        (3, r#""has_roots":false"#, Recording::Everything),
        (2, r#""roots":true"#, Recording::Roots),
        (2, r#""roots":false"#, Recording::Everything),
    ] {
        let manifest = format!(
            r#"{{"version":{version},"tool":"test","plan":"00000000000000ab","placement":"main","ids":[5,10],{roots},"classes":[]}}"#
        );
        let folder = process_dir();
        let path = folder.path().join(MANIFEST_PATH);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, manifest).expect("a file");
        let jvm = default_jvm();
        let outcome =
            run(jvm.command_with(folder.path()).args(["Storm", "1", "10"]), Collector::Live);
        assert_eq!(outcome.good().header.as_ref().expect("a session").recording, recording);
        let seen: Vec<_> = outcome.info.iter().filter_map(|entry| entry.manifest()).collect();
        assert_eq!(seen.len(), 1, "{:?}", outcome.info);
        assert_eq!((seen[0].ids.start, seen[0].ids.len), (5, 10));
        assert_eq!(seen[0].plan, "00000000000000ab");
    }
}

/// Every memory with all compilers: the fast paths differ.
#[test]
fn every_memory_records_the_same() {
    const INTERNAL: &str = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED";
    for jvm in jvms() {
        let mut ways: Vec<&[&str]> = vec![&[], &[INTERNAL]];
        if jvm.version >= 22 {
            ways.push(&["--enable-native-access=ALL-UNNAMED"]);
        }
        for flags in ways {
            let mut command = jvm.optimising();
            command.args(flags).args(["Storm", "2", "200000"]).env(names::ENV_RING_BYTES, "65536");
            let outcome = run(&mut command, Collector::Live);
            returned(outcome.good(), 1, outcome.number("calls"));
        }
    }
}

#[test]
fn roots_and_hand_offs_are_followed_exactly() {
    for jvm in jvms() {
        let mut command = jvm.command();
        command.args(["-Xmx24m", "Roots", "300000"]);
        let outcome = run(&mut command, Collector::Live);
        let session = &outcome.good().session;
        assert_eq!(outcome.number("done"), 1);
        returned(&outcome, 3, 4);
        returned(&outcome, 4, 1000);
        returned(&outcome, 2, 1001);
        assert_eq!(session.calls(1)[2], 1);
        // Id of a kind of hand-off, and its calls.
        for (id, calls) in [
            (10, 5),
            (11, 10),
            (12, 20),
            (13, 20),
            (14, 20),
            (15, 20),
            (16, outcome.number("forked")),
            (17, 5),
            (18, 5),
            (19, 2),
            (20, 2),
            (21, 1000),
            (22, 1),
            (23, 1),
            (24, 1),
        ] {
            returned(&outcome, id, calls);
        }
        // Called only outside a root.
        returned(&outcome, 30, 0);
        for thread in &session.threads {
            assert!(thread.opened.iter().all(|&root| root == 1), "{thread:?}");
            assert!(thread.closed.len() <= thread.opened.len(), "{thread:?}");
            assert_eq!((thread.inferred, thread.stack.len()), (0, 0), "{thread:?}");
        }
        // A mark without a run is counted when its object is collected, at the latest at the end,
        // but for classes of which runs were seen.
        assert_eq!(outcome.counters.not_followed, 300_000);
        let forked = outcome.number("forked") / 2;
        let tasks = 10 + 3 * 20 + 20 + 1 + forked + 2 + 2 + 2 + 1 + 1;
        assert_eq!(outcome.counters.handed_off - 300_000, tasks + 2);
    }
}

/// What is recorded with root sampling: the sampled calls of the root are whole, and the others are
/// counted.
#[test]
fn sampled_roots_are_whole_and_the_others_counted() {
    for jvm in jvms() {
        let mut command = jvm.optimising();
        command.args(["Sampled", "20000"]).env(names::ENV_SAMPLE_ROOTS, "10");
        let outcome = run(&mut command, Collector::Live);
        let session = &outcome.good().session;
        let [sampled, returns, throws, _] = session.calls(1);
        assert_eq!(sampled + session.unsampled(1), outcome.number("calls"));
        // 6,000 are expected, with a standard deviation of 73.
        assert!((5_600..6_400).contains(&sampled), "{sampled}");
        assert_eq!(returns + throws, sampled);
        // All that the sampled calls do, and nothing of the others.
        returned(&outcome, 2, sampled);
        returned(&outcome, 3, 2 * sampled);
        let [tasks, ..] = session.calls(4);
        let opened: usize = session.threads.iter().map(|thread| thread.opened.len()).sum();
        assert_eq!(tasks, opened as u64);
        assert!((1_700..2_300).contains(&tasks), "{tasks}");
        assert_eq!((session.unsampled(2), outcome.counters.not_followed), (0, 0));
        for thread in &session.threads {
            assert_eq!((thread.inferred, thread.stack.len()), (0, 0), "{thread:?}");
        }
    }
}

#[test]
fn a_rate_bounds_the_sampled_roots() {
    let mut command = default_jvm().optimising();
    command.args(["Sampled", "200000"]).env(names::ENV_SAMPLE_ROOTS, "-20");
    let began = Instant::now();
    let outcome = run(&mut command, Collector::Live);
    let seconds = began.elapsed().as_secs() + 1;
    let session = &outcome.good().session;
    let [sampled, ..] = session.calls(1);
    assert_eq!(sampled + session.unsampled(1), outcome.number("calls"));
    // 20 a second are expected; a Poisson number stays below three times as many.
    assert!((1..=60 * seconds).contains(&sampled), "{sampled} in {seconds} s");
    returned(&outcome, 3, 2 * sampled);
}

/// A lost exit would leave a thread inside a root for ever.
#[test]
fn a_root_is_left_also_where_its_stack_overflows() {
    for flags in ["-Xint", "-XX:TieredStopAtLevel=1", "-XX:+TieredCompilation"] {
        let outcome =
            run(default_jvm().optimising().args([flags, "RootOverflow"]), Collector::Live);
        let session = &outcome.good().session;
        assert_eq!(session.calls(2), [0; 4], "{flags}");
        assert_eq!(session.threads.len(), 60);
        assert!(session.calls(1)[0] > 60 * 100, "{:?}", session.calls(1));
    }
}

#[test]
fn virtual_threads_are_counted_by_method() {
    for jvm in jvms().into_iter().filter(|jvm| jvm.version >= 21) {
        let outcome = run(jvm.command().args(["Virtual", "20000"]), Collector::Live);
        let session = &outcome.good().session;
        let (calls, roots) = (outcome.number("virtual"), outcome.number("roots"));
        assert_eq!(outcome.virtual_calls, BTreeMap::from([(1, calls), (4, roots), (5, roots)]));
        assert_eq!(outcome.counters.virtual_calls, calls + 2 * roots);
        assert_eq!(session.calls(1), [0; 4]);
        returned(&outcome, 2, outcome.number("platform"));
        assert_eq!(session.threads.len(), 1, "only main has a tree");
    }
}

#[test]
fn a_sudden_end_loses_nothing() {
    for jvm in jvms() {
        for (how, clean) in [("exit", true), ("halt", false)] {
            let outcome = run(jvm.command().args(["Ends", how]), Collector::Late);
            assert_eq!((outcome.status.code(), &*outcome.stderr), (Some(7), ""));
            outcome.session.check();
            assert_eq!(outcome.session.calls(1), [1, 0, 0, 0]);
            returned(&outcome, 2, 100);
            assert_eq!(outcome.ended, clean);
        }
    }
}

#[test]
fn thread_stop_leaves_the_ring_whole() {
    for jvm in jvms().into_iter().filter(|jvm| jvm.version < 20) {
        for flags in [&["-Xint"][..], &[]] {
            let mut command = jvm.optimising();
            command.args(flags).args(["Ends", "stop", "60"]).env(names::ENV_RING_BYTES, "4096");
            let outcome = run(&mut command, Collector::Live);
            outcome.good();
            returned(&outcome, 5, outcome.number("after"));
        }
    }
}

#[test]
fn a_second_copy_stays_inert_and_is_reported() {
    for jvm in jvms() {
        let outcome = run(jvm.command().arg("Copies"), Collector::Live);
        outcome.good();
        returned(&outcome, 1, 2);
        returned(&outcome, 2, 0);
        assert_eq!(outcome.counters.second_runtimes, outcome.number("copies"));
    }
}

#[test]
fn a_slow_collector_only_delays() {
    let mut command = default_jvm().optimising();
    command.args(["Storm", "8", "4000"]).env(names::ENV_RING_BYTES, "4096");
    let outcome = run(&mut command, Collector::Slow);
    returned(outcome.good(), 1, outcome.number("calls"));
    assert!(outcome.counters.waits > 0);
}

#[test]
fn nobody_waits_for_a_collector_that_is_gone() {
    let truth = run(default_jvm().optimising().args(["Storm", "8", "20000"]), Collector::Live);
    for collector in [Collector::Gone, Collector::Dies] {
        let mut command = default_jvm().optimising();
        command.args(["Storm", "8", "20000"]).env(names::ENV_RING_BYTES, "4096");
        let outcome = run(&mut command, collector);
        outcome.good();
        assert_eq!(outcome.stdout, truth.stdout);
        let taken: u64 =
            outcome.session.threads.iter().flat_map(|thread| thread.calls.values()).flatten().sum();
        let counters = &outcome.counters;
        let lost = if collector == Collector::Gone {
            counters.lost_records
        } else {
            counters.lost_waiting
        };
        assert_eq!(taken + lost, 2 * outcome.number("calls"), "{collector:?} {counters:?}");
        assert!(lost > 0);
    }
}
