//! One word a thing: words that `docs/glossary.md` has replaced.

use super::finding::Finding;
use crate::shell;
use std::path::{Path, PathBuf};

/// A word that is not used, in lower case, and the word for the thing.
const WORDS: &[(&str, &str)] = &[
    ("seat", "class entry, loaded class or tracked class"),
    ("seats", "class entries"),
    ("furnish", "instrument, or populate"),
    ("furnished", "instrumented, or populated"),
    ("unmet", "unmatched"),
    ("survey", "class summary"),
    ("surveys", "class summaries"),
    ("tally", "counts"),
    ("policies", "schemes, or call-graph algorithms"),
    ("redefinitions", "retransformations"),
    ("hands work", "hands off a task"),
    ("own time", "self time"),
    ("in itself", "self time, or by itself"),
    ("plain program", "uninstrumented program"),
    ("surroundings", "recording conditions"),
    ("kernels", "calibration loops"),
    ("workshop", "scratch buffers"),
    ("flight", "batch"),
    ("flights", "batches"),
    ("dealing", "permutation"),
    ("dealings", "permutations"),
    ("dealt", "permuted"),
    ("slow way", "slow path"),
    ("in turn", "interleaved, or one after the other"),
    ("left alone", "skipped, or unchanged"),
    ("leave alone", "skip"),
    ("leaves alone", "skips"),
    ("plain run", "uninstrumented run"),
    ("plain runs", "uninstrumented runs"),
    ("roots alone", "roots only"),
    ("root alone", "root only"),
    ("hush", "suspend"),
    ("house", "workspace"),
    ("rooms", "crates"),
];

/// Names of closure arguments and variables that say nothing.
const NAMES: &[&str] = &["|it|", "|(it,", " it)|", "|&it|", "|mut it|"];

/// Where the words stand because they are explained, or are data.
const EXPLAINED: &[&str] =
    &["docs/glossary.md", "xtask/src/tidy/words.rs", "CHANGELOG.md", "LICENSE", "samples/demo"];

/// Every use of a word that is not used.
pub fn check(files: &[PathBuf]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in files.iter().filter(|path| is_read(path)) {
        let Ok(text) = std::fs::read_to_string(shell::root().join(path)) else { continue };
        let name = path.to_string_lossy();
        for (line, number) in text.lines().zip(1..) {
            findings
                .extend(in_line(line).map(|what| Finding::new(format!("{name}:{number}"), what)));
        }
    }
    findings
}

fn is_read(path: &Path) -> bool {
    let name = path.to_string_lossy();
    path.extension().is_some_and(|end| ["rs", "java", "md"].iter().any(|known| end == *known))
        && !EXPLAINED.iter().any(|explained| name.starts_with(explained))
}

fn in_line(line: &str) -> impl Iterator<Item = String> {
    let lower = line.to_lowercase();
    let words = WORDS
        .iter()
        .filter(move |(word, _)| has(&lower, word))
        .map(|(word, instead)| format!("`{word}`: {instead} (docs/glossary.md)"));
    let names = NAMES
        .iter()
        .filter(|name| line.contains(**name))
        .map(|name| format!("`{name}`: name the thing (docs/glossary.md)"));
    words.chain(names)
}

/// Whether the word stands by itself: no letter before and after, and no part of a longer name.
fn has(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let before = line[..at].chars().next_back();
        !is_part(before) && !is_part(line[at + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_by_themselves() {
        let found = |line: &str| in_line(line).count();
        assert_eq!(found("// Its seat is free."), 1);
        assert_eq!(found("runs In turn, |it| it.len()"), 2);
        assert_eq!(found("a reseat, ROOT_ALONE, the rest"), 0);
    }
}
