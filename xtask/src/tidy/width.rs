//! Lines of code and comments have at most 100 columns. Markdown is free.

use super::{finding::Finding, literals};
use crate::shell;
use std::path::{Path, PathBuf};

/// Columns of a line.
const MAX_COLUMNS: usize = 100;

/// How a sample states its truth: it must stand on the line of its method.
const TRUTHS: &[&str] = &["// calls(", "// inside(", "// spawned("];

/// Every line that is too long.
pub fn check(files: &[PathBuf]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in files {
        let Ok(text) = std::fs::read_to_string(shell::root().join(path)) else { continue };
        for number in too_long(path, &text) {
            let what = format!("more than {MAX_COLUMNS} columns");
            findings.push(Finding::new(format!("{}:{number}", path.display()), what));
        }
    }
    findings
}

/// The numbers of the lines that are too long. A line with a part of a literal may be: a text in
/// one piece can be searched for.
fn too_long(path: &Path, text: &str) -> Vec<usize> {
    if !path.extension().is_some_and(|end| end == "rs" || end == "java") {
        return Vec::new();
    }
    let in_literals = literals::lines(text);
    let is_free = |line: &str, number| {
        let is_comment = line.trim_start().starts_with(['/', '*']);
        let is_table = line.trim_start_matches([' ', '/', '!', '*']).starts_with('|');
        is_table
            || TRUTHS.iter().any(|truth| line.contains(truth))
            || (!is_comment && in_literals.contains(&number))
    };
    let long = text.lines().zip(1..).filter(|(line, _)| line.chars().count() > MAX_COLUMNS);
    long.filter(|(line, number)| !is_free(line, *number)).map(|(_, number)| number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_comments_are_narrow() {
        let long = "x".repeat(MAX_COLUMNS + 1);
        let text = format!("{long}\n// {long}\n * \"{long}\"\n");
        for file in ["a.rs", "A.java"] {
            assert_eq!(too_long(Path::new(file), &text), [1, 2, 3]);
        }
        assert!(too_long(Path::new("a.md"), &text).is_empty());
    }

    #[test]
    fn texts_tables_and_truths_may_be_wide() {
        let long = "x".repeat(MAX_COLUMNS);
        let text = format!("let a = \"{long}\";\nlet b = \"\n{long}x\n\";\n/// | {long} |\n");
        assert!(too_long(Path::new("a.rs"), &text).is_empty());
        let truth = format!("void {long}() {{ // calls(1)\n");
        assert!(too_long(Path::new("A.java"), &truth).is_empty());
    }
}
