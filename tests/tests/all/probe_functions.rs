//! What probes do by `--probe`: the program prints how often each method was called.

use crate::JFATHOM;
use jfathom_profile::{Frame, Profile};
use jfathom_tests::{
    jdk::{self, Jdk},
    live::{Live, signal},
    run, samples, wire,
};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    ffi::OsStr,
    fs,
    path::Path,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

const MAIN: &str = "functions.Functions";
const ROUNDS: &str = "3000";

fn compile(classes: &Path) {
    samples::javac_for(11, &[], &samples::sources().join("functions"), classes);
}

/// Calls with records of their own, and all calls, by method.
fn calls(profile: &Profile) -> BTreeMap<&str, (u64, u64)> {
    let methods = profile.methods.iter();
    methods
        .map(|method| (method.info.key.name.as_str(), (method.entries, method.calls())))
        .collect()
}

/// Methods that are small: rewritten ahead of time, they can only be counted.
const SMALL: &[&str] = &["size"];

/// Holds a profile against what the program prints: the methods that are off have no call, those
/// that are counted, or `small`, all without records, the others all with.
#[track_caller]
fn assert_functions(
    profile: &Profile,
    printed: &str,
    (counted, small): (&[&str], &[&str]),
    off: &[&str],
) {
    let calls = calls(profile);
    assert_eq!(printed.lines().count(), 5, "{printed}");
    for line in printed.lines() {
        let (name, count) = line.split_once(' ').unwrap();
        let count: u64 = count.parse().unwrap();
        let expected = match name {
            name if off.contains(&name) => (0, 0),
            name if counted.contains(&name) || small.contains(&name) => (0, count),
            _ => (count, count),
        };
        assert_eq!(calls.get(name).copied().unwrap_or_default(), expected, "{name}");
    }
    let says_off = profile.meta.notices.iter().any(|notice| notice.contains("off by --probe"));
    assert_eq!(says_off, !off.is_empty(), "{:?}", profile.meta.notices);
    let quality = &profile.quality;
    let repairs = (quality.inferred_exits, quality.unmatched_exits, quality.backward_times);
    assert_eq!((repairs, quality.open_frames), ((0, 0, 0), 0));
}

/// The names of the frames above those of one method.
fn parents<'p>(profile: &'p Profile, of: &str) -> Vec<&'p str> {
    let name = |node| match profile.tree.frame(node) {
        Frame::Method(method) => profile.method(method).info.key.name.as_str(),
        Frame::Thread(_) | Frame::Task(_) => "",
    };
    let nodes = profile.tree.nodes();
    let above = nodes.filter(|node| profile.tree.children(*node).any(|child| name(child) == of));
    above.map(name).collect()
}

/// Rules, what is counted by them, and what is off.
const RULES: &[(&[&str], &[&str], &[&str])] = &[
    (&["functions.Functions::leaf=count"], &["leaf"], &[]),
    (&["functions.Functions::middle=off"], &[], &["middle"]),
    (
        &["functions.**=off", "functions.Functions::leaf=count", "functions.Functions::step=time"],
        &["leaf"],
        &["middle", "fail", "size"],
    ),
    (
        &["functions.**=count", "functions.Functions::fail=off"],
        &["step", "middle", "leaf", "size"],
        &["fail"],
    ),
];

fn options<'o>(rules: &[&'o str]) -> Vec<&'o str> {
    rules.iter().flat_map(|rule| ["--probe", *rule]).collect()
}

#[test]
fn rewritten_classes_do_what_the_rules_say() {
    let folder = samples::temp_dir();
    compile(&folder.path().join("classes"));
    let root = ["--root", "functions.Functions::main"];
    let out = JFATHOM.rewrite(&folder.path().join("classes"), &folder.path().join("out"), &root);
    for jdk in jdk::all("functions of probes") {
        for (rules, counted, off) in RULES {
            let words = wire::class_path(&out, MAIN, &[ROUNDS]);
            let (done, profile) = JFATHOM.record(&options(rules), jdk, &words, 0);
            assert_functions(&profile, &done.stdout, (counted, SMALL), off);
            if off.contains(&"middle") && !off.contains(&"step") {
                assert_eq!(parents(&profile, "leaf"), ["step"], "{done}");
            }
        }
    }
}

#[test]
fn a_running_jvm_does_what_the_rules_say() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    for jdk in jdk::main_and_25("functions of probes, live") {
        for (rules, counted, off) in RULES {
            let live = Live::roots(JFATHOM, &["functions.Functions::main"]).with(&["-q"]);
            let words = wire::class_path(&classes, MAIN, &[ROUNDS]);
            let (done, profile) = live.with(&options(rules)).run(jdk, &words, 0);
            assert_functions(&profile, &done.stdout, (counted, &[]), off);
            if off.contains(&"middle") {
                assert_eq!(parents(&profile, "leaf"), ["step"], "{done}");
            }
        }
    }
}

/// Without the rule a getter is counted from the beginning. Ahead of time it can be nothing else.
#[test]
fn a_trivial_method_is_timed_if_a_rule_says_so() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &[]);
    let file = folder.path().join("profile.jfp");
    let record = |options: &[&str], classes: &Path| {
        let mut command = JFATHOM.command();
        command.args(["record", "-q", "--force", "--tune=calibrate=off", "-o"]).arg(&file);
        command.args(options).arg("--").arg(jdk::main().java());
        let done = run::run(command.args(wire::class_path(classes, MAIN, &["300"]))).fine();
        let profile = Profile::read(&mut std::fs::read(&file).unwrap().as_slice());
        (calls(&profile.unwrap())["size"], done)
    };
    let rule = ["--probe", "functions.Functions::size=time"];
    let live = ["--root", "functions.Functions::main"];
    assert_eq!(record(&[], &out).0, (0, 300));
    let refused = run::run(
        JFATHOM
            .command()
            .args(["record", "-q", "--force", "-o"])
            .arg(&file)
            .args(rule)
            .arg("--")
            .arg(jdk::main().java())
            .args(wire::class_path(&out, MAIN, &["300"])),
    );
    refused.code(2).says(&["functions.Functions::size", "can only be counted"]);
    assert_eq!(record(&live, &classes).0, (0, 300));
    assert_eq!(record(&[&rule[..], &live].concat(), &classes).0, (300, 300));
}

/// Which methods there are is known at the end. Rules that others have precedence over select, too.
#[test]
fn a_live_session_says_which_rules_select_nothing() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    let rules = ["functions.Functions::loaf=off", "functions.*=count", "functions.Functions=time"];
    let live = Live::roots(JFATHOM, &["functions.Functions::main"]);
    let words = wire::class_path(&classes, MAIN, &["10"]);
    let (_, profile) = live.with(&options(&rules)).run(jdk::main(), &words, 0);
    let said = |rule: &str| profile.meta.notices.iter().any(|notice| notice.contains(rule));
    assert!(said("--probe functions.Functions::loaf=off selects no method"));
    assert!(!said(rules[1]) && !said(rules[2]), "{:?}", profile.meta.notices);
}

/// By method: its object in the report on what a killed collector has left of a program that calls
/// on.
fn left_behind(jdk: &Jdk, options: &[&str], classes: &Path) -> BTreeMap<String, Value> {
    let folder = samples::temp_dir();
    let session = folder.path().join("session");
    let mut command = JFATHOM.command();
    command.args(["record", "-q", "--tune=calibrate=off", "--budget", "none"]).args(options);
    command
        .arg(format!("--tune=session={}", session.display()))
        .arg("-o")
        .arg(folder.path().join("p.jfp"));
    command.arg("--").arg(jdk.java()).args(wire::class_path(classes, MAIN, &["2000000000"]));
    let mut collector =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let read = || {
        let done = JFATHOM.run(&[OsStr::new("report"), session.as_os_str(), OsStr::new("--json")]);
        let report: Value = serde_json::from_str(&done.stdout).ok()?;
        let methods = report["methods"].as_array()?.iter();
        let methods: BTreeMap<String, Value> = methods
            .map(|method| (method["name"].as_str().unwrap_or_default().to_owned(), method.clone()))
            .collect();
        methods.contains_key("size").then_some(methods)
    };
    let begun = Instant::now();
    let is_checkpoint = |entry: fs::DirEntry| entry.path().extension().is_some_and(|e| e == "jfc");
    while !fs::read_dir(&session)
        .is_ok_and(|mut files| files.any(|entry| entry.is_ok_and(is_checkpoint)))
    {
        assert!(begun.elapsed() < run::HANG, "no checkpoint");
        thread::sleep(Duration::from_millis(50));
    }
    let jvm = recorded_jvm(&session);
    collector.kill().unwrap();
    collector.wait().unwrap();
    signal(jvm.expect("a session file"), "KILL");
    read().expect("a report of what was left")
}

/// The process whose session file lies in a session directory.
pub(crate) fn recorded_jvm(session: &Path) -> Option<u32> {
    fs::read_dir(session).unwrap().flatten().find_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        name.strip_prefix("jvm-")?.split('-').next()?.parse().ok()
    })
}

#[test]
fn what_a_killed_collector_left_says_what_rules_have_chosen() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &[]);
    let root = ["--root", "functions.Functions::main"];
    let rules = ["--probe", "functions.Functions::leaf=count"];
    for (options, classes) in [([&rules[..], &root].concat(), &classes), (rules.to_vec(), &out)] {
        let left = left_behind(jdk::main(), &options, classes);
        // Trivial, but live nothing is counted without a rule.
        let size = if *classes == out { "count" } else { "time" };
        for (method, mode) in [("leaf", "count"), ("size", size), ("middle", "time")] {
            let left = &left[method];
            assert_eq!(left["mode"], mode, "{options:?}: {left:?}");
            assert_eq!(left["demotion"]["reason"], Value::Null, "{options:?}: {left:?}");
        }
    }
}

/// The exceptions of a callee that does not read are the bytes of its caller.
#[test]
fn what_a_killed_collector_left_says_which_methods_have_read() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    let main = ["--root", "functions.Functions::main"];
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &main);
    let rules = ["--probe", "functions.Functions::middle=time+alloc"];
    for (options, classes) in [([&rules[..], &main].concat(), &classes), (rules.to_vec(), &out)] {
        let left = left_behind(jdk::main(), &options, classes);
        let middle = left["middle"]["columns"]["alloc"]["self"].as_u64();
        assert!(middle.is_some_and(|bytes| bytes > 0), "{options:?}: {left:?}");
        for method in ["fail", "leaf", "step"] {
            let nothing = serde_json::json!({"self": null, "total": null});
            assert_eq!(left[method]["columns"]["alloc"], nothing, "{method}: {options:?}");
        }
    }
}

#[test]
fn wrong_rules_are_refused() {
    let folder = samples::temp_dir();
    compile(&folder.path().join("classes"));
    let out = JFATHOM.rewrite(&folder.path().join("classes"), &folder.path().join("out"), &[]);
    for (rule, words) in [
        ("functions.Functions::leaf=walk", ["leaf=walk", "time, count and off"]),
        ("functions.Functions::leaf", ["no function", "probe rule"]),
        ("functions.Functions::loaf=off", ["--probe", "functions.Functions::leaf"]),
        ("functions.Functions::leaf=count+alloc", ["only methods that are timed", "time+alloc"]),
        ("functions.Functions::leaf=off+alloc", ["only methods that are timed", "time+alloc"]),
        ("functions.Functions::leaf=time+cpu", ["cannot be read by selector", "--metrics cpu"]),
    ] {
        let mut command = JFATHOM.command();
        command.args(["record", "--probe", rule, "-o"]).arg(folder.path().join("p.jfp"));
        command.arg("--").arg(jdk::main().java()).args(wire::class_path(&out, MAIN, &["1"]));
        run::run(&mut command).code(2).says(&words);
        assert!(!folder.path().join("p.jfp").exists());
    }
}
