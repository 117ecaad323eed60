//! Stacks that are walked at each of so many calls (`--probe SELECTOR=time+stack/N`). The program
//! (`samples/callers`) prints how often each way led to the method.

use crate::{JFATHOM, stack_samples::has_jfr};
use jfathom_profile::{Frame, Method, Profile, SampleFrame, SampleIx, WalkedMethod};
use jfathom_tests::{jdk, live::Live, run, samples, wire};
use std::{collections::BTreeMap, path::Path};

const MAIN: &str = "callers.Callers";
const ROOT: &str = "callers.Callers::root";
const ROUNDS: &str = "700";

fn compile(classes: &Path) {
    samples::javac_for(11, &[], &samples::sources().join("callers"), classes);
}

/// The numbers that the program prints, by name. On Java 11 JFR prints some lines, too.
fn printed(text: &str) -> BTreeMap<&str, u64> {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.filter_map(|(name, number)| Some((name, number.parse().ok()?))).collect()
}

/// A method with its walks.
fn walked<'p>(profile: &'p Profile, name: &str) -> (&'p Method, WalkedMethod) {
    let methods = profile.stack_walks.methods.iter();
    let named = |of: &&WalkedMethod| profile.method(of.method).info.key.name == name;
    let of = methods.copied().find(|of| named(&of)).unwrap_or_else(|| panic!("no walks of {name}"));
    (profile.method(of.method), of)
}

/// The name of a frame; `~` before that of one without recorded calls.
fn name(profile: &Profile, node: SampleIx) -> String {
    match profile.stack_walks.tree.node(node).frame {
        SampleFrame::Recorded(Frame::Method(method)) => {
            profile.method(method).info.key.name.clone()
        }
        SampleFrame::Sampled(name) => {
            format!("~{}", profile.stack_walks.names[name as usize].name)
        }
        frame => panic!("{frame:?}"),
    }
}

/// By stack, outward from a method, the number of walks. Frames of the JDK and
/// of classes that it makes for lambdas are one where they follow each other.
fn stacks(profile: &Profile, method: &str) -> BTreeMap<Vec<String>, u64> {
    let walks = &profile.stack_walks;
    let mut found = BTreeMap::new();
    let (_, of) = walked(profile, method);
    let Some(root) = walks.root(of.method) else { return found };
    let mut open: Vec<(SampleIx, Vec<String>)> = vec![(root, Vec::new())];
    while let Some((node, path)) = open.pop() {
        let own = walks.tree.node(node).own.all();
        if own > 0 {
            *found.entry(path.clone()).or_default() += own;
        }
        for child in walks.tree.children(node) {
            let is_jdk = match walks.tree.node(child).frame {
                SampleFrame::Sampled(name) => {
                    let class = &walks.names[name as usize].class;
                    class.starts_with("java/") || class.contains("$$Lambda")
                }
                SampleFrame::Recorded(_) => false,
            };
            let name = if is_jdk { "~jdk".to_owned() } else { name(profile, child) };
            let mut path = path.clone();
            if path.last() != Some(&name) {
                path.push(name);
            }
            open.push((child, path));
        }
    }
    found
}

/// The ways to `leaf`: from a frame's caller outward, in the main thread and in others.
fn way(direct: &[&str], top: &[&str]) -> Vec<String> {
    [direct, &["root"], top].concat().into_iter().map(str::to_owned).collect()
}

const PLAIN: &[&str] = &["plain"];
const SORTED: &[&str] = &["lambda$sorted$0", "~jdk", "sorted"];
const IN_MAIN: &[&str] = &["~start", "~main"];
const IN_OTHERS: &[&str] = &["~run"];

#[track_caller]
fn assert_clean(profile: &Profile, context: &str) {
    let quality = &profile.quality;
    let repairs = (quality.inferred_exits, quality.unmatched_exits, quality.backward_times);
    assert_eq!((repairs, quality.open_frames), ((0, 0, 0), 0), "{context}");
}

/// What must be known of the methods with a rule of one call, and of `leaf` with one of `interval`
/// calls in a single thread: a round calls it from `plain`, from `plain`, and from the sort.
#[track_caller]
fn check_one_thread(profile: &Profile, text: &str, interval: u64, is_timed: bool, context: &str) {
    assert_clean(profile, context);
    let printed = printed(text);
    let calls = printed["plain"] + printed["sorted"];
    let (method, of) = walked(profile, "leaf");
    let timed = if is_timed { calls } else { 0 };
    assert_eq!((method.entries, method.calls()), (timed, calls), "{context}");
    let due = calls / interval;
    let expected = WalkedMethod {
        method: of.method,
        interval: interval as u32,
        due,
        truncated: 0,
        unknown: 0,
    };
    assert_eq!(of, expected, "{context}");
    let sorted = (1..=due).filter(|walk| (walk * interval).is_multiple_of(3)).count() as u64;
    let mut ways = BTreeMap::new();
    for (direct, count) in [(PLAIN, due - sorted), (SORTED, sorted)] {
        if count > 0 {
            ways.insert(way(direct, IN_MAIN), count);
        }
    }
    assert_eq!(stacks(profile, "leaf"), ways, "{context}");
    // What the walks took is in no time of the program.
    assert!(profile.threads.iter().any(|thread| thread.excluded.0 > 0), "{context}");
}

/// Rules, the interval of `leaf`, and whether its calls are timed.
const RULES: [(&str, u64, bool); 4] = [
    ("callers.Callers::leaf=time+stack/1", 1, true),
    ("callers.Callers::leaf=time+stack/7", 7, true),
    ("callers.Callers::leaf=count+stack/1", 1, false),
    // Calls that repeat in threes and an interval of three: one way alone is seen.
    ("callers.Callers::leaf=time+stack/3", 3, true),
];

/// Several threads count together, and stacks of roots show who calls these.
#[track_caller]
fn check_threads(profile: &Profile, text: &str, context: &str) {
    assert_clean(profile, context);
    let printed = printed(text);
    let due = (printed["plain"] + printed["sorted"]) / 7;
    let (method, of) = walked(profile, "leaf");
    assert_eq!((of.due, of.unknown), (due, 0), "{context}: {}", method.info.key);
    let stacks_of_leaf = stacks(profile, "leaf");
    assert_eq!(stacks_of_leaf.values().sum::<u64>(), due, "{context}");
    let ways = [PLAIN, SORTED].map(|direct| [IN_MAIN, IN_OTHERS].map(|top| way(direct, top)));
    let ways = ways.concat();
    assert!(
        stacks_of_leaf.keys().all(|stack| ways.contains(stack)),
        "{context}: {stacks_of_leaf:?}"
    );
    let (_, of) = walked(profile, "root");
    assert_eq!((of.due, of.interval), (4, 1), "{context}");
    let tops = [(IN_MAIN, 1), (IN_OTHERS, 3)];
    let tops =
        tops.map(|(top, count)| (top.iter().map(|name| (*name).to_owned()).collect(), count));
    assert_eq!(stacks(profile, "root"), BTreeMap::from(tops), "{context}");
}

const OF_THREADS: [&str; 4] = [
    "--probe",
    "callers.Callers::leaf=time+stack/7",
    "--probe",
    "callers.Callers::root=time+stack/1",
];

#[test]
fn rewritten_methods_show_their_callers() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    for jdk in jdk::all("walked stacks").into_iter().filter(|jdk| has_jfr(jdk)) {
        for (rule, interval, is_timed) in RULES {
            let words = wire::class_path(&out, MAIN, &[ROUNDS, "0"]);
            let (done, profile) = JFATHOM.record(&["--probe", rule], jdk, &words, 0);
            let context = format!("{rule}, rewritten, {}", jdk.version);
            check_one_thread(&profile, &done.stdout, interval, is_timed, &context);
        }
        let words = wire::class_path(&out, MAIN, &[ROUNDS, "3"]);
        let (done, profile) = JFATHOM.record(&OF_THREADS, jdk, &words, 0);
        check_threads(&profile, &done.stdout, &format!("rewritten, {}", jdk.version));
    }
}

#[test]
fn methods_of_a_running_jvm_show_their_callers() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    for jdk in jdk::main_and_25("walked stacks, live") {
        for (rule, interval, is_timed) in RULES {
            let live = Live::roots(JFATHOM, &[ROOT]).with(&["-q", "--probe", rule]);
            let words = wire::class_path(&classes, MAIN, &[ROUNDS, "0"]);
            let (done, profile) = live.run(jdk, &words, 0);
            let context = format!("{rule}, live, {}", jdk.version);
            check_one_thread(&profile, &done.stdout, interval, is_timed, &context);
        }
        let live = Live::roots(JFATHOM, &[ROOT]).with(&["-q"]).with(&OF_THREADS);
        let words = wire::class_path(&classes, MAIN, &[ROUNDS, "3"]);
        let (done, profile) = live.run(jdk, &words, 0);
        check_threads(&profile, &done.stdout, &format!("live, {}", jdk.version));
    }
}

/// Without roots every method has the probes that record on every thread.
#[test]
fn methods_without_a_root_show_their_callers() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &[]);
    let words = wire::class_path(&out, MAIN, &[ROUNDS, "0"]);
    let rule = ["--probe", "callers.Callers::leaf=time+stack/1"];
    let (done, profile) = JFATHOM.record(&rule, jdk::main(), &words, 0);
    assert_clean(&profile, &done.stdout);
    let printed = printed(&done.stdout);
    let top = ["start", "main"];
    let ways = [(way(PLAIN, &top), printed["plain"]), (way(SORTED, &top), printed["sorted"])];
    assert_eq!(stacks(&profile, "leaf"), BTreeMap::from(ways));
}

/// A stack that is full where it is to be walked leaves JFR as it was.
#[test]
fn full_stacks_are_walked_or_left_alone() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &[]);
    let rules = [
        "--probe",
        "callers.Deep::down=time+stack/13",
        "--probe",
        "callers.Deep::after=time+stack/1",
    ];
    for jdk in jdk::main_and_25("walked stacks that are full") {
        let words = wire::class_path(&out, "callers.Deep", &[]);
        let (done, profile) = JFATHOM.record(&rules, jdk, &words, 0);
        assert_eq!(done.stdout.trim(), "caught", "{}", jdk.version);
        let after = BTreeMap::from([(vec!["main".to_owned()], 10)]);
        assert_eq!(stacks(&profile, "after"), after, "{}", jdk.version);
        let (_, of) = walked(&profile, "down");
        assert!(profile.stack_walks.walks(of.method) > 20, "{}: {of:?}", jdk.version);
    }
}

#[test]
fn reports_show_the_callers() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    let profile = folder.path().join("profile.jfp");
    let mut command = JFATHOM.command();
    command.args(["record", "-q", "--root", ROOT, "--tune=calibrate=off", "-o"]).arg(&profile);
    command.args(["--probe", "callers.Callers::leaf=time+stack/7", "--"]).arg(jdk::main().java());
    run::run(command.args(wire::class_path(&classes, MAIN, &[ROUNDS, "0"]))).fine();
    let report = |options: &[&str]| {
        run::run(JFATHOM.command().arg("report").args(options).arg(&profile)).fine().stdout
    };
    for text in [report(&[]), report(&["--view", "walks"])] {
        assert!(text.contains("callers by walked stacks"), "{text}");
        assert!(text.contains("callers.Callers::leaf  (one in 7 calls)"), "{text}");
        assert!(text.contains("~ callers.Callers::start › main"), "{text}");
    }
    let json: serde_json::Value = serde_json::from_str(&report(&["--json"])).unwrap();
    let walks = &json["stackWalks"]["methods"][0];
    assert_eq!((&walks["interval"], &walks["due"]), (&7.into(), &300.into()));
    assert_eq!((&walks["walks"], &walks["missing"]), (&300.into(), &0.into()));
    let page = folder.path().join("page.html");
    run::run(JFATHOM.command().arg("report").args(["--as=html", "-o"]).arg(&page).arg(&profile))
        .fine();
    assert!(page.exists());
}

#[test]
fn what_cannot_be_walked_is_refused() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    let record = |options: &[&str]| {
        let mut command = JFATHOM.command();
        command.args(["record", "-q", "--root", ROOT]).args(options).arg("-o");
        command.arg(folder.path().join("p.jfp")).arg("--").arg(jdk::main().java());
        run::run(command.args(wire::class_path(&classes, MAIN, &["1", "0"])))
    };
    let rule = "callers.Callers::leaf=time+stack/2";
    record(&["--probe", "callers.Callers::leaf=time+stack/0"]).code(2).says(&["stack/N"]);
    record(&["--probe", rule, "--every", "1s"]).code(2).says(&["--every", "+stack"]);
    let many: Vec<String> =
        (1..=17).map(|calls| format!("--probe=callers.Callers::leaf=time+stack/{calls}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    record(&many).code(2).says(&["17 different N", "16"]);
}
