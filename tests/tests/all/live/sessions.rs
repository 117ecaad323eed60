//! Attach, record, detach, and again.

use super::{assert_calls, assert_work, calls, live, program};
use crate::JFATHOM;
use jfathom_tests::{
    jdk,
    live::{CodeAgent, Desk},
};

/// What `Work 10` and `Work 10 other` answer.
const TEN: &str = "327";
const TEN_OTHER: &str = "56";

/// The roots' own numbers are exact from attach to detach, for one root after the other in the same
/// JVM, by each way to end; the code is then what it was.
#[test]
fn one_after_another() {
    for jdk in jdk::main_and_25("live sessions") {
        let mut desk = Desk::start(jdk, &[]);
        desk.expect("Work 10", TEN);
        desk.expect("Work 10 other", TEN_OTHER);
        let code = CodeAgent::new(jdk, "live sessions");
        let pid = desk.pid;
        let sizes = || code.as_ref().map(|code| code.sizes(pid, "live/Work"));
        let before = sizes();
        for round in 0..5 {
            let scheme = ["lazy", "eager", "total", "lazy", "lazy"][round];
            let other = round % 2 == 1;
            let root = if other { "live.Work::other" } else { "live.Work::root" };
            let mut recording = live(&[root]).with(&["--scheme", scheme]).attach(desk.pid);
            recording.until_live();
            desk.expect("Work 10", TEN);
            desk.expect("Work 10 other", TEN_OTHER);
            let inside = sizes();
            assert!(before.is_none() || before != inside, "no code is changed inside a session");
            let lines = recording.lines();
            let (done, profile) = match round {
                1 => {
                    JFATHOM.run(&["stop", &desk.pid.to_string()]).fine();
                    recording.profile()
                }
                _ => recording.end(),
            };
            if other {
                let expected = [
                    ("Work::other", 10),
                    ("Work::step", 10),
                    ("Work::leaf", 20),
                    ("Work::only", 10),
                ];
                assert_calls(&profile, &lines, &expected);
                assert_calls(&profile, &lines, &[("Work::root", 0), ("Work$Deeper::down", 0)]);
            } else {
                assert_work(&profile, &lines, 10);
            }
            assert!(profile.quality.is_clean(), "{:?}\n{done}", profile.quality);
            assert_eq!(sizes(), before, "the code is not what it was after round {round}");
            desk.expect("Work 10", TEN);
        }
        let done = desk.finish().fine();
        assert!(!done.stderr.contains("Exception"), "{done}");
    }
}

/// Classes that no class path has: what they are is asked of the JVM. Only what got probes is given
/// back, and it is what it was.
#[test]
fn of_classes_that_a_server_makes() {
    for jdk in jdk::main_and_25("made classes") {
        let mut desk = Desk::start(jdk, &[]);
        desk.expect("Pages load", "6");
        desk.expect("Pages 10", "100");
        for _ in 0..2 {
            let mut recording = live(&["live.page.Page::root"]).attach(desk.pid);
            recording.until_live();
            desk.expect("Pages 10", "100");
            let lines = recording.lines();
            assert!(lines.all("root").all(|root| root["unmatched"].is_null()), "{lines:#?}");
            recording.interrupt();
            let (done, left) = recording.ended(0);
            let (profile, lines) = (left.read(&done), left.lines());
            assert_eq!(calls(&profile, "live/page/Page", "root"), 10, "{lines:#?}");
            assert_eq!(calls(&profile, "live/page/Page", "part"), 10, "{lines:#?}");
            assert!(profile.quality.is_clean(), "{:?}\n{done}", profile.quality);
            assert_eq!(profile.quality.restored_differently, 0, "{done}");
            assert_eq!(profile.meta.notices, [""; 0]);
            let classes: std::collections::BTreeSet<_> =
                lines.all("class").map(|class| class["name"].to_string()).collect();
            let hooked = jfathom_rewriter::HOOKS.iter().map(|hook| hook.class);
            let changed = classes.len() + hooked.collect::<std::collections::BTreeSet<_>>().len();
            assert!(
                lines.total("restored") <= changed as u64,
                "{} of {changed}",
                lines.total("restored")
            );
        }
        desk.finish().fine();
    }
}

/// `-d` ends a recording by itself; the program is as before.
#[test]
fn for_a_while() {
    let mut desk = Desk::start(jdk::main(), &[]);
    desk.expect("Work 10", TEN);
    let recording = live(&["live.Work::root"]).with(&["-d", "1s"]).attach(desk.pid);
    // Nobody called the root, and that is no success.
    let (done, left) = recording.ended(1);
    assert!(left.lines().root_is("live"), "{done}");
    assert_eq!(left.lines().total("restored_differently"), 0);
    desk.expect("Work 10", TEN);
    desk.finish().fine();
}

/// A root that is running when we attach counts from its next call; frames of a session that has
/// ended come back in the next one.
#[test]
fn a_root_that_is_running() {
    for jdk in jdk::main_and_25("a running root") {
        let mut desk = Desk::start(jdk, &[]);
        desk.ask("start Held 5");
        desk.expect("Held wait", "inside");
        let mut first = live(&["live.Held::root"]).attach(desk.pid);
        first.until_live();
        first.interrupt();
        let (done, _) = first.ended(1);
        done.says(&["live.Held::root", "running all the time"]);

        let mut second = live(&["live.Held::root"]).attach(desk.pid);
        second.until_live();
        desk.expect("Held go", "gone");
        desk.expect("join", "35");
        desk.expect("Held again", "again");
        // From here on three levels deep, entered inside the session, left after it.
        desk.ask("start Held 3");
        desk.expect("Held wait", "inside");
        let lines = second.lines();
        let (_, profile) = second.end();
        // The five old activations were no entries; the steps that they called are outside the
        // root.
        assert_calls(&profile, &lines, &[("Held::root", 3), ("Held::step", 0)]);
        let open = profile.methods.iter().map(|method| method.open).sum::<u64>();
        assert_eq!(open, 3, "{:?}", profile.quality);

        let mut third = live(&["live.Held::root"]).attach(desk.pid);
        third.until_live();
        desk.expect("Held go", "gone");
        desk.expect("join", "15");
        desk.expect("Held 2", "8");
        let lines = third.lines();
        let (_, profile) = third.end();
        assert_calls(&profile, &lines, &[("Held::root", 2), ("Held::step", 2)]);
        desk.finish().fine();
    }
}

/// Nothing of a class loader is kept: not while it is recorded, and not afterwards.
#[test]
fn class_loaders_can_go() {
    for jdk in jdk::main_and_25("class loaders") {
        let mut desk = Desk::start(jdk, &[]);
        desk.expect("Leak 1", "1 gone");
        let mut recording = live(&["live.Leak::root"]).attach(desk.pid);
        recording.until_live();
        desk.expect("Leak 6", "6 gone");
        desk.expect("Leak 4 keep", "4 kept");
        let lines = recording.lines();
        let (_, profile) = recording.end();
        let expected =
            [("Leak::root", 10), ("plug.Plugin::applyAsInt", 10), ("plug.Plugin$Part::weigh", 10)];
        assert_calls(&profile, &lines, &expected);
        assert_calls(
            &profile,
            &lines,
            &[("plug.Plugin::<clinit>", 10), ("plug.Plugin::<init>", 10)],
        );
        desk.expect("Leak drop", "4 gone");
        desk.finish().fine();
    }
}

/// `list` names the JVM, and whether it is being recorded; `report` shows what there is so far.
#[test]
fn looked_at_while_it_runs() {
    let mut desk = Desk::start(jdk::main(), &[]);
    desk.expect("Work 10", TEN);
    let entry = |pid: u32| {
        let listed = JFATHOM.run(&["ps", "--json"]).fine();
        let json: serde_json::Value =
            serde_json::from_str(&listed.stdout).unwrap_or_else(|_| panic!("{listed}"));
        let all = json
            .as_array()
            .or_else(|| json["jvms"].as_array())
            .unwrap_or_else(|| panic!("{listed}"))
            .clone();
        all.into_iter()
            .find(|jvm| jvm["pid"] == pid)
            .unwrap_or_else(|| panic!("no {pid} in {listed}"))
    };
    let before = entry(desk.pid);
    let mut recording = live(&["live.Work::root"]).attach(desk.pid);
    recording.until_live();
    desk.expect("Work 10", TEN);
    assert_ne!(before, entry(desk.pid), "nothing says that it is being recorded");
    let pid = desk.pid.to_string();
    let session = recording.session().display().to_string();
    for place in [pid.as_str(), session.as_str()] {
        // The recorder puts down once a second what it has.
        let shown = loop {
            let shown = JFATHOM.run(&["report", "--live", place]);
            if shown.code == Some(0) {
                break shown;
            }
            assert!(shown.stderr.contains("nothing was recorded so far"), "{shown}");
        };
        for word in ["live.Work::root", "Deeper::down"] {
            assert!(shown.stdout.contains(word), "no {word}: {shown}");
        }
    }
    desk.expect("Work 10", TEN);
    let lines = recording.lines();
    let (_, profile) = recording.end();
    assert_work(&profile, &lines, 20);
    desk.finish().fine();
}

/// A program that is launched by the recording is recorded from its first call.
#[test]
fn from_the_start() {
    for jdk in jdk::main_and_25("live from the start") {
        for scheme in ["lazy", "eager", "total"] {
            let recording = live(&["live.Work::root"]).with(&["--scheme", scheme]);
            let mut desk = Desk::of(recording.launching(jdk, &program("live.Desk")));
            desk.expect("Work 10", TEN);
            desk.expect("Work 10 other", TEN_OTHER);
            let done = desk.finish().fine();
            let profile = recording.read(&done);
            assert_work(&profile, &recording.lines(), 10);
            assert!(profile.quality.is_clean(), "{:?}\n{done}", profile.quality);
        }
    }
}
