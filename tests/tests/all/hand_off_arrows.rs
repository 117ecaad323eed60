//! Slow calls and the tasks that they hand off: each kept task belongs to the call that ran when it
//! did.

use crate::JFATHOM;
use jfathom_profile::SpanKind;
use jfathom_tests::{jdk, samples};
use jfathom_views::hand_off_arrows;
use std::path::Path;

const ROUNDS: usize = 12;

/// The program with probes, as a class path.
fn rewritten(folder: &Path) -> String {
    let classes = folder.join("classes");
    samples::javac(&["--release", "11"], &samples::sources().join("fibres"), &classes);
    // Counted calls would have records, too, and more of them between others.
    let root = ["--root", "fibres.Passes::request", "--include", "!fibres.Passes$Marked::<init>"];
    let out = JFATHOM.rewrite(&classes, &folder.join("out"), &root);
    out.to_string_lossy().into_owned()
}

#[test]
fn a_kept_task_belongs_to_the_request_that_handed_it_off() {
    let folder = samples::temp_dir();
    let path = rewritten(folder.path());
    for jdk in jdk::all("arrows of hand-offs") {
        let kind = if jdk.version >= 21 { "virtual" } else { "platform" };
        let rounds = ROUNDS.to_string();
        let words = ["-Xverify:all", "-cp", &path, "fibres.Passes", &rounds, kind];
        let words = words.map(str::to_owned);
        let (done, profile) = JFATHOM.record(&["-q", "--slowest", "1000"], jdk, &words, 0);
        let tasks: usize = done.stdout.trim().parse().expect("a count");
        let kept = &profile.latencies.slowest;
        let arrows = hand_off_arrows(&profile);
        // The ends of the last threads may not be seen.
        let unseen = if kind == "virtual" { 130 } else { 2 };
        assert!((tasks - unseen..=tasks).contains(&arrows.len()), "{jdk}: {kept:#?}");
        for arrow in arrows {
            let (request, task) = (&kept[arrow.from], &kept[arrow.to]);
            let end = request.began.0 + request.duration.0;
            assert!((request.began.0..end).contains(&task.began.0), "{jdk}: {request:?} {task:?}");
            assert!(request.began.0 + arrow.after.0 <= task.began.0, "{jdk}: {arrow:?}");
            assert_eq!(request.hand_offs.task, 0);
        }
        // Two more runs of each request are of nobody knows which of two hand-offs.
        let unknown =
            kept.iter().filter(|of| of.spans[0].kind == SpanKind::Task && of.hand_offs.task == 0);
        assert_eq!(unknown.count(), 2 * ROUNDS, "{jdk}");
    }
}

#[test]
fn hand_offs_have_no_numbers_where_no_slow_calls_are_kept() {
    let folder = samples::temp_dir();
    let path = rewritten(folder.path());
    let words = ["-cp", &path, "fibres.Passes", "5", "platform"].map(str::to_owned);
    let records = |options: &[&str]| {
        let (_, profile) = JFATHOM.record(options, jdk::main(), &words, 0);
        profile.quality.records
    };
    // One record where a task is handed off, one where it runs if it is known which one.
    let hand_offs = 5 * 6 + 5 * 4;
    assert_eq!(records(&["-q", "--slowest", "9"]) - records(&["-q"]), hand_offs);
}
