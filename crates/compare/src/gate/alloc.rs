//! The gate for the bytes that roots allocate.

use jfathom_profile::Profile;

use super::losses::lost_counts;
use super::{AllocVerdict, Gate, Verdict};
use crate::diff::Diff;

/// Checks the bytes of the selected roots.
pub(super) fn check(
    gate: &mut Gate,
    profiles: [&Profile; 2],
    diff: &Diff,
    limit: f64,
    selected: &[bool],
) {
    for (side, profile) in ["base", "new"].into_iter().zip(profiles) {
        if !profile.allocation.is_whole() {
            gate.refused.push(format!(
                "alloc: the {side} profile has no allocated bytes, or not of all its recordings; \
                 record both sides with --metrics alloc"
            ));
            return;
        }
        if let Some(loss) = lost_counts(&profile.quality) {
            gate.refused.push(format!("alloc: the {side} profile lacks some of the bytes: {loss}"));
            return;
        }
    }
    for (at, root) in diff.roots.iter().enumerate().filter(|(_, root)| selected[root.method]) {
        let (Some(base), Some(new)) = (root.allocated.base, root.allocated.new) else { continue };
        let verdict = match new <= base * (1.0 + limit) {
            true => Verdict::Within,
            false => Verdict::Exceeded,
        };
        gate.allocated.push(AllocVerdict { root: at, bytes: [base, new], verdict });
    }
    if gate.allocated.is_empty() {
        gate.refused.push(
            "alloc: no root that is selected is in both profiles; name roots with `rewrite --root`"
                .to_owned(),
        );
    }
}
