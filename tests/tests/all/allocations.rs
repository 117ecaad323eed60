//! Allocated bytes (`--metrics alloc`) against what the JVM's management bean tells the program
//! itself: on all JVMs and with all collectors, of rewritten classes and live.

use crate::JFATHOM;
use jfathom_profile::{AllocationSource, Bytes, Frame, Profile};
use jfathom_tests::{
    jdk::{self, Jdk},
    run, samples,
    tool::java,
    wire,
};
use std::{collections::BTreeMap, path::Path};

const MAIN: &str = "allocations.Allocations";
const ROOT: &str = "allocations.Work::root";
/// Threads that allocate at once, and virtual ones.
const ARGUMENTS: [&str; 2] = ["3", "60"];

/// Flags of each collector that this JVM has.
pub fn collectors(jdk: &Jdk) -> Vec<Vec<String>> {
    let all = ["Serial", "Parallel", "G1", "Z"].map(|name| {
        let unlock = "-XX:+UnlockExperimentalVMOptions".to_owned();
        let own = format!("-XX:+Use{name}GC");
        // ZGC was experimental before 15.
        if jdk.version < 15 { vec![unlock, own] } else { vec![own] }
    });
    let is_there =
        |flags: &Vec<String>| run::run(java(jdk).args(flags).arg("-version")).code == Some(0);
    let found: Vec<_> = all.into_iter().filter(is_there).collect();
    assert!(found.len() >= 3, "{found:?} of {jdk:?}");
    found
}

pub fn compiled(folder: &Path) -> std::path::PathBuf {
    let classes = folder.join("classes");
    samples::javac_for(11, &[], &samples::sources().join("allocations"), &classes);
    classes
}

/// The numbers that the program prints, by method.
fn printed(text: &str) -> BTreeMap<String, u64> {
    let line = |line: &str| {
        let (name, bytes) = line.split_once(' ').expect("a method and a number");
        (name.to_owned(), bytes.parse().expect("a number"))
    };
    text.lines().map(line).collect()
}

/// By method, the least and the most bytes that a profile may have: what the program allocates
/// (`truth`), and what it told while it was recorded. The bean has counted what the recorder
/// allocated, too, and what the JVM allocates when it compiles a method falls to the one that runs.
pub fn bounds(truth: &str, told: &str) -> BTreeMap<String, (u64, u64)> {
    let told = printed(told);
    let bounds = |(name, bytes): (String, u64)| {
        let most = told[&name];
        (name, (bytes, most))
    };
    printed(truth).into_iter().map(bounds).collect()
}

/// Bytes of the method's outermost calls, with all callees.
pub fn recorded(profile: &Profile, name: &str) -> u64 {
    let tree = &profile.tree;
    let is = |frame| matches!(frame, Frame::Method(at) if profile.method(at).info.key.name == name);
    let nodes = tree.nodes().filter(|node| is(tree.frame(*node)));
    nodes.map(|node| tree.total_allocated(node)).sum::<Bytes>().0
}

/// Holds the profile against the [`bounds`]. Interpreted code has exactly the least (`exactly`).
#[track_caller]
fn assert_bytes(profile: &Profile, truth: &str, told: &str, exactly: bool, context: &str) {
    let bounds = bounds(truth, told);
    assert!(bounds.len() >= 8 && bounds["large"].0 > 75_000_000, "{bounds:?}");
    for (name, (least, most)) in bounds {
        let found = recorded(profile, &name);
        let most = if exactly { least } else { most };
        assert!(least <= found && found <= most, "{name}: {found}, {least} to {most}: {context}");
    }
    assert_eq!(profile.quality.unknown_records, 0, "{context}");
    assert_eq!(profile.allocation.unattributed, Bytes(0), "{context}");
}

pub fn words(flags: &[String], classes: &Path) -> Vec<String> {
    flags.iter().cloned().chain(wire::class_path(classes, MAIN, &ARGUMENTS)).collect()
}

/// What the program tells without a recording, interpreted: it allocates nothing for a compiler.
pub fn truth(jdk: &Jdk, flags: &[String], classes: &Path) -> String {
    run::run(java(jdk).arg("-Xint").args(words(flags, classes))).fine().stdout
}

/// Calibrated at the start, as users have it: then the JVM has compiled the runtime, and allocated
/// what it allocates for that, before the first call.
fn record(options: &[&str], jdk: &Jdk, java: &[String]) -> (run::Done, Profile) {
    let folder = samples::temp_dir();
    let file = folder.path().join("p.jfp");
    let mut command = JFATHOM.command();
    command.args(["record", "-q", "--budget=none", "--metrics", "alloc"]).args(options);
    command.arg("-o").arg(&file).arg("--").arg(jdk.java());
    let done = run::run(command.args(java)).fine();
    let profile = Profile::read(&mut std::fs::read(&file).unwrap().as_slice()).unwrap();
    profile.check().unwrap();
    (done, profile)
}

#[test]
fn bytes_of_rewritten_classes_are_the_beans() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    for jdk in jdk::all("allocated bytes of rewritten classes") {
        for flags in collectors(jdk) {
            let context = format!("{flags:?} of {jdk:?}");
            let plain = truth(jdk, &flags, &classes);
            let (done, profile) = record(&[], jdk, &words(&flags, &out));
            assert_bytes(&profile, &plain, &done.stdout, false, &context);
            assert_eq!(profile.allocation.source, AllocationSource::Fields, "{context}");
        }
    }
}

#[test]
fn bytes_of_live_sessions_are_the_beans() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    for jdk in jdk::all("allocated bytes of live sessions") {
        for flags in collectors(jdk) {
            let context = format!("{flags:?} of {jdk:?}");
            let plain = truth(jdk, &flags, &classes);
            let (done, profile) = record(&["--root", ROOT], jdk, &words(&flags, &classes));
            assert_bytes(&profile, &plain, &done.stdout, false, &context);
            assert_eq!(profile.allocation.source, AllocationSource::Fields, "{context}");
        }
    }
}

/// Small rings, so that threads wait for the collector within the calls.
#[test]
fn interpreted_code_has_exactly_these_bytes() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    let flags = ["-Xint".to_owned()];
    for jdk in jdk::main_and_25("allocated bytes of interpreted code") {
        let plain = truth(jdk, &flags, &classes);
        let options = ["-q", "--metrics", "alloc", "--tune=ring=4K"];
        let (done, profile) = JFATHOM.record(&options, jdk, &words(&flags, &out), 0);
        assert_bytes(&profile, &plain, &done.stdout, true, &format!("{jdk:?}"));
        assert!(profile.quality.ring_waits > 0, "{:?}", profile.quality);
    }
}

/// A JVM that is started by a script gets no flags, and so the runtime no `Unsafe`.
#[test]
fn the_bean_is_asked_where_the_fields_cannot_be_read() {
    let Some(jdk) = jdk::jdk25("allocated bytes by the bean") else { return };
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    let plain = truth(jdk, &[], &classes);
    let file = folder.path().join("p.jfp");
    let mut command = JFATHOM.command();
    command.args(["record", "-q", "--budget=none", "--metrics", "alloc", "-o"]).arg(&file);
    command.args(["--", "sh", "-c", "exec \"$@\"", "sh"]).arg(jdk.java());
    let done = run::run(command.args(words(&[], &out))).fine();
    let profile = Profile::read(&mut std::fs::read(&file).unwrap().as_slice()).unwrap();
    assert_eq!(profile.allocation.source, AllocationSource::Bean, "{done}");
    let notices = profile.meta.notices.join("\n");
    assert!(notices.contains("allocated bytes are read from the JVM's bean"), "{notices}");
    // Virtual threads are not recorded without the flags.
    let is_of_platform = |line: &&str| !line.starts_with("shared");
    let [plain, told] = [&plain, &done.stdout].map(|text| {
        text.lines().filter(is_of_platform).map(|line| format!("{line}\n")).collect::<String>()
    });
    assert_bytes(&profile, &plain, &told, false, "without flags");
}

#[test]
fn without_a_bean_there_is_no_recording_and_a_way_out() {
    let folder = samples::temp_dir();
    let out = JFATHOM.rewrite(&samples::compiled().java, &folder.path().join("out"), &[]);
    let profile = folder.path().join("p.jfp");
    let record = |metrics: &[&str]| {
        let mut command = JFATHOM.command();
        command.arg("record").args(metrics).arg("-o").arg(&profile).arg("--");
        command.arg(jdk::main().java()).arg("--limit-modules=java.base").arg("-cp").arg(&out);
        run::run(command.args(["samples.All", "Recursion"]))
    };
    let refused = record(&["--metrics", "alloc"]);
    let text = &refused.stderr;
    assert!(text.contains("allocated bytes cannot be recorded"), "{refused}");
    assert!(text.contains("leave out --metrics alloc"), "{refused}");
}

#[test]
fn nobody_asks_without_the_option() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    let (_, profile) = JFATHOM.record(&["-q"], jdk::main(), &words(&[], &out), 0);
    assert_eq!(profile.allocation.source, AllocationSource::Unasked);
    assert!(!profile.tree.has(jfathom_profile::Metric::Allocated));
}

#[test]
fn an_unknown_metric_is_a_usage_error() {
    let done = JFATHOM.run(&["record", "--metrics", "alloc,heap", "--", "java"]).code(2);
    assert!(done.stderr.contains("‘heap’ is no metric"), "{done}");
    assert!(done.stderr.contains("there are: alloc"), "{done}");
}
