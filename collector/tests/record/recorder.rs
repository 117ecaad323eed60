//! Signals and exit codes, through a recorder in a process of its own.

use crate::world::{Recorder, holds, method, program, recorder_child as child, shell};

/// Not a test by itself: the recorder that other tests start.
#[test]
fn recorder_child() {
    child();
}

#[test]
fn a_signal_goes_on_to_the_program_and_its_code_comes_back() {
    let mut recorder = Recorder::start(&program(&["sleep", "1000"]), None);
    recorder.until_records(2003);
    recorder.signal("TERM");
    let (code, output) = recorder.wait();
    assert_eq!(code, 143, "{output}");
    holds(&recorder.profile(), 1, 1000);
    assert!(!recorder.session().exists());
}

#[test]
fn a_stopped_and_continued_recorder_loses_nothing_that_fits() {
    let place = tempfile::tempdir().unwrap();
    let go = place.path().join("go");
    let mut recorder = Recorder::start(&program(&["wait", "1000", go.to_str().unwrap()]), None);
    recorder.until_records(2003);
    recorder.stop();
    std::fs::write(&go, "").unwrap();
    recorder.line("waited");
    recorder.signal("CONT");
    let (code, output) = recorder.wait();
    assert_eq!(code, 0, "{output}");
    holds(&recorder.profile(), 2, 2000);
}

#[test]
fn a_terminated_shell_leaves_its_jvm_recorded() {
    // The shell ends by the signal; the JVM, which has not got it, goes on until the file is there.
    let place = tempfile::tempdir().unwrap();
    let go = place.path().join("go");
    let script = format!("{} & echo started; wait", shell(&["wait", "1000", go.to_str().unwrap()]));
    let mut recorder = Recorder::start(&["sh".into(), "-c".into(), script], None);
    recorder.until_records(2003);
    recorder.signal("TERM");
    recorder.line("still runs");
    std::fs::write(&go, "").unwrap();
    let (code, output) = recorder.wait();
    assert_eq!(code, 143, "{output}");
    holds(&recorder.profile(), 2, 2000);
    assert_eq!(method(&recorder.profile(), "step").open, 0);
}
