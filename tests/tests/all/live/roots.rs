//! Which roots, and when they are there.

use super::{assert_calls, assert_work, live, program};
use jfathom_tests::{jdk, live::Desk};

/// Several at once: a method, a class, a pattern.
#[test]
fn several() {
    let roots = ["live.Work::root", "live.Held", "live.L*::root"];
    let recording = live(&roots);
    let mut desk = Desk::of(recording.launching(jdk::main(), &program("live.Desk")));
    desk.expect("Work 10", "327");
    desk.expect("Work 10 other", "56");
    desk.expect("Late 4", "37");
    desk.ask("start Held 2");
    desk.ask("Held wait");
    desk.ask("Held go");
    desk.expect("join", "8");
    let done = desk.finish().fine();
    let (profile, lines) = (recording.read(&done), recording.lines());
    assert_work(&profile, &lines, 10);
    assert_calls(
        &profile,
        &lines,
        &[("Late::root", 4), ("Late::step", 8), ("Held::root", 2), ("Held::step", 2)],
    );
    // The class's other methods are roots too.
    assert_calls(&profile, &lines, &[("Held::act", 3), ("Held::<clinit>", 1)]);
}

/// A root whose class is loaded later is said to be waited for, and counts from its first call.
#[test]
fn not_loaded_yet() {
    for jdk in jdk::main_and_25("a root that is not loaded") {
        let mut desk = Desk::start(jdk, &[]);
        let mut recording = live(&["live.Late::root"]).attach(desk.pid);
        recording.until_waiting();
        desk.expect("Late 4", "37");
        recording.until_live();
        let lines = recording.lines();
        let (_, profile) = recording.end();
        assert_calls(&profile, &lines, &[("Late::root", 4), ("Late::step", 8)]);
        desk.finish().fine();
    }
}

/// A root that nothing matches ends the recording with 1, and with what was perhaps meant.
#[test]
fn never_loaded() {
    let mut desk = Desk::start(jdk::main(), &[]);
    desk.expect("Work 10", "327");
    let mut recording = live(&["live.Work::rot"]).attach(desk.pid);
    recording.until("the session begins", |lines| lines.all("session").count() > 0);
    desk.expect("Work 10", "327");
    recording.interrupt();
    let (done, _) = recording.ended(1);
    done.says(&["live.Work::rot", "live.Work::root"]);
    desk.expect("Work 10", "327");
    desk.finish().fine();

    let done = jfathom_tests::run::run(
        &mut live(&["live.Wrok::root"]).launching(jdk::main(), &program("live.Thrower")),
    );
    done.code(1).says(&["live.Wrok"]);
}
