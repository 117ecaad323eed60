//! Counts are those that the samples state, and a recorded program prints what the plain one
//! prints.

use crate::JFATHOM;
use jfathom_profile::Profile;
use jfathom_testkit::process_dir;
use jfathom_tests::{
    jdk,
    jdk::Jdk,
    run::{self, Done},
    samples,
    tool::{self, java},
    truth::{self, Plan, Sample},
    wire::{self, Pace},
};
use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};
use tempfile::TempDir;

/// Bytes of a ring: small, so that the samples wait for the collector now and then.
const RING: usize = 1 << 16;

/// The samples with all methods instrumented.
fn every() -> &'static Path {
    static EVERY: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    rewritten(&EVERY, &[])
}

/// The samples with all methods instrumented that record inside the roots of the hand-off samples.
fn roots() -> &'static Path {
    static ROOTS: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    rewritten(&ROOTS, &["--root", "samples.HandOff*::root"])
}

fn rewritten(once: &'static OnceLock<(TempDir, PathBuf)>, options: &[&str]) -> &'static Path {
    let (_, path) = once.get_or_init(|| {
        let folder = process_dir();
        let path = JFATHOM.rewrite(&samples::compiled().java, folder.path(), options);
        (folder, path)
    });
    path
}

/// Runs a main class plain, rewritten without a recording, and recorded; all three must look the
/// same to a user.
#[track_caller]
fn recorded(jdk: &Jdk, classes: &Path, jvm: &[String], main: &str, arguments: &[&str]) -> Profile {
    let words = |classes: &Path| {
        let mut words = jvm.to_vec();
        words.extend(wire::class_path(classes, main, arguments));
        words
    };
    let plain = run::run(java(jdk).args(words(&samples::compiled().java)));
    let inert = run::run(java(jdk).args(words(classes)));
    assert_same(&plain, &inert);
    let recorded = wire::record(Pace::Eager, RING, jdk, &words(classes), &tool::names(classes));
    assert_same(&plain, &recorded.done);
    recorded.profile
}

#[track_caller]
fn assert_same(plain: &Done, other: &Done) {
    let seen = |done: &Done| (done.code, done.stdout.clone(), done.stderr.clone());
    assert!(seen(plain) == seen(other), "not the same as plain:\n{plain}\n{other}");
}

#[track_caller]
fn assert_truth<'a>(samples: impl IntoIterator<Item = &'a Sample>, profile: &Profile, plan: Plan) {
    let wrong: Vec<String> =
        samples.into_iter().flat_map(|sample| truth::differences(sample, profile, plan)).collect();
    assert!(
        wrong.is_empty(),
        "{} truths do not hold:\n{}\n{:#?}",
        wrong.len(),
        wrong.join("\n"),
        profile.quality
    );
}

fn named<'a>(names: &'a [&str]) -> impl Iterator<Item = &'static Sample> + 'a {
    samples::all().iter().filter(move |sample| names.contains(&sample.name.as_str()))
}

#[test]
fn samples_together() {
    let names = samples::together(false);
    assert!(names.len() > 12, "{names:?}");
    for jdk in jdk::main_and_25("samples together") {
        let profile = recorded(jdk, every(), &[], "samples.All", &names);
        assert_truth(named(&names), &profile, Plan::Every);
    }
}

#[test]
fn hand_offs_without_roots() {
    let names = samples::together(true);
    assert!(names.len() > 5, "{names:?}");
    let profile = recorded(jdk::main(), every(), &[], "samples.All", &names);
    assert_truth(named(&names), &profile, Plan::Every);
}

#[test]
fn hand_offs_inside_roots() {
    let names = samples::together(true);
    for jdk in jdk::main_and_25("hand-offs inside roots") {
        let profile = recorded(jdk, roots(), &[], "samples.All", &names);
        assert_truth(named(&names), &profile, Plan::Roots);
    }
}

/// Exceptions that pass through `super()` and `this()` are ordinary: their exits are inferred, and
/// nothing is wrong with that.
#[test]
fn constructor_chains_are_clean() {
    for jdk in jdk::main_and_25("constructor chains") {
        let profile = recorded(jdk, every(), &[], "samples.ConstructorChains", &[]);
        assert_truth(named(&["ConstructorChains"]), &profile, Plan::Every);
        assert!(profile.quality.is_clean(), "{:?}", profile.quality);
        // 16 of Lowest(int), 16 of Middle, 4 each of the two others of Lowest, 4 of Room.
        assert_eq!(profile.quality.constructor_exits, 44);
    }
}

#[test]
fn samples_alone() {
    let alone = samples::all()
        .iter()
        .filter(|sample| sample.alone && !["Isolated", "Jdk"].contains(&sample.name.as_str()));
    let mut count = 0;
    for sample in alone {
        for jdk in jdk::main_and_25("samples alone") {
            let profile =
                recorded(jdk, every(), &sample.jvm, &format!("samples.{}", sample.name), &[]);
            assert_truth([sample], &profile, Plan::Every);
        }
        count += 1;
    }
    assert!(count >= 3, "only {count} samples run alone");
}
