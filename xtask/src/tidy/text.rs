//! Checks of the text of tracked files.

use super::finding::Finding;
use crate::shell;
use std::path::{Path, PathBuf};

/// Lines of code beyond which a file must be split.
const MAX_LINES: usize = 800;

/// Files that may be longer: tables.
const TABLES: &[&str] = &["crates/classfile-writer/src/opcode.rs"];

/// Words for work that is not done. Written in halves, so that this file does not find itself.
const OPEN_ENDS: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("to", "do!("),
    concat!("unimpl", "emented!("),
    concat!("dbg", "!("),
    concat!("#[ign", "ore"),
];

/// Folders of the machines on which this was written.
const MACHINES: &[&str] =
    &[concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/fa", "rm/"), concat!("/ho", "me/")];

/// Checks all text files.
pub fn check(files: &[PathBuf]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in files {
        let Ok(bytes) = std::fs::read(shell::root().join(path)) else { continue };
        match String::from_utf8(bytes) {
            Ok(text) => check_text(path, &text, &mut findings),
            Err(_) if is_source(path) => {
                findings.push(Finding::new(path.to_string_lossy(), "is not UTF-8"))
            }
            Err(_) => {}
        }
    }
    findings
}

fn is_source(path: &Path) -> bool {
    path.extension()
        .is_some_and(|end| ["rs", "java", "toml", "md", "sh"].iter().any(|known| end == *known))
}

fn check_text(path: &Path, text: &str, findings: &mut Vec<Finding>) {
    let name = path.to_string_lossy().into_owned();
    // What other programs wrote stays as it is.
    let is_written_by_others = name == "Cargo.lock" || name.contains("/thread_dumps/");
    if is_written_by_others || name.contains("/golden") || name.ends_with(".svg") {
        return;
    }
    let code = name.ends_with(".rs") || name.ends_with(".java");
    for (line, number) in text.lines().zip(1..) {
        let mut find = |what: String| findings.push(Finding::new(format!("{name}:{number}"), what));
        if line.ends_with([' ', '\t', '\r']) {
            find("blank at the end of the line".into());
        }
        if code && line.contains('\t') {
            find("tab".into());
        }
        if let Some(word) = OPEN_ENDS.iter().find(|word| has_word(line, word)).filter(|_| code) {
            find(format!("open end: {word}"));
        }
        if let Some(folder) = MACHINES.iter().find(|folder| has_folder(line, folder)) {
            find(format!("path of a machine: {folder}"));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        findings.push(Finding::new(&name, "no line end at the end"));
    }
    let lines = text.lines().count();
    if code && lines > MAX_LINES && !TABLES.contains(&name.as_str()) {
        findings.push(Finding::new(
            &name,
            format!("{lines} lines; more than {MAX_LINES} only for tables: split it"),
        ));
    }
    let library = name.ends_with(".rs") && name.contains("/src/") && !name.ends_with("/tests.rs");
    if library
        && !name.contains("/tests/")
        && !["//!", "#![doc = "].iter().any(|start| text.trim_start().starts_with(start))
    {
        findings.push(Finding::new(&name, "says nothing about itself: begin with a //! line"));
    }
}

/// Whether the word stands alone, so that identifiers that contain it pass.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !part(before) && (word.ends_with('(') || word.starts_with('#') || !part(after))
    })
}

/// Whether the folder begins an absolute path; `a/b/` inside a longer path or an internal class
/// name passes.
fn has_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        !line[..at]
            .chars()
            .next_back()
            .is_some_and(|c| c.is_alphanumeric() || "_$.*/}-".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(name: &str, text: &str) -> Vec<String> {
        let mut findings = Vec::new();
        check_text(Path::new(name), text, &mut findings);
        findings.into_iter().map(|finding| finding.what).collect()
    }

    #[test]
    fn each_kind_is_found() {
        let open = concat!("//! A.\n// TO", "DO later\n");
        assert_eq!(findings("a/src/a.rs", open).len(), 1);
        assert_eq!(findings("a/src/a.rs", "//! A. \n"), ["blank at the end of the line"]);
        assert_eq!(findings("a/src/a.rs", "//! A.").len(), 1);
        assert_eq!(findings("a/src/a.rs", "fn a() {}\n").len(), 1);
        assert_eq!(findings("a/src/a.rs", &"//! A.\n".repeat(MAX_LINES + 1)).len(), 1);
        assert_eq!(findings("a.md", concat!("see /ro", "ot/x\n")).len(), 1);
    }

    #[test]
    fn look_alikes_pass() {
        assert!(
            findings("a/src/a.rs", "//! METHODS of com/work/Foo, out/root/a and todos.\n")
                .is_empty()
        );
        assert!(findings("a/src/a/tests.rs", "fn a() {}\n").is_empty());
    }
}
