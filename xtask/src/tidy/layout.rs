//! The trace format's page names the hash of the layout that it describes, so that neither changes
//! alone.

use super::finding::Finding;
use crate::shell;

#[path = "../../../crates/trace/src/layout.rs"]
#[allow(dead_code, missing_docs, reason = "only the hash is of interest here")]
mod source;

const PAGE: &str = "docs/trace-format.md";

/// Compares the hash in the page with that of `crates/trace/src/layout.rs`.
pub fn check() -> Vec<Finding> {
    let Ok(page) = std::fs::read_to_string(shell::root().join(PAGE)) else {
        return vec![Finding::new(PAGE, "is missing")];
    };
    check_page(&page, source::LAYOUT_HASH).into_iter().collect()
}

fn check_page(page: &str, hash: u64) -> Option<Finding> {
    let hash = format!("{hash:016x}");
    let line = page.lines().zip(1..).find(|(line, _)| line.to_lowercase().contains("layout hash:"));
    match line {
        None => Some(Finding::new(PAGE, format!("has no line `layout hash: 0x{hash}`"))),
        Some((line, _)) if line.to_lowercase().replace('_', "").contains(&hash) => None,
        Some((_, number)) => Some(Finding::new(
            format!("{PAGE}:{number}"),
            format!(
                "the layout has changed: bring the page up to date, then set `layout hash: 0x{hash}`"
            ),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_must_have_the_hash() {
        let found = |page: &str| check_page(page, 0xab).is_some();
        assert!(!found("a\nLayout hash: 0x0000_0000_0000_00ab\n"));
        assert!(found("Layout hash: 0x0000_0000_0000_00ac\n") && found("a\n"));
    }
}
