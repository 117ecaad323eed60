//! Stacks that are sampled beside a recording (`--metrics samples`) against what the program's own
//! clock says of the JDK's methods that it calls (`samples/beneath`).

use crate::JFATHOM;
use jfathom_profile::{Frame, MethodIx, Profile, SampleFrame, SampleIx, SampleSource};
use jfathom_tests::{
    jdk::{self, Jdk},
    live::signal,
    run, samples,
};
use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const MAIN: &str = "beneath.Work";
const ROOT: &str = "beneath.Work::root";
/// Rounds of the program: seconds of work.
const ROUNDS: &str = "300";

/// A part of the program's work, and the JDK's class that does it.
const PARTS: [(&str, &str); 3] = [
    ("sorted", "java/util/DualPivotQuicksort"),
    ("collided", "java/util/HashMap"),
    ("formatted", "java/lang/String"),
];

fn compiled(folder: &Path) -> PathBuf {
    let classes = folder.join("classes");
    samples::javac_for(11, &[], &samples::sources().join("beneath"), &classes);
    classes
}

fn read(path: &Path) -> Profile {
    Profile::read_whole(&mut &fs::read(path).unwrap()[..]).unwrap()
}

/// Shares of the parts as the program prints them.
fn told(text: &str) -> BTreeMap<String, f64> {
    let times: BTreeMap<String, f64> = text
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(name, nanos)| Some((name.to_owned(), nanos.parse().ok()?)))
        .collect();
    let all: f64 = times.values().sum();
    times.into_iter().map(|(name, nanos)| (name, nanos / all)).collect()
}

/// Samples in the root and below it, and those whose outermost sampled frame is of each class.
fn sampled(profile: &Profile) -> (u64, BTreeMap<String, u64>) {
    let samples = &profile.stack_samples;
    let tree = &samples.tree;
    let is_root = |node: SampleIx| match tree.node(node).frame {
        SampleFrame::Recorded(Frame::Method(MethodIx(method))) => {
            profile.methods[method as usize].info.key.name == "root"
        }
        _ => false,
    };
    let (mut all, mut below) = (0, BTreeMap::new());
    for root in tree.nodes().filter(|node| is_root(*node)) {
        all += tree.total(root).running;
        for child in tree.children(root) {
            let SampleFrame::Sampled(name) = tree.node(child).frame else { continue };
            let class = &samples.name(name).unwrap().class;
            *below.entry(class.clone()).or_default() += tree.total(child).running;
        }
    }
    (all, below)
}

/// Holds the samples against shares of time that the program knows.
fn check(profile: &Profile, told: &BTreeMap<String, f64>, context: &str) {
    let samples = &profile.stack_samples;
    let context = format!("{context}: {:?} {:?}", samples.elsewhere, samples.agreement);
    assert_eq!(samples.source, SampleSource::Jfr, "{context}");
    assert_eq!(samples.period_nanos, 10_000_000, "{context}");
    let (all, below) = sampled(profile);
    // A fast or busy machine has far fewer than one per period.
    assert!(all > 40, "{context}: {all} samples");
    for (part, class) in PARTS {
        // `Arrays` and others may stand between, or may be inlined without a frame.
        let of_class = |(name, _): &(&String, &u64)| match part {
            "sorted" => name.starts_with("java/util/Arrays") || name.starts_with(class),
            _ => name.starts_with(class),
        };
        let count: u64 = below.iter().filter(of_class).map(|(_, count)| count).sum();
        let (share, expected) = (count as f64 / all as f64, told[part]);
        // Four standard deviations of so few samples, and what compilation moves.
        let most = 4.0 * (expected * (1.0 - expected) / all as f64).sqrt() + 0.1;
        assert!(
            (share - expected).abs() <= most,
            "{part} {context}: {share}, told {told:?}, {below:?}"
        );
    }
    let agreement = samples.agreement;
    assert!(agreement.compared() >= all, "{context}");
    // The root takes milliseconds: no sample can be in another call by chance.
    assert!(agreement.disagree * 50 <= agreement.compared(), "{context}");
    // Clocks are read within microseconds.
    assert!(samples.clock_error_nanos > 0 && samples.clock_error_nanos < 1_000_000, "{context}");
    assert!(!samples.elsewhere.thrown_away && samples.elsewhere.truncated.all() == 0, "{context}");
}

pub fn has_jfr(jdk: &Jdk) -> bool {
    let listed = Command::new(jdk.java()).arg("--list-modules").output().unwrap();
    let has_jfr = String::from_utf8_lossy(&listed.stdout).contains("jdk.jfr");
    if !has_jfr {
        println!("skipped on Java {}: it has no module jdk.jfr", jdk.version);
    }
    has_jfr
}

#[test]
fn samples_know_the_jdk_below_a_rewritten_method() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = folder.path().join("out");
    let rewrite = ["rewrite", "-q", "--root", ROOT, "-o"];
    run::run(JFATHOM.command().args(rewrite).arg(&out).arg(&classes)).fine();
    let jdks = jdk::all("stack samples of rewritten programs");
    for jdk in jdks.into_iter().filter(|jdk| has_jfr(jdk)) {
        let profile = folder.path().join(format!("{}.jfp", jdk.version));
        let done = run::run(
            JFATHOM
                .command()
                .args(["record", "-q", "--metrics=samples", "-o"])
                .arg(&profile)
                .arg("--")
                .arg(jdk.java())
                .arg("-cp")
                .arg(out.join("classes"))
                .args([MAIN, ROUNDS]),
        )
        .fine();
        check(&read(&profile), &told(&done.stdout), &format!("rewritten, {}", jdk.version));
        // JFR misses threads that read the processor's counter by the native library.
        if jdk.version < 25 {
            assert_eq!(read(&profile).meta.jvms[0].clock.name, "nanoTime");
        }
        let text = run::run(JFATHOM.command().arg("report").arg(&profile)).fine().stdout;
        assert!(text.contains("~ java.util."), "{text}");
        let json = run::run(JFATHOM.command().args(["report", "--json"]).arg(&profile)).fine();
        let document: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
        assert_eq!(document["stackSamples"]["source"], "jfr");
    }
}

#[test]
fn samples_know_the_jdk_below_a_method_of_an_agent() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    for jdk in jdk::main_and_25("stack samples of live sessions") {
        let profile = folder.path().join(format!("live-{}.jfp", jdk.version));
        let done = run::run(
            JFATHOM
                .command()
                .args(["record", "-q", "--root", ROOT, "--metrics=samples", "-o"])
                .arg(&profile)
                .arg("--")
                .arg(jdk.java())
                .arg("-cp")
                .arg(&classes)
                .args([MAIN, ROUNDS]),
        )
        .fine();
        check(&read(&profile), &told(&done.stdout), &format!("live, {}", jdk.version));
    }
}

/// The names of the JVM's recordings, and how many frames it takes.
fn recordings(jdk: &Jdk, pid: u32) -> String {
    let pid = pid.to_string();
    let ask = |command: &str| {
        let output = Command::new(jdk.tool("jcmd")).args([&pid, command]).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    ask("JFR.check") + &ask("JFR.configure")
}

#[test]
fn a_running_jvm_is_sampled_and_left_as_it_was() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    for jdk in jdk::main_and_25("stack samples of running JVMs") {
        // A recording of the program's own goes on beside ours.
        let own = folder.path().join(format!("own-{}.jfr", jdk.version));
        let mut program = Command::new(jdk.java())
            .arg(format!("-XX:StartFlightRecording=name=own,filename={}", own.display()))
            .arg("-cp")
            .arg(&classes)
            .args([MAIN, "forever"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
        while lines.next().unwrap().unwrap() != "ready" {}
        let before = recordings(jdk, program.id());
        let profile = folder.path().join(format!("running-{}.jfp", jdk.version));
        let done = run::run(
            JFATHOM
                .command()
                .args([
                    "record",
                    "-q",
                    "--metrics=samples",
                    "--duration",
                    "3s",
                    "--root",
                    ROOT,
                    "-o",
                ])
                .arg(&profile)
                .args(["-p", &program.id().to_string()]),
        );
        let after = recordings(jdk, program.id());
        // Asked to, a JVM takes its socket for attachments and its JFR files with it.
        signal(program.id(), "TERM");
        program.wait().unwrap();
        done.fine();
        let own = |text: &str| text.matches("name=own").count();
        assert_eq!((own(&before), own(&after)), (1, 1), "{after}");
        assert!(!after.contains("name=jfathom"), "{after}");
        let depth =
            |text: &str| text.lines().find(|line| line.contains("Stack depth")).map(str::to_owned);
        assert_eq!(depth(&before), depth(&after));
        let profile = read(&profile);
        let (all, below) = sampled(&profile);
        let context = format!("{}: {:?}", jdk.version, profile.stack_samples.elsewhere);
        assert!(all > 50 && below.len() > 1, "{context}: {all} samples, {below:?}");
        let agreement = profile.stack_samples.agreement;
        assert!(agreement.disagree * 50 <= agreement.compared(), "{context}: {agreement:?}");
    }
}

#[test]
fn what_cannot_be_sampled_is_refused_before_the_program_runs() {
    let folder = samples::temp_dir();
    let profile = folder.path().join("profile.jfp");
    let record = |more: &[&str]| {
        let mut command = JFATHOM.command();
        command.args(["record", "--metrics=samples"]).args(more).arg("-o").arg(&profile).arg("--");
        command
    };
    let slices = run::run(record(&["--every", "1s"]).args(["java", "-version"]));
    assert!(slices.code == Some(2) && slices.stderr.contains("--every"), "{slices}");
    for jdk in jdk::all("stack samples").into_iter().filter(|jdk| !has_jfr(jdk)) {
        let done = run::run(record(&["--root", ROOT]).arg(jdk.java()).arg("-version"));
        assert!(done.stderr.contains("jdk.jfr"), "{done}");
        assert!(!profile.exists());
    }
}
