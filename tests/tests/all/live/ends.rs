//! However somebody ends: the recorder, the program, the JVM.

use super::{assert_calls, assert_work, calls, live, program};
use crate::JFATHOM;
use jfathom_profile::Profile;
use jfathom_tests::{
    jdk,
    live::{CodeAgent, Desk, signal},
    run, samples,
    tool::java,
    truth::{self, Plan},
    wire,
};

const SIGINT: u32 = 2;

/// The recorder is killed: the program goes on as before, with its own code, and can be recorded
/// again.
#[test]
fn recorder_killed() {
    for jdk in jdk::main_and_25("recorder killed") {
        let mut desk = Desk::start(jdk, &[]);
        desk.expect("Work 10", "327");
        let code = CodeAgent::new(jdk, "recorder killed");
        let before = code.as_ref().map(|code| code.sizes(desk.pid, "live/Work"));
        let mut recording = live(&["live.Work::root"]).attach(desk.pid);
        recording.until_live();
        desk.expect("Work 10", "327");
        let left = recording.kill();
        desk.expect("Work 10", "327");
        left.until("the code is restored", |lines| lines.total("restored") > 0);
        assert_eq!(left.lines().total("restored_differently"), 0);
        let directory = left.directory().display().to_string();
        let text = JFATHOM.run(&["report", &directory]).fine().stdout;
        let said = text.lines().find(|line| line.starts_with("NOT CLEAN")).unwrap_or_default();
        assert!(
            said.contains("1 collector was killed") && said.contains("silent for 2 s"),
            "{text}"
        );
        let report = JFATHOM.run(&["report", "--json", &directory]).fine();
        let report: serde_json::Value = serde_json::from_str(&report.stdout).unwrap();
        let quality = &report["quality"];
        assert_eq!(
            (&quality["clean"], &quality["killedCollectors"]),
            (&false.into(), &1.into()),
            "{quality}"
        );
        assert_eq!(quality["silentEnds"], 1, "{quality}");
        // The agent writes the totals when all is done, and may still be about to let go of the
        // session.
        let again = loop {
            let mut again = live(&["live.Work::root"]).attach(desk.pid);
            if again.becomes_live() {
                break again;
            }
            let (done, _) = again.ended(1);
            assert!(done.stderr.contains("record"), "{done}");
        };
        desk.expect("Work 10", "327");
        let lines = again.lines();
        let (_, profile) = again.end();
        assert_work(&profile, &lines, 10);
        assert_eq!(code.as_ref().map(|code| code.sizes(desk.pid, "live/Work")), before);
        desk.finish().fine();
    }
}

/// The recorder is stopped for longer than the agent waits, and goes on: the profile says that the
/// session has ended before.
#[test]
fn recorder_stopped_and_continued() {
    for jdk in jdk::main_and_25("recorder stopped") {
        let mut desk = Desk::start(jdk, &[]);
        desk.expect("Work 10", "327");
        let mut recording = live(&["live.Work::root"]).attach(desk.pid);
        recording.until_live();
        desk.expect("Work 10", "327");
        signal(recording.pid(), "STOP");
        recording.until("the code is restored", |lines| lines.total("restored") > 0);
        desk.expect("Work 10", "327");
        signal(recording.pid(), "CONT");
        let lines = recording.lines();
        let (_, profile) = recording.profile();
        // What was called before is all there, and nothing of what was called afterwards.
        assert_work(&profile, &lines, 10);
        assert_eq!(
            (profile.quality.silent_ends, profile.quality.is_clean()),
            (1, false),
            "{:?}",
            profile.quality
        );
        desk.finish().fine();
    }
}

/// The JVM is killed: everything up to the last record is in the profile, which says so.
#[test]
fn jvm_killed() {
    for jdk in jdk::main_and_25("JVM killed") {
        let mut desk = Desk::start(jdk, &[]);
        desk.expect("Work 10", "327");
        let mut recording = live(&["live.Work::root"]).attach(desk.pid);
        recording.until_live();
        desk.expect("Work 10", "327");
        desk.ask("start Held 1");
        desk.expect("Held wait", "inside");
        desk.kill();
        let lines = recording.lines();
        let (done, left) = recording.ended(0);
        let profile = left.read(&done);
        assert_work(&profile, &lines, 10);
        assert!(!profile.meta.jvms[0].clean_end, "{:?}", profile.meta);
        assert_eq!(
            (profile.quality.unclean_ends, profile.quality.is_clean()),
            (1, false),
            "{:?}",
            profile.quality
        );
    }
}

/// `System.exit`, `Runtime.halt`, and an exception out of main, from within the root: exit code,
/// output and counts are what they are.
#[test]
fn program_ends_inside_its_root() {
    for jdk in jdk::main_and_25("ends inside a root") {
        for name in ["ExitInside", "HaltInside"] {
            let sample = samples::all()
                .iter()
                .find(|sample| sample.name == name)
                .expect("there is such a sample");
            let words =
                wire::class_path(&samples::compiled().java, &format!("samples.{name}"), &[]);
            let plain = run::run(java(jdk).args(&words)).code(sample.exit);
            let (done, profile) = live(&[&format!("samples.{name}::main")]).with(&["-q"]).run(
                jdk,
                &words,
                sample.exit,
            );
            assert_eq!((&done.stdout, &done.stderr), (&plain.stdout, &plain.stderr), "{done}");
            // The hook's thread is not handed anything by the root.
            assert_truth(sample, &profile, &["hook"]);
        }
        let plain = run::run(java(jdk).args(program("live.Thrower"))).code(1);
        let (done, profile) =
            live(&["live.Thrower::main"]).with(&["-q"]).run(jdk, &program("live.Thrower"), 1);
        assert_eq!((&done.stdout, &done.stderr), (&plain.stdout, &plain.stderr), "{done}");
        let sample = samples::read_sample(&samples::sources().join("live/live/Thrower.java"));
        assert_truth(&sample, &profile, &[]);
    }
}

#[track_caller]
fn assert_truth(sample: &truth::Sample, profile: &Profile, but: &[&str]) {
    let mut sample = sample.clone();
    sample.truths.retain(|truth| !but.contains(&truth.method.as_str()));
    let wrong = truth::differences(&sample, profile, Plan::Every);
    assert!(wrong.is_empty(), "{}\n{:?}", wrong.join("\n"), profile.quality);
}

/// A thread is inside the root when the JVM ends: it is recorded until the process is gone.
#[test]
fn the_jvm_ends_around_its_root() {
    for jdk in jdk::main_and_25("ends around a root") {
        let folder = samples::temp_dir();
        let counts = folder.path().join("counts");
        std::fs::write(&counts, [0; 16]).expect("a file");
        let words = [program("live.Busy"), vec![counts.display().to_string()]].concat();
        let (done, profile) = live(&["live.Busy::root"]).with(&["-q"]).run(jdk, &words, 0);
        let counts = std::fs::read(&counts).expect("the counts");
        let [begun, made] = [0, 1].map(|at| u64::from_be_bytes(counts.as_chunks::<8>().0[at]));
        let recorded = calls(&profile, "live/Busy", "leaf");
        assert!(
            (made..=begun).contains(&recorded),
            "{recorded} calls, {begun} begun, {made} done\n{done}"
        );
        assert!(profile.quality.is_clean(), "{:?}", profile.quality);
    }
}

/// Ctrl-C while a root is waited for leaves nothing behind.
#[test]
fn interrupted_while_waiting() {
    let mut desk = Desk::start(jdk::main(), &[]);
    let mut recording = live(&["live.Late::root"]).attach(desk.pid);
    recording.until_waiting();
    recording.interrupt();
    let (done, _) = recording.ended(1);
    done.says(&["live.Late"]);
    desk.expect("Late 4", "37");
    let mut again = live(&["live.Late::root"]).attach(desk.pid);
    again.until_live();
    desk.expect("Late 4", "37");
    let lines = again.lines();
    let (_, profile) = again.end();
    assert_calls(&profile, &lines, &[("Late::root", 4), ("Late::step", 8)]);
    desk.finish().fine();
}

/// A recorder in a script's background goes on ignoring Ctrl-C, which is meant for another program,
/// and ends when it is asked itself.
#[test]
fn in_the_background() {
    let mut desk = Desk::start(jdk::main(), &[]);
    desk.expect("Work 10", "327");
    let mut recording = live(&["live.Work::root"]).in_background().attach(desk.pid);
    recording.until_live();
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", recording.pid())).expect("it runs");
    let ignored =
        status.lines().find_map(|line| line.strip_prefix("SigIgn:")).expect("Linux says it");
    let ignored = u64::from_str_radix(ignored.trim(), 16).expect("a mask");
    assert_eq!(ignored >> (SIGINT - 1) & 1, 1, "{status}");
    recording.interrupt();
    desk.expect("Work 10", "327");
    let lines = recording.lines();
    signal(recording.pid(), "TERM");
    let (_, profile) = recording.profile();
    assert_work(&profile, &lines, 10);
    desk.finish().fine();
}
