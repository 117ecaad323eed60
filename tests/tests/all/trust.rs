//! `jfathom trust` on a program whose shares are known (`samples/trust`).

use crate::JFATHOM;
use jfathom_profile::{Profile, TrustVerdict};
use jfathom_tests::{
    jdk::{self, Jdk},
    run::{self, Done},
    samples,
    tool::java,
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const MAIN: &str = "trust.Shares";
const ROOT: &str = "trust.Shares::root";
/// Rounds of the program: two seconds of work.
const ROUNDS: &str = "100";

/// Compiles the program, and records it. All calls are timed: the budget would count `tiny`.
fn recorded(jdk: &Jdk, folder: &Path) -> (PathBuf, PathBuf) {
    let classes = folder.join("classes");
    samples::javac(&[], &samples::sources().join("trust"), &classes);
    let profile = folder.join("profile.jfp");
    run::run(
        JFATHOM
            .command()
            .args(["record", "-q", "--root", ROOT, "--budget", "none", "-o"])
            .arg(&profile)
            .arg("--")
            .arg(jdk.java())
            .arg("-cp")
            .arg(&classes)
            .args([MAIN, ROUNDS]),
    )
    .fine();
    (classes, profile)
}

/// The command of the uninstrumented program, in one word.
fn uninstrumented(jdk: &Jdk, classes: &Path) -> String {
    format!("{} -cp {} {MAIN} {ROUNDS}", jdk.java().display(), classes.display())
}

fn trust(profile: &Path) -> Command {
    let mut command = JFATHOM.command();
    command.arg("trust").arg(profile);
    command
}

fn read(path: &Path) -> Profile {
    Profile::read_whole(&mut &fs::read(path).unwrap()[..]).unwrap()
}

/// By name of the method: its share of the samples and of the recording, and the verdict.
fn share(profile: &Profile, name: &str) -> (f64, f64, Option<TrustVerdict>) {
    let is = |method: u32| profile.methods[method as usize].info.key.name == name;
    let mut rows = profile.trust.iter().flat_map(|trust| &trust.methods);
    let row = rows.find(|row| is(row.method)).map(|row| row.share).unwrap_or_default();
    (row.sampled, row.recorded, row.verdict)
}

#[test]
fn honest_methods_are_told_from_one_that_lies() {
    let folder = samples::temp_dir();
    for jdk in jdk::main_and_25("trust") {
        let place = folder.path().join(jdk.version.to_string());
        fs::create_dir(&place).unwrap();
        let (classes, profile) = recorded(jdk, &place);
        let judged = place.join("judged.jfp");
        let done = run::run(
            trust(&profile)
                .args(["--runs", "2", "-o"])
                .arg(&judged)
                .arg("--uninstrumented")
                .arg(uninstrumented(jdk, &classes)),
        );
        let plain = run::run(java(jdk).arg("-cp").arg(&classes).args([MAIN, ROUNDS]));
        let done = done.fine();
        // The program's own output stands before the result, once for each run.
        assert!(done.stdout.starts_with(&plain.stdout.repeat(2)), "{done}");
        assert!(done.stdout.contains("in 2 uninstrumented runs, one every 10.00 ms"), "{done}");
        let judged = read(&judged);
        let found = judged.trust.as_ref().unwrap();
        assert_eq!((found.runs, found.samples.truncated), (2, 0), "{done}");
        assert!(found.samples.inside > 100, "{done}");
        let [sorted, hashed, tiny] = ["sorted", "hashed", "tiny"].map(|name| share(&judged, name));
        // The samples know the program as it is: most of its work is in two methods.
        assert!(sorted.0 > 0.2 && hashed.0 > 0.2 && sorted.0 + hashed.0 > 0.75, "{done}");
        assert!(tiny.0 < 0.05, "{done}");
        // Whatever the recording makes of `tiny`, no share that is far off is confirmed, and only
        // one that is off is distorted: the long ones are too small beside it, never too large.
        for row in found.methods.iter().map(|row| row.share) {
            let off = (row.recorded - row.sampled).abs();
            match row.verdict {
                Some(TrustVerdict::Confirmed) => assert!(off < 0.15, "{done}"),
                Some(TrustVerdict::Distorted) => assert!(off >= 0.02, "{done}"),
                Some(TrustVerdict::Doubtful) | None => {}
            }
        }
        for (sampled, recorded, verdict) in [sorted, hashed] {
            assert!(verdict != Some(TrustVerdict::Distorted) || recorded < sampled, "{done}");
        }
        let (sampled, recorded, verdict) = tiny;
        assert!(verdict != Some(TrustVerdict::Distorted) || recorded > sampled, "{done}");
        let report =
            JFATHOM.run(&["report", "--view=methods", path(&place.join("judged.jfp"))]).fine();
        assert!(report.stdout.contains("trust"), "{report}");
    }
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The same by recordings that the JDK made with settings of its own.
#[test]
fn recordings_that_are_there_are_taken() {
    let folder = samples::temp_dir();
    let jdk = jdk::main();
    let (classes, profile) = recorded(jdk, folder.path());
    let file = folder.path().join("plain.jfr");
    let record = format!("-XX:StartFlightRecording=settings=profile,filename={}", path(&file));
    run::run(java(jdk).arg(record).arg("-cp").arg(&classes).args([MAIN, ROUNDS])).code(0);
    let json = run::run(trust(&profile).arg("--jfr").arg(&file).arg("--json")).fine();
    let document: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(document["format"], "jfathom-trust", "{json}");
    assert!(document["trust"]["samples"]["inside"].as_u64().unwrap() > 50, "{json}");
    // The profile stays as it was, unless it is named as output.
    assert_eq!(read(&profile).trust, None);
    let refused = run::run(trust(&profile).arg("--jfr").arg(&file).arg("-o").arg(&profile)).code(2);
    assert!(refused.stderr.contains("--force"), "{refused}");
    run::run(trust(&profile).arg("--jfr").arg(&file).arg("-fo").arg(&profile)).fine();
    assert!(read(&profile).trust.is_some());
    fs::write(&file, b"no recording").unwrap();
    let damaged = run::run(trust(&profile).arg("--jfr").arg(&file)).code(1);
    assert!(damaged.stderr.contains("at byte 0: no chunk"), "{damaged}");
}

/// What the command line says is wrong, or the JVM, is said, and no run is made in vain.
#[test]
fn commands_that_cannot_be_sampled() {
    let folder = samples::temp_dir();
    let jdk = jdk::main();
    let (classes, profile) = recorded(jdk, folder.path());
    let said = |options: &[&str], code: i32| -> Done {
        run::run(trust(&profile).args(options)).code(code)
    };
    let failed = said(&["--uninstrumented", "java -version no"], 1);
    assert!(failed.stderr.contains("no sample"), "{failed}");
    let silent = said(&["--uninstrumented", "sh -c true"], 1);
    assert!(silent.stderr.contains("no JVM has written"), "{silent}");
    let code = said(&["--uninstrumented", "sh -c 'exit 7'"], 7);
    assert!(code.stderr.contains("code 7"), "{code}");
    let missing = said(&["--uninstrumented", "/no/such/java -jar a.jar"], 1);
    assert!(missing.stderr.contains("not found"), "{missing}");
    let out = folder.path().join("out");
    let rewritten = JFATHOM.rewrite(&classes, &out, &["--root", ROOT]);
    let probes = format!("java -cp {} {MAIN}", path(&rewritten));
    let refused = said(&["--uninstrumented", &probes], 2);
    assert!(refused.stderr.contains("has probes"), "{refused}");
    // A Java whose files say that it has no JFR is not started.
    let home = folder.path().join("small");
    fs::create_dir_all(home.join("bin")).unwrap();
    fs::write(home.join("release"), "JAVA_VERSION=\"17.0.9\"\nMODULES=\"java.base\"\n").unwrap();
    let java = home.join("bin/java");
    fs::write(&java, "#!/bin/sh\nexit 9\n").unwrap();
    let refused = said(&["--uninstrumented", &format!("{} -version", path(&java))], 1);
    assert!(refused.stderr.contains("no JFR"), "{refused}");
}
