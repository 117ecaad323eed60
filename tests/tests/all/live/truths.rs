//! What the samples say of themselves holds live as it does ahead of time, under every scheme.

use super::{live, program};
use jfathom_plan::MethodKey;
use jfathom_profile::Profile;
use jfathom_tests::{
    calls::{self, Log, Mode},
    jdk,
    jdk::Jdk,
    run::{self, Done},
    samples,
    tool::java,
    truth::{self, Plan, Sample},
    wire,
};
use std::{collections::BTreeSet, fs};

const SCHEMES: [&str; 3] = ["lazy", "eager", "total"];

/// Runs a program plain and recorded live; both must look the same.
#[track_caller]
fn recorded(jdk: &Jdk, scheme: &str, root: &str, words: &[String]) -> (Done, Profile) {
    let plain = run::run(java(jdk).args(words));
    let recording = live(&[root]).with(&["-q", "--scheme", scheme]);
    let (done, profile) = recording.run(jdk, words, plain.code.expect("no signal ends it"));
    // Threads print in any order.
    assert_eq!(lines(&done.stdout), lines(&plain.stdout), "not the same as plain: {done}");
    assert_eq!(lines(&done.stderr), lines(&plain.stderr), "not the same as plain: {done}");
    (done, profile)
}

fn lines(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

fn wrong(samples: &[&Sample], profile: &Profile) -> Vec<String> {
    samples.iter().flat_map(|sample| truth::differences(sample, profile, Plan::Every)).collect()
}

/// All samples in one JVM, from `samples.All::main` as the root.
#[test]
fn of_samples() {
    let names = samples::together(false);
    for jdk in jdk::main_and_25("live samples") {
        for scheme in SCHEMES {
            let words = wire::class_path(&samples::compiled().java, "samples.All", &names);
            let (done, profile) = recorded(jdk, scheme, "samples.All::main", &words);
            // Virtual threads are inside no root.
            let is_meant = |sample: &&Sample| {
                names.contains(&sample.name.as_str()) && sample.name != "Virtual"
            };
            let meant: Vec<&Sample> = samples::all().iter().filter(is_meant).collect();
            let wrong = wrong(&meant, &profile);
            assert!(
                wrong.is_empty(),
                "{scheme} on {jdk}: {} truths do not hold:\n{}\n{:#?}\n{done}",
                wrong.len(),
                wrong.join("\n"),
                profile.quality
            );
        }
    }
}

/// What roots hand off, with the roots that the samples name.
#[test]
fn of_hand_offs() {
    let names = samples::together(true);
    let meant: Vec<&Sample> =
        samples::all().iter().filter(|sample| names.contains(&sample.name.as_str())).collect();
    for jdk in jdk::main_and_25("live hand-offs") {
        for scheme in ["lazy", "total"] {
            let words = wire::class_path(&samples::compiled().java, "samples.All", &names);
            let (done, profile) = recorded(jdk, scheme, "samples.HandOff*::root", &words);
            let wrong: Vec<String> = meant
                .iter()
                .flat_map(|sample| truth::differences(sample, &profile, Plan::Roots))
                .collect();
            assert!(
                wrong.is_empty(),
                "{scheme} on {jdk}:\n{}\n{:#?}\n{done}",
                wrong.join("\n"),
                profile.quality
            );
        }
    }
}

/// Reflection, handles, proxies, services, classes made at run time.
#[test]
fn of_what_is_found_at_run_time() {
    let sources = ["Defined.java", "Pattern.java", "made/Loaded.java"];
    let samples: Vec<Sample> = sources
        .map(|source| samples::read_sample(&samples::sources().join("live/live").join(source)))
        .into();
    let meant: Vec<&Sample> = samples.iter().collect();
    for jdk in jdk::main_and_25("found at run time") {
        for scheme in SCHEMES {
            let (done, profile) =
                recorded(jdk, scheme, "live.Defined::main", &program("live.Defined"));
            let wrong = wrong(&meant, &profile);
            assert!(
                wrong.is_empty(),
                "{scheme} on {jdk}:\n{}\n{:#?}\n{done}",
                wrong.join("\n"),
                profile.quality
            );
        }
    }
}

/// What Object streams call: methods that they find by reflection, and classes that only a stream
/// names.
#[test]
fn of_streams() {
    let sample = samples::read_sample(&samples::sources().join("live/live/Streams.java"));
    for jdk in jdk::main_and_25("streams") {
        for scheme in SCHEMES {
            for root in ["live.Streams::main", "live.Streams::root"] {
                let (done, profile) = recorded(jdk, scheme, root, &program("live.Streams"));
                let wrong = wrong(&[&sample], &profile);
                let told = format!("{scheme} on {jdk}, below {root}");
                assert!(
                    wrong.is_empty(),
                    "{told}:\n{}\n{:#?}\n{done}",
                    wrong.join("\n"),
                    profile.quality
                );
            }
        }
    }
}

/// The programs of `samples/reach`: every method that an independent agent sees called inside the
/// root is in the profile.
#[test]
fn of_what_is_called() {
    let folder = samples::temp_dir();
    let (jdk, classes) = (jdk::main(), folder.path().join("classes"));
    let Some(agent) = calls::agent(jdk, folder.path(), "live recall") else { return };
    let sources = samples::sources().join("reach");
    samples::javac(&[], &sources, &classes);
    fs::create_dir_all(classes.join("META-INF/services")).unwrap();
    for entry in fs::read_dir(sources.join("META-INF/services")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), classes.join("META-INF/services").join(entry.file_name())).unwrap();
    }
    let names: Vec<String> = samples::java_files(&sources)
        .iter()
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .filter(|name| name != "All")
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let words = wire::class_path(&classes, "reach.All", &names);
    let file = folder.path().join("calls.log");
    let option = calls::option(&agent, &file, Some("reach/All.main"), Mode::First);
    run::run(java(jdk).arg(option).args(&words)).fine();
    let log = Log::parse(&fs::read_to_string(&file).unwrap()).unwrap();
    // Proxies are made by the JVM; what they call is not.
    let called: BTreeSet<&MethodKey> = log
        .called(false)
        .into_iter()
        .filter(|key| {
            key.class.starts_with("reach/")
                && !key.class.contains("$Proxy")
                && !key.class.contains('+')
        })
        // Called by whoever ends a pool last: the root's thread, or a worker behind its last task,
        // which is outside.
        .filter(|key| key.name != "terminated")
        .collect();
    assert!(called.len() > 250, "{}", called.len());
    for scheme in ["lazy", "eager"] {
        // What they print depends on who comes first: their outputs are not compared.
        let (done, profile) =
            live(&["reach.All::main"]).with(&["-q", "--scheme", scheme]).run(jdk, &words, 0);
        let recorded: BTreeSet<&MethodKey> = profile
            .methods
            .iter()
            .filter(|method| method.calls() + method.virtual_calls > 0)
            .map(|method| &method.info.key)
            .collect();
        let missed: Vec<String> = called.difference(&recorded).map(ToString::to_string).collect();
        assert!(
            missed.is_empty(),
            "{scheme}: {} of {} called: {missed:#?}\n{done}",
            missed.len(),
            called.len()
        );
    }
}
