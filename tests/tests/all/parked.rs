//! Parked times of virtual threads (`--metrics parked`): what a program knows to have waited and
//! run, on JVMs that are started with the agent, and on running ones in the middle of a storm of
//! threads.

use crate::{JFATHOM, virtual_threads::jdks};
use jfathom_profile::{Frame, MethodIx, Mounts, NodeIx, Profile};
use jfathom_tests::{
    jdk::{self, Jdk},
    live::{Desk, Live},
    samples,
    tool::java,
    wire,
};
use std::{path::Path, time::Duration};

const MAIN: &str = "fibres.Parked";
const ROOT: &str = "fibres.Parked::request";
/// Since this version a thread that waits in a monitor leaves its carrier (JEP 491).
const FREE_MONITORS: u32 = 24;

fn compile(classes: &Path) {
    samples::javac(&[], &samples::sources().join("fibres"), classes);
}

/// Self time and parked time of a method, in ns, of all nodes.
fn times(profile: &Profile, name: &str) -> (u64, u64) {
    let tree = &profile.tree;
    let is = |method: MethodIx| profile.method(method).info.key.name == name;
    let nodes =
        tree.nodes().filter(|node| matches!(tree.frame(*node), Frame::Method(of) if is(of)));
    let sum = |of: &dyn Fn(NodeIx) -> jfathom_profile::Ticks, nodes: &[NodeIx]| {
        let ticks = nodes.iter().map(|node| of(*node)).sum();
        profile.rate.nanos(ticks).0
    };
    let nodes: Vec<NodeIx> = nodes.collect();
    (sum(&|node| tree.self_time(node), &nodes), sum(&|node| tree.parked(node), &nodes))
}

/// No node was parked for longer than its self time, and no loss was found.
#[track_caller]
fn assert_sound(profile: &Profile) {
    let tree = &profile.tree;
    profile.check().unwrap();
    for node in tree.nodes() {
        assert!(tree.parked(node) <= tree.self_time(node), "node {}", node.0);
        if let Frame::Thread(thread) = tree.frame(node)
            && !profile.threads[thread.0 as usize].is_virtual()
        {
            assert_eq!(tree.total_parked(node).0, 0, "thread {}", thread.0);
        }
    }
    let quality = &profile.quality;
    assert_eq!((quality.unknown_records, quality.backward_times), (0, 0), "{quality:#?}");
    assert_eq!(profile.mounts, Mounts::Seen);
}

/// Holds the times against what the program has printed.
#[track_caller]
fn assert_split(profile: &Profile, printed: &str, jdk: &Jdk) {
    assert_sound(profile);
    for line in printed.lines() {
        let (name, nanos) = line.split_once(' ').expect("a name and a time");
        let nanos = nanos.parse::<u64>().expect("a time");
        let (own, parked) = times(profile, name);
        let text = format!("{name}: {own} ns, parked {parked} ns, at least {nanos} ns: {jdk:?}");
        match name {
            "spin" => assert_eq!(parked, 0, "{text}"),
            "held" if jdk.version < FREE_MONITORS => assert!(parked < nanos / 2, "{text}"),
            // Most of the time: a processor may be missing before and after each wait.
            _ => assert!(parked > nanos / 2 && parked <= own, "{text}"),
        }
    }
}

#[test]
fn times_are_split_into_running_and_parked() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    for jdk in jdks("parked times") {
        // One thread alone comes back to its carrier, which has carried no other.
        for (threads, options) in [
            ("1", &["-q", "--metrics=parked"][..]),
            ("60", &["-q", "--metrics=parked"]),
            ("60", &["-q", "--metrics=parked", "--tune=clock=nano"]),
            ("200", &["-q", "--metrics=parked", "--tune=ring=4K"]),
        ] {
            let words = wire::class_path(&classes, MAIN, &[threads, "10"]);
            let live = Live::roots(JFATHOM, &[ROOT]).with(options);
            let (done, profile) = live.run(jdk, &words, 0);
            assert_split(&profile, &done.stdout, jdk);
        }
    }
}

#[test]
fn nothing_is_parked_if_nobody_asks() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    for jdk in jdks("no parked times") {
        let words = wire::class_path(&classes, MAIN, &["20", "2"]);
        let (_, profile) = Live::roots(JFATHOM, &[ROOT]).with(&["-q"]).run(jdk, &words, 0);
        assert_eq!(
            (profile.mounts, profile.tree.has(jfathom_profile::Metric::Parked)),
            (Mounts::Unasked, false)
        );
    }
}

fn server(jdk: &Jdk, classes: &Path, options: &[&str]) -> Desk {
    let mut command = java(jdk);
    command.args(options).arg("-cp").arg(classes).arg(MAIN);
    Desk::of(command)
}

/// Threads are parked as the events go on and off; the session after that is like the first.
#[test]
fn storms_are_attached_to_and_left() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    for jdk in jdks("parked times in storms") {
        let mut desk = server(jdk, &classes, &["-Xcheck:jni"]);
        desk.ask("storm 60");
        for _ in 0..3 {
            let mut recording =
                Live::roots(JFATHOM, &[ROOT]).with(&["--metrics=parked"]).attach(desk.pid);
            recording.until_live();
            std::thread::sleep(Duration::from_millis(1_000));
            let (_, profile) = recording.end();
            assert_sound(&profile);
            let (own, parked) = times(&profile, "nap");
            assert!(parked > own / 2, "{own} ns, parked {parked} ns: {jdk:?}");
            // Threads go on for a moment while the session ends.
            let (own, parked) = times(&profile, "spin");
            assert!(parked <= own / 2, "{own} ns, parked {parked} ns: {jdk:?}");
        }
        desk.ask("end");
        // Nobody looks at the events any more, and a session without them is like any other.
        let mut recording = Live::roots(JFATHOM, &[ROOT]).attach(desk.pid);
        recording.until_live();
        desk.ask("once 20");
        let (_, profile) = recording.end();
        assert_eq!(
            (profile.mounts, profile.tree.has(jfathom_profile::Metric::Parked)),
            (Mounts::Unasked, false)
        );
        let mut recording =
            Live::roots(JFATHOM, &[ROOT]).with(&["--metrics=parked"]).attach(desk.pid);
        recording.until_live();
        desk.ask("once 20");
        let (_, profile) = recording.end();
        assert_sound(&profile);
        assert!(profile.tree.has(jfathom_profile::Metric::Parked));
        let done = desk.finish().fine();
        assert!(!done.stdout.contains("WARNING in native method"), "{done}");
        assert!(!done.stdout.contains("FATAL ERROR"), "{done}");
    }
}

/// The JVM, or who records it, is killed in the middle.
#[test]
fn a_killed_recording_has_parked_times() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    for jdk in jdks("parked times and kills") {
        let mut desk = server(jdk, &classes, &[]);
        desk.ask("storm 20");
        let mut recording =
            Live::roots(JFATHOM, &[ROOT]).with(&["--metrics=parked"]).attach(desk.pid);
        recording.until_live();
        std::thread::sleep(Duration::from_millis(1_500));
        let left = recording.kill();
        left.until("the code is restored", |lines| lines.total("restored") > 0);
        desk.ask("end");
        desk.ask("storm 20");
        let mut recording = loop {
            let mut again =
                Live::roots(JFATHOM, &[ROOT]).with(&["--metrics=parked"]).attach(desk.pid);
            if again.becomes_live() {
                break again;
            }
            again.ended(1);
        };
        recording.until_live();
        std::thread::sleep(Duration::from_millis(1_500));
        desk.kill();
        let (done, left) = recording.ended(0);
        let profile = left.read(&done);
        assert_sound(&profile);
        assert!(profile.tree.has(jfathom_profile::Metric::Parked));
    }
}

/// Who asks for parked times where there are none is told.
#[test]
fn parked_times_need_a_live_session_and_virtual_threads() {
    let done = JFATHOM.run(&["record", "--metrics=parked", "--", "java", "-version"]);
    assert!(done.stderr.contains("--metrics parked: only in a live session"), "{done}");
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    let old = |jdk: &&Jdk| (17..21).contains(&jdk.version);
    for jdk in jdk::all("parked times before 21").into_iter().filter(old) {
        let words = wire::class_path(&classes, "fibres.Storm", &["10", "5"]);
        let live = Live::roots(JFATHOM, &["fibres.Storm::main"]).with(&["-q", "--metrics=parked"]);
        let (_, profile) = live.run(jdk, &words, 0);
        let notices = &profile.meta.notices;
        assert!(notices.iter().any(|notice| notice.contains("no parked times")), "{notices:?}");
        assert_eq!(profile.mounts, Mounts::Partly);
    }
}
