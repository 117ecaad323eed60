//! Why threads did not run, and what they threw (`--metrics waits,exceptions`), against what the
//! program knows itself: how long its methods took at most, and waited at least.

use crate::{JFATHOM, allocations::collectors, stack_samples::has_jfr};
use jfathom_profile::{
    EventKind, EventSource, Frame, Profile, SampleFrame, SampleIx, SampleSource,
};
use jfathom_tests::{
    jdk::{self, Jdk},
    run, samples, wire,
};
use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
};

const MAIN: &str = "waits.Main";
const ROOT: &str = "waits.Main::root";
/// How long most methods wait at least, in ns: the sample's `MILLIS`, but for an early timer.
const LEAST: u64 = 59_000_000;

fn compiled(folder: &Path) -> std::path::PathBuf {
    let classes = folder.join("classes");
    samples::javac_for(11, &[], &samples::sources().join("waits"), &classes);
    classes
}

/// By method of `Work`: ns that it took. JFR prints nothing into that.
fn told(text: &str) -> BTreeMap<String, u64> {
    let line = |line: &str| {
        let (name, took) = line.split_once(' ').unwrap_or_default();
        (name.to_owned(), took.parse().unwrap_or_else(|_| panic!("{line} in {text}")))
    };
    text.lines().map(line).collect()
}

/// By kind and class: how many, and ns.
type Sums = BTreeMap<(EventKind, String), (u64, u64)>;

/// What a method has itself.
fn sums(profile: &Profile, method: &str) -> Sums {
    let mut sums = Sums::new();
    let tree = &profile.tree;
    for node in tree.nodes() {
        let Frame::Method(of) = tree.frame(node) else { continue };
        let key = &profile.method(of).info.key;
        if key.class != "waits/Work" || key.name != method {
            continue;
        }
        for event in tree.events(node) {
            let class = event.name.class.as_deref().unwrap_or_default().to_owned();
            let (count, nanos) = sums.entry((event.name.kind, class)).or_default();
            *count += event.sum.count;
            *nanos += profile.rate.nanos(event.sum.time).0;
        }
    }
    sums
}

/// What one kind and class has in a method itself: how many, and ns.
fn of(profile: &Profile, method: &str, kind: EventKind, class: &str) -> (u64, u64) {
    sums(profile, method).get(&(kind, class.to_owned())).copied().unwrap_or_default()
}

fn check(profile: &Profile, text: &str, version: u32, context: &str) {
    let told = told(text);
    assert_eq!(profile.events.waits, EventSource::Jfr, "{context}: {:?}", profile.meta.notices);
    assert_eq!(profile.events.exceptions, EventSource::Jfr, "{context}");
    assert_eq!(profile.events.threshold_nanos, 20_000, "{context}");
    for (method, kind, class) in [
        ("sleep", EventKind::Sleep, ""),
        ("park", EventKind::Park, "waits.Work$Bench"),
        ("objectWait", EventKind::ObjectWait, "waits.Work$Bell"),
        ("monitor", EventKind::Monitor, "waits.Work$Door"),
        ("socket", EventKind::Socket, ""),
        ("file", EventKind::File, ""),
    ] {
        // Java 11 tells no read of a pipe.
        if method == "file" && version < 17 {
            continue;
        }
        let (count, nanos) = of(profile, method, kind, class);
        let all = sums(profile, method);
        // The holder and the late writer begin to sleep before the method waits for them.
        let least = if matches!(method, "monitor" | "socket" | "file") { LEAST / 2 } else { LEAST };
        assert!(count >= 1 && nanos >= least, "{method} {context}: {all:?}");
        assert!(nanos <= told[method] + 1_000_000, "{method} {context}: {all:?}, {told:?}");
    }
    // Each park is in the call that parked, however short.
    let (parks, nanos) = of(profile, "shortPark", EventKind::Park, "");
    assert!((45..=55).contains(&parks), "{context}: {parks} of 50 parks");
    assert!(nanos >= parks * 150_000 && nanos <= told["shortParks"], "{context}: {nanos}");
    assert_eq!(of(profile, "shortParks", EventKind::Park, "").0, 0, "{context}");
    // What runs does not wait, whatever else the machine does.
    let waits = sums(profile, "compute").into_iter();
    let waits = waits.filter(|((kind, _), _)| kind.has_time() && !kind.is_pause());
    let waited: u64 = waits.map(|(_, (_, nanos))| nanos).sum();
    assert!(waited < LEAST / 10, "{context}: {:?}", sums(profile, "compute"));
    // Collections stop the thread that asks for them.
    let (pauses, paused) = of(profile, "collect", EventKind::Gc, "");
    assert!(pauses >= 5 && paused > 0 && paused <= told["collect"], "{context}: {pauses} {paused}");
    // In the method that makes them, not in their constructors, however short it is.
    let thrown = |method, class| of(profile, method, EventKind::Exception, class).0;
    assert_eq!(thrown("exceptions", "waits.Work$OddException"), 300, "{context}");
    assert_eq!(thrown("exceptions", "waits.Work$EvenException"), 200, "{context}");
    assert_eq!(thrown("throwLight", "waits.Work$LightException"), 1_000, "{context}");
    assert_eq!(thrown("shortExceptions", "waits.Work$LightException"), 0, "{context}");
    assert_eq!(thrown("error", "java.lang.AssertionError"), 1, "{context}");
    let caught = |method, class| of(profile, method, EventKind::Caught, class).0;
    assert_eq!(profile.events.caught, EventSource::Probes, "{context}");
    assert_eq!(caught("exceptions", "waits.Work$OddException"), 300, "{context}");
    assert_eq!(caught("exceptions", "waits.Work$EvenException"), 0, "{context}");
    assert_eq!(caught("shortExceptions", "waits.Work$LightException"), 1_000, "{context}");
    check_pauses_are_in_no_time(profile, told["collect"], context);
}

/// Self time and pauses of `collect` together are what it took.
fn check_pauses_are_in_no_time(profile: &Profile, took: u64, context: &str) {
    let tree = &profile.tree;
    let is_it = |frame| match frame {
        Frame::Method(of) => profile.method(of).info.key.name == "collect",
        _ => false,
    };
    let node = tree.nodes().find(|node| is_it(tree.frame(*node))).expect("the method");
    let own = profile.rate.nanos(tree.self_time(node)).0;
    let pauses = tree.events(node).iter().filter(|event| event.name.kind.is_pause());
    let paused: u64 = pauses.map(|event| profile.rate.nanos(event.sum.time).0).sum();
    assert!(own + paused <= took + 1_000_000, "{context}: {own} + {paused} of {took}");
    assert!(paused > 0, "{context}");
}

fn pipe(folder: &Path) -> String {
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    pipe.to_str().unwrap().to_owned()
}

fn record(options: &[&str], jdk: &Jdk, classes: &Path) -> (run::Done, Profile) {
    let options = [&["--metrics", "waits,exceptions"], options].concat();
    record_with(&options, jdk, &[], classes)
}

fn record_with(
    options: &[&str],
    jdk: &Jdk,
    flags: &[&str],
    classes: &Path,
) -> (run::Done, Profile) {
    let folder = samples::temp_dir();
    let file = folder.path().join("p.jfp");
    let mut command = JFATHOM.command();
    command.args(["record", "-q"]).args(options);
    command.arg("-o").arg(&file).arg("--").arg(jdk.java()).args(flags);
    command.args(wire::class_path(classes, MAIN, &[&pipe(folder.path())]));
    let done = run::run(&mut command).fine();
    let profile = Profile::read(&mut std::fs::read(&file).unwrap().as_slice()).unwrap();
    profile.check().unwrap();
    (done, profile)
}

#[test]
fn waits_of_rewritten_classes_are_the_programs() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    for jdk in jdk::all("waits of rewritten classes").into_iter().filter(|jdk| has_jfr(jdk)) {
        let (done, profile) = record(&["--slowest", "1"], jdk, &out);
        check(&profile, &done.stdout, jdk.version, &format!("{jdk:?}"));
        check_slowest(&profile, &format!("{jdk:?}"));
    }
}

#[test]
fn waits_of_live_sessions_are_the_programs() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    for jdk in jdk::all("waits of live sessions").into_iter().filter(|jdk| has_jfr(jdk)) {
        let (done, profile) = record(&["--root", ROOT], jdk, &classes);
        check(&profile, &done.stdout, jdk.version, &format!("live {jdk:?}"));
    }
}

/// The slowest call of the root has the waits of the methods that it called.
fn check_slowest(profile: &Profile, context: &str) {
    let slow = profile.latencies.slowest.first().expect("a slow call");
    for (method, kind) in [("sleep", EventKind::Sleep), ("objectWait", EventKind::ObjectWait)] {
        let of_method = |span: u32| {
            let span = &slow.spans[span as usize];
            profile.method(span.method).info.key.name == method
        };
        let waits = slow.events.iter().filter(|of| of.name.kind == kind && of_method(of.span));
        let nanos: u64 = waits.map(|of| profile.rate.nanos(of.sum.time).0).sum();
        let told = of_method_and_kind(profile, method, kind);
        assert!(nanos >= LEAST && nanos == told, "{method} {context}: {nanos} of {told}");
    }
    let thrown = slow.events.iter().filter(|of| of.name.kind == EventKind::Exception);
    let thrown: u64 = thrown.map(|of| of.sum.count).sum();
    assert!(thrown >= 1_500, "{context}: {thrown} exceptions");
}

/// For how long a method itself waited in one way, in ns.
fn of_method_and_kind(profile: &Profile, method: &str, kind: EventKind) -> u64 {
    let sums = sums(profile, method).into_iter().filter(|((of, _), _)| *of == kind);
    sums.map(|(_, (_, nanos))| nanos).sum()
}

/// Waits of a virtual thread: the JVM tells those in which it sleeps, reads or stands still, and
/// those in which it keeps its carrier, as in monitors on 21. Its mounts tell the other ones.
fn check_virtual(profile: &Profile, text: &str, context: &str) {
    let told = told(text);
    for (method, kind) in
        [("sleep", EventKind::Sleep), ("socket", EventKind::Socket), ("file", EventKind::File)]
    {
        let nanos = of_method_and_kind(profile, method, kind);
        let least = if method == "sleep" { LEAST } else { LEAST / 2 };
        let range = least..=told[method] + 1_000_000;
        assert!(range.contains(&nanos), "{method} {context}: {nanos}, {told:?}");
    }
    let tree = &profile.tree;
    // The timer, the holder of the monitor, the late writer begin before the thread is unmounted.
    for (method, kind) in [
        ("park", EventKind::Park),
        ("objectWait", EventKind::ObjectWait),
        ("monitor", EventKind::Monitor),
    ] {
        let nodes = tree.nodes().filter(|node| match tree.frame(*node) {
            Frame::Method(of) => profile.method(of).info.key.name == method,
            _ => false,
        });
        let parked: u64 = nodes.map(|node| profile.rate.nanos(tree.parked(node)).0).sum();
        let waited = of_method_and_kind(profile, method, kind);
        let range = LEAST / 2..=told[method] + 1_000_000;
        let context = format!("{method} {context}: {parked} + {waited}, {told:?}");
        assert!(range.contains(&(parked + waited)), "{context}");
    }
    let paused = of(profile, "collect", EventKind::Gc, "");
    assert!(paused.0 >= 5 && paused.1 > 0, "{context}: {paused:?}");
    let thrown = |method, class| of(profile, method, EventKind::Exception, class).0;
    assert_eq!(thrown("exceptions", "waits.Work$OddException"), 300, "{context}");
    assert_eq!(thrown("throwLight", "waits.Work$LightException"), 1_000, "{context}");
    let samples = &profile.stack_samples;
    let is_virtual = |node: &SampleIx| match samples.tree.node(*node).frame {
        SampleFrame::Recorded(Frame::Thread(of)) => profile.thread(of).is_virtual(),
        _ => false,
    };
    let sampled = samples.tree.nodes().filter(is_virtual);
    let sampled: u64 = sampled.map(|node| samples.tree.total(node).running).sum();
    assert!(sampled > 0, "{context}: {:?}", samples.elsewhere);
    assert!(samples.agreement.disagree * 5 <= samples.agreement.compared(), "{context}");
}

#[test]
fn waits_and_samples_of_virtual_threads_are_the_programs() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    for jdk in jdk::all("waits of virtual threads") {
        if jdk.version < 21 || !has_jfr(jdk) {
            continue;
        }
        let options = ["--metrics", "parked,samples,waits,exceptions"];
        let options = [&["--root", ROOT], &options[..]].concat();
        let (done, profile) = record_with(&options, jdk, &["-Dwaits.virtual=true"], &classes);
        check_virtual(&profile, &done.stdout, &format!("virtual, live {jdk:?}"));
    }
}

/// The columns of one recording against what the program knows: how long a method sleeps and runs
/// at least, and how many bytes it allocates.
fn check_columns(profile: &Profile, text: &str, context: &str) {
    let told = told(text);
    let nodes = |method| {
        let tree = &profile.tree;
        tree.nodes().filter(move |node| match tree.frame(*node) {
            Frame::Method(of) => profile.method(of).info.key.name == method,
            _ => false,
        })
    };
    let nanos = |ticks| profile.rate.nanos(ticks).0;
    let [off, own] = ["sleep", "compute"].map(|method| {
        let node = nodes(method).next().expect("the method");
        (nanos(profile.tree.off_cpu(node).all()), nanos(profile.tree.self_time(node)))
    });
    assert!(profile.cpu.is_recorded(), "{context}: {:?}", profile.cpu);
    assert!(off.0 >= LEAST && off.1 <= told["sleep"] + 1_000_000, "{context}: {off:?}");
    // It may be preempted, and never waits.
    assert!(own.0 < own.1 && own.1 <= told["compute"] + 1_000_000, "{context}: {own:?}");
    let allocated: u64 = nodes("allocate").map(|node| profile.tree.allocated(node).0).sum();
    assert!((8_000_000..8_200_000).contains(&allocated), "{context}: {allocated}");
    let samples = &profile.stack_samples;
    assert_eq!(samples.source, SampleSource::Jfr, "{context}");
    let is_compute = |node: &SampleIx| match samples.tree.node(*node).frame {
        SampleFrame::Recorded(Frame::Method(of)) => profile.method(of).info.key.name == "compute",
        _ => false,
    };
    let computing = samples.tree.nodes().filter(is_compute);
    let computing: u64 = computing.map(|node| samples.tree.total(node).running).sum();
    assert!(computing > 0, "{context}: {:?} {:?}", samples.elsewhere, samples.agreement);
    let agreement = samples.agreement;
    assert!(agreement.disagree * 5 <= agreement.compared(), "{context}: {agreement:?}");
}

/// All columns at once, so that each collector costs one start of the program.
#[test]
fn all_columns_are_the_programs_with_each_collector() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    let jdks = jdk::all("all columns with each collector").into_iter();
    for jdk in jdks.filter(|jdk| jdk.version >= 17 && has_jfr(jdk)) {
        for flags in collectors(jdk) {
            let all = ["--metrics", "cpu,alloc,waits,exceptions,samples"];
            let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
            let (done, profile) = record_with(&all, jdk, &flags, &out);
            let context = format!("{flags:?} {jdk:?}");
            check(&profile, &done.stdout, jdk.version, &context);
            check_columns(&profile, &done.stdout, &context);
        }
    }
}

/// A JVM that halts has JFR write nothing at its end. What is in its chunks is read then.
#[test]
fn waits_of_a_jvm_that_halts_are_there() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    for jdk in jdk::all("waits of a JVM that halts").into_iter().filter(|jdk| has_jfr(jdk)) {
        let file = folder.path().join(format!("{}.jfp", jdk.version));
        let (temp, session) = (folder.path().join("tmp"), folder.path().join("session"));
        std::fs::create_dir_all(&temp).unwrap();
        let mut command = JFATHOM.command();
        // JFR of Java 11 leaves `hs_err_pid….jfr` where the JVM halts.
        command.env("TMPDIR", &temp).current_dir(folder.path()).args([
            "record",
            "-q",
            "--metrics",
            "waits",
            "--root",
            ROOT,
        ]);
        command.arg(format!("--tune=session={}", session.display())).arg("-o").arg(&file);
        command.arg("--").arg(jdk.java()).arg("-Dwaits.halt=true");
        command.args(wire::class_path(&classes, MAIN, &["-"]));
        let done = run::run(&mut command);
        assert_eq!(done.code, Some(7), "{done:?}");
        let profile = Profile::read(&mut std::fs::read(&file).unwrap().as_slice()).unwrap();
        let notices = profile.meta.notices.join("; ");
        // JFR of Java 11 writes nothing before a chunk is full.
        if jdk.version < 17 {
            assert_eq!(profile.events.waits, EventSource::Refused, "{jdk:?}: {notices}");
            assert!(notices.contains("has written no JFR file"), "{jdk:?}: {notices}");
        } else {
            assert!(notices.contains("JFR has not finished its file"), "{jdk:?}: {notices}");
            assert_eq!(profile.events.waits, EventSource::Jfr, "{jdk:?}: {notices}");
            let (count, nanos) = of(&profile, "sleep", EventKind::Sleep, "");
            let took = told(&done.stdout)["sleep"];
            assert!(count == 1 && (LEAST..=took + 1_000_000).contains(&nanos), "{jdk:?}: {nanos}");
        }
        // Nothing is left, of JFR neither.
        for left in [&temp, &session] {
            let left: Vec<_> = std::fs::read_dir(left).into_iter().flatten().flatten().collect();
            assert!(left.is_empty(), "{jdk:?}: {left:?}");
        }
    }
}

/// JFR of a command's JVM goes on after its session. A call that was open at the session's end has
/// what was before.
#[test]
fn waits_end_with_the_session() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    for jdk in jdk::main_and_25("waits of an ended session").into_iter().filter(|jdk| has_jfr(jdk))
    {
        let file = folder.path().join(format!("{}.jfp", jdk.version));
        let mut command = JFATHOM.command();
        command.args(["record", "-q", "--metrics", "waits", "--root", "waits.Main::main", "-o"]);
        command.arg(&file).arg("--").arg(jdk.java()).arg("-Dwaits.late=true");
        command.args(wire::class_path(&classes, MAIN, &["-"]));
        let mut recording = command.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(recording.stdout.take().unwrap()).lines();
        let pid = lines
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("pid ").map(str::to_owned));
        JFATHOM.run(&["stop", &pid.expect("a process id")]).fine();
        assert!(recording.wait().unwrap().success());
        let profile = Profile::read(&mut std::fs::read(&file).unwrap().as_slice()).unwrap();
        let tree = &profile.tree;
        let is_main = |node: &_| match tree.frame(*node) {
            Frame::Method(of) => profile.method(of).info.key.name == "main",
            _ => false,
        };
        let main = tree.nodes().find(is_main).expect("the root");
        let (all, waits) = (profile.rate.nanos(tree.total_time(main)).0, tree.events(main));
        let waits = waits.iter().filter(|event| event.name.kind == EventKind::Sleep);
        let slept: u64 = waits.map(|event| profile.rate.nanos(event.sum.time).0).sum();
        assert!(slept > 0 && slept <= all + 1_000_000, "{jdk:?}: {slept} of {all}");
    }
}

#[test]
fn nobody_is_told_without_the_option() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    let words = wire::class_path(&out, MAIN, &["-"]);
    let (_, profile) = JFATHOM.record(&["-q"], jdk::main(), &words, 0);
    assert_eq!(profile.events, Default::default());
    assert!(profile.tree.all_events().is_empty());
}

#[test]
fn slices_are_refused() {
    let done = JFATHOM.run(&[
        "record",
        "--metrics",
        "waits",
        "--every",
        "1s",
        "-o",
        "/dev/null/x",
        "--",
        "java",
    ]);
    assert!(done.stderr.contains("--every cannot be used with --metrics waits"), "{}", done.stderr);
}
