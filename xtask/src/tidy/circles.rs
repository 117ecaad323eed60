//! No circle of more than three files: files that use each other in a loop can only be understood
//! together.

use super::{finding::Finding, imports};
use crate::shell;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

/// Files that may use each other in a loop.
pub(super) const MAX_FILES: usize = 3;

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Every circle in a crate's product code that is too large.
pub fn check(files: &[PathBuf]) -> Vec<Finding> {
    let mut crates: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for path in files {
        let name = path.to_string_lossy().into_owned();
        let Some((root, rest)) = name.split_once("/src/") else { continue };
        let is_test = rest.split('/').any(|part| part == "tests" || part == "tests.rs");
        if !name.ends_with(".rs") || is_test {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(shell::root().join(path)) else { continue };
        crates.entry(format!("{root}/src")).or_default().push((name, text));
    }
    let circles = crates.iter().flat_map(|(root, files)| circles(&imports::arrows(root, files)));
    circles.filter(|circle| circle.len() > MAX_FILES).map(|circle| finding(&circle)).collect()
}

fn finding(circle: &[String]) -> Finding {
    let what = format!("is in a circle of {} files: {}", circle.len(), circle.join(" "));
    Finding::new(circle[0].clone(), what)
}

/// The strongly connected parts of more than one file, each sorted: two files are in one part if
/// each reaches the other.
pub(super) fn circles(arrows: &Arrows) -> Vec<Vec<String>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        arrows.keys().map(|from| (from.as_str(), reached(arrows, from))).collect();
    let mut seen = BTreeSet::new();
    let mut circles = Vec::new();
    for from in arrows.keys() {
        let back = |to: &&&str| reached.get(**to).is_some_and(|all| all.contains(from.as_str()));
        let circle: BTreeSet<&str> = reached[from.as_str()].iter().filter(back).copied().collect();
        if circle.len() > 1 && seen.insert(circle.clone()) {
            circles.push(circle.into_iter().map(str::to_owned).collect());
        }
    }
    circles
}

/// The files that one leads to, itself only where a way leads back.
fn reached<'a>(arrows: &'a Arrows, from: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut next: Vec<&str> = arrows.get(from).into_iter().flatten().map(String::as_str).collect();
    while let Some(file) = next.pop() {
        if found.insert(file) {
            next.extend(arrows.get(file).into_iter().flatten().map(String::as_str));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_found_once() {
        let arrow = |from: &str, to: &[&str]| {
            (from.to_owned(), to.iter().map(|to| (*to).to_owned()).collect())
        };
        let arrows = Arrows::from([
            arrow("a", &["b"]),
            arrow("b", &["c", "e"]),
            arrow("c", &["d"]),
            arrow("d", &["a"]),
            arrow("e", &[]),
        ]);
        assert_eq!(circles(&arrows), [["a", "b", "c", "d"]]);
    }
}
