//! What cannot be recorded, and what is said then.

use crate::world::{Directories, java, method, overlapping, program, record_here, shell, write};
use jfathom_collector::{Error, recover};
use jfathom_compare::merge;

fn words(command: &[&str]) -> Vec<String> {
    command.iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn commands_that_cannot_run() {
    for (command, code) in
        [(&["no-such-command-of-jfathom"][..], 127), (&["/dev/null"][..], 126), (&[][..], 2)]
    {
        let recorded = record_here(&words(command), |_| ());
        let error = recorded.result.unwrap_err();
        assert_eq!(error.exit_code(), code, "{error}");
        assert!(
            !recorded.dir.path().join("session").exists()
                && !recorded.dir.path().join("profile.jfp").exists()
        );
    }
}

#[test]
fn no_jvm_and_no_record() {
    let recorded = record_here(&words(&["sh", "-c", "exit 5"]), |_| ());
    let error = recorded.result.unwrap_err();
    assert!(matches!(error, Error::NoJvm { .. }), "{error}");
    assert_eq!(error.exit_code(), 5);
    assert!(error.to_string().contains("JFATHOM_SESSION"), "{error}");

    let recorded = record_here(&program(&["plain"]), |_| ());
    let error = recorded.result.unwrap_err();
    assert!(matches!(error, Error::NoJvm { .. }), "{error}");
    assert_eq!(error.exit_code(), 1);
    assert!(error.to_string().contains("not rewritten"), "{error}");
}

#[test]
fn a_runtime_that_could_not_begin_is_heard() {
    let script = "echo 'the moon is full' >$JFATHOM_SESSION/jvm-77-1.failed";
    let error = record_here(&words(&["sh", "-c", script]), |_| ()).result.unwrap_err();
    let text = error.to_string();
    assert!(text.contains("JVM 77") && text.contains("the moon is full"), "{text}");
}

#[test]
fn files_in_the_way() {
    let recorded =
        record_here(&words(&["true"]), |options| std::fs::write(&options.output, "old").unwrap());
    let error = recorded.result.unwrap_err();
    assert!(
        matches!(error, Error::OutputExists(_)) && error.to_string().contains("--force"),
        "{error}"
    );
    let recorded =
        record_here(&words(&["true"]), |options| options.output = "/no/such/dir/p.jfp".into());
    assert!(recorded.result.unwrap_err().to_string().contains("/no/such/dir/p.jfp"));
    let recorded = record_here(&program(&["calls", "10"]), |options| {
        std::fs::write(&options.output, "old").unwrap();
        options.force = true;
    });
    assert_eq!(recorded.profile().methods.len(), 2);
}

#[test]
fn a_profile_that_cannot_be_written() {
    let recorded =
        record_here(&program(&["exit", "10", "7"]), |options| options.output = "/dev/full".into());
    let error = recorded.result.unwrap_err();
    assert_eq!(error.exit_code(), 7, "what the program did comes first: {error}");
    let session = recorded.dir.path().join("session");
    assert!(error.to_string().contains(&session.display().to_string()), "{error}");
    let profile = merge(recover(&session, &Directories).unwrap()).unwrap();
    assert_eq!(method(&profile, "step").calls(), 11, "{:?}", profile.quality);
    // The directory on disk was not needed: what is to be deleted is one directory.
    assert!(
        !session.join("overflow").exists() && recorded.notes.is_empty(),
        "{:?}",
        recorded.notes
    );
}

#[test]
fn an_output_that_appears_during_the_recording_is_not_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let profile = dir.path().join("profile.jfp");
    let script = format!("{}; echo precious >'{}'", shell(&["calls", "10"]), profile.display());
    for runs in [1, 2] {
        let recorded = record_here(&words(&["sh", "-c", &script]), |options| {
            options.output = profile.clone();
            options.runs = runs;
        });
        let text = recorded.result.unwrap_err().to_string();
        assert!(text.contains("--force") && text.contains("session"), "{text}");
        assert_eq!(std::fs::read_to_string(&profile).unwrap(), "precious\n");
        std::fs::remove_file(&profile).unwrap();
    }
}

#[test]
fn a_java_that_is_too_old() {
    let home = tempfile::tempdir().unwrap();
    write(&home.path().join("release"), b"JAVA_VERSION=\"1.8.0_402\"\n");
    write(&home.path().join("bin/java"), b"#!/bin/sh\necho must not run\n");
    let java = home.path().join("bin/java").display().to_string();
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&java, std::fs::Permissions::from_mode(0o755)).unwrap();
    let error = record_here(&[java, "Main".to_owned()], |_| ()).result.unwrap_err();
    assert!(matches!(error, Error::JvmTooOld { version: 8, .. }), "{error}");
    assert_eq!(error.exit_code(), 1);
}

#[test]
fn two_jars_with_the_same_ids() {
    let other = tempfile::tempdir().unwrap();
    overlapping(other.path());
    let class_path = format!("{}:{}", crate::world::classes().display(), other.path().display());
    let command = words(&[&java(), "-cp", &class_path, "Program", "calls", "100"]);
    let recorded = record_here(&command, |_| ());
    let error = recorded.result.unwrap_err();
    let text = error.to_string();
    let both =
        [crate::world::classes(), other.path()].map(|dir| text.contains(dir.to_str().unwrap()));
    assert_eq!(both, [true, true], "{text}");
    assert!(text.contains("--id-base") && error.exit_code() == 1, "{text}");
}
