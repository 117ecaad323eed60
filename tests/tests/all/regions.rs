//! Regions against the passes that the program counts itself.

use crate::JFATHOM;
use jfathom_profile::{Frame, NodeIx, Profile};
use jfathom_tests::{
    jdk::{self, Jdk},
    run, samples,
    tool::java,
    wire,
};
use std::{collections::BTreeMap, path::Path};

const MAIN: &str = "regions.Regions";

/// A region of the sample.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Region {
    /// The selector of its method, without lines.
    method: String,
    lines: String,
}

/// The regions that the source marks, by name.
fn marked() -> BTreeMap<String, Region> {
    let source = samples::sources().join("regions/regions/Regions.java");
    let text = std::fs::read_to_string(source).unwrap();
    let mut open: BTreeMap<&str, usize> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for (line, text) in (1..).zip(text.lines()) {
        if let Some(name) = text.trim().strip_prefix("// region ") {
            open.insert(name, line);
        } else if let Some(name) = text.trim().strip_prefix("// end ") {
            let start = open.remove(name).unwrap();
            let method = match name {
                "loop" => "regions.Regions::loops",
                "outer" | "inner" => "regions.Regions::nested",
                "lambda" => "regions.Regions::lambda$*",
                "beforeSuper" | "afterSuper" => "regions.Regions$Made::<init>",
                "around" => "regions.Regions$Around::<init>",
                _ => &format!("regions.Regions::{name}"),
            };
            let lines = format!("{}-{}", start + 1, line - 1);
            found.insert(name.to_owned(), Region { method: method.to_owned(), lines });
        }
    }
    assert!(open.is_empty() && found.len() >= 18, "{found:?}");
    found
}

/// What the program prints: passes, and how many of them end with an exception, by name.
fn printed(text: &str) -> BTreeMap<String, (u64, u64)> {
    let lines = text.lines().filter(|line| !line.starts_with("sum "));
    lines
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            (words[0].to_owned(), (words[1].parse().unwrap(), words[2].parse().unwrap()))
        })
        .collect()
}

fn record(options: &[String], jdk: &Jdk, classes: &Path) -> (run::Done, Profile) {
    let folder = samples::temp_dir();
    let file = folder.path().join("p.jfp");
    let mut command = JFATHOM.command();
    command.args(["record", "-q", "--budget=none", "--tune=calibrate=off"]).args(options);
    command.arg("-o").arg(&file).arg("--").arg(jdk.java());
    let done = run::run(command.args(wire::class_path(classes, MAIN, &[]))).fine();
    let profile = Profile::read(&mut std::fs::read(&file).unwrap().as_slice()).unwrap();
    profile.check().unwrap();
    (done, profile)
}

fn compiled(folder: &Path) -> std::path::PathBuf {
    let classes = folder.join("classes");
    samples::javac_for(11, &[], &samples::sources().join("regions"), &classes);
    classes
}

fn region_options() -> Vec<String> {
    let regions = marked().into_values();
    regions
        .flat_map(|region| ["--include".to_owned(), format!("{}:{}", region.method, region.lines)])
        .collect()
}

/// Holds the regions of a profile against what the program printed.
#[track_caller]
fn assert_passes(profile: &Profile, told: &str, context: &str) {
    let told = printed(told);
    let marked = marked();
    assert_eq!(told.keys().collect::<Vec<_>>(), marked.keys().collect::<Vec<_>>());
    for (name, (passes, throws)) in told {
        let end = format!(":{}", marked[&name].lines);
        let mut rows = profile.methods.iter().filter(|row| row.info.key.name.ends_with(&end));
        let row = rows.next().unwrap_or_else(|| panic!("{name} is in no row: {context}"));
        assert!(rows.next().is_none(), "{name}: {context}");
        assert_eq!(
            (row.entries, row.throws, row.inferred),
            (passes, throws, 0),
            "{name}: {context}"
        );
        assert_eq!(row.entries, row.returns + row.throws, "{name}: {context}");
    }
    let quality = &profile.quality;
    let repairs = [quality.inferred_exits, quality.unmatched_exits, quality.unmatched_catches];
    assert_eq!(repairs, [0; 3], "{context}");
}

/// The names of the frames of all nodes above one whose frame's name begins with `start`.
fn callers(profile: &Profile, start: &str) -> Vec<String> {
    let tree = &profile.tree;
    let name = |node: NodeIx| match tree.frame(node) {
        Frame::Method(at) => profile.method(at).info.key.name.clone(),
        _ => String::new(),
    };
    let has = |&above: &NodeIx| tree.children(above).any(|node| name(node).starts_with(start));
    tree.nodes().filter(has).map(name).collect()
}

#[test]
fn passes_of_rewritten_classes_are_the_programs_own() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let regions = region_options();
    let options: Vec<&str> = regions.iter().map(String::as_str).collect();
    let alone = JFATHOM.rewrite(&classes, &folder.path().join("alone"), &options);
    // What reads outputs back leaves out methods with regions alone.
    let root = ["--check", "--root", "regions.Regions::run"];
    let beneath =
        JFATHOM.rewrite(&classes, &folder.path().join("beneath"), &[&root, &options[..]].concat());
    for jdk in jdk::all("regions of rewritten classes") {
        let plain = run::run(java(jdk).args(wire::class_path(&classes, MAIN, &[]))).fine().stdout;
        for out in [&alone, &beneath] {
            let context = format!("{} on {jdk:?}", out.display());
            let (done, profile) = record(&[], jdk, out);
            assert_eq!(done.stdout, plain, "{context}");
            assert_passes(&profile, &plain, &context);
            let is_beneath = out == &beneath;
            let has = |name: &str| profile.methods.iter().any(|row| row.info.key.name == name);
            assert_eq!((has("work"), has("run")), (is_beneath, is_beneath), "{context}");
            let inner = callers(&profile, &format!("nested:{}", marked()["inner"].lines));
            let outer = format!("nested:{}", marked()["outer"].lines);
            assert_eq!(inner, [outer.as_str()], "{context}");
            if is_beneath {
                assert_eq!(callers(&profile, &outer), ["nested"], "{context}");
                // What a region calls hangs below it.
                let single = format!("line:{}", marked()["line"].lines);
                assert!(callers(&profile, "work").contains(&single), "{context}");
            }
        }
    }
}

#[test]
fn passes_of_live_sessions_are_the_programs_own() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    for jdk in jdk::all("regions of live sessions") {
        let plain = run::run(java(jdk).args(wire::class_path(&classes, MAIN, &[]))).fine().stdout;
        for roots in [&[][..], &["--root", "regions.Regions::run"]] {
            let context = format!("{roots:?} on {jdk:?}");
            let roots = roots.iter().map(|word| (*word).to_owned());
            let options: Vec<String> = roots.chain(region_options()).collect();
            let (done, profile) = record(&options, jdk, &classes);
            assert_eq!(done.stdout, plain, "{context}");
            assert_passes(&profile, &plain, &context);
            let is_beneath = options[0] == "--root";
            let has = |name: &str| profile.methods.iter().any(|row| row.info.key.name == name);
            assert_eq!((has("work"), has("run")), (is_beneath, is_beneath), "{context}");
        }
    }
}

/// What cannot be a region is said with the reason: ahead of time nothing is written, live the
/// session waits.
#[test]
fn regions_without_code_are_refused_with_the_lines_that_there_are() {
    let folder = samples::temp_dir();
    let classes = compiled(folder.path());
    let rewrite = |regions: &[&str]| {
        let mut command = JFATHOM.command();
        command.arg("rewrite").arg(&classes).arg("-o").arg(folder.path().join("out"));
        command.args(regions.iter().flat_map(|region| ["--include", region]));
        let done = run::run(&mut command);
        assert_eq!(done.code, Some(2), "{done:?}");
        done.stderr
    };
    let body = &marked()["body"].lines;
    for (regions, problem) in [
        (&["regions.Regions::body:1-2"][..], "regions.Regions::body(I)I has code at the lines "),
        (&["regions.Regions::bodi:1-2"], "did you mean regions.Regions::body:1-2?"),
        (
            &["regions.Regions::body:9-9", &format!("regions.Regions::body:{body}")],
            "covers no code",
        ),
    ] {
        let stderr = rewrite(regions);
        assert!(stderr.contains(problem), "{stderr}");
    }
    let outer = &marked()["outer"].lines;
    let (first, last) = outer.split_once('-').unwrap();
    let last: u32 = last.parse().unwrap();
    let overlapping = [
        format!("regions.Regions::nested:{first}-{}", last - 3),
        format!("regions.Regions::nested:{}-{last}", last - 4),
    ];
    let stderr = rewrite(&overlapping.each_ref().map(String::as_str));
    assert!(stderr.contains("overlap; regions of a method are nested or apart"), "{stderr}");
}
