//! Allocated bytes of selected methods (`--probe SELECTOR=time+alloc`), against what the program
//! tells and against a recording in which all methods read them.

use crate::{
    JFATHOM,
    allocations::{bounds, compiled, recorded, truth, words},
};
use jfathom_profile::{AllocationSource, Bytes, Frame, Profile};
use jfathom_tests::{
    jdk::{self, Jdk},
    run, samples,
};

const ROOT: &str = "allocations.Work::root";
/// Methods that read: one with callees of its own, one that is called often, and one out of which
/// exceptions come. `Work` allocates nothing in a method that is not called by `root`.
const READING: [&str; 3] = ["nested", "sized", "thrower"];
const RULES: [&str; 3] = [
    "allocations.Work::*=time+alloc",
    "allocations.Work=time",
    "allocations.Work::nested=time+alloc",
];

fn rules() -> Vec<String> {
    let last = ["sized", "thrower"].map(|name| format!("allocations.Work::{name}=time+alloc"));
    let all = RULES.map(str::to_owned).into_iter().chain(last);
    all.flat_map(|rule| ["--probe".to_owned(), rule]).collect()
}

fn record(options: &[String], jdk: &Jdk, java: &[String]) -> (run::Done, Profile) {
    let folder = samples::temp_dir();
    let file = folder.path().join("p.jfp");
    let mut command = JFATHOM.command();
    command.args(["record", "-q", "--budget=none"]).args(options);
    command.arg("-o").arg(&file).arg("--").arg(jdk.java());
    let done = run::run(command.args(java)).fine();
    let profile = Profile::read(&mut std::fs::read(&file).unwrap().as_slice()).unwrap();
    profile.check().unwrap();
    (done, profile)
}

/// The bytes of calls of methods with a name, without their callees'.
fn own(profile: &Profile, name: &str) -> u64 {
    let tree = &profile.tree;
    let is = |frame| matches!(frame, Frame::Method(at) if profile.method(at).info.key.name == name);
    let nodes = tree.nodes().filter(|node| is(tree.frame(*node)));
    nodes.map(|node| tree.allocated(node)).sum::<Bytes>().0
}

/// Only reading and the root have bytes, and the root has all of them.
#[track_caller]
fn assert_selected(profile: &Profile, truth: &str, told: &str, context: &str) {
    let bounds = bounds(truth, told);
    assert_eq!(profile.allocation.source, AllocationSource::Fields, "{context}");
    assert_eq!(profile.allocation.unattributed, Bytes(0), "{context}");
    for method in &profile.methods {
        let name = method.info.key.name.as_str();
        let reads = name == "root" || READING.contains(&name);
        assert_eq!(!method.is_unread, reads, "{name}: {context}");
        if !reads {
            assert_eq!(own(profile, name), 0, "{name}: {context}");
        }
    }
    let within = |name: &str, (least, most): (u64, u64), found: u64| {
        assert!(least <= found && found <= most, "{name}: {found}, {least} to {most}: {context}");
    };
    let all = bounds.values().fold((0, 0), |all, of| (all.0 + of.0, all.1 + of.1));
    within("root", all, recorded(profile, "root"));
    // All of the method's are its own, for what it calls does not read.
    within("nested", bounds["nested"], own(profile, "nested"));
    assert_eq!(own(profile, "nested"), recorded(profile, "nested"), "{context}");
    // `random` allocates by this method, and once in a round by itself.
    let (least, most) = bounds["random"];
    let found = recorded(profile, "sized");
    assert!(found > least * 9 / 10 && found <= most, "{found}, {least} to {most}: {context}");
}

#[test]
fn selected_methods_of_rewritten_classes_read() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    for jdk in jdk::all("allocated bytes of selected methods") {
        let plain = truth(jdk, &[], &classes);
        let (done, profile) = record(&rules(), jdk, &words(&[], &out));
        assert_selected(&profile, &plain, &done.stdout, &format!("{jdk:?}"));
    }
}

#[test]
fn selected_methods_of_live_sessions_read() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let live = [rules(), ["--root", ROOT].map(str::to_owned).to_vec()].concat();
    for jdk in jdk::all("allocated bytes of selected methods, live") {
        let plain = truth(jdk, &[], &classes);
        let (done, profile) = record(&live, jdk, &words(&[], &classes));
        assert_selected(&profile, &plain, &done.stdout, &format!("{jdk:?}"));
    }
}

/// Interpreted code allocates the same in each run. So the root and each method that reads have the
/// bytes that they have where all methods read. The rings are small, so that threads wait within
/// the calls.
#[test]
fn sums_are_those_of_a_recording_in_which_all_read() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    let text = |options: &[&str]| options.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    for jdk in jdk::main_and_25("allocated bytes of selected methods, interpreted") {
        for (live, classes) in [(text(&[]), &out), (text(&["--root", ROOT]), &classes)] {
            let flags = ["-Xint".to_owned()];
            let given = [text(&["--tune=ring=4K", "--tune=calibrate=off"]), live].concat();
            let all = [given.clone(), text(&["--metrics", "alloc"])].concat();
            let (_, all) = record(&all, jdk, &words(&flags, classes));
            let (_, some) = record(&[given, rules()].concat(), jdk, &words(&flags, classes));
            assert!(!all.has_unread() && some.has_unread());
            for name in READING.into_iter().chain(["root"]) {
                let [all, some] = [&all, &some].map(|profile| recorded(profile, name));
                assert!(all > 0 && all == some, "{name}: {all}, {some}: {jdk:?}");
            }
            let sums = [&all, &some].map(|profile| {
                let roots = profile.tree.roots().map(|root| profile.tree.total_allocated(root));
                roots.sum::<Bytes>() + profile.allocation.unattributed
            });
            assert_eq!(sums[0], sums[1], "{jdk:?}");
        }
    }
}

/// `--metrics alloc` has all methods read, and says that a rule changes nothing.
#[test]
fn rules_change_nothing_where_all_methods_read() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", ROOT]);
    let mut command = JFATHOM.command();
    command.args(["record", "--metrics", "alloc", "--probe", "allocations.Work::sized=time+alloc"]);
    command.args(["--tune=calibrate=off", "--budget=none", "-o"]).arg(folder.path().join("p.jfp"));
    command.arg("--").arg(jdk::main().java()).args(words(&[], &out));
    let done = run::run(&mut command).fine();
    assert!(done.stderr.contains("+alloc of --probe changes nothing"), "{done}");
    let bytes = std::fs::read(folder.path().join("p.jfp")).unwrap();
    let profile = Profile::read(&mut bytes.as_slice()).unwrap();
    assert!(!profile.has_unread() && recorded(&profile, "inner") > 0);
}
