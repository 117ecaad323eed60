//! Methods that native code calls: by every function that JNI has for that, and the ids looked up
//! before anybody records.

use super::{assert_calls, live, program};
use jfathom_profile::Profile;
use jfathom_tests::{
    calls, jdk,
    jdk::Jdk,
    live::{Desk, Lines},
    samples,
};
use std::path::Path;

/// Rounds on each of two threads.
const ROUNDS: u64 = 5;

/// The calls of `rounds` roots, as `samples/live/live/Native.java` says.
#[track_caller]
fn assert_native(profile: &Profile, lines: &Lines, rounds: u64, clean: bool) {
    let mut expected = vec![
        ("Native::root".to_owned(), rounds),
        ("Native::sum".to_owned(), 93 * rounds),
        ("Native::nested".to_owned(), 4 * rounds),
        ("Native::failing".to_owned(), 2 * rounds),
        ("Native$Made::<init>".to_owned(), 3 * rounds),
        ("Native$Sub::<init>".to_owned(), rounds),
    ];
    for kind in "lzbcsijfdv".chars() {
        for method in
            [format!("Native::{kind}"), format!("Native::s{kind}"), format!("Native$Sub::{kind}")]
        {
            expected.push((method, 3 * rounds));
        }
    }
    let expected: Vec<(&str, u64)> = expected.iter().map(|(name, n)| (name.as_str(), *n)).collect();
    assert_calls(profile, lines, &expected);
    let thrown = profile
        .methods
        .iter()
        .find(|method| method.info.key.name == "failing")
        .map(|method| method.throws);
    assert_eq!(thrown, Some(2 * rounds), "{lines:#?}");
    assert_eq!(profile.quality.is_clean(), clean, "{:?}\n{lines:#?}", profile.quality);
    assert_eq!(lines.total("late"), 0, "{lines:#?}");
}

/// The native library of the sample.
fn library(jdk: &Jdk, folder: &Path) -> Option<String> {
    calls::library(jdk, "native", folder, "native calls")
        .map(|library| library.display().to_string())
}

/// Whether all that passes through JNI's functions arrives as without us, is asked of the JVM's own
/// checks, too.
#[test]
fn calls_are_followed() {
    let folder = samples::temp_dir();
    for jdk in jdk::main_and_25("native calls") {
        let Some(library) = library(jdk, folder.path()) else { return };
        let (work, table) =
            (format!("Native {library} {ROUNDS}"), format!("Native {library} table"));
        for (scheme, checks) in [
            ("lazy", &[][..]),
            ("eager", &["-Xcheck:jni"]),
            ("total", &[]),
            ("lazy", &["-Xcheck:jni"]),
        ] {
            // The checks speak of the program's own library, and must say the same of it.
            let mut plain = Desk::start(jdk, checks);
            let answer = plain.ask(&work);
            let said = plain.finish().fine();

            let recording = live(&["live.Native::root"]).with(&["--scheme", scheme]);
            let mut words = checks.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
            words.extend(program("live.Desk"));
            let mut desk = Desk::of(recording.launching(jdk, &words));
            desk.expect(&work, &answer);
            let done = desk.finish().fine();
            assert_native(&recording.read(&done), &recording.lines(), 2 * ROUNDS, true);

            // Ids that are known before the session, and two sessions.
            let mut desk = Desk::start(jdk, checks);
            desk.expect(&work, &answer);
            let functions = desk.ask(&table);
            for _ in 0..2 {
                let mut recording =
                    live(&["live.Native::root"]).with(&["--scheme", scheme]).attach(desk.pid);
                recording.until_live();
                assert_eq!(
                    desk.ask(&table) == functions,
                    scheme == "total",
                    "JNI's functions, {scheme}"
                );
                desk.expect(&work, &answer);
                recording.interrupt();
                let (done, left) = recording.ended(0);
                assert_native(&left.read(&done), &left.lines(), 2 * ROUNDS, true);
                desk.expect(&table, &functions);
                desk.expect(&work, &answer);
            }
            for done in [said, done, desk.finish().fine()] {
                let text = [done.stdout.as_str(), done.stderr.as_str()].concat();
                assert!(!text.lines().any(|line| line.contains("JNI")), "{done}");
            }
        }
    }
}

/// Another agent puts a function of its own over ours: it stays in JNI's table when the session
/// ends, and what it calls stays sound.
#[test]
fn under_another_agents_functions() {
    let folder = samples::temp_dir();
    for jdk in jdk::main_and_25("native calls") {
        let Some(library) = library(jdk, folder.path()) else { return };
        let (work, table) =
            (format!("Native {library} {ROUNDS}"), format!("Native {library} table"));
        let mut desk = Desk::start(jdk, &[]);
        let (answer, functions) = (desk.ask(&work), desk.ask(&table));
        let overlaid = format!("Native {library} overlay");
        for session in 0..3 {
            let mut recording = live(&["live.Native::root"]).attach(desk.pid);
            recording.until_live();
            if session == 0 {
                desk.expect(&overlaid, "true");
            }
            desk.expect(&work, &answer);
            let (done, left) = {
                recording.interrupt();
                recording.ended(0)
            };
            // All is there, but we cannot know it: the function over ours need not have called it.
            assert_native(&left.read(&done), &left.lines(), 2 * ROUNDS, session == 0);
            let is_said = left
                .lines()
                .all("loss")
                .any(|loss| loss.as_str().is_some_and(|loss| loss.contains("JNI")));
            assert_eq!(is_said, session > 0, "{:#?}", left.lines());
            assert_ne!(desk.ask(&table), functions);
            desk.expect(&work, &answer);
        }
        desk.finish().fine();
    }
}
