//! Links between pages lead somewhere, files that pages name exist, each page of the book is in its
//! table of contents, and all together stay within their words.

use super::finding::Finding;
use crate::shell;
use std::path::{Component, Path, PathBuf};

const CONTENTS: &str = "docs/SUMMARY.md";

/// Words of all pages together, as `wc -w` counts them. Who adds a page shortens others.
const MAX_WORDS: usize = 60_000;

/// Every link to a file or heading that is not there, and every page that is not listed.
pub fn check(files: &[PathBuf]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let pages = || files.iter().filter(|path| path.extension().is_some_and(|end| end == "md"));
    let mut words = 0;
    for path in pages() {
        let Ok(text) = std::fs::read_to_string(shell::root().join(path)) else { continue };
        words += text.split_whitespace().count();
        for (number, link) in links(&text) {
            if let Some(what) = fault(path, link, &text) {
                findings.push(Finding::new(format!("{}:{number}", path.display()), what));
            }
        }
        for (number, file) in sources(&text) {
            let bases = [Some(Path::new("")), path.parent(), Some(Path::new("tests"))];
            let exists = |base: &Path| shell::root().join(base).join(file).exists();
            if !bases.into_iter().flatten().any(exists) {
                let place = format!("{}:{number}", path.display());
                findings.push(Finding::new(place, format!("no such file: {file}")));
            }
        }
    }
    if words > MAX_WORDS {
        let what = format!("{words} words in all pages; at most {MAX_WORDS}");
        findings.push(Finding::new("docs", what));
    }
    let contents = std::fs::read_to_string(shell::root().join(CONTENTS)).unwrap_or_default();
    let listed: Vec<&str> = links(&contents).into_iter().map(|(_, link)| link).collect();
    for page in pages().filter_map(|path| path.strip_prefix("docs").ok()) {
        let name = page.to_string_lossy();
        if let Some(what) = page_fault(&name, &listed) {
            findings.push(Finding::new(format!("docs/{name}"), what));
        }
    }
    findings
}

/// What is wrong with a page of the book, by its name below `docs`.
fn page_fault(name: &str, listed: &[&str]) -> Option<String> {
    if name.ends_with("README.md") {
        // mdBook makes index.html of it, and leaves links to README.html.
        return Some("call it index.md".to_owned());
    }
    let is_listed = name == "SUMMARY.md" || listed.contains(&name);
    (!is_listed).then(|| format!("is not in {CONTENTS}"))
}

/// Targets of inline links outside of code, with their lines.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut links = Vec::new();
    let mut is_code = false;
    for (line, number) in text.lines().zip(1..) {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code || line.starts_with("    ") {
            continue;
        }
        for (at, _) in line.match_indices("](") {
            let is_quoted = line[..at].matches('`').count() % 2 == 1;
            if let Some((target, _)) = line[at + 2..].split_once(')').filter(|_| !is_quoted) {
                links.push((number, target));
            }
        }
    }
    links
}

/// Source files that are named in code spans by a path, with their lines.
fn sources(text: &str) -> Vec<(usize, &str)> {
    let mut sources = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let spans = line.split('`').skip(1).step_by(2);
        let is_source = |span: &&str| {
            let plain = span.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
            let is_ours = !span.starts_with(['/', '.']) && span.contains('/');
            plain && is_ours && [".rs", ".java", ".md"].iter().any(|end| span.ends_with(end))
        };
        sources.extend(spans.filter(is_source).map(|span| (number, span)));
    }
    sources
}

/// What is wrong with a link of a page.
fn fault(page: &Path, link: &str, text: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = match file {
        "" => page.to_path_buf(),
        _ => normal(&page.parent()?.join(file)),
    };
    let path = shell::root().join(&target);
    if !path.exists() {
        return Some(format!("leads nowhere: {link}"));
    }
    let other = match file {
        "" => None,
        _ => std::fs::read_to_string(path).ok(),
    };
    let has_heading = heading.is_empty()
        || target.extension().is_none_or(|end| end != "md")
        || headings(other.as_deref().unwrap_or(text)).any(|slug| slug == heading);
    (!has_heading).then(|| format!("no such heading: {link}"))
}

/// The path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            _ => normal.push(part),
        }
    }
    normal
}

/// The anchors of a page's headings, as GitHub and mdBook make them.
fn headings(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter(|line| line.starts_with('#')).map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_links_and_pages_out_of_the_book_are_found() {
        let page = Path::new("docs/architecture.md");
        assert_eq!(fault(page, "glossary.md#style", "# A"), None);
        assert_eq!(fault(page, "#a", "# A"), None);
        for link in ["nowhere.md", "glossary.md#nowhere", "#b"] {
            assert!(fault(page, link, "# A").is_some(), "{link}");
        }
        assert_eq!(page_fault("a.md", &["a.md"]), None);
        assert!(page_fault("b.md", &["a.md"]).is_some());
        assert!(page_fault("a/README.md", &["a/README.md"]).is_some());
    }

    #[test]
    fn links_and_headings_are_read() {
        let text = "# A *b*, c\n[x](a.md#d) and `[y](z)`\n```\n[q](r)\n```\n    [s](t)\n";
        assert_eq!(links(text), [(2, "a.md#d")]);
        assert_eq!(headings(text).collect::<Vec<_>>(), ["a-b-c"]);
        assert_eq!(sources("in `a/b.rs`, `b.rs` and `a/*.rs`"), [(1, "a/b.rs")]);
        assert_eq!(normal(Path::new("docs/lab/../a/./b.md")), Path::new("docs/a/b.md"));
    }
}
