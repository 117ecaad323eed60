//! The head of a page: quality and origin of a recording, in the sentences of the text report.

use jfathom_profile::Profile;
use jfathom_report::{Comparison, View, diff_summary, summary};
use std::io;

/// Lines of the report's summary, each with its label. `NOT CLEAN` comes first if a recording has
/// losses. A line without a label belongs to the one before.
pub(crate) fn facts(profile: &Profile, view: &View) -> io::Result<Vec<(String, String)>> {
    let mut text = Vec::new();
    summary(profile, view, &mut text)?;
    Ok(String::from_utf8_lossy(&text).lines().map(labelled).collect())
}

/// The head of the text difference, likewise.
pub(crate) fn difference_facts(compared: &Comparison<'_>) -> io::Result<Vec<(String, String)>> {
    let mut text = Vec::new();
    diff_summary(compared, &mut text)?;
    Ok(String::from_utf8_lossy(&text).lines().map(labelled).collect())
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
