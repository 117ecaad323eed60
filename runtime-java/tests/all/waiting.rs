//! Waits of the program's threads for the collector: they end, and none is in vain for long.
use crate::modes::check_threads;
use crate::support::{
    Collector, Jvm, Outcome, default_jvm, jvms, run, run_stepping, run_with_modes,
};
use jfathom_session::names;
use jfathom_trace::layout as l;
use std::cell::Cell;
use std::process::Command;

/// A JVM whose files cannot grow beyond so many blocks of 1024 bytes.
fn within(blocks: u64, jvm: &Jvm) -> Command {
    let inner = jvm.command();
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -f {}; exec \"$@\"", blocks * 2), "sh"]);
    command.arg(inner.get_program()).args(inner.get_args());
    command
}

/// Number of records of calls and tasks that were consumed.
fn taken(outcome: &Outcome) -> u64 {
    let threads = &outcome.session.threads;
    let calls: u64 = threads.iter().flat_map(|thread| thread.calls.values()).flatten().sum();
    calls + threads.iter().map(|thread| thread.opened.len() as u64).sum::<u64>()
}

#[test]
fn a_task_on_a_thread_without_a_ring_is_counted_and_waits_for_nobody() {
    for jvm in jvms() {
        let mut command = within(4096, &jvm);
        command
            .args(["Waiting", "crowd", "120", "10"])
            .env(names::ENV_IDS, "16,roots")
            .env(names::ENV_RING_BYTES, "65536");
        let outcome = run(&mut command, Collector::Live);
        outcome.good();
        let counters = &outcome.counters;
        assert!(counters.lost_rings > 0, "Java {}: {counters:?}", jvm.version);
        // A root's entry and exit; per task its opening, and two records per call.
        assert_eq!(
            taken(&outcome) + counters.lost_ringless,
            2 + 120 * (1 + 2 * 10),
            "{counters:?}"
        );
        assert_eq!(outcome.session.threads.len() as u64 + counters.lost_rings, 121);
        assert_eq!(
            (counters.lost_records, counters.lost_waiting, counters.lost_threads),
            (0, 0, 0)
        );
    }
}

/// At one of the limits, a thread's ring fits and the block for its counters does not.
#[test]
fn a_thread_counts_in_single_chunks_where_a_whole_block_has_no_space() {
    let mut modes = vec![l::MODE_COUNT as u8; 131_068];
    // The records before which counts are recorded.
    modes[20] = l::MODE_TIME as u8;
    let mut exact = 0;
    for blocks in (4_096..16_384).step_by(768) {
        let mut command = within(blocks, &default_jvm());
        command.args(["Modes", "shared"]).env(names::ENV_RING_BYTES, (256 << 10).to_string());
        let outcome = run_with_modes(&mut command, &modes);
        outcome.good();
        let losses = outcome.counters.lost_counts + outcome.counters.lost_rings;
        if outcome.session.threads.is_empty() || losses > 0 {
            continue;
        }
        check_threads(&outcome);
        exact += 1;
        if exact == 2 {
            return;
        }
    }
    panic!("two exact recordings in so much space");
}

#[test]
fn after_one_wait_in_vain_nobody_waits_for_a_collector_that_lives_and_takes_nothing() {
    let mut command = default_jvm().command();
    command.args(["Waiting", "row", "200", "1000"]).env(names::ENV_RING_BYTES, "4096");
    let outcome = run(&mut command, Collector::Wedged);
    outcome.good();
    assert_eq!(outcome.counters.waits, 1);
    assert_eq!(taken(&outcome) + outcome.counters.lost_waiting, 200 * 2 * 1000);
}

#[test]
fn recording_goes_on_when_the_collector_does() {
    let scratch = tempfile::tempdir().unwrap();
    let file = scratch.path().join("file");
    let mut command = default_jvm().command();
    command.args(["Waiting", "file"]).arg(&file).env(names::ENV_RING_BYTES, "4096");
    let resumed = Cell::new(false);
    let outcome = run_stepping(
        &mut command,
        Collector::Pauses,
        |_| {},
        |seen, session| {
            // At least all records of the full ring are consumed.
            if !resumed.get() && seen.counters().lost_waiting > 0 && session.words() > 1000 {
                resumed.set(true);
                std::fs::write(&file, "").unwrap();
            }
        },
    );
    outcome.good();
    let (session, counters) = (&outcome.session, &outcome.counters);
    assert_eq!(session.calls(4), [100, 100, 0, 0]);
    assert_eq!(session.calls(1), [1, 1, 0, 0]);
    assert!(counters.lost_waiting > 0);
    assert_eq!(taken(&outcome) + counters.lost_waiting, 2 * (outcome.number("steps") + 101));
    // The records before and after fit together.
    let main = &session.threads[0];
    assert_eq!((main.inferred, main.stack.len()), (0, 0));
}

/// An error in an initialiser, or a Thread.stop, would make a class of the JDK unusable.
#[test]
fn a_wait_runs_no_initialiser() {
    for jvm in jvms() {
        let mut command = jvm.command();
        command
            .args(["-Xlog:class+init=info", "Waiting", "steps", "4000"])
            .env(names::ENV_RING_BYTES, "4096");
        let outcome = run(&mut command, Collector::Slow);
        assert!(outcome.good().counters.waits > 0);
        let lines = outcome.stdout.lines().skip_while(|line| *line != "begun 1");
        let initialised: Vec<_> = lines
            .take_while(|line| *line != "done 1")
            .filter(|line| line.contains(" Initializing '") && !line.contains("(no method)"))
            .collect();
        assert_eq!(initialised, Vec::<&str>::new(), "Java {}", jvm.version);
    }
}

#[test]
fn a_full_stack_is_no_fault_of_the_collector() {
    for flags in ["-Xint", "-XX:TieredStopAtLevel=1"] {
        let outcome =
            run(default_jvm().optimising().args([flags, "Waiting", "overflow"]), Collector::Live);
        outcome.good();
        let counters = &outcome.counters;
        assert_eq!(
            (counters.lost_records, counters.lost_waiting, counters.lost_ringless),
            (0, 0, 0),
            "{counters:?}"
        );
    }
}

#[test]
fn each_of_thousands_of_threads_that_live_at_once_has_a_ring() {
    let mut command = default_jvm().command();
    command
        .args(["Waiting", "crowd", "5000", "2"])
        .env(names::ENV_IDS, "16,roots")
        .env(names::ENV_RING_BYTES, "4096");
    let outcome = run(&mut command, Collector::Live);
    outcome.good();
    assert_eq!(outcome.session.threads.len(), 5001);
    assert_eq!(taken(&outcome), 2 + 5000 * (1 + 2 * 2), "{:?}", outcome.counters);
}
