//! First calls where they hurt.

use super::{assert_calls, live, program};
use jfathom_profile::Profile;
use jfathom_tests::{
    jdk,
    jdk::Jdk,
    live::{Desk, LINKS, Lines},
    samples,
    truth::{self, Plan},
};

const THREADS: u64 = 16;
const ROUNDS: u64 = 6;

/// Tells a desk what to do in a JVM that is recorded from its start, and in one that was attached
/// to after it had done all of it once. The answers are those of a JVM that nobody records.
#[track_caller]
fn both(
    jdk: &Jdk,
    roots: &[&str],
    options: &[&str],
    words: &[&str],
    check: impl Fn(&Profile, &Lines),
) {
    let mut plain = Desk::start(jdk, &[]);
    let expected: Vec<String> = words.iter().map(|words| plain.ask(words)).collect();
    plain.finish().fine();

    let recording = live(roots).with(options);
    let mut desk = Desk::of(recording.launching(jdk, &program("live.Desk")));
    for (words, answer) in words.iter().zip(&expected) {
        desk.expect(words, answer);
    }
    let done = desk.finish().fine();
    check(&recording.read(&done), &recording.lines());

    let mut desk = Desk::start(jdk, &[]);
    for (words, answer) in words.iter().zip(&expected) {
        desk.expect(words, answer);
    }
    let mut recording = live(roots).with(options).attach(desk.pid);
    recording.until_live();
    for (words, answer) in words.iter().zip(&expected) {
        desk.expect(words, answer);
    }
    let (done, left) = {
        recording.interrupt();
        recording.ended(0)
    };
    check(&left.read(&done), &left.lines());
    desk.finish().fine();
}

/// Calls that went on before their callees were live are the only ones that may be missing, and
/// they are counted.
fn late(lines: &Lines) -> u64 {
    lines.total("late")
}

/// What Object streams call through reflection that they may have made faster before anybody
/// attached.
#[test]
fn of_what_streams_call() {
    let sample = samples::read_sample(&samples::sources().join("live/live/Streams.java"));
    for jdk in jdk::main_and_25("streams") {
        for scheme in ["lazy", "eager"] {
            both(
                jdk,
                &["live.Streams::root"],
                &["--scheme", scheme],
                &["Streams"],
                |profile, lines| {
                    let wrong = truth::differences(&sample, profile, Plan::Every);
                    let told = format!("{scheme} on {jdk}");
                    assert!(wrong.is_empty(), "{told}:\n{}\n{lines:#?}", wrong.join("\n"));
                },
            );
        }
    }
}

/// Two threads, and sixteen, come to the same first call at the same moment: each of them is
/// counted.
#[test]
fn of_one_method_by_many_threads() {
    for jdk in jdk::main_and_25("chains") {
        for threads in [2, THREADS] {
            let words = format!("Chains {threads}");
            both(jdk, &["live.Chains::root"], &[], &[words.as_str()], |profile, lines| {
                if late(lines) > 0 {
                    eprintln!(
                        "chains: {} calls went on before their callees were live",
                        late(lines)
                    );
                    return;
                }
                let mut expected =
                    vec![("Chains::root".to_owned(), threads), ("Links::all".to_owned(), threads)];
                for link in 0..LINKS {
                    expected.push((format!("Links::m{link}"), threads));
                    expected.push((format!("Links::n{link}"), 2 * threads));
                }
                let expected: Vec<(&str, u64)> =
                    expected.iter().map(|(name, n)| (name.as_str(), *n)).collect();
                assert_calls(profile, lines, &expected);
                assert!(profile.quality.is_clean(), "{:?}", profile.quality);
            });
        }
    }
}

/// With monitors held, from static initialisers, under a class loader's lock, by sixteen threads.
#[test]
fn with_monitors_held() {
    for jdk in jdk::main_and_25("monitors") {
        for scheme in ["lazy", "eager"] {
            let words = format!("Monitors {THREADS} {ROUNDS}");
            both(
                jdk,
                &["live.Monitors::root"],
                &["--scheme", scheme],
                &[words.as_str()],
                |profile, lines| {
                    if late(lines) > 0 {
                        eprintln!(
                            "monitors: {} calls went on before their callees were live",
                            late(lines)
                        );
                        return;
                    }
                    let each = ROUNDS * THREADS / 4;
                    // An initialiser calls the next class once a round.
                    let expected = [
                        ("Monitors::root", 4 * each),
                        ("locked.A::applyAsInt", each),
                        ("locked.B::applyAsInt", 2 * each + ROUNDS),
                        ("locked.C::applyAsInt", 3 * each + 2 * ROUNDS),
                        ("locked.D::applyAsInt", 4 * each + 3 * ROUNDS),
                        ("locked.D::own", 4 * each + 3 * ROUNDS),
                        ("locked.A::prepare", ROUNDS),
                        ("locked.B::<clinit>", ROUNDS),
                    ];
                    assert_calls(profile, lines, &expected);
                },
            );
        }
    }
}

/// A thread keeps its permit to park and its interrupt.
#[test]
fn take_nothing_from_a_thread() {
    both(jdk::main(), &["live.Permits::root"], &[], &["Permits 4"], |profile, lines| {
        assert_calls(profile, lines, &[("Permits::root", 8), ("plug.Plugin::applyAsInt", 8)]);
    });
}

/// Threads that are stopped, and stacks that overflow, near first calls: the program goes on as it
/// would.
#[test]
fn that_do_not_come_back() {
    let roots = ["live.Stops::*", "live.Deep::*"];
    both(jdk::main(), &roots, &[], &["Stops 12", "Deep 12", "Work 10"], |profile, lines| {
        // `after` and `step` run undisturbed, on the main thread.
        assert!(lines.root_is("live"));
        assert_calls(
            profile,
            lines,
            &[("Stops::after", 1), ("Stops::step", 100), ("Deep::after", 6)],
        );
    });
}

/// More threads than anybody has processors for.
#[test]
fn by_a_crowd() {
    for jdk in jdk::main_and_25("crowd") {
        both(jdk, &["live.Crowd::root"], &[], &["Crowd 500"], |profile, lines| {
            assert_calls(profile, lines, &[("Crowd::root", 500), ("Crowd::step", 5000)]);
        });
    }
}

/// Tasks that a root hands to virtual threads, or to a pool where there are no such threads.
#[test]
fn on_virtual_threads() {
    for jdk in jdk::main_and_25("virtual threads") {
        both(jdk, &["live.Fibres::root"], &[], &["Fibres 40"], |profile, lines| {
            assert_calls(profile, lines, &[("Fibres::root", 1), ("Fibres::step", 80)]);
        });
    }
}
