//! Regions at pseudo-random lines of all cases: each case runs as before, and its log is a sequence
//! of brackets.

use crate::support::java::{self, Outcome};
use crate::support::random::Random;
use jfathom_plan::{ClassPlan, HugeMethods, MethodId, MethodPlan, ProbeKind, RegionPlan};
use jfathom_rewriter::{Digests, Options, Rewriter, SkipReason, method_lines, summarize};
use jfathom_testkit::{Jdk, class_files, java_files, jdk};
use std::collections::HashSet;
use std::path::Path;

/// Rewrites the classes of `from` into `to`. Adds the ids of constructors, from which an exception
/// can get past all handlers, to `open`. Returns how many regions got probes.
fn rewrite(from: &Path, to: &Path, seed: u64, next: &mut u32, open: &mut HashSet<u32>) -> usize {
    let mut random = Random::new(seed);
    let mut rewriter = Rewriter::new(Options::default());
    let mut regions = 0;
    for (file, bytes) in class_files(from) {
        let class = summarize(&bytes, Digests::Omit).expect("a sound class");
        let mut plan = ClassPlan { huge: HugeMethods::Allow, ..ClassPlan::default() };
        for method in class.methods.iter().filter(|method| method.code_length.is_some()) {
            let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
            let mut id = || {
                *next += 1;
                if name == "<init>" {
                    open.insert(*next);
                }
                MethodId::new(*next).expect("22 bits")
            };
            let lines = method_lines(&bytes, &name, &descriptor).expect("a sound class");
            for lines in random.regions(&lines.expect("code").lines) {
                regions += 1;
                plan.regions.push(RegionPlan {
                    method: name.clone(),
                    descriptor: descriptor.clone(),
                    lines,
                    id: id(),
                    kind: ProbeKind::Always,
                });
            }
            if random.below(2) == 0 {
                let (id, kind) = (id(), ProbeKind::Always);
                plan.methods.push(MethodPlan { name: name.clone(), descriptor, id, kind });
            }
        }
        let done = rewriter.rewrite(&bytes, &plan).expect("a class that can be rewritten");
        let reasons: Vec<SkipReason> = done.skips.iter().map(|skip| skip.reason).collect();
        assert_eq!(reasons, [], "{file}");
        java::write(to, &file, done.bytes);
    }
    regions
}

/// Why a log is no sequence of brackets: each exit is that of the innermost frame, and each catch
/// is in it. Frames of `open` may end without a record.
fn mismatch(log: &str, open: &HashSet<u32>) -> Option<String> {
    let mut frames: Vec<u32> = Vec::new();
    for (at, word) in log.split_whitespace().enumerate() {
        let (event, id) = word.split_at(1);
        let id: u32 = id.parse().expect("an id");
        if event == "+" {
            frames.push(id);
            continue;
        }
        while frames.last().is_some_and(|&last| last != id && open.contains(&last)) {
            frames.pop();
        }
        if frames.last() != Some(&id) {
            return Some(format!("event {at}, {word}, with {frames:?} open"));
        }
        if event != "^" {
            frames.pop();
        }
    }
    frames.retain(|id| !open.contains(id));
    (!frames.is_empty()).then(|| format!("{frames:?} at the end"))
}

#[test]
fn cases_run_as_before_and_each_exit_is_of_the_innermost_frame() {
    let temp = tempfile::tempdir().expect("a folder");
    let folder = |name: &str| temp.path().join(name);
    java::javac(11, &java_files(&java::sources("harness")), &folder("harness"));
    let cases = java_files(&java::sources("cases"));
    java::javac(17, &cases, &folder("17"));
    let old: Vec<_> = cases.iter().filter(|path| !path.ends_with("Calls.java")).cloned().collect();
    java::javac(8, &old, &folder("8"));
    let (mut next, mut open) = (0, HashSet::new());
    let mut regions = 0;
    const SEEDS: u64 = 8;
    for seed in 0..SEEDS {
        for release in ["8", "17"] {
            let to = folder(&format!("{release}-{seed}"));
            regions += rewrite(&folder(release), &to, seed, &mut next, &mut open);
        }
    }
    assert!(regions > 2_000, "{regions} regions");

    let newer = [
        Some(jdk::main().java()),
        jdk::jdk25("rewritten classes").map(Jdk::java),
        jdk::jre21("rewritten classes").map(Jdk::java),
    ];
    let older = jdk::jre11("rewritten classes").map(Jdk::java);
    let newer = newer.into_iter().flatten().map(|java| (java, &["8", "17"][..]));
    for (java, releases) in newer.chain(older.map(|java| (java, &["8"][..]))) {
        for release in releases {
            let mut folders = vec![folder(release)];
            folders.extend((0..SEEDS).map(|seed| folder(&format!("{release}-{seed}"))));
            let paths: Vec<&Path> = folders.iter().map(|folder| folder.as_path()).collect();
            let outcomes = java::check(&java, &folder("harness"), &[], &paths);
            let of = |folder: &Path| -> Vec<&Outcome> {
                outcomes.iter().filter(|outcome| Path::new(&outcome.folder) == folder).collect()
            };
            let mut wrong = String::new();
            for rewritten in paths.iter().skip(1) {
                for (before, after) in of(paths[0]).iter().zip(of(rewritten)) {
                    let facts = |outcome: &Outcome| {
                        [&outcome.class, &outcome.link, &outcome.run].map(String::clone)
                    };
                    if facts(before) != facts(after) {
                        let (want, have) = (facts(before), facts(after));
                        wrong += &format!("{}: want {want:?}, have {have:?}\n", after.folder);
                    } else if let Some(what) = mismatch(&after.log, &open) {
                        wrong += &format!("{} {}: {what}\n", after.folder, after.class);
                    }
                }
            }
            assert!(wrong.is_empty(), "with {}:\n{wrong}", java.display());
        }
    }
}

#[test]
fn a_log_that_is_no_sequence_of_brackets_is_found() {
    let open = HashSet::from([9]);
    for log in ["", "+1 +2 -2 !1", "+1 +2 !2 ^1 -1", "+1 +9 !1", "+1 +9 ^1 -1"] {
        assert_eq!(mismatch(log, &open), None, "{log}");
    }
    for log in ["+1", "-1", "+1 +2 -1", "+1 -1 -1", "+1 +2 ^1 -2 -1"] {
        assert!(mismatch(log, &open).is_some(), "{log}");
    }
}

/// Regions in every class below the folder that `JFATHOM_CLASSES` names: each class links as
/// before.
#[test]
fn classes_of_a_folder_link_as_before() {
    let Some(from) = std::env::var_os("JFATHOM_CLASSES") else {
        eprintln!("skipped: JFATHOM_CLASSES names no folder of class files");
        return;
    };
    let temp = tempfile::tempdir().expect("a folder");
    let folder = |name: &str| temp.path().join(name);
    java::javac(11, &java_files(&java::sources("harness")), &folder("harness"));
    let mut rewriter = Rewriter::new(Options::default());
    let mut random = Random::new(1);
    let (mut next, mut skips) = (0, std::collections::BTreeMap::new());
    let (mut regions, mut classes) = (0, 0);
    for (file, bytes) in class_files(Path::new(&from)) {
        let Ok(class) = summarize(&bytes, Digests::Omit) else { continue };
        let mut plan = ClassPlan { hand_offs: true, ..ClassPlan::default() };
        for method in class.methods.iter().filter(|method| method.code_length.is_some()) {
            let (name, descriptor) = (method.name.clone(), method.descriptor.clone());
            let Ok(Some(found)) = method_lines(&bytes, &name, &descriptor) else { continue };
            for lines in random.regions(&found.lines) {
                next += 1;
                plan.regions.push(RegionPlan {
                    method: name.clone(),
                    descriptor: descriptor.clone(),
                    lines,
                    id: MethodId::new(next & MethodId::MAX.get()).expect("22 bits"),
                    kind: ProbeKind::Root,
                });
            }
        }
        java::write(&folder("before"), &file, &bytes);
        match rewriter.rewrite(&bytes, &plan) {
            Ok(done) => {
                regions += done.done.len();
                for skip in &done.skips {
                    *skips.entry(skip.reason).or_insert(0) += 1;
                }
                classes += 1;
                java::write(&folder("after"), &file, done.bytes);
            }
            Err(skip) => {
                *skips.entry(skip.reason).or_insert(0) += 1;
                java::write(&folder("after"), &file, &bytes);
            }
        }
    }
    let folders = [folder("before"), folder("after")];
    let paths: Vec<&Path> = folders.iter().map(|folder| folder.as_path()).collect();
    let flags = ["-Djfathom.test.run=false"];
    let outcomes = java::check(&jdk::main().java(), &folder("harness"), &flags, &paths);
    let links = |at: usize| -> Vec<(&str, &str)> {
        let of = outcomes.iter().filter(|outcome| Path::new(&outcome.folder) == paths[at]);
        // Which of several missing classes is missed first may change.
        let reason = |link: &'_ str| link.split(' ').next().unwrap_or_default().len();
        of.map(|outcome| (&*outcome.class, &outcome.link[..reason(&outcome.link)])).collect()
    };
    let (before, after) = (links(0), links(1));
    let worse: Vec<_> = before.iter().zip(&after).filter(|(a, b)| a != b).collect();
    eprintln!("{regions} regions in {classes} classes; skips: {skips:?}");
    assert!(regions > 0 && before.len() == after.len() && worse.is_empty(), "{worse:#?}");
}
