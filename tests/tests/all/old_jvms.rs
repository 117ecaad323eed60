//! JVMs 11 and 21, where the environment names them.

use crate::JFATHOM;
use jfathom_profile::Profile;
use jfathom_tests::{
    jdk,
    jdk::Jdk,
    run, samples,
    tool::{java, names},
    truth::{self, Plan},
    wire::{Pace, class_path, record},
};
use std::{fs, path::Path};

#[track_caller]
fn records_the_truth(jdk: &Jdk, plain: &Path, samples_of: &[&str]) -> Profile {
    let folder = samples::temp_dir();
    let out = JFATHOM.rewrite(plain, folder.path(), &[]);
    let expected = run::run(java(jdk).args(class_path(plain, "samples.All", samples_of))).fine();
    let recorded = record(
        Pace::Eager,
        1 << 16,
        jdk,
        &class_path(&out, "samples.All", samples_of),
        &names(&out),
    );
    assert_eq!(
        (&recorded.done.stdout, recorded.done.stderr.as_str()),
        (&expected.stdout, ""),
        "{}",
        recorded.done
    );
    let meant = samples::all().iter().filter(|sample| samples_of.contains(&sample.name.as_str()));
    let wrong: Vec<String> = meant
        .flat_map(|sample| truth::differences(sample, &recorded.profile, Plan::Every))
        .collect();
    assert!(wrong.is_empty(), "{}\n{:?}", wrong.join("\n"), recorded.profile.quality);
    recorded.profile
}

/// JVM 11 runs what is compiled for it: all samples but those with records and patterns.
#[test]
fn jvm_11() {
    let Some(jdk) = jdk::jre11("JVM 11") else { return };
    let folder = samples::temp_dir();
    let source = folder.path().join("source");
    fs::create_dir(&source).unwrap();
    for path in samples::java_files(&samples::sources().join("java")) {
        if path.file_name().is_some_and(|name| name != "Nested.java") {
            fs::copy(&path, source.join(path.file_name().unwrap())).unwrap();
        }
    }
    let plain = folder.path().join("classes");
    samples::javac_for(11, &["-parameters"], &source, &plain);
    let names: Vec<&str> =
        samples::together(false).into_iter().filter(|name| *name != "Nested").collect();
    records_the_truth(jdk, &plain, &names);
}

#[test]
fn jvm_21() {
    let Some(jdk) = jdk::jre21("JVM 21") else { return };
    let names = samples::together(false);
    records_the_truth(jdk, &samples::compiled().java, &names);
}
