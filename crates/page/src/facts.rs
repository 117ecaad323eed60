//! The head of a page: quality and origin of a recording, in sentences.

use jfathom_profile::Profile;
use jfathom_views::{FilterKind, Names, Scope};

/// The lines of a summary, each with its label, and what part of the profile is shown. `NOT CLEAN`
/// comes first if a recording has losses. A line without a label belongs to the one before.
pub(crate) fn facts(profile: &Profile, scope: &Scope, summary: &str) -> Vec<(String, String)> {
    let mut facts = labelled_lines(summary);
    let part = part_shown(profile, scope);
    if !part.is_empty() {
        facts.push(("shows".to_owned(), part.join("; ")));
    }
    facts
}

/// Methods of a filter that are named.
const NAMED: usize = 3;

/// What part of a profile is shown, in words; empty if all of it is.
fn part_shown(profile: &Profile, scope: &Scope) -> Vec<String> {
    let mut parts: Vec<String> =
        scope.thread.iter().map(|name| format!("only the threads ‘{name}’")).collect();
    let names = Names::of(&profile.methods);
    for filter in &scope.filters {
        let all: Vec<&str> = filter.methods.methods().map(|at| names.method(at)).collect();
        let named = all.iter().take(NAMED).copied().collect::<Vec<_>>().join(", ");
        let methods = match all.len().saturating_sub(NAMED) {
            0 => named,
            more => format!("{named} and {more} more"),
        };
        parts.push(match filter.kind {
            FilterKind::Focus => format!("only call paths through {methods}"),
            FilterKind::Ignore => format!("no call path through {methods}"),
            FilterKind::Fold => format!("the callees of {methods} in its self time"),
        });
    }
    parts
}

/// The lines of a summary, each with its label.
pub(crate) fn labelled_lines(summary: &str) -> Vec<(String, String)> {
    summary.lines().map(labelled).collect()
}

const NOT_CLEAN: &str = "NOT CLEAN:";

fn labelled(line: &str) -> (String, String) {
    let (label, text) = match line.strip_prefix(NOT_CLEAN) {
        Some(text) => ("NOT CLEAN", text),
        None => line.split_once(' ').unwrap_or((line, "")),
    };
    (label.to_owned(), text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_apart_from_their_texts() {
        let of = |line| {
            let (label, text) = labelled(line);
            format!("{label}|{text}")
        };
        assert_eq!(of("jvm       OpenJDK 17"), "jvm|OpenJDK 17");
        assert_eq!(of("          error bars: ±1%"), "|error bars: ±1%");
        assert_eq!(of("NOT CLEAN: 3 exits; 2 rings"), "NOT CLEAN|3 exits; 2 rings");
    }
}
