//! Counted methods in real JVMs, from the start or later: each call is counted once, whatever
//! changes while it runs.

use crate::support::{Collector, Outcome, Recorded, Session, jvms, run, run_stepping};
use jfathom_plan::MethodId;
use jfathom_session::names;
use jfathom_trace::{Allowance, SessionFile, layout as l};
use std::collections::BTreeMap;

const INTERNAL: &str = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED";

/// The calls by id that the program prints for each thread.
fn truths(outcome: &Outcome) -> BTreeMap<&str, BTreeMap<u32, u64>> {
    let lines = outcome.stdout.lines().filter_map(|line| line.strip_prefix("truth "));
    lines
        .map(|line| {
            let (thread, calls) = line.split_once(' ').expect("a thread and its calls");
            let calls = calls.split(' ').map(|pair| {
                let (id, calls) = pair.split_once('=').expect("id=calls");
                (id.parse().expect("an id"), calls.parse().expect("a number"))
            });
            (thread, calls.collect())
        })
        .collect()
}

/// Each thread's entries and counters add up to the program's numbers, its exits to its entries.
pub(crate) fn check_threads(outcome: &Outcome) {
    let truths = truths(outcome);
    assert!(!truths.is_empty());
    for (name, truth) in truths {
        let thread = outcome.session.threads.iter().find(|thread| thread.name == name);
        let thread = thread.unwrap_or_else(|| panic!("no thread {name}"));
        assert_eq!(thread.all_calls(), truth, "{name}");
        for (id, [entries, returns, throws, _]) in &thread.calls {
            let open = thread.stack.iter().filter(|open| *open == id).count() as u64;
            assert_eq!(*entries, returns + throws + open, "{name}, id {id}: {thread:?}");
        }
        assert_eq!((thread.inferred, thread.stray), (0, 0), "{name}");
    }
}

/// Counts or times one of the methods after so many words, again and again.
fn one_by_one(every: u64, methods: u32) -> impl FnMut(&SessionFile, &mut Session) {
    let mut changes = 0;
    move |file, session| {
        if session.words() < every * (changes + 1) {
            return;
        }
        // Counts two and times the first of them again.
        let at = (changes / 3 * 2 + changes % 3 % 2) as u32;
        let id = MethodId::new(1 + at % methods).expect("an id");
        let mode = match file.mode(id).map(u32::from) {
            Some(l::MODE_TIME) => l::MODE_COUNT,
            _ => l::MODE_TIME,
        };
        assert!(file.set_mode(id, mode as u8));
        changes += 1;
    }
}

#[test]
fn every_call_is_counted_once_while_modes_change() {
    for jvm in jvms() {
        let mut command = jvm.optimising();
        command.args(["Modes", "storms", "3", "4", "3000"]).env(names::ENV_RING_BYTES, "16384");
        let outcome = run_stepping(&mut command, Collector::Live, |_| {}, one_by_one(30_000, 11));
        outcome.good();
        check_threads(&outcome);
        let session = &outcome.session;
        let is_both =
            |thread: &Recorded| thread.calls.keys().any(|id| thread.counted.contains_key(id));
        assert!(session.threads.iter().any(is_both), "no thread has met a change");
        assert_eq!(outcome.counters.lost_counts, 0);
    }
}

/// What has used up its allowance is counted, by the JVM itself: nobody else changes a mode.
#[test]
fn what_has_used_up_its_allowance_is_counted() {
    for jvm in jvms() {
        for flags in [&["-Xint"][..], &[INTERNAL]] {
            let mut command = jvm.optimising();
            command.args(flags).args(["Modes", "storms", "3", "4", "3000"]);
            // What is called before the file is open waits for room.
            command.env(names::ENV_RING_BYTES, "16384");
            let allow = |file: &SessionFile| {
                for id in (1..=11).filter_map(MethodId::new) {
                    assert!(file.set_allowance(id, Allowance::of(50)));
                }
                assert!(!file.set_allowance(MethodId::MAX, Allowance::of(50)));
            };
            let outcome = run_stepping(&mut command, Collector::Live, allow, |_, _| {});
            outcome.good();
            check_threads(&outcome);
            let threads = &outcome.session.threads;
            for id in 1..=11 {
                let timed = threads.iter().filter_map(|thread| thread.calls.get(&id));
                let timed: u64 = timed.map(|[entries, ..]| entries).sum();
                let counted = threads.iter().filter_map(|thread| thread.counted.get(&id));
                let counted: u64 = counted.sum();
                assert!(0 < timed && timed < counted, "{id}: {timed} timed, {counted} counted");
            }
        }
    }
}

/// Calls are counted once, whether the timed calls around them are flushed or not.
#[test]
fn unflushed_calls_lose_no_count() {
    for jvm in jvms() {
        for (flags, calls) in [("-Xint", 5_000), (INTERNAL, 1 << 20), (INTERNAL, 5_000)] {
            let mut command = jvm.optimising();
            command.args([flags, "Modes", "storms", "3", "4", "3000"]);
            command.env(names::ENV_RING_BYTES, "16384");
            let allow = |file: &SessionFile| {
                for id in (1..=11).filter_map(MethodId::new) {
                    let flush_shift = (id.get() % 5) as u8;
                    let outermost = id.get() % 2 == 0;
                    assert!(file.set_allowance(id, Allowance { calls, flush_shift, outermost }));
                }
            };
            let modes = one_by_one(2_000, 11);
            let outcome = run_stepping(&mut command, Collector::Live, allow, modes);
            outcome.good();
            check_threads(&outcome);
        }
    }
}

#[test]
fn only_outermost_calls_are_timed() {
    for jvm in jvms() {
        for flags in ["-Xint", INTERNAL] {
            for outermost in [false, true] {
                let mut command = jvm.optimising();
                command.args([flags, "Modes", "storms", "3", "4", "3000"]);
                command.env(names::ENV_RING_BYTES, "16384");
                let allow = |file: &SessionFile| {
                    for id in (1..=11).filter_map(MethodId::new) {
                        let allowance = Allowance { outermost, ..Allowance::of(1 << 20) };
                        assert!(file.set_allowance(id, allowance));
                    }
                };
                let outcome = run_stepping(&mut command, Collector::Live, allow, |_, _| {});
                outcome.good();
                check_threads(&outcome);
                let threads = &outcome.session.threads;
                for id in 1..=11 {
                    let sum = |of: &dyn Fn(&Recorded) -> Option<u64>| -> u64 {
                        threads.iter().filter_map(of).sum()
                    };
                    let entries = sum(&|thread| Some(thread.calls.get(&id)?[0]));
                    let nested = sum(&|thread| thread.nested.get(&id).copied());
                    let counted = sum(&|thread| thread.counted.get(&id).copied());
                    // The first calls come before the allowances.
                    match outermost {
                        true => {
                            assert!(nested * 20 < entries && counted > 0, "{nested} of {entries}")
                        }
                        false => {
                            assert!(nested * 5 > entries && counted == 0, "{nested} of {entries}")
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn every_memory_counts_the_same() {
    for jvm in jvms() {
        let mut ways: Vec<&[&str]> = vec![&["-Xint"], &["-XX:TieredStopAtLevel=1"], &[INTERNAL]];
        if jvm.version >= 22 {
            ways.push(&["--enable-native-access=ALL-UNNAMED"]);
        }
        if jvm.version < 22 {
            ways.push(&["--limit-modules=java.base"]);
        }
        for flags in ways {
            let mut command = jvm.optimising();
            command.args(flags).args(["Modes", "storms", "2", "2", "800"]);
            let outcome =
                run_stepping(&mut command, Collector::Live, |_| {}, one_by_one(2_000, 11));
            outcome.good();
            check_threads(&outcome);
        }
    }
}

/// A method with an entry probe alone needs no mode.
#[test]
fn an_entry_alone_counts_in_every_memory_and_only_ids_of_the_span() {
    for jvm in jvms() {
        for flags in [&["-Xint"][..], &[INTERNAL]] {
            let mut command = jvm.optimising();
            command.args(flags).args(["Modes", "alone", "30000"]);
            let outcome = crate::support::run_with_modes(&mut command, &[]);
            let [thread] = &outcome.good().session.threads[..] else { panic!("one thread") };
            let all = [(600, 30_000), (601, 300), (60_000, 10_000), (60_001, 10_000)];
            let all: BTreeMap<u32, u64> = all.into_iter().chain([(60_002, 10_000)]).collect();
            assert_eq!(thread.counted, all, "{flags:?}");
            assert_eq!(thread.calls.keys().collect::<Vec<_>>(), [&20]);
            assert_eq!(outcome.counters.outside_span, 30_000);
            assert_eq!(thread.contexts[&(Some(20), 601)], 300);
        }
    }
}

/// Counted calls between two records are exact, those after the last when the thread has ended.
#[test]
fn calls_counted_between_records_have_a_record() {
    for jvm in jvms() {
        let mut modes = vec![0; 2000];
        modes[512..1600].fill(l::MODE_COUNT as u8);
        let outcome =
            crate::support::run_with_modes(jvm.command().args(["Modes", "counted"]), &modes);
        outcome.good();
        check_threads(&outcome);
        let thread = outcome
            .session
            .threads
            .iter()
            .find(|thread| thread.name == "counting")
            .expect("the thread");
        assert!(thread.ended);
        assert_eq!((thread.unrecorded, thread.counted.len()), (0, 1000));
        assert_eq!(thread.calls.keys().copied().collect::<Vec<_>>(), [20]);
        // 2000 rounds of 0 to 6 calls, of three methods: two methods share a record. Then
        // one call each of 1000 methods.
        let records = (0..2000).map(|round| [0, 1, 1, 2, 2, 2, 2][round % 7]).sum::<u64>() + 500;
        assert_eq!(thread.count_records, records);
        assert_eq!(thread.words, 1 + 2 * 2000 + records + 1);
        let mut contexts: BTreeMap<_, u64> = (512..1512).map(|id| ((None, id), 1)).collect();
        for call in (0..2000).flat_map(|round| 0..round % 7) {
            *contexts.entry((Some(20), 600 + call % 3)).or_default() += 1;
        }
        assert_eq!(thread.contexts, contexts);
    }
}

#[test]
fn counters_of_all_ids_are_apart_and_begin_at_zero_with_each_thread() {
    for jvm in jvms() {
        let modes = vec![l::MODE_COUNT as u8; 131_068];
        let outcome =
            crate::support::run_with_modes(jvm.optimising().args(["Modes", "far", "3"]), &modes);
        outcome.good();
        check_threads(&outcome);
        assert!(
            outcome.session.threads.iter().all(|thread| thread.counted.len() == 13),
            "{:?}",
            outcome.session
        );
    }
}

#[test]
fn threads_that_share_a_slot_count_apart() {
    for jvm in jvms() {
        let mut modes = vec![0; 2000];
        modes[512..1600].fill(l::MODE_COUNT as u8);
        let outcome =
            crate::support::run_with_modes(jvm.optimising().args(["Modes", "shared"]), &modes);
        outcome.good();
        check_threads(&outcome);
    }
}

#[test]
fn roots_are_timed_in_any_mode_and_only_what_is_inside_is_counted() {
    for jvm in jvms() {
        let mut modes = vec![0; 64];
        modes[2..6].fill(l::MODE_COUNT as u8);
        modes[30] = l::MODE_COUNT as u8;
        let outcome =
            crate::support::run_with_modes(jvm.command().args(["Modes", "roots"]), &modes);
        let session = &outcome.good().session;
        assert_eq!(session.calls(30), [101, 101, 0, 0]);
        assert_eq!(session.calls(1), [101, 101, 0, 0]);
        let by_name: BTreeMap<&str, _> =
            session.threads.iter().map(|thread| (&*thread.name, &thread.counted)).collect();
        assert_eq!(*by_name["main"], BTreeMap::from([(2, 101), (3, 101), (4, 101), (5, 101)]));
        assert_eq!(*by_name["spawned"], BTreeMap::from([(2, 1), (3, 1), (4, 1), (5, 1)]));
        let spawned =
            session.threads.iter().find(|thread| thread.name == "spawned").expect("the thread");
        assert_eq!((spawned.opened.as_slice(), spawned.calls[&6]), (&[30][..], [1, 1, 0, 0]));
    }
}

#[test]
fn a_killed_jvm_leaves_its_counts() {
    for jvm in jvms() {
        let scratch = tempfile::tempdir().expect("a temporary directory");
        let truth = scratch.path().join("truth");
        let mut modes = vec![0; 700];
        modes[600] = l::MODE_COUNT as u8;
        let mut command = jvm.optimising();
        command.args(["Modes", "killed"]).arg(&truth).arg("200000");
        let outcome = crate::support::run_with_modes(&mut command, &modes);
        assert!(!outcome.status.success() && !outcome.ended);
        let bytes = std::fs::read(&truth).expect("the truth");
        let truth = u64::from_le_bytes(bytes.try_into().expect("eight bytes")).swap_bytes();
        let counted = outcome
            .session
            .threads
            .iter()
            .filter_map(|thread| thread.counted.get(&600))
            .sum::<u64>();
        assert!(counted == truth || counted == truth + 1, "{counted} counted, {truth} called");
    }
}

#[test]
fn the_probes_can_be_measured() {
    for jvm in jvms() {
        let mut command = jvm.optimising();
        command.args(["Storm", "2", "1000"]).env(names::ENV_CALIBRATE, "start,end");
        command.env(names::ENV_CLOCK, "nano");
        let outcome = run(&mut command, Collector::Live);
        outcome.good();
        // The program's own records are the same as without calibration.
        assert_eq!(outcome.session.calls(1)[..2], [outcome.number("calls"); 2]);
        assert_eq!(outcome.session.threads.len(), 2);
        let texts: Vec<&str> = outcome
            .info
            .iter()
            .filter(|entry| entry.kind == l::INFO_CALIBRATION)
            .map(|entry| &*entry.text)
            .collect();
        for phase in ["start", "end"] {
            for kind in ["return", "throw", "nested", "count", "mixed", "off", "pace"] {
                let begin = format!("phase={phase} clock=nano kind={kind} calls=");
                let text = texts
                    .iter()
                    .find(|text| text.starts_with(&begin))
                    .unwrap_or_else(|| panic!("{begin}: {texts:?}"));
                for column in [" reference=", " inner=", " outer="] {
                    let (_, numbers) = text.split_once(column).expect(column);
                    let numbers = numbers.split(' ').next().unwrap_or_default();
                    assert!(
                        numbers.split(',').all(|number| number.parse::<f64>().is_ok()),
                        "{texts:?}"
                    );
                }
            }
        }
        assert_eq!(texts.len(), 14);
    }
}
