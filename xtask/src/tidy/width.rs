//! Lines of at most 100 columns, comments and prose included.

use super::finding::Finding;
use crate::shell;
use std::path::{Path, PathBuf};

/// Columns of a line.
const MAX_COLUMNS: usize = 100;

/// Files whose lines are data: texts that tests compare, and generated pages.
const DATA: &[&str] = &["docs/reference/commands.md", "goldens/"];

/// Every line that is too long.
pub fn check(files: &[PathBuf]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in files {
        let name = path.to_string_lossy();
        if DATA.iter().any(|data| name.contains(data)) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(shell::root().join(path)) else { continue };
        for number in too_long(path, &text) {
            let what = format!("more than {MAX_COLUMNS} columns");
            findings.push(Finding::new(format!("{name}:{number}"), what));
        }
    }
    findings
}

fn too_long(path: &Path, text: &str) -> Vec<usize> {
    let is_prose = path.extension().is_some_and(|end| end == "md");
    let is_code = path.extension().is_some_and(|end| end == "rs" || end == "java");
    let mut is_block = false;
    let mut numbers = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        is_block ^= is_prose && line.trim_start().starts_with("```");
        // Tables, output and links cannot be broken, and a text in one piece can be searched for.
        let is_whole = match is_code {
            true => line.contains('"') && !line.trim_start().starts_with("//"),
            false => is_block || line.starts_with(['|', ' ']) || line.contains("]("),
        };
        if line.chars().count() > MAX_COLUMNS && (is_code || is_prose) && !is_whole {
            numbers.push(number);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_and_code_are_narrow() {
        let long = "x".repeat(MAX_COLUMNS + 1);
        let text = format!("{long}\n| {long}\n```\n\"{long}\n```\n");
        assert_eq!(too_long(Path::new("a.md"), &text), [1]);
        assert_eq!(too_long(Path::new("a.rs"), &text), [1, 2]);
        assert!(too_long(Path::new("a.toml"), &text).is_empty());
    }
}
