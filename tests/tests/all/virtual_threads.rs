//! Calls on virtual threads: a storm of threads that wait in all ways prints how often each method
//! was called, and the tree has these calls.

use crate::JFATHOM;
use jfathom_profile::{Frame, Profile};
use jfathom_tests::{
    jdk,
    jdk::Jdk,
    live::Live,
    run, samples,
    tool::{java, names},
    wire::{self, Pace},
};
use std::{collections::BTreeMap, path::Path};

const MAIN: &str = "fibres.Storm";
/// What lets the runtime ask for carriers.
pub const ACCESS: [&str; 2] = [
    "--add-exports=java.base/jdk.internal.access=ALL-UNNAMED",
    "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
];

fn compile(classes: &Path) {
    samples::javac(&[], &samples::sources().join("fibres"), classes);
}

pub fn jdks(test: &str) -> Vec<&'static Jdk> {
    jdk::all(test).into_iter().filter(|jdk| jdk.version >= 21).collect()
}

/// Calls by method, of all threads.
fn calls(profile: &Profile) -> BTreeMap<&str, u64> {
    let methods = profile.methods.iter();
    methods.map(|method| (method.info.key.name.as_str(), method.calls())).collect()
}

/// Holds the calls against what the program has printed, and that no call is left open or repaired.
#[track_caller]
pub fn assert_exact(profile: &Profile, printed: &str, expected: &[(&str, u64)]) {
    let calls = calls(profile);
    for line in printed.lines() {
        let (name, count) = line.split_once(' ').expect("a name and a count");
        let count = count.parse::<u64>().expect("a count");
        assert_eq!(calls.get(name), Some(&count), "{name}: {:#?}", profile.quality);
    }
    for (name, count) in expected {
        assert_eq!(calls.get(name).copied().unwrap_or(0), *count, "{name}");
    }
    let quality = &profile.quality;
    let repairs = (quality.inferred_exits, quality.unmatched_exits, quality.backward_times);
    assert_eq!((repairs, quality.open_frames, quality.virtual_calls), ((0, 0, 0), 0, 0));
    for method in &profile.methods {
        assert_eq!(method.open, 0, "{:?}", method.info.key);
    }
}

/// Of the storm's methods none is called from another thread's: the tree's paths are the program's.
#[track_caller]
fn assert_paths(profile: &Profile) {
    let name = |node| match profile.tree.frame(node) {
        Frame::Method(method) => profile.method(method).info.key.name.as_str(),
        Frame::Thread(_) | Frame::Task(_) => "",
    };
    let mut parents = BTreeMap::<&str, Vec<&str>>::new();
    for node in profile.tree.nodes() {
        for child in profile.tree.children(node) {
            parents.entry(name(child)).or_default().push(name(node));
        }
    }
    for (method, allowed) in [
        ("request", &["body", ""][..]),
        ("work", &["request"]),
        ("fail", &["work"]),
        ("leaf", &["work"]),
    ] {
        let wrong = parents[method].iter().find(|parent| !allowed.contains(parent));
        assert_eq!(wrong, None, "callers of {method}");
    }
}

#[test]
fn all_calls_are_in_the_tree() {
    let folder = samples::temp_dir();
    compile(&folder.path().join("classes"));
    let out = JFATHOM.rewrite(&folder.path().join("classes"), &folder.path().join("out"), &[]);
    for jdk in jdks("virtual threads have trees") {
        for (pace, ring) in [(Pace::Eager, 1 << 20), (Pace::Eager, 4096), (Pace::Slow, 1 << 16)] {
            let mut words = ACCESS.map(str::to_owned).to_vec();
            words.extend(wire::class_path(&out, MAIN, &["2000", "300"]));
            let recorded = wire::record(pace, ring, jdk, &words, &names(&out));
            assert_eq!(recorded.done.stderr, "", "{}", recorded.done);
            let expected = [("main", 1), ("body", 2000), ("outside", 2000)];
            assert_exact(&recorded.profile, &recorded.done.stdout, &expected);
            assert_paths(&recorded.profile);
        }
    }
}

#[test]
fn only_calls_inside_a_root_are_in_the_tree() {
    let folder = samples::temp_dir();
    compile(&folder.path().join("classes"));
    let root = ["--root", "fibres.Storm::request"];
    let out = JFATHOM.rewrite(&folder.path().join("classes"), &folder.path().join("out"), &root);
    for jdk in jdks("roots on virtual threads") {
        let mut words = ACCESS.map(str::to_owned).to_vec();
        words.extend(wire::class_path(&out, MAIN, &["2000", "300"]));
        let recorded = wire::record(Pace::Eager, 1 << 16, jdk, &words, &names(&out));
        assert_exact(&recorded.profile, &recorded.done.stdout, &[("body", 0), ("outside", 0)]);
        assert_paths(&recorded.profile);
    }
}

/// Each carrier ends after one mount, so its ring goes back with what a thread leaves there.
#[test]
fn calls_on_carriers_that_end_are_in_the_tree() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    let opens = ["--add-opens=java.base/java.lang=ALL-UNNAMED"];
    let call = |access: &[&str], classes: &Path| {
        let mut words: Vec<_> = access.iter().chain(&opens).copied().map(str::to_owned).collect();
        words.extend(wire::class_path(classes, "fibres.Carriers", &["200"]));
        words
    };
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &[]);
    for jdk in jdks("carriers that end") {
        for (pace, ring) in [(Pace::Eager, 1 << 20), (Pace::Eager, 4096), (Pace::Slow, 1 << 16)] {
            let words = call(&ACCESS, &out);
            let recorded = wire::record(pace, ring, jdk, &words, &names(&out));
            assert_eq!(recorded.done.stderr, "", "{}", recorded.done);
            assert_exact(&recorded.profile, &recorded.done.stdout, &[("body", 200)]);
        }
        // A carrier that ends while roots are recorded by sample is no thread that goes outside.
        let words = call(&[], &classes);
        let live = Live::roots(JFATHOM, &["fibres.Carriers::request"]);
        let (done, profile) = live.with(&["-q", "--sample-roots", "1/3"]).run(jdk, &words, 0);
        let roots = profile.methods.iter().find(|method| method.info.key.name == "request");
        let roots = roots.expect("the root is known");
        let leaf = profile.methods.iter().find(|method| method.info.key.name == "leaf");
        assert_eq!(leaf.expect("it is called").calls(), 3 * roots.calls(), "{done}");
        assert!((100..=300).contains(&roots.calls()), "{} of 600", roots.calls());
    }
}

/// The flags are those that `record` gives, and that the manifest of a jar has.
#[test]
fn without_access_calls_are_counted_by_method() {
    let folder = samples::temp_dir();
    compile(&folder.path().join("classes"));
    let out = JFATHOM.rewrite(&folder.path().join("classes"), &folder.path().join("out"), &[]);
    for jdk in jdks("virtual threads without access") {
        let words = wire::class_path(&out, MAIN, &["200", "50"]);
        let recorded = wire::record(Pace::Eager, 1 << 16, jdk, &words, &names(&out));
        let work = recorded.profile.methods.iter().find(|method| method.info.key.name == "work");
        let work = work.expect("the method is known");
        assert_eq!((work.entries, work.virtual_calls > 200), (0, true), "{}", recorded.done);
    }
}

#[test]
fn a_live_recording_has_them() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    for jdk in jdks("virtual threads live") {
        for (root, expected) in [
            ("fibres.Storm::request", [("body", 0), ("outside", 0)]),
            ("fibres.Storm::body", [("body", 2000), ("outside", 2000)]),
        ] {
            let words = wire::class_path(&classes, MAIN, &["2000", "300"]);
            let plain = run::run(java(jdk).args(&words)).fine();
            let (done, profile) = Live::roots(JFATHOM, &[root]).with(&["-q"]).run(jdk, &words, 0);
            assert_eq!(plain.stdout.lines().count(), done.stdout.lines().count(), "{done}");
            assert_exact(&profile, &done.stdout, &expected);
            assert_paths(&profile);
        }
    }
}
