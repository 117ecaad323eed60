//! What threads caught (`--metrics caught`), against what the program (`samples/catches`) knows:
//! the classes and numbers of exceptions that each of its methods catches.

use crate::JFATHOM;
use jfathom_profile::{EventKind, EventSource, Frame, NodeIx, Profile};
use jfathom_tests::{jdk, live::Live, samples, wire};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

pub(crate) const MAIN: &str = "catches.Main";
pub(crate) const ROOT: &str = "catches.Main::root";
pub(crate) const CAUGHT: &[&str] = &["--metrics", "caught"];
/// Exceptions of as many classes that `catchNumbered` catches.
const NUMBERED: u64 = 1_100;
/// Classes that have a number before any is caught: those of a full stack and heap.
const BEFORE_ALL: u64 = 2;
/// Most classes that get a number (`CAUGHT_CLASSES_MAX`).
const MOST: u64 = 1_024;

pub(crate) fn compile(classes: &Path) {
    samples::javac_for(11, &[], &samples::sources().join("catches"), classes);
}

/// How many of which class a method has caught; of no class where it is not known.
type Caught<'p> = BTreeMap<(&'p str, &'p str), u64>;

fn told(text: &str) -> Caught<'_> {
    let mut told = Caught::new();
    for line in text.lines() {
        if let [method, class, number] = line.split(' ').collect::<Vec<_>>()[..] {
            told.insert((method, class), number.parse().unwrap());
        }
    }
    told
}

pub(crate) fn name(profile: &Profile, node: NodeIx) -> &str {
    match profile.tree.frame(node) {
        Frame::Method(method) => profile.method(method).info.key.name.as_str(),
        Frame::Thread(_) | Frame::Task(_) => "",
    }
}

/// Those of the nodes that are `wanted`.
fn caught(profile: &Profile, wanted: impl Fn(NodeIx) -> bool) -> Caught<'_> {
    let mut found = Caught::new();
    let rows = profile.tree.all_events().iter().filter(|row| wanted(row.node));
    for row in rows {
        assert_eq!(row.name.kind, EventKind::Caught);
        let class = row.name.class.as_deref().unwrap_or_default();
        *found.entry((name(profile, row.node), class)).or_default() += row.sum.count;
    }
    found
}

#[track_caller]
pub(crate) fn check(profile: &Profile, text: &str, context: &str) {
    let events = &profile.events;
    assert_eq!((events.caught, events.exceptions), (EventSource::Probes, EventSource::Unasked));
    assert!(text.contains("unloaded true"), "{context}: {text}");
    let (numbered, others): (Caught<'_>, Caught<'_>) = caught(profile, |_| true)
        .into_iter()
        .partition(|((method, _), _)| *method == "catchNumbered");
    let told = told(text);
    assert_eq!(told.len(), 19, "{text}");
    assert_eq!(others, told, "{context}");
    // The classes that were caught first have numbers.
    let before: BTreeSet<&str> = told.keys().map(|(_, class)| *class).collect();
    let known = MOST - before.len() as u64 - BEFORE_ALL;
    assert_eq!(numbered.values().sum::<u64>(), NUMBERED, "{context}");
    assert_eq!(numbered[&("catchNumbered", "")], NUMBERED - known, "{context}");
    assert_eq!(numbered.len() as u64, known + 1, "{context}");
    check_paths(profile, context);
    // Handlers of any exception catch, and name no class.
    let locked = profile.methods.iter().find(|method| method.info.key.name == "locked").unwrap();
    assert_eq!(locked.caught, 50, "{context}");
    let quality = &profile.quality;
    let repairs = (quality.inferred_exits, quality.unmatched_exits, quality.unmatched_catches);
    assert_eq!((repairs, quality.open_frames), ((0, 0, 0), 0), "{context}");
}

/// A method that catches on two call paths.
fn check_paths(profile: &Profile, context: &str) {
    for (caller, light, state) in [("oneWay", 5, 5), ("otherWay", 10, 0)] {
        let above: Vec<NodeIx> =
            profile.tree.nodes().filter(|node| name(profile, *node) == caller).collect();
        let below: BTreeSet<u32> =
            above.iter().flat_map(|node| profile.tree.subtree(*node)).collect();
        let of = caught(profile, |node| below.contains(&node.0));
        let count = |class| of.get(&("catcher", class)).copied().unwrap_or(0);
        let found = (count("catches.Work$Light"), count("java.lang.IllegalStateException"));
        assert_eq!(found, (light, state), "{context}: {caller}");
    }
}

#[test]
fn rewritten_classes_tell_what_they_catch() {
    let folder = samples::temp_dir();
    compile(&folder.path().join("classes"));
    let root = ["--root", ROOT];
    let out = JFATHOM.rewrite(&folder.path().join("classes"), &folder.path().join("out"), &root);
    for jdk in jdk::all("caught exceptions") {
        let words = [&["-Xverify:all".to_owned()][..], &wire::class_path(&out, MAIN, &[])].concat();
        let (done, profile) = JFATHOM.record(CAUGHT, jdk, &words, 0);
        check(&profile, &done.stdout, &format!("{jdk:?}"));
    }
}

#[test]
fn live_sessions_tell_what_is_caught() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    compile(&classes);
    for jdk in jdk::all("caught exceptions, live") {
        let words = wire::class_path(&classes, MAIN, &[]);
        let live = Live::roots(JFATHOM, &[ROOT]).with(&["-q"]).with(CAUGHT);
        let (done, profile) = live.run(jdk, &words, 0);
        check(&profile, &done.stdout, &format!("live {jdk:?}"));
    }
}

/// What a counted method catches has no records, and is not known. The others' is.
#[test]
fn counted_methods_tell_nothing() {
    let folder = samples::temp_dir();
    compile(&folder.path().join("classes"));
    let root = ["--root", ROOT];
    let out = JFATHOM.rewrite(&folder.path().join("classes"), &folder.path().join("out"), &root);
    let options = [CAUGHT, &["--probe", "catches.Work::catcher=count"]].concat();
    let (done, profile) =
        JFATHOM.record(&options, jdk::main(), &wire::class_path(&out, MAIN, &[]), 0);
    let mut told = told(&done.stdout);
    told.retain(|(method, _), _| *method != "catcher");
    let mut found = caught(&profile, |_| true);
    found.retain(|(method, _), _| *method != "catchNumbered");
    assert_eq!(found, told);
}

/// Nobody asks, and nothing is told; how many each method catches is known all the same.
#[test]
fn without_the_metric_there_are_no_classes() {
    let folder = samples::temp_dir();
    compile(&folder.path().join("classes"));
    let out = JFATHOM.rewrite(&folder.path().join("classes"), &folder.path().join("out"), &[]);
    let (done, profile) = JFATHOM.record(&[], jdk::main(), &wire::class_path(&out, MAIN, &[]), 0);
    assert_eq!((profile.events.caught, profile.tree.all_events().len()), (EventSource::Unasked, 0));
    let told: u64 = told(&done.stdout)
        .iter()
        .filter(|((method, _), _)| *method == "named")
        .map(|(_, number)| number)
        .sum();
    let named = profile.methods.iter().find(|method| method.info.key.name == "named").unwrap();
    assert_eq!(named.caught, told);
}
