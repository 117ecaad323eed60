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
    let (timed, counted) = (of("timed", &[]), of("counted", &["--probe=**=count", "--check"]));
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

const SMALL: &str = "
    public class Leaves {
        static int add(int a, int b) { return a + b; }
        static int twice(int a) { return add(a, a); }
        static int sum(int n) {
            int sum = 0;
            for (int i = 0; i < n; i++) sum = add(sum, twice(i));
            return sum;
        }
        public static void main(String[] args) {
            for (int i = 0; i < 10; i++) System.out.println(sum(100));
        }
    }";

/// Timed and counted calls of the methods of [`SMALL`], by name.
fn leaves(profile: &Profile) -> BTreeMap<String, (u64, u64)> {
    let methods = profile.methods.iter().filter(|method| !method.info.is_sign());
    methods.map(|method| (method.info.key.name.clone(), (method.entries, method.counted))).collect()
}

/// Small methods can only be counted, unless they are roots. A rule that they are off leaves them
/// out, though their probes look nothing up.
#[test]
fn small_methods_are_counted_or_off() {
    let folder = samples::temp_dir();
    let (sources, classes) = (folder.path().join("src"), folder.path().join("classes"));
    std::fs::create_dir(&sources).unwrap();
    std::fs::write(sources.join("Leaves.java"), SMALL).unwrap();
    samples::javac(&["--release", "11"], &sources, &classes);
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &[]);
    let rooted =
        JFATHOM.rewrite(&classes, &folder.path().join("rooted"), &["--root", "Leaves::add"]);
    let words = |classes: &Path| ["-cp", &classes.to_string_lossy(), "Leaves"].map(str::to_owned);
    for jdk in jdk::main_and_25("small methods") {
        let record = |classes: &Path, options: &[&str]| {
            let options = [&["-q"], options].concat();
            leaves(&JFATHOM.record(&options, jdk, &words(classes), 0).1)
        };
        let all = BTreeMap::from([
            ("main".to_owned(), (1, 0)),
            ("sum".to_owned(), (10, 0)),
            ("twice".to_owned(), (0, 1_000)),
            ("add".to_owned(), (0, 2_000)),
        ]);
        assert_eq!(record(&out, &[]), all);
        let mut without = all.clone();
        without.remove("add");
        assert_eq!(record(&out, &["--probe", "Leaves::add=off"]), without);
        assert_eq!(record(&rooted, &[]), BTreeMap::from([("add".to_owned(), (2_000, 0))]));
    }
    let listed =
        JFATHOM.run(&["inspect", "--list=methods", "--json", &out.to_string_lossy()]).fine();
    let listed: serde_json::Value = serde_json::from_str(&listed.stdout).unwrap();
    let file = listed.as_array().map_or(&listed, |files| &files[0]);
    assert_eq!(file["countedOnly"], 3, "{file}");
    let methods = file["methods"].as_array().unwrap().iter();
    let names: BTreeSet<&str> = methods
        .filter(|method| method["countedOnly"] == true)
        .map(|method| method["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        BTreeSet::from(["Leaves::<init>()V", "Leaves::add(II)I", "Leaves::twice(I)I"])
    );
}
