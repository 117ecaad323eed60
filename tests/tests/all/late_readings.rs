//! A jar that the collector hears of only when the JVM names it: its methods do not read what they
//! allocate (`time+alloc`), and slices and what a killed collector left say so.

use crate::{JFATHOM, probe_functions::recorded_jvm};
use jfathom_profile::Profile;
use jfathom_tests::{jdk, live::signal, run, run::HANG, samples};
use serde_json::Value;
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

const EARLY: &str = "package both.early; public class Main {
    public static void main(String[] args) throws Exception {
        long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000;
        while (System.nanoTime() < end) { round(); Thread.sleep(5); }
    }
    static void round() { both.late.Work.start(); }
}";
const LATE: &str = "package both.late; public class Work {
    static Object sink;
    public static void start() { fill(); }
    static void fill() { for (int at = 0; at < 3; at++) sink = new byte[1000]; inner(); }
    static void inner() { sink = new byte[100]; }
}";
/// What is said of the late jar.
const SAID: [&str; 2] = ["both.late.Work::", "their jar was not known before the JVM ran"];

/// Both jars, rewritten into directories of their own.
struct Jars {
    folder: TempDir,
}

impl Jars {
    fn new() -> Self {
        let folder = samples::temp_dir();
        let place = |name: &str| folder.path().join(name);
        for (name, text) in [("both/early/Main.java", EARLY), ("both/late/Work.java", LATE)] {
            let file = place("source").join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        samples::javac_for(11, &[], &place("source"), &place("classes"));
        for (name, options) in [
            ("early", &["--root", "both.early.Main::main"][..]),
            ("late", &["--id-base", "1000", "--root", "both.late.Work::start"]),
        ] {
            let classes = place(name);
            fs::create_dir_all(classes.join("both")).unwrap();
            let package = place("classes").join("both").join(name);
            fs::rename(package, classes.join("both").join(name)).unwrap();
            JFATHOM.rewrite(&classes, &place(&format!("out-{name}")), options);
        }
        Self { folder }
    }

    fn place(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A recording of the program behind a script: only the first jar is known.
    fn record(&self, options: &[&str], output: &Path, millis: &str) -> Command {
        let mut command = JFATHOM.command();
        command.args(["record", "-q", "--tune=calibrate=off", "--budget", "none"]).args(options);
        command.args(["--probe", "both.**=time+alloc", "--rewritten"]).arg(self.place("out-early"));
        command.arg("-o").arg(output).args(["--", "sh", "-c", "exec \"$0\" \"$@\""]);
        let paths = ["out-early/early", "out-late/late"].map(|path| self.place(path));
        let class_path = std::env::join_paths(paths).unwrap();
        command.arg(jdk::main().java()).arg("-cp").arg(class_path);
        command.args(["both.early.Main", millis]);
        command
    }
}

fn is_said(notices: &[String]) -> bool {
    notices.iter().any(|notice| SAID.iter().all(|part| notice.contains(part)))
}

#[test]
fn slices_say_which_methods_did_not_read() {
    let jars = Jars::new();
    let slices = jars.place("slices");
    fs::create_dir(&slices).unwrap();
    run::run(&mut jars.record(&["--every", "200ms"], &slices.join("p-%n.jfp"), "1000")).fine();
    let mut told = 0;
    for entry in fs::read_dir(&slices).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        let profile = Profile::read_whole(&mut bytes.as_slice()).unwrap();
        let find = |name: &str| profile.methods.iter().find(|of| of.info.key.name == name);
        // The program's begin and end may have a slice without these calls.
        let Some(fill) = find("fill").filter(|method| method.calls() > 0) else { continue };
        assert!(fill.is_unread && find("round").is_none_or(|round| !round.is_unread));
        assert!(is_said(&profile.meta.notices), "{:?}", profile.meta.notices);
        told += 1;
    }
    assert!(told > 1, "{told} slices");
}

#[test]
fn what_a_killed_collector_left_says_which_methods_did_not_read() {
    let jars = Jars::new();
    let session = jars.place("session");
    let options = format!("--tune=session={}", session.display());
    let mut command = jars.record(&[&*options], &jars.place("p.jfp"), "600000");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut collector = command.spawn().unwrap();
    let report = || {
        let done = JFATHOM.run(&[OsStr::new("report"), session.as_os_str(), OsStr::new("--json")]);
        let report: Value = serde_json::from_str(&done.stdout).ok()?;
        let is_there = report["methods"].as_array()?.iter().any(|method| {
            method["name"] == "fill" && method["calls"].as_u64().is_some_and(|calls| calls > 10)
        });
        is_there.then_some(report)
    };
    let begun = Instant::now();
    // A checkpoint with the calls.
    while report().is_none() {
        assert!(begun.elapsed() < HANG, "no call");
        thread::sleep(Duration::from_millis(100));
    }
    let jvm = recorded_jvm(&session);
    collector.kill().unwrap();
    collector.wait().unwrap();
    signal(jvm.expect("a session file"), "KILL");
    let report = report().expect("a report of what was left");
    let notices: Vec<String> = serde_json::from_value(report["meta"]["notices"].clone()).unwrap();
    assert!(is_said(&notices), "{notices:?}");
    let methods = report["methods"].as_array().unwrap();
    let bytes = |name: &str| {
        methods
            .iter()
            .find(|of| of["name"] == name)
            .map(|of| of["columns"]["alloc"]["self"].as_u64())
    };
    // The root above has them: 3,100 bytes and the arrays' headers in each call.
    assert_eq!((bytes("fill"), bytes("inner")), (Some(None), Some(None)));
    let calls = methods.iter().find(|of| of["name"] == "start").unwrap()["calls"].as_u64().unwrap();
    let of_root = bytes("start").flatten().unwrap();
    assert!(of_root >= (calls - 1) * 3_100, "{of_root} in {calls} calls");
}
