//! Methods that are only counted: their calls are those of methods that are timed, in classes that
//! the JVM verifies.

use crate::JFATHOM;
use jfathom_profile::Profile;
use jfathom_testkit::process_dir;
use jfathom_tests::{
    jdk,
    jdk::Jdk,
    run, samples,
    tool::{self, java},
    wire::{self, Pace},
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const RING: usize = 1 << 16;

/// Calls by class, name and descriptor of the methods of which a sample says how many there are.
fn calls(profile: &Profile, stated: &BTreeSet<(&str, &str)>) -> BTreeMap<String, u64> {
    let methods = profile.methods.iter().filter(|method| {
        let key = &method.info.key;
        stated.contains(&(key.class.as_str(), key.name.as_str()))
    });
    methods.map(|method| (method.info.key.to_string(), method.calls())).collect()
}

/// A recording of the samples, which print what they print without one.
fn recorded(jdk: &Jdk, classes: &Path, names: &[&str]) -> Profile {
    let words = |classes: &Path| {
        let mut words = vec!["-Xverify:all".to_owned()];
        words.extend(wire::class_path(classes, "samples.All", names));
        words
    };
    let plain = run::run(java(jdk).args(words(&samples::compiled().java)));
    let done = wire::record(Pace::Eager, RING, jdk, &words(classes), &tool::names(classes));
    assert_eq!((done.done.code, &done.done.stdout), (plain.code, &plain.stdout), "{}", done.done);
    done.profile
}

fn assert_counted_alike(names: &[&str], options: &[&str]) {
    let of_names = samples::all().iter().filter(|sample| names.contains(&sample.name.as_str()));
    let truths = of_names.flat_map(|sample| &sample.truths);
    let stated: BTreeSet<(&str, &str)> = truths
        .filter(|truth| truth.calls.is_some() || truth.inside.is_some())
        .map(|truth| (truth.class.as_str(), truth.method.as_str()))
        .collect();
    assert!(stated.len() > 40, "{}", stated.len());
    let folder = process_dir();
    let of = |name: &str, more: &[&str]| {
        let options: Vec<&str> = options.iter().chain(more).copied().collect();
        JFATHOM.rewrite(&samples::compiled().java, &folder.path().join(name), &options)
    };
    let (timed, counted) = (of("timed", &[]), of("counted", &["--count-only", "--check"]));
    for jdk in jdk::main_and_25("methods that are only counted") {
        let [timed, counted] = [&timed, &counted].map(|classes| recorded(jdk, classes, names));
        let timed_calls = calls(&timed, &stated);
        assert!(timed_calls.values().sum::<u64>() > 1_000);
        assert_eq!(calls(&counted, &stated), timed_calls);
        let is_task = |method: &str| ["run", "call", "compute", "exec"].contains(&method);
        for method in &counted.methods {
            let key = &method.info.key;
            if !method.info.root && !is_task(&key.name) {
                assert_eq!(method.entries, 0, "{key} is timed");
            }
        }
    }
}

#[test]
fn without_roots() {
    assert_counted_alike(&samples::together(false), &[]);
}

#[test]
fn inside_roots() {
    assert_counted_alike(&samples::together(true), &["--root", "samples.HandOff*::root"]);
}
