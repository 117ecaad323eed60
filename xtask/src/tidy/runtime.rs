//! The Java runtime is a ladder of folders: a class names classes of its own folder and of those
//! below. And no circle of its classes is larger than one of Rust files may be.
//!
//! Names in comments do not count, nor what the build generates. Through the generated `Variant`
//! each rung calls the `Host` of its runtime, which is the contract at the ladder's foot.

use super::{circles, finding::Finding};
use crate::shell;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

const ROOT: &str = "runtime-java/";
/// The rungs, lowest first.
const RUNGS: &[&str] = &[
    "shared/base",
    "shared/host",
    "shared/session",
    "shared/thread",
    "shared/hot",
    "shared/api",
    "shared/phases",
];
/// What stands on the ladder: the two runtimes, each compiled with the rungs and without the other.
const RUNTIMES: &[&str] = &["aot", "live"];
/// Below `shared`, but no part of the runtime.
const BESIDE: &str = "shared/jfathom/";

/// Every upward edge, every circle that is too large, and every class on no rung.
pub fn check(files: &[PathBuf]) -> Vec<Finding> {
    let sources: Vec<(String, String)> = files
        .iter()
        .filter_map(|path| {
            let name = path.to_str()?.strip_prefix(ROOT)?.to_owned();
            let is_source = name.starts_with("shared/")
                || RUNTIMES.iter().any(|runtime| name.split('/').next() == Some(*runtime));
            let is_ours = is_source && name.ends_with(".java") && !name.starts_with(BESIDE);
            let text =
                is_ours.then(|| std::fs::read_to_string(shell::root().join(path)).ok())??;
            Some((name, text))
        })
        .collect();
    let findings: BTreeSet<(String, String)> =
        RUNTIMES.iter().flat_map(|runtime| check_runtime(&sources, runtime)).collect();
    findings.into_iter().map(|(name, what)| Finding::new(format!("{ROOT}{name}"), what)).collect()
}

/// What is wrong with one runtime: file and fault.
fn check_runtime(sources: &[(String, String)], runtime: &str) -> Vec<(String, String)> {
    let mut classes = BTreeMap::new();
    let mut findings = Vec::new();
    for (name, text) in sources {
        let (folder, file) = name.rsplit_once('/').unwrap_or_default();
        let rung = RUNGS.iter().chain([&runtime]).position(|rung| *rung == folder);
        match rung {
            Some(rung) => {
                classes.insert(file.trim_end_matches(".java"), (rung, name, text));
            }
            None if RUNTIMES.contains(&folder) => {}
            None => findings.push((name.clone(), format!("is on no rung: {folder}"))),
        }
    }
    let mut arrows = BTreeMap::new();
    for (class, (rung, name, text)) in &classes {
        let used: BTreeSet<String> = words(text)
            .into_iter()
            .filter(|word| word != class && classes.contains_key(word.as_str()))
            .collect();
        for other in used.iter().filter(|other| classes[other.as_str()].0 > *rung) {
            let above = classes[other.as_str()].1;
            findings.push(((*name).clone(), format!("names a class of a rung above: {above}")));
        }
        arrows.insert((*class).to_owned(), used);
    }
    for circle in circles::circles(&arrows) {
        if circle.len() > circles::MAX_FILES {
            let what = format!("is in a circle of {}: {}", circle.len(), circle.join(" "));
            findings.push((classes[circle[0].as_str()].1.clone(), what));
        }
    }
    findings
}

/// The identifiers of a Java text, without those in comments, strings and character literals.
fn words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => literal(rest, first),
            _ if first.is_alphanumeric() || first == '_' => {
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                let end = end.unwrap_or(rest.len());
                words.insert(rest[..end].to_owned());
                end
            }
            _ => first.len_utf8(),
        };
        rest = &rest[length..];
    }
    words
}

/// The length of the literal at the begin of `text`, with both its quotes.
fn literal(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !is_escaped {
            return at + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(sources: &[(&str, &str)]) -> Vec<String> {
        let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        let sources: Vec<_> = sources.iter().map(owned).collect();
        check_runtime(&sources, "aot").into_iter().map(|(name, what)| name + " " + &what).collect()
    }

    #[test]
    fn an_upward_edge_is_found_and_no_mention() {
        let mention =
            "/** {@link Probe} */ class Host { // Probe\n String s = \"\\\"Probe\" + '\"'; }";
        let up = ("shared/hot/Writer.java", "class Writer { Probe probe; }");
        let probe = ("shared/api/Probe.java", "class Probe { Host host; }");
        assert!(faults(&[("shared/host/Host.java", mention), probe]).is_empty());
        let found = faults(&[up, probe, ("live/Hooks.java", "class Hooks {}")]);
        assert_eq!(
            found,
            ["shared/hot/Writer.java names a class of a rung above: shared/api/Probe.java"]
        );
    }

    #[test]
    fn a_circle_of_four_is_found_and_one_of_three_is_not() {
        let classes = |last: &'static str| {
            [("aot/A.java", "B"), ("aot/B.java", "C"), ("aot/C.java", last), ("aot/D.java", "A")]
        };
        assert!(faults(&classes("A")).is_empty());
        assert_eq!(faults(&classes("D")), ["aot/A.java is in a circle of 4: A B C D"]);
    }

    #[test]
    fn a_class_beside_the_ladder_is_found() {
        assert_eq!(faults(&[("shared/A.java", "A")]), ["shared/A.java is on no rung: shared"]);
    }
}
