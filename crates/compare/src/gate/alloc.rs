//! The gate for the bytes that roots allocate.

use jfathom_profile::Profile;

use super::losses::lost_counts;
use super::verdict::{AllocVerdict, Verdict};
use crate::diff::{Diff, MethodDiff, RootDiff, RootKind};

/// The verdicts on the bytes of the selected roots, or why there are none.
pub(super) fn check(
    profiles: [&Profile; 2],
    diff: &Diff,
    limit: f64,
    selected: &[bool],
) -> Result<Vec<AllocVerdict>, String> {
    for (side, profile) in ["base", "new"].into_iter().zip(profiles) {
        if !profile.allocation.is_whole() {
            return Err(format!(
                "alloc: the {side} profile has no allocated bytes, or not of all its recordings; \
                 record both sides with --metrics alloc"
            ));
        }
        if let Some(loss) = lost_counts(&profile.quality) {
            return Err(format!("alloc: the {side} profile lacks some of the bytes: {loss}"));
        }
    }
    let mut verdicts = Vec::new();
    let is_unread = |root: &&RootDiff| {
        root.kind == RootKind::Method
            && selected[root.method]
            && diff.methods[root.method].is_unread
    };
    if let Some(root) = diff.roots.iter().find(is_unread) {
        return Err(format!(
            "alloc: {} has not read what it allocates on both sides; record both with --metrics \
             alloc, or with +alloc of --probe for it",
            name_of(profiles, &diff.methods[root.method])
        ));
    }
    for (at, root) in diff.roots.iter().enumerate().filter(|(_, root)| selected[root.method]) {
        let (Some(base), Some(new)) = (root.allocated.base, root.allocated.new) else { continue };
        let verdict = match new <= base * (1.0 + limit) {
            true => Verdict::Within,
            false => Verdict::Exceeded,
        };
        verdicts.push(AllocVerdict { root: at, bytes: [base, new], verdict });
    }
    if verdicts.is_empty() {
        return Err("alloc: no root that is selected is in both profiles; name roots with \
                    `rewrite --root`"
            .to_owned());
    }
    Ok(verdicts)
}

/// A method's name in options.
fn name_of(profiles: [&Profile; 2], method: &MethodDiff) -> String {
    let places = profiles.into_iter().zip([method.base, method.new]).rev();
    let mut names =
        places.filter_map(|(profile, at)| Some(profile.method(at?).info.key.selector()));
    names.next().unwrap_or_default()
}
