//! Trees as text.

use std::fmt::Write;

use jfathom_profile::{Frame, Profile, Tree};

/// A tree as lines: name, calls (timed, `+` and counted ones if there are any), self time, total
/// time, indented by depth.
pub fn render(profile: &Profile, tree: &Tree) -> String {
    let mut text = String::new();
    for node in tree.nodes() {
        let name = match tree.frame(node) {
            Frame::Thread(thread) => profile.thread(thread).name.clone(),
            Frame::Method(method) => profile.method(method).info.key.name.clone(),
            Frame::Task(method) => format!("task of {}", profile.method(method).info.key.name),
        };
        let indent = tree.depth(node) as usize * 2;
        let calls = match (tree.timed(node), tree.counted(node)) {
            (timed, 0) => timed.to_string(),
            (0, counted) => format!("+{counted}"),
            (timed, counted) => format!("{timed}+{counted}"),
        };
        let (self_time, total) = (tree.self_time(node).0, tree.total_time(node).0);
        writeln!(text, "{:indent$}{name} {calls} {self_time} {total}", "").unwrap();
    }
    text
}

/// [`render`] of a profile's own tree, compared with lines that may be indented as a whole.
#[track_caller]
pub fn assert_tree(profile: &Profile, expected: &str) {
    assert_text(&render(profile, &profile.tree), expected);
}

/// Compares lines; the expected ones may be indented as a whole, and blank ones do not count.
#[track_caller]
pub fn assert_text(found: &str, expected: &str) {
    let lines: Vec<&str> = expected.lines().filter(|line| !line.trim().is_empty()).collect();
    let indent = lines.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let expected: String = lines.iter().map(|line| format!("{}\n", &line[indent..])).collect();
    assert_eq!(found, expected, "\n--- found\n{found}--- expected\n{expected}");
}
