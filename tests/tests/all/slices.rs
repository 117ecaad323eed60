//! A recording in slices has all calls, also those that are open between two of them.

use crate::JFATHOM;
use jfathom_compare::join;
use jfathom_profile::Profile;
use jfathom_tests::{jdk, run, samples};
use std::{collections::BTreeMap, fs, path::Path};

/// The profiles of a folder, oldest first.
fn profiles(folder: &Path) -> Vec<Profile> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: &Path| {
        Profile::read_whole(&mut fs::read(path).unwrap().as_slice()).expect("a whole profile")
    };
    paths.iter().map(|path| read(path)).collect()
}

fn calls(profile: &Profile) -> BTreeMap<&str, u64> {
    let methods = profile.methods.iter();
    methods.map(|method| (method.info.key.name.as_str(), method.calls())).collect()
}

/// Threads of both kinds, with calls that wait while slices end.
#[test]
fn slices_have_all_calls() {
    let folder = samples::temp_dir();
    let classes = folder.path().join("classes");
    samples::javac(&[], &samples::sources().join("fibres"), &classes);
    let Some(jdk) = jdk::jdk25("slices of a recording") else { return };
    let out =
        JFATHOM.rewrite(&classes, &folder.path().join("out"), &["--root", "fibres.Storm::body"]);
    let slices = folder.path().join("slices");
    fs::create_dir(&slices).unwrap();
    let mut command = JFATHOM.command();
    command.args(["record", "-q", "--every", "150ms", "--slowest", "3", "--budget", "none", "-o"]);
    command.arg(slices.join("p-%n.jfp")).arg("--").arg(jdk.java()).arg("-cp").arg(&out);
    command.args(["fibres.Storm", "6000", "300"]);
    let done = run::run(&mut command).fine();
    let all = profiles(&slices);
    assert!(all.len() > 2, "{} slices", all.len());
    let carried: u64 =
        all.iter().filter_map(|one| one.slice.as_ref()).map(|of| of.carried_calls()).sum();
    assert!(carried > 0, "calls wait all the time");
    let numbers: Vec<u32> = all.iter().filter_map(|one| Some(one.slice.as_ref()?.number)).collect();
    assert_eq!(numbers, (0..all.len() as u32).collect::<Vec<_>>());
    let recordings: Vec<u64> =
        all.iter().filter_map(|one| Some(one.slice.as_ref()?.recording)).collect();
    assert!(recordings[0] > 0 && recordings.iter().all(|of| *of == recordings[0]));
    let joined = join(all).expect("slices of one recording");
    joined.check().unwrap();
    let calls = calls(&joined);
    for line in done.stdout.lines() {
        let (name, count) = line.split_once(' ').expect("a name and a count");
        assert_eq!(calls[name], count.parse::<u64>().unwrap(), "{name}: {:#?}", joined.quality);
    }
    assert_eq!((calls["body"], joined.quality.open_frames), (6000, 0));
    assert_eq!(joined.slice.as_ref().map(|slice| slice.carried_calls()), Some(0));
    let slowest = &joined.latencies.slowest;
    assert!(slowest.is_sorted_by(|one, next| one.duration >= next.duration));
    let mut of_path = BTreeMap::<_, usize>::new();
    for of in slowest {
        *of_path.entry(format!("{:?}", of.path)).or_default() += 1;
    }
    // A method or a task with so many calls has the three that were asked for, and no more.
    assert_eq!(of_path.values().max(), Some(&3), "{of_path:?}");
    for of in slowest {
        assert_eq!(of.spans.iter().filter(|span| span.depth == 0).count(), 1);
        let within = of.spans.iter().all(|span| span.began.0 + span.duration.0 <= of.duration.0);
        assert!(within && of.left_out == 0, "{of:?}");
    }
}
