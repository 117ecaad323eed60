//! Hot counted methods that get their own bytes back (`--allow-uncounted`).

use super::{assert_calls, calls, live};
use crate::JFATHOM;
use jfathom_profile::{Frame, NodeIx, Profile};
use jfathom_tests::{
    jdk::{self, Jdk},
    live::{CodeAgent, Desk, Lines},
};

const LEAF: &str = "live/Hot.leaf(J)J";
/// Calls of `leaf` by `Hot 500`, after it may have been restored.
const LATER: u64 = 500;

/// Calls of `leaf` below `after`.
fn leaf_after(profile: &Profile) -> u64 {
    let tree = &profile.tree;
    let is = |node: NodeIx, name: &str| {
        let Frame::Method(method) = tree.frame(node) else { return false };
        profile.method(method).info.key.name == name
    };
    let after = tree.nodes().filter(|node| is(*node, "after"));
    let below =
        after.flat_map(|node| tree.subtree(node).map(NodeIx)).filter(|node| is(*node, "leaf"));
    below.map(|node| tree.calls(node)).sum()
}

/// Whether the agent has written totals after it began to restore methods: it then has done so.
fn is_uncounted(lines: &Lines) -> bool {
    let line = |kind: &str| lines.0.iter().rposition(|line| line.get(kind).is_some());
    line("uncounted").is_some_and(|uncounted| line("totals") > Some(uncounted))
}

/// Records `Hot` with these options until `holds`, and then `Hot 500`. Returns the profile, the
/// lines, and how often `batch` was called.
fn record(jdk: &Jdk, options: &[&str], holds: fn(&Lines) -> bool) -> (Profile, Lines, u64) {
    let mut desk = Desk::start(jdk, &[]);
    let code = CodeAgent::new(jdk, "uncounted methods");
    let pid = desk.pid;
    let sizes = || code.as_ref().map(|code| code.sizes(pid, "live/Hot"));
    let before = {
        // Loads the class outside the recording.
        desk.expect("Hot 1", "after 7");
        sizes()
    };
    let mut recording = live(&["live.Hot::root"])
        .with(&["--scheme", "lazy", "--count-only", "live.Hot::leaf"])
        .with(options)
        .attach(pid);
    recording.until_live();
    desk.ask("start Hot hold");
    desk.expect("Hot inside", "inside");
    desk.ask("start Hot spin");
    recording.until("the program has run for a while", holds);
    let inside = sizes();
    desk.expect("Hot stop", "stopped");
    let answers = desk.ask("join");
    let (batches, held) = answers.split_once("; ").unwrap();
    assert_eq!(held, "held -24");
    desk.expect("Hot 500", "after 3870750");
    let lines = recording.lines();
    let (done, profile) = recording.end();
    if let (Some(before), Some(inside), Some(ended)) = (&before, &inside, sizes()) {
        let own = before.iter().filter(|(method, sizes)| inside.get(*method) == Some(*sizes));
        let is_own = own.into_iter().any(|(method, _)| method.contains("leaf"));
        assert_eq!(is_own, !options.is_empty(), "{LEAF}: {before:?} {inside:?}");
        assert!(before["live/Hot.batch(J)J"] != inside["live/Hot.batch(J)J"], "{inside:?}");
        assert_eq!(before, &ended, "the code is not what it was\n{done}");
    }
    desk.finish().fine();
    (profile, lines, batches.parse().unwrap())
}

/// A hot leaf is restored; the rest stays exact, and the profile says what is missing.
#[test]
fn a_hot_leaf_is_restored() {
    for jdk in jdk::main_and_25("uncounted methods") {
        let (profile, lines, batches) = record(jdk, &["--allow-uncounted"], is_uncounted);
        assert_calls(
            &profile,
            &lines,
            &[("Hot::root", 3), ("Hot::spin", 1), ("Hot::batch", batches), ("Hot::after", 1)],
        );
        let uncounted: Vec<_> = profile.uncounted().collect();
        let [(leaf, since)] = uncounted[..] else { panic!("{uncounted:?}\n{lines:?}") };
        let line = lines.all("uncounted").next().unwrap();
        assert_eq!(
            (line["at"].as_u64(), &line["methods"]),
            (Some(since), &serde_json::json!([profile.method(leaf).id]))
        );
        assert_eq!(profile.method(leaf).info.key.name, "leaf");
        // A second of ten million calls at least, and none of the later ones.
        let counted = profile.method(leaf).calls();
        assert!((10_000_000..=batches * 1000 + 1).contains(&counted), "{counted} of {batches}");
        assert_eq!(leaf_after(&profile), 0);
        assert!(profile.quality.is_clean() && !profile.is_clean(), "{:?}", profile.quality);
    }
}

/// Without the option nothing changes.
#[test]
fn without_the_option_all_is_counted() {
    // Those of root, leaf, spin and batch.
    let ran = |lines: &Lines| lines.total("first_calls") >= 4;
    let (profile, lines, batches) = record(jdk::main(), &[], ran);
    let leaf = batches * 1000 + 1 + LATER;
    assert_calls(&profile, &lines, &[("Hot::batch", batches), ("Hot::leaf", leaf)]);
    assert_eq!((leaf_after(&profile), calls(&profile, "live/Hot", "after")), (LATER, 1));
    assert!(profile.is_clean() && lines.all("uncounted").next().is_none(), "{lines:?}");
}

/// Ahead of time there is no agent that could restore bytes.
#[test]
fn it_is_refused_ahead_of_time() {
    let done = JFATHOM.run(&["record", "--allow-uncounted", "--", "java", "-version"]);
    assert!(done.stderr.contains("--allow-uncounted: only in a live session"), "{done}");
    assert_eq!(done.code, Some(2), "{done}");
}
