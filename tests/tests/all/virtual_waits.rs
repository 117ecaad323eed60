//! Calls on virtual threads that wait for each other, and of structured concurrency: each is in the
//! tree, ahead of time and live.

use crate::{
    JFATHOM,
    virtual_threads::{ACCESS, assert_exact, jdks},
};
use jfathom_profile::{Frame, Profile};
use jfathom_tests::{
    live::Live,
    samples,
    tool::names,
    wire::{self, Pace},
};
use std::path::Path;

/// Pairs of `fibres.Waits` of each kind, and numbers that they hand over.
const PAIRS: u64 = 8;
const ROUNDS: u64 = 50;
/// What that class says of its methods. Four kinds have a `give` and a `take` of their own.
const WAITS: [(&str, u64); 6] = [
    ("side", 4 * PAIRS * 2),
    ("give", 4 * PAIRS * ROUNDS),
    ("take", 4 * PAIRS * ROUNDS),
    ("note", 4 * PAIRS * ROUNDS * 2),
    ("ask", 4 * PAIRS),
    ("first", 4),
];

fn compile(classes: &Path) {
    samples::javac(&[], &samples::sources().join("fibres"), classes);
}

/// Holds the calls of each method name, of all classes, against what is said.
#[track_caller]
fn assert_calls(profile: &Profile, expected: &[(&str, u64)]) {
    assert_exact(profile, "", &[]);
    for (name, count) in expected {
        let of_name = profile.methods.iter().filter(|method| method.info.key.name == *name);
        let calls: u64 = of_name.map(|method| method.calls()).sum();
        assert_eq!(calls, *count, "{name}: {:#?}", profile.quality);
    }
}

fn waits(classes: &Path) -> Vec<String> {
    wire::class_path(classes, "fibres.Waits", &[&PAIRS.to_string(), &ROUNDS.to_string()])
}

#[test]
fn calls_that_wait_for_others_are_exact() {
    let folder = samples::temp_dir();
    compile(&folder.path().join("classes"));
    let out = JFATHOM.rewrite(&folder.path().join("classes"), &folder.path().join("out"), &[]);
    for jdk in jdks("virtual threads that wait for each other") {
        for (pace, ring) in [(Pace::Eager, 1 << 20), (Pace::Slow, 4096)] {
            let words = [ACCESS.map(str::to_owned).to_vec(), waits(&out)].concat();
            let recorded = wire::record(pace, ring, jdk, &words, &names(&out));
            assert_eq!((&*recorded.done.stderr, recorded.done.code), ("", Some(0)));
            assert_calls(&recorded.profile, &WAITS);
        }
    }
}

#[test]
fn a_live_root_has_the_calls_that_wait_for_others() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    for jdk in jdks("virtual threads that wait for each other, live") {
        let live = Live::roots(JFATHOM, &["fibres.Waits::run"]).with(&["-q"]);
        let (_, profile) = live.run(jdk, &waits(&classes), 0);
        assert_calls(&profile, &WAITS);
    }
}

/// The tasks of a scope are below the root that forks them, also those of scopes within them.
#[track_caller]
fn assert_scopes(profile: &Profile, printed: &str) {
    assert_exact(profile, printed, &[]);
    assert_eq!(profile.quality.unfollowed_hand_offs, 0);
    let request = |frame| match frame {
        Frame::Method(method) | Frame::Task(method) => {
            profile.method(method).info.key.name == "request"
        }
        Frame::Thread(_) => false,
    };
    let is_task = |node| matches!(profile.tree.frame(node), Frame::Task(_));
    let mut tasks = profile.tree.nodes().filter(|node| is_task(*node)).peekable();
    assert!(tasks.peek().is_some() && tasks.all(|node| request(profile.tree.frame(node))));
}

#[test]
fn tasks_of_scopes_are_followed() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    let root = "fibres.Scopes::request";
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", root]);
    let words = |classes: &Path| {
        let words = wire::class_path(classes, "fibres.Scopes", &["300"]);
        [vec!["--enable-preview".to_owned()], words].concat()
    };
    for jdk in jdks("structured concurrency") {
        let (done, profile) = JFATHOM.record(&["-q"], jdk, &words(&out), 0);
        assert_scopes(&profile, &done.stdout);
        let (done, profile) =
            Live::roots(JFATHOM, &[root]).with(&["-q"]).run(jdk, &words(&classes), 0);
        assert_scopes(&profile, &done.stdout);
    }
}
