//! Which part of the time threads ran (`--metrics cpu`) against what the JVM's management bean and
//! the scheduler tell the program itself. Both are of the same run, so other load does not part
//! them.

use crate::JFATHOM;
use jfathom_profile::{CpuSource, Frame, NodeIx, Profile};
use jfathom_testkit::TakenTime;
use jfathom_tests::{
    jdk::{self, Jdk},
    run, samples, wire,
};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::{collections::BTreeMap, path::Path, process::Command};

const MAIN: &str = "cpu.Main";
const ROOT: &str = "cpu.Work::root";
/// Threads that compute at once, on one processor.
const COMPETING: usize = 3;

/// Whether the kernel tells switches here; says why not.
fn can_watch() -> bool {
    let done = JFATHOM.run(&["record", "--metrics", "cpu", "-o", "/dev/null/x", "--", "true"]);
    let refused = done.stderr.contains("perf_event_paranoid") || done.stderr.contains("perf event");
    if refused {
        println!("skipped: {}", done.stderr);
    }
    !refused
}

fn compiled(folder: &Path) -> std::path::PathBuf {
    let classes = folder.join("classes");
    samples::javac_for(11, &[], &samples::sources().join("cpu"), &classes);
    classes
}

/// What the program tells of a method: ns that its threads ran by the bean, and the ns it took.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    ran: u64,
    took: u64,
    calls: u64,
}

fn told(text: &str) -> BTreeMap<String, Told> {
    let mut all: BTreeMap<String, Told> = BTreeMap::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, ran, _, took] = words[..] else { panic!("{line}") };
        let told = all.entry(name.to_owned()).or_default();
        told.ran += ran.parse::<u64>().unwrap();
        told.took += took.parse::<u64>().unwrap();
        told.calls += 1;
    }
    all
}

/// The parts of a method's time in ns, with its callees: running, preempted, blocked, unknown, and
/// the switches.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    running: u64,
    preempted: u64,
    blocked: u64,
    unknown: u64,
    switches: u64,
}

/// The parts of the calls of a method that the main thread made, or that others made.
fn parts(profile: &Profile, name: &str, of_main: bool) -> Parts {
    let tree = &profile.tree;
    let nanos = |ticks| profile.rate.nanos(ticks).0;
    let mut sum = Parts::default();
    let mut is_wanted = false;
    for node in tree.nodes() {
        match tree.frame(node) {
            Frame::Thread(thread) => {
                is_wanted = profile.thread(thread).name.starts_with("main") == of_main;
            }
            Frame::Method(method) if is_wanted && profile.method(method).info.key.name == name => {
                let (off, total) = (tree.total_off_cpu(node), tree.total_time(node));
                sum.running += nanos(total).saturating_sub(nanos(off.all()));
                sum.preempted += nanos(off.preempted);
                sum.blocked += nanos(off.blocked);
                sum.unknown += nanos(off.unknown);
                sum.switches += off.switches;
            }
            _ => {}
        }
    }
    sum
}

/// The bean reads the scheduler's count, which gives the thread that comes what the kernel does in
/// a switch: up to so many ns a switch. Preempted, a thread has its caches to fill again.
const SWITCH: u64 = 10_000;

/// By switches a thread runs, too, while interrupts or the host have its processor: `taken` ns, in
/// the whole recording.
#[track_caller]
fn assert_near(found: Parts, told: Told, taken: u64, context: &str) {
    let most = told.ran / 20 + found.switches * SWITCH + found.unknown + told.calls * 3_000_000;
    let context = format!("{context}: {found:?}, told {told:?}, taken {taken}");
    assert!(told.ran <= found.running + most, "{context}");
    assert!(found.running <= told.ran + most + taken, "{context}");
    let (off, waited) = (found.preempted + found.blocked, told.took.saturating_sub(told.ran));
    // The thread may have waited before the call, or after it, while the program's clock ran.
    assert!(off <= waited + most, "{context}");
}

fn check(profile: &Profile, text: &str, taken: u64, context: &str) {
    const MS: u64 = 1_000_000;
    let told = told(text);
    assert_eq!(profile.cpu.source, CpuSource::Perf, "{context}");
    assert!(profile.cpu.switches > 40, "{context}: {:?}", profile.cpu);
    for (name, told) in told.iter().filter(|(name, _)| !["warm", "compete"].contains(&&***name)) {
        if name == "mixed" {
            continue;
        }
        let found = parts(profile, name, true);
        assert_near(found, *told, taken, &format!("{name} {context}"));
        // By then the collector has found the JVM.
        assert!(found.unknown == 0 || name == "compute", "{name} {context}: {found:?}");
    }
    let of = |name| parts(profile, name, true);
    // What a method waits for is at least what it asks for, whatever else runs.
    for (name, least) in [("sleep", 99 * MS), ("parked", 89 * MS), ("rest", 69 * MS)] {
        assert!(of(name).blocked >= least, "{name} {context}: {:?}", of(name));
    }
    // A method that never waits can be preempted. It is blocked where the JVM makes it wait.
    for name in ["compute", "run"] {
        assert!(of(name).blocked < 50 * MS, "{name} {context}: {:?}", of(name));
    }
    // Threads that share one processor wait for it: together they can run no longer than it took.
    let competing = parts(profile, "compute", false);
    let told = told["compete"];
    assert!(competing.running <= told.took / 2, "{context}: {competing:?}");
    assert_eq!(told.calls, COMPETING as u64);
    assert_near(competing, told, taken, &format!("compete {context}"));
    assert!(competing.preempted > competing.running / 2, "{context}: {competing:?}");
    assert!(competing.blocked < competing.preempted / 4, "{context}: {competing:?}");
    check_sums(profile, context);
}

/// In each node the parts are within the self time.
fn check_sums(profile: &Profile, context: &str) {
    let tree = &profile.tree;
    for node in tree.nodes() {
        let off = tree.off_cpu(node);
        assert!(off.all() <= tree.self_time(node), "{context}: {node:?} {off:?}");
    }
    assert!(tree.nodes().any(|node: NodeIx| tree.off_cpu(node).blocked.0 > 0));
}

/// Leaves one processor to the processes that this thread starts, so that threads compete for it.
fn use_one_processor() {
    let mut all = sched_getaffinity(None).expect("the processors of this thread");
    let first = (0..CpuSet::MAX_CPU).find(|cpu| all.is_set(*cpu)).expect("a processor");
    all.clear();
    all.set(first);
    sched_setaffinity(None, &all).expect("one processor");
}

fn record(options: &[&str], jdk: &Jdk, classes: &Path) -> (run::Done, Profile) {
    use_one_processor();
    let folder = samples::temp_dir();
    let file = folder.path().join("p.jfp");
    let mut command = JFATHOM.command();
    command.args(["record", "-q"]).args(options).arg("-o").arg(&file);
    command.arg("--").arg(jdk.java());
    command.args(wire::class_path(classes, MAIN, &[&COMPETING.to_string()]));
    let done = run::run(&mut command).fine();
    let profile = Profile::read(&mut std::fs::read(&file).unwrap().as_slice()).unwrap();
    profile.check().unwrap();
    (done, profile)
}

#[test]
fn running_times_of_rewritten_classes_are_the_beans() {
    if !can_watch() {
        return;
    }
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    for jdk in jdk::main_and_25("running times of rewritten classes") {
        let taken = TakenTime::start();
        let (done, profile) = record(&["--metrics", "cpu"], jdk, &out);
        check(&profile, &done.stdout, taken.at_most(), &format!("{jdk:?}"));
    }
}

#[test]
fn running_times_of_live_sessions_are_the_beans() {
    if !can_watch() {
        return;
    }
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    for jdk in jdk::main_and_25("running times of live sessions") {
        // With the other clock, and with the other metric.
        let options = ["--metrics", "alloc,cpu", "--root", ROOT, "--tune=clock=nano"];
        let taken = TakenTime::start();
        let (done, profile) = record(&options, jdk, &classes);
        check(&profile, &done.stdout, taken.at_most(), &format!("live {jdk:?}"));
        assert!(profile.allocation.is_recorded());
    }
}

/// As [`check`], by the threads' own clocks: what does not run is in one part. The bean reads the
/// same clock, and has what the runtime does in the thread, too, which is in no time of the
/// profile.
fn check_by_clocks(profile: &Profile, text: &str, context: &str) {
    const MS: u64 = 1_000_000;
    let told = told(text);
    assert_eq!(profile.cpu.source, CpuSource::ThreadClock, "{context}");
    for (name, told) in told.iter().filter(|(name, _)| *name != "warm") {
        let of_main = name != "compete";
        let found = parts(profile, if of_main { name } else { "compute" }, of_main);
        let context = format!("{name} {context}: {found:?}, told {told:?}");
        assert_eq!((found.unknown, found.preempted), (0, 0), "{context}");
        if name == "mixed" {
            continue;
        }
        let bar = found.switches * profile.cpu.switch_error_nanos;
        let most = told.ran / 20 + bar + told.calls * 3 * MS;
        let excluded = excluded(profile, of_main);
        assert!(found.running <= told.ran + most, "{context}");
        // The kernel charges a thread with its way through a switch, which lies in the wait. Beside
        // other tests 11 to 17 µs a switch were missing.
        let most_running = found.running + most + excluded + found.switches * 25_000;
        assert!(told.ran <= most_running, "{context}, excluded {excluded}");
        let waited = told.took.saturating_sub(told.ran);
        assert!(found.blocked <= waited + most, "{context}");
        // Where the program waits or is made to wait, that is found.
        assert!(found.blocked + most + excluded >= waited / 2, "{context}");
    }
    for (name, least) in [("sleep", 99 * MS), ("parked", 89 * MS), ("rest", 69 * MS)] {
        let found = parts(profile, name, true);
        assert!(found.blocked >= least, "{name} {context}: {found:?}");
    }
    let competing = parts(profile, "compute", false);
    assert!(competing.blocked > competing.running / 2, "{context}: {competing:?}");
    check_sums(profile, context);
}

/// Ns that were taken out of the times of the main thread, or of the others.
fn excluded(profile: &Profile, of_main: bool) -> u64 {
    let threads = profile.threads.iter();
    let wanted = threads.filter(|thread| thread.name.starts_with("main") == of_main);
    wanted.map(|thread| profile.rate.nanos(thread.excluded).0).sum()
}

#[test]
fn the_threads_own_clocks_agree_with_the_bean() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    let by_clocks = ["--metrics", "cpu=thread-clock"];
    for jdk in jdk::all("running times by threads' clocks") {
        let (done, profile) = record(&by_clocks, jdk, &out);
        check_by_clocks(&profile, &done.stdout, &format!("{jdk:?}"));
        let live = [&by_clocks[..], &["--root", ROOT]].concat();
        let (done, profile) = record(&live, jdk, &classes);
        check_by_clocks(&profile, &done.stdout, &format!("live {jdk:?}"));
    }
}

/// Runs a command whose system call `perf_event_open` has no permission, as in containers.
const WITHOUT_PERF: &str = r#"
import ctypes, os, struct, sys
number = {"x86_64": 298, "aarch64": 241}[os.uname().machine]
step = lambda code, then, otherwise, value: struct.pack("HBBI", code, then, otherwise, value)
steps = [step(0x20, 0, 0, 0), step(0x15, 0, 1, number), step(6, 0, 0, 0x50001),
         step(6, 0, 0, 0x7FFF0000)]
code = ctypes.create_string_buffer(b"".join(steps))
class Program(ctypes.Structure):
    _fields_ = [("len", ctypes.c_ushort), ("filter", ctypes.c_void_p)]
program = Program(len(steps), ctypes.addressof(code))
call = ctypes.CDLL(None, use_errno=True).prctl
zero = ctypes.c_ulong(0)
assert call(38, ctypes.c_ulong(1), zero, zero, zero) == 0
assert call(22, ctypes.c_ulong(2), ctypes.byref(program), zero, zero) == 0
os.execvp(sys.argv[1], sys.argv[1:])
"#;

#[test]
fn threads_clocks_are_taken_where_the_kernel_refuses_switches() {
    if Command::new("python3").arg("--version").output().is_err() {
        println!("skipped: without python3 no command is denied a system call");
        return;
    }
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    let file = folder.path().join("p.jfp");
    use_one_processor();
    let record = |metrics: &str| {
        let tool = JFATHOM.command();
        let mut command = Command::new("python3");
        command.args(["-c", WITHOUT_PERF]).arg(tool.get_program());
        command.args(["record", "--metrics", metrics, "-f", "-o"]).arg(&file);
        command.arg("--").arg(jdk::main().java());
        run::run(command.args(wire::class_path(&out, MAIN, &[&COMPETING.to_string()])))
    };
    let done = record("cpu").fine();
    assert!(done.stderr.contains("the kernel tells no context switches: "), "{}", done.stderr);
    assert!(done.stderr.contains("The threads' CPU clocks tell when they run"), "{}", done.stderr);
    let profile = Profile::read(&mut std::fs::read(&file).unwrap().as_slice()).unwrap();
    check_by_clocks(&profile, &done.stdout, "without perf");
    let done = record("cpu=switches");
    assert_ne!(done.code, Some(0), "{}", done.stderr);
    assert!(done.stderr.contains("cpu=thread-clock does without"), "{}", done.stderr);
}

#[test]
fn nobody_asks_without_the_option() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    let words = wire::class_path(&out, MAIN, &["1"]);
    let (_, profile) = JFATHOM.record(&["-q"], jdk::main(), &words, 0);
    assert_eq!(profile.cpu.source, CpuSource::Unasked);
    assert!(profile.tree.nodes().all(|node| profile.tree.off_cpu(node).is_zero()));
}
