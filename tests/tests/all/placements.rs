//! Where the runtime can lie, each place with a program that needs it there.

use crate::{JFATHOM, jar};
use jfathom_profile::{Method, Profile};
use jfathom_tests::{
    jdk, run, samples,
    tool::java,
    truth::{Plan, differences},
};
use std::path::Path;

#[track_caller]
fn assert_truth(source: &Path, profile: &Profile) {
    let sample = samples::read_sample(source);
    assert!(!sample.truths.is_empty());
    let wrong = differences(&sample, profile, Plan::Every);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(profile.quality.is_clean(), "{:?}", profile.quality);
}

/// In the main jar: no flag is needed, for `-jar` and for `-cp`.
#[test]
fn main_jar() {
    let folder = samples::temp_dir();
    let plain =
        jar(&samples::compiled().java, "samples.Recursion", &folder.path().join("samples.jar"));
    let out = JFATHOM.rewrite(&plain, &folder.path().join("out"), &[]).display().to_string();
    let source = samples::sources().join("java/samples/Recursion.java");
    for jdk in jdk::main_and_25("main jar") {
        for words in [vec!["-jar", &out], vec!["-cp", &out, "samples.Recursion"]] {
            let (done, profile) = JFATHOM.record(&["-q"], jdk, &words, 0);
            assert_eq!(
                (done.stdout.as_str(), done.stderr.as_str()),
                ("recursion 875\n", ""),
                "{done}"
            );
            assert_truth(&source, &profile);
        }
    }
}

/// On the boot class path: class loaders without a parent find it, and their classes can be
/// unloaded.
#[test]
fn boot_class_path() {
    let folder = samples::temp_dir();
    let out = folder.path().join("out");
    let plugin = JFATHOM.rewrite(&samples::compiled().isolated, &out, &["--placement", "boot"]);
    let (host, plugin) =
        (samples::compiled().java.display().to_string(), format!("{}/", plugin.display()));
    let rewritten = out.display().to_string();
    for jdk in jdk::main_and_25("boot class path") {
        let words = ["-cp", &host, "samples.Isolated", &plugin];
        let (done, profile) = JFATHOM.record(&["-q", "--rewritten", &rewritten], jdk, &words, 0);
        assert_eq!(
            (done.stdout.as_str(), done.stderr.as_str()),
            ("isolated, unloaded\n", ""),
            "{done}"
        );
        assert_truth(&samples::sources().join("isolated/isolated/Plugin.java"), &profile);
    }
}

/// A second copy of the runtime in an isolated loader does not disturb the first; it is reported.
#[test]
fn a_second_runtime_is_reported() {
    let folder = samples::temp_dir();
    let plugin = JFATHOM.rewrite(
        &samples::compiled().isolated,
        &folder.path().join("one"),
        &["--id-base", "100000"],
    );
    let host = JFATHOM.rewrite(&samples::compiled().java, &folder.path().join("two"), &[]);
    let words = [
        "-cp".to_owned(),
        host.display().to_string(),
        "samples.Isolated".to_owned(),
        format!("{}/", plugin.display()),
    ];
    let (done, profile) = JFATHOM.record(&["-q"], jdk::main(), &words, 0);
    assert!(done.stdout.contains("isolated, unloaded"), "{done}");
    let main = profile.methods.iter().find(|method| {
        method.info.key.class == "samples/Isolated" && method.info.key.name == "load"
    });
    assert_eq!(main.expect("the first runtime records").entries, 12);
    assert!(profile.quality.duplicate_runtimes > 0, "{:?}", profile.quality);
}

/// A named module reads the runtime's only when told to.
#[test]
fn modular() {
    let folder = samples::temp_dir();
    let plain = &samples::compiled().modular;
    let out = JFATHOM.rewrite(plain, &folder.path().join("out"), &["--placement", "modular"]);
    for jdk in jdk::main_and_25("modular") {
        let words = |place: &Path| {
            [
                "-p".to_owned(),
                place.display().to_string(),
                "-m".to_owned(),
                "samples.modular/modular.Main".to_owned(),
            ]
        };
        let expected = run::run(java(jdk).args(words(plain))).fine();
        let (done, profile) = JFATHOM.record(&["-q"], jdk, &words(&out), 0);
        assert_eq!((done.stdout, done.stderr.as_str()), (expected.stdout, ""));
        for source in [
            "modular/modular/Main.java",
            "modular/modular/Polite.java",
            "modular/service/Greeter.java",
        ] {
            assert_truth(&samples::sources().join(source), &profile);
        }
    }
}

/// Classes of java.base, through `--patch-module`.
#[test]
fn java_base() {
    for jdk in jdk::main_and_25("java.base") {
        let folder = samples::temp_dir();
        let out = folder.path().join("out").display().to_string();
        let words = [
            "rewrite",
            "jrt:/java.base",
            "--include",
            "java.util.IntSummaryStatistics",
            "-o",
            &out,
        ];
        run::run(JFATHOM.command().args(words).env("JAVA_HOME", &jdk.home)).fine();
        let host = samples::compiled().java.display().to_string();
        let (done, profile) =
            JFATHOM.record(&["-q", "--rewritten", &out], jdk, &["-cp", &host, "samples.Jdk"], 0);
        assert_eq!(done.stdout, "jdk 499504 999\n", "{done}");
        // On 25 the recorder says that it took the slower clock.
        assert!(done.stderr.lines().all(|line| line.starts_with("jfathom: ")), "{done}");
        let calls = |name: &str| {
            let all = profile.methods.iter().filter(|method| method.info.key.name == name);
            all.map(Method::calls).sum::<u64>()
        };
        assert_eq!((calls("accept"), calls("combine"), calls("<init>")), (1000, 1, 2));
        assert!(profile.quality.is_clean(), "{:?}", profile.quality);
    }
}

/// All of java.base instrumented: the JVM still comes up, runs a program, and says the same.
#[test]
fn all_of_java_base() {
    let jdk = jdk::main();
    let folder = samples::temp_dir();
    let out = folder.path().join("out").display().to_string();
    let words = ["rewrite", "jrt:/java.base", "-o", &out];
    run::run(JFATHOM.command().args(words).env("JAVA_HOME", &jdk.home)).fine();
    let host = samples::compiled().java.display().to_string();
    let words = ["-cp", &host, "samples.All", "Lambdas", "Nested"];
    let expected = run::run(java(jdk).args(words)).fine();
    let (done, profile) = JFATHOM.record(&["-q", "--rewritten", &out], jdk, &words, 0);
    assert_eq!((done.stdout, done.stderr.as_str()), (expected.stdout, ""));
    assert!(
        profile.methods.len() > 500,
        "only {} methods of java.base were called",
        profile.methods.len()
    );
}
