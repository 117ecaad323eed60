//! Roots with the reachability analysis, for modules and the JDK.

use crate::{JFATHOM, jar};
use jfathom_profile::{Frame, Profile};
use jfathom_tests::{
    jdk, run, samples,
    tool::java,
    truth::{self, Plan},
    wire,
};
use std::{fs, path::Path};

/// Methods of the JDK that a root reaches are recorded with those of the program, and the program
/// says the same.
#[test]
fn methods_of_the_jdk_below_a_root() {
    for jdk in jdk::main_and_25("methods of the JDK below a root") {
        let folder = samples::temp_dir();
        let plain =
            jar(&samples::compiled().demo, "demo.Market", &folder.path().join("market.jar"));
        let expected = run::run(java(jdk).arg("-jar").arg(&plain)).fine();
        let mut command = JFATHOM.command();
        command.arg("rewrite").arg(&plain).arg("-o").arg(folder.path().join("out"));
        command.args(["--root", "demo.Market::main", "--scheme=jdk"]);
        run::run(command.env("JAVA_HOME", &jdk.home).env("JFATHOM_CACHE", "off")).fine();
        let out = folder.path().join("out/market.jar");
        let words = ["-jar".to_owned(), out.display().to_string()];
        let rewritten = folder.path().join("out").display().to_string();
        let (done, profile) = JFATHOM.record(&["-q", "--rewritten", &rewritten], jdk, &words, 0);
        assert_eq!(done.stdout, expected.stdout, "{done}");
        let calls = |package: &str| {
            let of =
                profile.methods.iter().filter(|method| method.info.key.class.starts_with(package));
            of.map(|method| method.entries).sum::<u64>()
        };
        assert!(
            calls("demo/") > 10_000 && calls("java/util/") > 10_000,
            "{} {}",
            calls("demo/"),
            calls("java/util/")
        );
        assert_eq!(calls("java/lang/String"), 0, "what the runtime uses is skipped");
        assert!(profile.quality.is_clean(), "{:?}", profile.quality);
    }
}

/// A named module, below its main method: services are followed, and what nobody calls is left
/// alone.
#[test]
fn a_module_below_a_root() {
    let folder = samples::temp_dir();
    let plain = &samples::compiled().modular;
    let options = ["--placement", "modular", "--root", "modular.Main::main"];
    let out = JFATHOM.rewrite(plain, &folder.path().join("out"), &options);
    let words = |place: &std::path::Path| {
        [
            "-p".to_owned(),
            place.display().to_string(),
            "-m".to_owned(),
            "samples.modular/modular.Main".to_owned(),
        ]
    };
    let expected = run::run(java(jdk::main()).args(words(plain))).fine();
    let (done, profile) = JFATHOM.record(&["-q"], jdk::main(), &words(&out), 0);
    assert_eq!((done.stdout, done.stderr.as_str()), (expected.stdout, ""));
    let called = |class: &str| {
        profile.methods.iter().any(|method| method.info.key.class == class && method.entries > 0)
    };
    assert!(called("modular/Main") && called("modular/Polite"), "{:?}", profile.methods.len());
    assert!(profile.quality.is_clean(), "{:?}", profile.quality);
}

/// The JVM ends in its root with a code of its own, ahead of time and live: a series has all runs
/// and an anchor, and the root lasts until the end. The program sleeps for 50 ms before it.
#[test]
fn a_series_of_jvms_that_end_in_their_root() {
    let sample = samples::all().iter().find(|sample| sample.name == "ExitInside").unwrap();
    let root = "samples.ExitInside::main";
    let folder = samples::temp_dir();
    let plain = samples::compiled().java.as_path();
    let out = JFATHOM.rewrite(plain, &folder.path().join("out"), &["--root", root]);
    let file = folder.path().join("exit.jfp");
    let record = |jdk: &jdk::Jdk, classes: &Path, options: &[&str]| {
        let mut command = JFATHOM.command();
        command.args(["record", "-f", "--runs", "2", "--budget", "none"]).args(options);
        command.arg("-o").arg(&file).arg("--").arg(jdk.java());
        command.args(wire::class_path(classes, "samples.ExitInside", &[]));
        let done = run::run(&mut command).code(sample.exit);
        let profile = Profile::read(&mut &*fs::read(&file).unwrap()).unwrap();
        let anchor = profile.anchor.unwrap_or_else(|| panic!("no anchor: {done}"));
        assert_eq!((profile.run_count(), anchor.roots_only_runs, anchor.full_runs), (2, 2, 2));
        assert!(anchor.roots_only_nanos > 45e6, "{anchor:?}");
        for number in 0..2 {
            let run = profile.run(number).unwrap();
            let mut sample = sample.clone();
            sample.truths.retain(|truth| truth.method != "hook");
            let wrong = truth::differences(&sample, &run, Plan::Every);
            assert!(wrong.is_empty(), "{}\n{done}", wrong.join("\n"));
            let inner = run.tree.nodes().find(|node| {
                let Frame::Method(method) = run.tree.frame(*node) else { return false };
                run.method(method).info.key.name == "inner"
            });
            let ticks = run.tree.self_time(inner.unwrap()).0 as f64;
            assert!(ticks * 1e9 / run.rate.hz() as f64 > 45e6, "{ticks} ticks in the last call");
        }
    };
    for jdk in jdk::main_and_25("exits inside a root") {
        record(jdk, &out, &[]);
    }
    record(jdk::main(), plain, &["--root", root]);
}
