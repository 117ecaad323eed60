//! Commands that let go: they end before the JVM that they start is one.

use crate::world::{Directories, Recorder, holds, options, read_profile, shell};
use jfathom_collector::{Event, RecordingSummary, Wait, record};
use std::time::Duration;
use tempfile::TempDir;

/// What a recording gave. The command finds the path of a file in `GO`, which is there once the
/// recording says that it waits for a JVM to join.
struct LetGo {
    outcome: Result<RecordingSummary, jfathom_collector::Error>,
    notes: String,
    dir: TempDir,
}

fn let_go(script: &str, wait: Wait) -> LetGo {
    let dir = tempfile::tempdir().unwrap();
    let go = dir.path().join("go");
    let folder = dir.path().to_str().unwrap();
    let script = script.replace("GO", go.to_str().unwrap()).replace("DIR", folder);
    let mut options = options(dir.path(), &["sh".to_owned(), "-c".to_owned(), script]);
    options.wait = wait;
    let mut notes = String::new();
    let outcome = record(&options, &Directories, &mut |event| {
        let Event::Note(note) = event else { return };
        if note.contains("for a JVM to join") {
            std::fs::write(&go, "").unwrap();
        }
        notes.push_str(&note);
        notes.push('\n');
    });
    // Whatever still waits ends.
    std::fs::write(&go, "").unwrap();
    LetGo { outcome, notes, dir }
}

impl LetGo {
    #[track_caller]
    fn holds(&self, runs: u64, calls: u64) {
        assert!(self.outcome.is_ok(), "{:?}\n{}", self.outcome, self.notes);
        holds(&read_profile(&self.dir.path().join("profile.jfp")), runs, calls);
    }
}

/// A shell that waits for the file, and then becomes `next`.
fn patient(next: &str) -> String {
    format!("while [ -d 'DIR' ] && [ ! -e 'GO' ]; do sleep 0.02; done; exec {next}")
}

/// The command ends at once, and this runs on in a session of its own.
fn detached(script: &str) -> String {
    let quoted = script.replace('\'', r"'\''");
    format!("nohup setsid sh -c '{quoted}' >/dev/null 2>&1 & exit 3")
}

#[test]
fn a_jvm_that_comes_after_its_launcher_has_ended() {
    let recorded = let_go(&detached(&patient(&shell(&["calls", "1000"]))), Wait::Forever);
    recorded.holds(1, 1000);
    assert_eq!(recorded.outcome.as_ref().unwrap().exit.code(), 3);
    assert!(recorded.notes.contains("waiting as long as it runs"), "{}", recorded.notes);
}

#[test]
fn a_small_jvm_comes_before_the_real_one() {
    let script = format!("{}; {}", shell(&["calls", "10"]), patient(&shell(&["calls", "1000"])));
    let recorded = let_go(&detached(&script), Wait::default());
    recorded.holds(2, 1010);
    assert!(recorded.notes.contains("waiting 30 s at most"), "{}", recorded.notes);
}

#[test]
fn what_never_becomes_a_jvm_holds_nothing_for_longer() {
    let script = format!("{}; {}", shell(&["calls", "10"]), detached(&patient("true")));
    let recorded = let_go(&script, Wait::AtMost(Duration::from_millis(10)));
    recorded.holds(1, 10);
    assert!(recorded.notes.contains("has joined in 0.01 s; --wait 5m"), "{}", recorded.notes);

    let recorded = let_go(&detached(&patient("true")), Wait::NONE);
    assert!(recorded.outcome.is_err() && !recorded.notes.contains("--wait"), "{}", recorded.notes);
}

#[test]
fn a_signal_ends_the_wait() {
    let place = tempfile::tempdir().unwrap();
    let go = place.path().join("go");
    let folder = place.path().to_str().unwrap();
    let script =
        detached(&patient("true")).replace("GO", go.to_str().unwrap()).replace("DIR", folder);
    let mut recorder = Recorder::start(&["sh".to_owned(), "-c".to_owned(), script], None);
    recorder.line("for a JVM to join; ");
    recorder.signal("TERM");
    let (code, said) = recorder.wait();
    std::fs::write(&go, "").unwrap();
    assert!(code == 200 && said.contains("ERROR no JVM joined"), "{code} {said}");
}
