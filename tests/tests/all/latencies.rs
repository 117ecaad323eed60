//! How long calls took: each call of a method whose latency `--probe` keeps is in its histogram.

use crate::JFATHOM;
use jfathom_profile::{Frame, Latency, Profile};
use jfathom_tests::{jdk, run, samples};
use std::{fs, path::Path};

/// Order lines of the program that are no broken ones, each of three random numbers.
const CALLS: u64 = (4_000 - 4_000 / 50) * 3;

/// Records the program with the default budget, under which small methods are counted.
fn record(classes: &Path, options: &[&str]) -> Profile {
    let folder = samples::temp_dir();
    let file = folder.path().join("profile.jfp");
    let mut command = JFATHOM.command();
    command.args(["record", "-q", "-o"]).arg(&file).args(options).arg("--");
    command.arg(jdk::main().java()).arg("-cp").arg(classes).arg("demo.Market");
    let done = run::run(&mut command).fine();
    let bytes = fs::read(&file).unwrap_or_else(|error| panic!("no profile: {error}\n{done}"));
    let profile = Profile::read(&mut bytes.as_slice()).expect("a profile");
    profile.check().unwrap();
    profile
}

/// The names of a call path's methods.
fn names<'a>(profile: &'a Profile, latency: &Latency) -> Vec<&'a str> {
    let name = |frame: &Frame| match frame {
        Frame::Method(method) | Frame::Task(method) => {
            profile.method(*method).info.key.name.as_str()
        }
        Frame::Thread(_) => "",
    };
    latency.path.iter().map(name).collect()
}

#[test]
fn all_calls_of_a_named_method_have_latencies() {
    let folder = samples::temp_dir();
    let plain = &samples::compiled().demo;
    let options = ["--root", "demo.Market::main"];
    let classes = JFATHOM.rewrite(plain, &folder.path().join("out"), &options);
    let path = ["main", "lines", "line", "next"];
    for is_named in [true, false] {
        let named = ["--probe", "demo.Market$Ledger::next=time+latency"];
        let profile = record(&classes, if is_named { &named } else { &[] });
        let paths = &profile.latencies.paths;
        let found = paths.iter().find(|latency| names(&profile, latency) == path);
        let calls = found.map(|latency| latency.calls.count());
        assert_eq!(calls, is_named.then_some(CALLS), "{:?}", profile.quality);
        assert!(paths.iter().any(|latency| names(&profile, latency) == ["main"]));
    }
}
