//! Threads that a root hands off, and steps that run within calls of another root: each call is in
//! the tree or is counted as left out, at its own root, whatever else the thread does.

use crate::JFATHOM;
use jfathom_profile::{Frame, Profile};
use jfathom_tests::{jdk, samples};
use std::{collections::BTreeMap, path::Path};

const MAIN: &str = "fibres.Handed";

fn compile(classes: &Path) {
    samples::javac(&["--release", "11"], &samples::sources().join("fibres"), classes);
}

/// Calls of a method that are in the tree, and that root sampling left out.
fn all_calls(profile: &Profile) -> BTreeMap<&str, u64> {
    let mut calls = BTreeMap::new();
    for method in &profile.methods {
        *calls.entry(method.info.key.name.as_str()).or_default() += method.calls();
    }
    for left_out in &profile.latencies.unsampled {
        let name = profile.method(left_out.method).info.key.name.as_str();
        *calls.entry(name).or_default() += left_out.calls;
    }
    calls
}

#[track_caller]
fn assert_sound(profile: &Profile, printed: &str, names: &[&str]) {
    let calls = all_calls(profile);
    for line in printed.lines() {
        let (name, count) = line.split_once(' ').expect("a name and a count");
        let count = count.parse::<u64>().expect("a count");
        if names.contains(&name) {
            assert_eq!(calls.get(name), Some(&count), "{name}: {:#?}", profile.quality);
        }
    }
    let quality = &profile.quality;
    let repairs = (quality.inferred_exits, quality.unmatched_exits, quality.backward_times);
    assert_eq!((repairs, quality.virtual_calls), ((0, 0, 0), 0));
    for method in &profile.methods {
        assert_eq!(method.open, 0, "{:?}", method.info.key);
    }
}

/// How many hand-offs have ended.
fn ended_tasks(profile: &Profile) -> u64 {
    let tasks = profile
        .latencies
        .paths
        .iter()
        .filter(|latency| matches!(latency.path.last(), Some(Frame::Task(_))));
    tasks.map(|latency| latency.calls.count()).sum()
}

/// The calls of `give` and `serve` are left out and recorded by chance, and a step of the one runs
/// within a call of the other.
#[test]
fn a_call_that_is_left_out_counts_for_its_own_root() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    let roots = ["--root", "fibres.Handed::give", "--root", "fibres.Handed::serve"];
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &roots);
    for jdk in jdk::all("left-out calls with tasks of other roots") {
        for kind in ["platform", "virtual"] {
            if kind == "virtual" && jdk.version < 21 {
                continue;
            }
            let words = words(&out, kind, "20", "100");
            let options = ["-q", "--sample-roots", "1/2"];
            let (done, profile) = JFATHOM.record(&options, jdk, &words, 0);
            assert_sound(&profile, &done.stdout, &["give", "serve"]);
        }
    }
}

/// Hand-offs end when their threads do, not with the session.
#[test]
fn tasks_of_virtual_threads_end() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    let root = ["--root", "fibres.Handed::spawn"];
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &root);
    for jdk in jdk::all("hand-offs to virtual threads").into_iter().filter(|jdk| jdk.version >= 21)
    {
        let (done, profile) = JFATHOM.record(&["-q"], jdk, &words(&out, "virtual", "2000", "1"), 0);
        assert_sound(&profile, &done.stdout, &["give", "serve", "step", "body"]);
        let ended = ended_tasks(&profile);
        assert!((1500..=2000).contains(&ended), "{ended}");
    }
}

fn words(classes: &Path, kind: &str, threads: &str, rounds: &str) -> Vec<String> {
    let path = classes.to_string_lossy().into_owned();
    ["-Xverify:all", "-cp", &path, MAIN, kind, threads, rounds].map(str::to_owned).to_vec()
}

/// A task counts as not followed if its calls may be missing, and never because something has a
/// method `start()` or a task does not run.
#[test]
fn only_tasks_that_may_be_missing_count_as_not_followed() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", STARTS_ROOT]);
    for jdk in jdk::main_and_25("what is handed off") {
        for (path, options) in [(&out, vec![]), (&classes, vec!["--root", STARTS_ROOT])] {
            let words = ["-cp", &path.to_string_lossy(), "fibres.Starts"].map(str::to_owned);
            let options: Vec<&str> = ["-q"].into_iter().chain(options).collect();
            let (_, profile) = JFATHOM.record(&options, jdk, &words, 0);
            let calls = all_calls(&profile);
            assert_eq!((calls["start"], calls["work"]), (8, 2), "{calls:?}");
            assert!(calls.get("unfollowed").is_none_or(|calls| *calls == 0));
            assert_eq!(
                jfathom_views::quality::sentences(&profile),
                ["1 of 6 tasks handed to other threads could not be followed: what they called \
                  there is missing"]
            );
        }
    }
}

const STARTS_ROOT: &str = "fibres.Starts::root";
