//! Stacks that the agent samples by itself: what calls took that were only counted, against the
//! program's own clock (`samples/counted`).

use crate::JFATHOM;
use jfathom_profile::{Profile, SampleSource};
use jfathom_tests::{
    jdk::{self, Jdk},
    run, samples,
};
use std::{
    fs,
    path::{Path, PathBuf},
};

const ROOT: &str = "counted.Work::root";
/// Seconds of work: sampling begins after two.
const SECONDS: &str = "5";

fn compiled(folder: &Path) -> PathBuf {
    let classes = folder.join("classes");
    samples::javac_for(11, &[], &samples::sources().join("counted"), &classes);
    classes
}

/// The profile of a recording with more options, its report as JSON, and what the program printed.
fn recorded(jdk: &Jdk, folder: &Path, options: &[&str]) -> (Profile, serde_json::Value, String) {
    let path = folder.join(format!("{}.jfp", jdk.version));
    let done = run::run(
        JFATHOM
            .command()
            .args(["record", "-qf", "--root", ROOT])
            .args(["--probe", "counted.Work::*=count", "--probe", "counted.Work::work=off"])
            .args(options)
            .arg("-o")
            .arg(&path)
            .arg("--")
            .arg(jdk.java())
            .arg("-cp")
            .arg(folder.join("classes"))
            .args(["counted.Work", SECONDS]),
    )
    .fine();
    let profile = Profile::read_whole(&mut &fs::read(&path).unwrap()[..]).unwrap();
    let json = run::run(JFATHOM.command().args(["report", "--json"]).arg(&path)).fine();
    (profile, serde_json::from_str(&json.stdout).unwrap(), done.stdout)
}

/// The corrected self time of a method's node in ns.
fn self_nanos(document: &serde_json::Value, name: &str) -> f64 {
    let methods = document["methods"].as_array().unwrap();
    let place = methods.iter().position(|method| method["name"] == name).unwrap();
    let of_method = |node: &&serde_json::Value| {
        node["kind"] == "method" && node["of"].as_u64() == Some(place as u64)
    };
    let nodes = document["tree"].as_array().unwrap();
    nodes
        .iter()
        .filter(of_method)
        .map(|node| node["corrected"]["selfNanos"].as_f64().unwrap())
        .sum()
}

#[test]
fn samples_tell_what_counted_calls_took() {
    let folder = samples::temp_dir();
    compiled(folder.path());
    for jdk in jdk::all("samples of the agent") {
        let (profile, document, printed) = recorded(jdk, folder.path(), &[]);
        let samples = &profile.stack_samples;
        let context = format!("{}: {:?}", jdk.version, samples.elsewhere);
        assert_eq!(samples.source, SampleSource::Agent, "{context}");
        assert_eq!(document["stackSamples"]["source"], "agent");
        let placed = samples.placed().running;
        // A busy machine has far fewer than one in each 10 ms.
        assert!(placed > 60, "{context}: {placed}");
        let told = |name: &str| {
            let line = printed.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.trim().parse::<f64>().unwrap()
        };
        let expected = told("heavy") / (told("heavy") + told("light"));
        let [heavy, light] = ["heavy", "light"].map(|name| self_nanos(&document, name));
        let of_both = heavy / (heavy + light);
        // Four standard deviations of so few samples, and what inlining moves.
        let most = 4.0 * (expected * (1.0 - expected) / placed as f64).sqrt() + 0.03;
        assert!((of_both - expected).abs() < most, "{context}: {of_both}, told {expected}");
    }
}

#[test]
fn without_samples_counted_calls_have_no_time() {
    let folder = samples::temp_dir();
    compiled(folder.path());
    let (profile, document, _) =
        recorded(jdk::main(), folder.path(), &["--metrics", "samples=off"]);
    assert_eq!(profile.stack_samples.source, SampleSource::Unasked);
    assert_eq!(self_nanos(&document, "heavy"), 0.0);
    assert!(self_nanos(&document, "root") > 4e9);
}
