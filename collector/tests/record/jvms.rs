//! One JVM and several.

use crate::world::{holds, java, method, program, read_profile, record_here, shell};
use jfathom_session::RingSize;

#[test]
fn counts_names_and_exit_code_are_exact() {
    let recorded =
        record_here(&program(&["exit", "1000", "3"]), |options| options.session_dir = None);
    let outcome = recorded.result.as_ref().unwrap();
    assert_eq!((outcome.exit.code(), outcome.jvms), (3, 1));
    let profile = recorded.profile();
    profile.check().unwrap();
    let (run, step) = (method(&profile, "run"), method(&profile, "step"));
    assert_eq!((run.entries, run.open), (1, 1));
    assert_eq!((step.entries, step.returns, step.throws, step.open), (1001, 900, 100, 1));
    assert!(profile.quality.is_clean(), "{:?}", profile.quality);
    let meta = &profile.meta;
    assert_eq!((meta.tool.as_str(), meta.command[4].as_str()), ("jfathom test", "Program"));
    let jvm = &meta.jvms[0];
    assert!(jvm.clean_end && jvm.command.starts_with("Program exit"), "{jvm:?}");
    assert_eq!(
        (jvm.provenance.len(), jvm.provenance[0].ids, jvm.provenance[0].tool.as_str()),
        (1, 2, "test")
    );
    assert!(meta.machine.cpus > 0 && !meta.machine.os.is_empty());
}

#[test]
fn more_records_than_a_ring_holds() {
    let recorded = record_here(&program(&["threads", "4", "20000"]), |options| {
        options.ring_size = RingSize::new(4096)
    });
    holds(&recorded.profile(), 8, 80_000);
    assert_eq!(recorded.profile().threads.len(), 4);
}

#[test]
fn a_killed_jvm_loses_nothing() {
    let recorded = record_here(&program(&["killed", "1000"]), |_| ());
    assert_eq!(recorded.result.as_ref().unwrap().exit.code(), 137);
    let profile = recorded.profile();
    assert_eq!((method(&profile, "run").returns, method(&profile, "step").entries), (1, 1000));
    assert_eq!((profile.quality.unclean_ends, profile.quality.lost_records), (1, 0));
}

#[test]
fn several_jvms_are_added_up_or_kept_apart() {
    let (one, two) = (shell(&["calls", "1000"]), shell(&["calls", "500"]));
    // In parallel, one after another, and one without a record.
    let script = format!("{one} & {two}; wait; {one}; {}", shell(&["plain"]));
    let command = ["sh".to_owned(), "-c".to_owned(), script];
    let recorded = record_here(&command, |_| ());
    let profile = recorded.profile();
    holds(&profile, 3, 2500);
    assert_eq!((profile.meta.jvms.len(), profile.threads.len()), (3, 3));
    assert!(
        recorded.notes.iter().any(|note| note.contains("3 JVMs are added up")),
        "{:?}",
        recorded.notes
    );

    let recorded = record_here(&command, |options| options.per_jvm = true);
    let outcome = recorded.result.unwrap();
    let profiles: Vec<_> = outcome.profiles.iter().map(|path| read_profile(path)).collect();
    let mut calls: Vec<u64> =
        profiles.iter().map(|profile| method(profile, "step").entries).collect();
    calls.sort();
    assert_eq!(calls, [500, 1000, 1000]);
    for (path, profile) in outcome.profiles.iter().zip(&profiles) {
        let pid = profile.meta.jvms[0].pid;
        assert_eq!(path.file_name().unwrap().to_str().unwrap(), format!("profile.{pid}.jfp"));
    }
}

#[test]
fn a_jvm_that_starts_a_jvm() {
    let recorded = record_here(&program(&["parent", &java(), "1000"]), |_| ());
    holds(&recorded.profile(), 2, 2000);
    assert_eq!(recorded.profile().meta.jvms.len(), 2);
}

#[test]
fn what_the_command_leaves_behind_is_waited_for_or_not() {
    let place = tempfile::tempdir().unwrap();
    let go = place.path().join("go");
    let background = |go: &std::path::Path| {
        [
            "sh".to_owned(),
            "-c".to_owned(),
            format!("{} &", shell(&["wait", "1000", go.to_str().unwrap()])),
        ]
    };
    // The recording ends when the JVM does, and that waits for the note that it is waited for.
    let mut told = String::new();
    let dir = tempfile::tempdir().unwrap();
    let options = crate::world::options(dir.path(), &background(&go));
    let outcome = jfathom_collector::record(&options, &crate::world::Directories, &mut |event| {
        if let jfathom_collector::Event::Note(note) = event {
            told.push_str(&note);
            std::fs::write(&go, "").unwrap();
        }
    });
    assert_eq!(outcome.unwrap().exit.code(), 0);
    holds(&read_profile(&dir.path().join("profile.jfp")), 2, 2000);
    // The shell may not have executed java when it is looked for: then its copy is named.
    assert!(told.contains("still runs"), "{told}");

    // The shell ends when the JVM has recorded, and the JVM only when the test does.
    let go = place.path().join("never");
    let (ready, jvm) = (place.path().join("ready"), shell(&["wait", "1000", go.to_str().unwrap()]));
    let script = format!("{jvm} & while [ ! -e '{}' ]; do sleep 0.01; done", ready.display());
    let dir = tempfile::tempdir().unwrap();
    let mut options =
        crate::world::options(dir.path(), &["sh".to_owned(), "-c".to_owned(), script]);
    options.wait = jfathom_collector::Wait::NONE;
    let outcome = jfathom_collector::record(&options, &crate::world::Directories, &mut |event| {
        if matches!(event, jfathom_collector::Event::Status(status) if status.records >= 2003) {
            std::fs::write(&ready, "").unwrap();
        }
    });
    std::fs::write(&go, "").unwrap();
    assert_eq!(outcome.unwrap().records, 2003);
    let profile = read_profile(&dir.path().join("profile.jfp"));
    holds(&profile, 1, 1000);
    assert!(
        profile.meta.notices.iter().any(|notice| notice.contains("while it ran")),
        "{:?}",
        profile.meta.notices
    );
}
