//! Whether profiles are runs of one program, each counted once.

use crate::match_methods;
use jfathom_profile::{Method, Profile};
use std::collections::{BTreeSet, HashMap};

/// How alike the programs of two profiles are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// The methods that both have are the same.
    Same,
    /// So many methods that both have differ in their code: two builds of one program.
    Edited(usize),
    /// No method in common.
    Unrelated,
}

/// Compares the programs of two profiles by their method tables. A profile without methods is like
/// any other.
pub fn likeness(one: &[Method], other: &[Method]) -> Likeness {
    let matching = match_methods(one, other);
    let has_methods = |table: &[Method]| table.iter().any(|method| !method.info.is_sign());
    if matching.pairs.is_empty() && has_methods(one) && has_methods(other) {
        return Likeness::Unrelated;
    }
    match matching.pairs.iter().filter(|pair| pair.changed).count() {
        0 => Likeness::Same,
        edited => Likeness::Edited(edited),
    }
}

/// Whether a JVM of one profile is also one of the other. Their difference then shows nothing for
/// that run.
pub fn have_common_run(one: &Profile, other: &Profile) -> bool {
    let runs = |profile: &Profile| -> BTreeSet<(u64, u64)> {
        profile.meta.jvms.iter().map(|jvm| (jvm.pid, jvm.start_millis)).collect()
    };
    !runs(one).is_disjoint(&runs(other))
}

/// Pairs of profiles with a run in common, by index; twice the same index for a profile that has a
/// run twice. A run that counts twice makes the spread of a series too small.
pub fn shared_runs(profiles: &[Profile]) -> BTreeSet<(usize, usize)> {
    let mut first_seen: HashMap<(u64, u64), usize> = HashMap::new();
    let mut shared = BTreeSet::new();
    for (index, profile) in profiles.iter().enumerate() {
        for jvm in &profile.meta.jvms {
            // The JVMs of one profile differ by pid or start, unless it has a run twice.
            if let Some(before) = first_seen.insert((jvm.pid, jvm.start_millis), index) {
                shared.insert((before, index));
            }
        }
    }
    shared
}
