//! Killed and stopped recorders, and no space.

use crate::world::{Directories, Recorder, classes, holds, java, method, program, record_here};
use jfathom_collector::recover;
use jfathom_compare::merge;
use jfathom_session::RingSize;
use jfathom_testkit::SmallDisk;

#[test]
fn what_a_killed_recorder_left_is_read() {
    let place = tempfile::tempdir().unwrap();
    let go = place.path().join("go");
    let mut recorder = Recorder::start(&program(&["wait", "1000", go.to_str().unwrap()]), None);
    recorder.until_records(2003);
    recorder.signal("KILL");
    // The pipe is the program's too: it goes on, and its output comes.
    std::fs::write(&go, "").unwrap();
    recorder.line("waited");
    recorder.wait();
    let dir = recorder.session();
    let read = || merge(recover(&dir, &Directories).unwrap()).unwrap();
    let profile = read();
    profile.check().unwrap();
    let (run, step) = (method(&profile, "run"), method(&profile, "step"));
    // Every record is in the profile or counted as lost: two for each call, and the thread's first
    // and perhaps last.
    let lost = profile.quality.lost_with_collector;
    let all = profile.quality.records + lost;
    assert!((4005..=4006).contains(&all), "{all} {:?}", profile.quality);
    // The second half was recorded when nobody read: nothing of it is missing.
    assert!(step.entries >= 1000 && run.entries >= 1, "{:?}", profile.quality);
    assert_eq!(profile.meta.command[4], "Program");
    assert_eq!(profile.meta.labels.get("kind"), Some("child"));
    assert_eq!(profile, read(), "reading changes nothing");
}

#[test]
fn a_session_file_that_its_jvm_cuts_off_ends_no_recorder() {
    // The rings are smaller than the records: the recorder has mapped the file before.
    let recorded = record_here(&program(&["cut", "2000"]), |options| {
        options.ring_size = RingSize::new(4096);
    });
    let profile = recorded.profile();
    assert!(
        profile.quality.other_losses.iter().any(|loss| loss.contains("cut off")),
        "{:?}",
        profile.quality
    );
    assert!(method(&profile, "step").calls() > 0, "{:?}", profile.quality);
}

#[test]
fn nothing_is_lost_that_a_checkpoint_has() {
    let place = tempfile::tempdir().unwrap();
    let go = place.path().join("go");
    let mut recorder = Recorder::start(&program(&["wait", "1000", go.to_str().unwrap()]), None);
    recorder.until_records(2003);
    let is_checkpoint =
        |entry: std::fs::DirEntry| entry.path().extension().is_some_and(|end| end == "jfc");
    while !std::fs::read_dir(recorder.session()).unwrap().flatten().any(is_checkpoint) {
        recorder.line("STATUS ");
    }
    recorder.signal("KILL");
    std::fs::write(&go, "").unwrap();
    recorder.line("waited");
    recorder.wait();
    let mut profile = merge(recover(&recorder.session(), &Directories).unwrap()).unwrap();
    assert!(
        profile.meta.notices.iter().any(|notice| notice.contains("killed")),
        "{:?}",
        profile.meta.notices
    );
    assert_eq!(
        (profile.quality.killed_collectors, profile.quality.is_clean()),
        (1, false),
        "{:?}",
        profile.quality
    );
    // All that is counted is there: only that the recorder was killed makes it unclean.
    profile.quality.killed_collectors = 0;
    holds(&profile, 2, 2000);
}

#[test]
fn a_stopped_recorder_does_not_stop_the_program() {
    let place = tempfile::tempdir().unwrap();
    let go = place.path().join("go");
    let command = program(&["threads", "16", "20000", go.to_str().unwrap()]);
    let mut recorder = Recorder::start(&command, Some(4096));
    // All of the first half is recorded or in the rings.
    recorder.line("half");
    recorder.stop();
    std::fs::write(&go, "").unwrap();
    recorder.line("sum 320000");
    recorder.signal("CONT");
    let (code, output) = recorder.wait();
    assert_eq!(code, 0, "{output}");
    let profile = recorder.profile();
    profile.check().unwrap();
    let quality = &profile.quality;
    assert!(quality.lost_waiting > 0 && !quality.is_clean(), "{quality:?}");
    let step = method(&profile, "step");
    // Of the second half there is no more than the rings held.
    assert!((160_000..160_000 + 16 * 512 / 2).contains(&step.entries), "{}", step.entries);
}

#[test]
fn a_removed_session_directory_ends_neither_recording_nor_exit_code() {
    let place = tempfile::tempdir().unwrap();
    let go = place.path().join("go");
    let mut recorder = Recorder::start(&program(&["wait", "1000", go.to_str().unwrap()]), None);
    recorder.until_records(2003);
    std::fs::remove_dir_all(recorder.session()).unwrap();
    // The note comes before the program can end.
    recorder.line("JVMs that start from now on are not recorded");
    std::fs::write(&go, "").unwrap();
    recorder.line("waited");
    let (code, output) = recorder.wait();
    assert_eq!(code, 0, "{output}");
    holds(&recorder.profile(), 2, 2000);
}

#[test]
fn a_full_file_system_does_not_disturb_the_program() {
    let place = tempfile::tempdir().unwrap();
    let Some(disk) = SmallDisk::mount(&place.path().join("disk"), "4m") else {
        println!("skipped: a tmpfs of 4 MB cannot be mounted here");
        return;
    };
    let output = place.path().join("output");
    let command = format!(
        "'{}' -cp '{}' Program threads 200 1000 >'{}' 2>&1",
        java(),
        classes().display(),
        output.display()
    );
    let recorded = record_here(&["sh".to_owned(), "-c".to_owned(), command], |options| {
        options.session_dir = Some(disk.path().join("session"));
    });
    assert_eq!(std::fs::read_to_string(&output).unwrap(), "sum 200000\n");
    let profile = recorded.profile();
    profile.check().unwrap();
    // The session goes on in the temporary folder: nothing is missing.
    let entries = |name| method(&profile, name).entries;
    assert_eq!((entries("step"), entries("run")), (200 * 1000, 400), "{:?}", profile.quality);
    assert!(profile.quality.is_clean(), "{:?}", profile.quality);
}
