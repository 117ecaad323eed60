//! User messages of `merge`.

use jfathom_profile::Profile;
use jfathom_report::number::counted;
use std::path::{Path, PathBuf};

/// The written profile in one line.
pub(crate) fn summary(output: &Path, profile: &Profile) -> String {
    let call_paths = profile.tree.len().saturating_sub(profile.threads.len());
    let mut text = String::new();
    put_line!(
        text,
        "{}: {}, {}, {} on {}",
        output.display(),
        counted(profile.run_count(), "run", "runs"),
        counted(profile.methods.len(), "method", "methods"),
        counted(call_paths, "call path", "call paths"),
        counted(profile.threads.len(), "thread", "threads"),
    );
    text
}

/// The written profile as JSON.
pub(crate) fn json(output: &Path, profile: &Profile) -> String {
    let document = serde_json::json!({
        "output": output.display().to_string(),
        "runs": profile.run_count(),
        "methods": profile.methods.len(),
        "threads": profile.threads.len(),
        "nodes": profile.tree.len(),
    });
    format!("{document}\n")
}

/// Warnings about runs that count twice.
pub(crate) fn shared_runs(files: &[PathBuf], profiles: &[Profile]) -> Vec<String> {
    let name = |profile: usize| files[profile].display();
    let sentence = |(one, other): (usize, usize)| match one == other {
        true => format!("{} has a run twice", name(one)),
        false => format!("{} and {} have a run in common: it counts twice", name(one), name(other)),
    };
    jfathom_compare::shared_runs(profiles).into_iter().map(sentence).collect()
}

/// A warning about anchors: they are valid for their own runs only, and are left out.
pub(crate) fn anchors(files: &[PathBuf], profiles: &[Profile]) -> Option<String> {
    let anchored = files.iter().zip(profiles).filter(|(_, profile)| profile.anchor.is_some());
    let names: Vec<String> = anchored.map(|(file, _)| file.display().to_string()).collect();
    (!names.is_empty())
        .then(|| format!("left out: the anchors of {}; root time is computed", names.join(", ")))
}

/// The error about profiles without a method in common.
pub(crate) fn unrelated(one: &Path, other: &Path) -> String {
    let [one, other] = [one, other].map(Path::display);
    format!("{one} and {other} have no method in common: they are not runs of one program")
}

/// A warning about profiles with so many methods of different code.
pub(crate) fn edited(one: &Path, other: &Path, methods: usize) -> String {
    let methods = counted(methods, "method has", "methods have");
    let [one, other] = [one, other].map(Path::display);
    format!(
        "{methods} different code in {other} and {one}: these are runs of two builds; `jfathom diff` \
         compares them"
    )
}
