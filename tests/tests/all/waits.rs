//! Why threads did not run, and what they threw (`--metrics waits,exceptions`), against what the
//! program knows itself: how long its methods took at most, and waited at least.

use crate::{JFATHOM, stack_samples::has_jfr};
use jfathom_profile::{EventKind, EventSource, Frame, Profile};
use jfathom_tests::{
    jdk::{self, Jdk},
    run, samples, wire,
};
use std::{collections::BTreeMap, path::Path, process::Command};

const MAIN: &str = "waits.Main";
const ROOT: &str = "waits.Main::root";
/// How long most methods wait at least, in ns: the sample's `MILLIS`, but for an early timer.
const LEAST: u64 = 59_000_000;

fn compiled(folder: &Path) -> std::path::PathBuf {
    let classes = folder.join("classes");
    samples::javac_for(11, &[], &samples::sources().join("waits"), &classes);
    classes
}

/// By method of `Work`: ns that it took. JFR of Java 11 prints lines of its own.
fn told(text: &str) -> BTreeMap<String, u64> {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.filter_map(|(name, took)| Some((name.to_owned(), took.parse().ok()?))).collect()
}

/// By kind and class: how many, and ns.
type Sums = BTreeMap<(EventKind, String), (u64, u64)>;

/// How many exceptions of a class were made in a method and below: the innermost call may be the
/// exception's constructor.
fn thrown_below(profile: &Profile, method: &str, class: &str) -> u64 {
    let tree = &profile.tree;
    let is_it = |frame| match frame {
        Frame::Method(of) => {
            let key = &profile.method(of).info.key;
            key.class == "waits/Work" && key.name == method
        }
        _ => false,
    };
    let nodes = tree.nodes().filter(|node| is_it(tree.frame(*node)));
    let events = nodes.flat_map(|node| tree.total_events(node));
    let thrown = events.filter(|event| {
        event.name.kind == EventKind::Exception && event.name.class.as_deref() == Some(class)
    });
    thrown.map(|event| event.sum.count).sum()
}

/// What a method has itself.
fn sums(profile: &Profile, method: &str) -> Sums {
    let mut sums = Sums::new();
    let tree = &profile.tree;
    for node in tree.nodes() {
        let Frame::Method(of) = tree.frame(node) else { continue };
        let key = &profile.method(of).info.key;
        if key.class != "waits/Work" || key.name != method {
            continue;
        }
        for event in tree.events(node) {
            let class = event.name.class.as_deref().unwrap_or_default().to_owned();
            let (count, nanos) = sums.entry((event.name.kind, class)).or_default();
            *count += event.sum.count;
            *nanos += profile.rate.nanos(event.sum.time).0;
        }
    }
    sums
}

/// What one kind and class has in a method itself: how many, and ns.
fn of(profile: &Profile, method: &str, kind: EventKind, class: &str) -> (u64, u64) {
    sums(profile, method).get(&(kind, class.to_owned())).copied().unwrap_or_default()
}

fn check(profile: &Profile, text: &str, version: u32, context: &str) {
    let told = told(text);
    assert_eq!(profile.events.waits, EventSource::Jfr, "{context}: {:?}", profile.meta.notices);
    assert_eq!(profile.events.exceptions, EventSource::Jfr, "{context}");
    assert_eq!(profile.events.threshold_nanos, 20_000, "{context}");
    for (method, kind, class) in [
        ("sleep", EventKind::Sleep, ""),
        ("park", EventKind::Park, "waits.Work$Bench"),
        ("objectWait", EventKind::ObjectWait, "waits.Work$Bell"),
        ("monitor", EventKind::Monitor, "waits.Work$Door"),
        ("socket", EventKind::Socket, ""),
        ("file", EventKind::File, ""),
    ] {
        // Java 11 tells no read of a pipe.
        if method == "file" && version < 17 {
            continue;
        }
        let (count, nanos) = of(profile, method, kind, class);
        let all = sums(profile, method);
        // The holder and the late writer begin to sleep before the method waits for them.
        let least = if matches!(method, "monitor" | "socket" | "file") { LEAST / 2 } else { LEAST };
        assert!(count >= 1 && nanos >= least, "{method} {context}: {all:?}");
        assert!(nanos <= told[method] + 1_000_000, "{method} {context}: {all:?}, {told:?}");
    }
    // Each park is in the call that parked, however short.
    let (parks, nanos) = of(profile, "shortPark", EventKind::Park, "");
    assert!((45..=55).contains(&parks), "{context}: {parks} of 50 parks");
    assert!(nanos >= parks * 150_000 && nanos <= told["shortParks"], "{context}: {nanos}");
    assert_eq!(of(profile, "shortParks", EventKind::Park, "").0, 0, "{context}");
    // What runs does not wait, whatever else the machine does.
    let waits = sums(profile, "compute").into_iter();
    let waits = waits.filter(|((kind, _), _)| kind.has_time() && !kind.is_pause());
    let waited: u64 = waits.map(|(_, (_, nanos))| nanos).sum();
    assert!(waited < LEAST / 10, "{context}: {:?}", sums(profile, "compute"));
    // Collections stop the thread that asks for them.
    let (pauses, paused) = of(profile, "collect", EventKind::Gc, "");
    assert!(pauses >= 5 && paused > 0 && paused <= told["collect"], "{context}: {pauses} {paused}");
    let thrown = |method, class| thrown_below(profile, method, class);
    assert_eq!(thrown("exceptions", "waits.Work$OddException"), 300, "{context}");
    assert_eq!(thrown("exceptions", "waits.Work$EvenException"), 200, "{context}");
    assert_eq!(thrown("error", "java.lang.AssertionError"), 1, "{context}");
    check_pauses_are_in_no_time(profile, told["collect"], context);
}

/// Self time and pauses of `collect` together are what it took.
fn check_pauses_are_in_no_time(profile: &Profile, took: u64, context: &str) {
    let tree = &profile.tree;
    let is_it = |frame| match frame {
        Frame::Method(of) => profile.method(of).info.key.name == "collect",
        _ => false,
    };
    let node = tree.nodes().find(|node| is_it(tree.frame(*node))).expect("the method");
    let own = profile.rate.nanos(tree.self_time(node)).0;
    let pauses = tree.events(node).iter().filter(|event| event.name.kind.is_pause());
    let paused: u64 = pauses.map(|event| profile.rate.nanos(event.sum.time).0).sum();
    assert!(own + paused <= took + 1_000_000, "{context}: {own} + {paused} of {took}");
    assert!(paused > 0, "{context}");
}

fn pipe(folder: &Path) -> String {
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    pipe.to_str().unwrap().to_owned()
}

fn record(options: &[&str], jdk: &Jdk, flags: &[&str], classes: &Path) -> (run::Done, Profile) {
    let folder = samples::temp_dir();
    let file = folder.path().join("p.jfp");
    let mut command = JFATHOM.command();
    command.args(["record", "-q", "--metrics", "waits,exceptions"]).args(options);
    command.arg("-o").arg(&file).arg("--").arg(jdk.java()).args(flags);
    command.args(wire::class_path(classes, MAIN, &[&pipe(folder.path())]));
    let done = run::run(&mut command).fine();
    let profile = Profile::read(&mut std::fs::read(&file).unwrap().as_slice()).unwrap();
    profile.check().unwrap();
    (done, profile)
}

#[test]
fn waits_of_rewritten_classes_are_the_programs() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    for jdk in jdk::all("waits of rewritten classes").into_iter().filter(|jdk| has_jfr(jdk)) {
        let (done, profile) = record(&[], jdk, &[], &out);
        check(&profile, &done.stdout, jdk.version, &format!("{jdk:?}"));
    }
}

#[test]
fn waits_of_live_sessions_are_the_programs() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    for jdk in jdk::all("waits of live sessions").into_iter().filter(|jdk| has_jfr(jdk)) {
        let (done, profile) = record(&["--root", ROOT], jdk, &[], &classes);
        check(&profile, &done.stdout, jdk.version, &format!("live {jdk:?}"));
    }
}

/// The default collector of most JVMs is another test's.
#[test]
fn pauses_of_each_collector_are_in_no_time() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    for jdk in jdk::main_and_25("pauses of each collector") {
        for collector in ["-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseZGC"] {
            if !starts(jdk, collector) {
                println!("skipped on Java {}: it does not start with {collector}", jdk.version);
                continue;
            }
            let (done, profile) = record(&[], jdk, &[collector], &out);
            check(&profile, &done.stdout, jdk.version, &format!("{collector} {jdk:?}"));
        }
    }
}

fn starts(jdk: &Jdk, flag: &str) -> bool {
    Command::new(jdk.java()).args([flag, "-version"]).output().unwrap().status.success()
}

#[test]
fn nobody_is_told_without_the_option() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    let words = wire::class_path(&out, MAIN, &["-"]);
    let (_, profile) = JFATHOM.record(&["-q"], jdk::main(), &words, 0);
    assert_eq!(profile.events, Default::default());
    assert!(profile.tree.all_events().is_empty());
}

#[test]
fn slices_are_refused() {
    let done = JFATHOM.run(&[
        "record",
        "--metrics",
        "waits",
        "--every",
        "1s",
        "-o",
        "/dev/null/x",
        "--",
        "java",
    ]);
    assert!(done.stderr.contains("--every cannot be used with --metrics waits"), "{}", done.stderr);
}
