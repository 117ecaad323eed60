//! Programs whose JVM has an archive of classes of its own, which stays as it is.

use super::support::{PRINTS, Place, java_home, jdk_25};
use std::process::Command;

/// How an archive is written and used.
const CDS: [&str; 2] = ["-XX:ArchiveClassesAtExit=a.jsa", "-XX:SharedArchiveFile=a.jsa"];
const AOT: [&str; 2] = ["-XX:AOTCacheOutput=a.aot", "-XX:AOTCache=a.aot"];
const LIVE: &[&str] = &["--root", "acme.Engine::main"];

/// Runs the program so that it writes an archive.
fn archive(place: &Place, java: &str, flag: &str, jar: &str) {
    let mut command = Command::new(java);
    command.args([flag, "-cp", jar, "acme.Engine"]).current_dir(place.path(""));
    let made = command.output().unwrap();
    assert!(made.status.success(), "{made:?}");
}

/// Records the program, which prints what it prints without a recording. Returns what the summary
/// says.
#[track_caller]
fn records(place: &Place, options: &[&str], java: &str, flags: &[&str], jar: &str) -> String {
    let command = [&["--", java], flags, &["-cp", jar, "acme.Engine"]].concat();
    let answer = place.jfathom(&[&["record", "-fq", "-o", "p.jfp"], options, &command].concat());
    assert_eq!(answer.fine().out, PRINTS, "{options:?} {flags:?}");
    place.jfathom(&["report", "--view=methods", "p.jfp"]).fine().says(&["acme.Engine::step"]);
    place.jfathom(&["report", "--view=summary", "p.jfp"]).fine().out
}

#[test]
fn an_archive_is_used_in_silence() {
    let Some(jdk) = jdk_25() else { return };
    let place = Place::new();
    let java = jdk.join("bin/java").display().to_string();
    place.jfathom(&["rewrite", "app.jar", "-q", "-o", "out"]).fine();
    let waits = [LIVE, &["--metrics", "waits"]].concat();
    for [write, flag] in [CDS, AOT] {
        archive(&place, &java, write, "app.jar");
        let said = records(&place, &waits, &java, &[flag], "app.jar");
        assert!(said.contains("lost if the JVM is killed"), "{said}");
        std::fs::remove_file(place.path(flag.split('=').next_back().unwrap())).unwrap();
        archive(&place, &java, write, "out/app.jar");
        let said = records(&place, &[], &java, &[flag], "out/app.jar");
        assert!(
            said.contains(flag) && said.contains("System.nanoTime; calls on virtual"),
            "{said}"
        );
    }
}

#[test]
fn an_archive_that_does_not_fit_a_needed_flag_is_left_in_silence() {
    let place = Place::new();
    let java = java_home().join("bin/java").display().to_string();
    archive(&place, &java, CDS[0], "app.jar");
    let boot = ["rewrite", "app.jar", "-q", "-o", "out", "--placement", "boot"];
    place.jfathom(&boot).fine();
    records(&place, &["--rewritten", "out"], &java, &[CDS[1]], "out/app.jar");
}

#[test]
fn an_archive_that_is_written_or_renewed_does_not_end_the_program() {
    let place = Place::new();
    let java = java_home().join("bin/java").display().to_string();
    let command = ["--", &java, CDS[0], "-jar", "app.jar"];
    let refused = place.jfathom(&[&["record"], LIVE, &command].concat());
    refused.refused(2, &[CDS[0], "cannot have the agent", "without this flag"]);
    let Some(jdk) = jdk_25() else { return };
    let java = jdk.join("bin/java").display().to_string();
    // Also where a file has the flags.
    place.write("flags", b"-XX:+AutoCreateSharedArchive\n-XX:SharedArchiveFile=auto.jsa");
    let said = records(&place, LIVE, &java, &["@flags"], "app.jar");
    assert!(said.contains("did not renew the archive"), "{said}");
    assert!(!place.path("auto.jsa").exists());
}
