//! Counted calls between timed ones (`samples/between`): no edge of the tree is one that the code
//! does not have.

use crate::JFATHOM;
use jfathom_profile::{Frame, Profile};
use jfathom_tests::{jdk, possible::PossibleEdges, samples};
use std::{collections::BTreeMap, path::Path};

const COUNTED: [&str; 8] = [
    "--probe",
    "between.Main::row=count",
    "--probe",
    "between.Main::left=count",
    "--probe",
    "between.Main::right=count",
    "--probe",
    "between.Main::shared=count",
];

fn arguments(classes: &Path, main: &str) -> Vec<String> {
    vec!["-cp".to_owned(), classes.display().to_string(), main.to_owned()]
}

/// Timed and counted calls by call path.
fn paths(profile: &Profile) -> BTreeMap<String, (u64, u64)> {
    let tree = &profile.tree;
    let mut path: Vec<&str> = Vec::new();
    let mut all = BTreeMap::new();
    for node in tree.nodes() {
        let Frame::Method(method) = tree.frame(node) else { continue };
        let info = &profile.method(method).info;
        path.truncate(tree.depth(node) as usize - 1);
        path.push(if info.is_between() { "⋯" } else { &info.key.name });
        all.insert(path.join(" "), (tree.timed(node), tree.counted(node)));
    }
    all
}

#[track_caller]
fn check(profile: &Profile, edges: &PossibleEdges) {
    let found = paths(profile);
    let of = |path: &str| found.get(&format!("main {path}")).copied();
    assert_eq!(of("caller executeQuery"), None, "{found:?}");
    assert_eq!(of("caller row"), Some((0, 200)), "{found:?}");
    assert_eq!(of("caller row executeQuery"), Some((200, 0)), "{found:?}");
    assert_eq!(of("caller row shared"), Some((0, 200)), "{found:?}");
    assert_eq!(of("two executeQuery"), None, "{found:?}");
    assert_eq!(of("two ⋯"), Some((0, 0)), "{found:?}");
    assert_eq!(of("two ⋯ executeQuery"), Some((100, 0)), "{found:?}");
    assert_eq!(of("two left"), Some((0, 50)), "{found:?}");
    assert_eq!(of("two right shared"), Some((0, 50)), "{found:?}");
    assert_eq!(of("direct executeQuery"), Some((50, 0)), "{found:?}");
    assert_eq!(of("direct shared"), Some((0, 50)), "{found:?}");
    edges.check(profile);
}

#[test]
fn no_edge_is_one_that_the_code_does_not_have() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    samples::javac_for(17, &[], &samples::sources().join("between"), &classes);
    let edges = PossibleEdges::read(&classes);
    let out = JFATHOM.rewrite(&classes, &folder.path().join("out"), &[]);
    let java = arguments(&out, "between.Main");
    let (_, profile) = JFATHOM.record(&COUNTED, jdk::main(), &java, 0);
    check(&profile, &edges);
    let live = [&COUNTED[..], &["--root", "between.Main::main"]].concat();
    let java = arguments(&classes, "between.Main");
    let (_, profile) = JFATHOM.record(&live, jdk::main(), &java, 0);
    check(&profile, &edges);
    // With all methods timed, each edge was seen; the parser of others must find it possible, too.
    let java = arguments(&out, "between.Main");
    let (_, profile) = JFATHOM.record(&[], jdk::main(), &java, 0);
    assert!(edges.check(&profile).contains(&("row".to_owned(), "executeQuery".to_owned())));
    assert!(!profile.has_between());
}

/// Every other method of a larger program is counted.
#[test]
fn edges_of_a_larger_program_are_possible() {
    let compiled = samples::compiled();
    let folder = samples::temp_dir();
    let edges = PossibleEdges::read(&compiled.demo);
    let out = JFATHOM.rewrite(&compiled.demo, &folder.path().join("out"), &[]);
    let java = arguments(&out, "demo.Market");
    let (_, timed) = JFATHOM.record(&[], jdk::main(), &java, 0);
    let named = timed.methods.iter().map(|method| method.info.key.selector());
    for skipped in 0..2 {
        let rules: Vec<String> = named
            .clone()
            .skip(skipped)
            .step_by(2)
            .filter(|name| !name.contains("main"))
            .flat_map(|name| ["--probe".to_owned(), format!("{name}=count")])
            .collect();
        let options: Vec<&str> = rules.iter().map(String::as_str).collect();
        let (_, counted) = JFATHOM.record(&options, jdk::main(), &java, 0);
        edges.check(&counted);
    }
}
