//! Text about profiles that are combined into one.

use crate::number::counted;
use jfathom_profile::Profile;
use std::path::Path;

/// The written profile in one line.
pub fn merged_line(output: &Path, profile: &Profile) -> String {
    let call_paths = profile.tree.len().saturating_sub(profile.threads.len());
    format!(
        "{}: {}, {}, {} on {}",
        output.display(),
        counted(profile.run_count(), "run", "runs"),
        counted(profile.method_count(), "method", "methods"),
        counted(call_paths, "call path", "call paths"),
        counted(profile.threads.len(), "thread", "threads"),
    )
}

/// Warnings about runs that count twice. `files` are where the profiles are from.
pub fn shared_run_sentences(files: &[impl AsRef<Path>], profiles: &[Profile]) -> Vec<String> {
    let name = |profile: usize| files[profile].as_ref().display();
    let sentence = |(one, other): (usize, usize)| match one == other {
        true => format!("{} has a run twice", name(one)),
        false => format!("{} and {} have a run in common: it counts twice", name(one), name(other)),
    };
    jfathom_compare::shared_runs(profiles).into_iter().map(sentence).collect()
}

/// A warning about two sides of a comparison that have a run in common.
pub fn common_run_sentence(base: &str, new: &str) -> String {
    match base == new {
        true => format!("{base} is compared with itself: nothing can differ"),
        false => format!("{base} and {new} have a run in common, in which nothing can differ"),
    }
}

/// A warning about anchors: they are valid for their own runs only, and are left out.
pub fn anchors_sentence(files: &[impl AsRef<Path>], profiles: &[Profile]) -> Option<String> {
    let anchored = files.iter().zip(profiles).filter(|(_, profile)| profile.anchor.is_some());
    let names: Vec<String> =
        anchored.map(|(file, _)| file.as_ref().display().to_string()).collect();
    (!names.is_empty())
        .then(|| format!("left out: the anchors of {}; root time is computed", names.join(", ")))
}

/// The error about profiles without a method in common.
pub fn unrelated_sentence(one: &Path, other: &Path) -> String {
    let [one, other] = [one, other].map(Path::display);
    format!("{one} and {other} have no method in common: they are not runs of one program")
}

/// A warning about profiles with so many methods of different code.
pub fn edited_sentence(one: &Path, other: &Path, methods: usize) -> String {
    let methods = counted(methods, "method has", "methods have");
    let [one, other] = [one, other].map(Path::display);
    format!(
        "{methods} different code in {other} and {one}: these are runs of two builds; `jfathom diff` \
         compares them"
    )
}
