//! What keeps the walks of a method from showing a difference between two profiles.

use crate::{Comparison, number::grouped};
use jfathom_compare::{WalkedSide, WalksDiff};

/// Why the walks of both sides do not show how often callers call, as a sentence behind the
/// method's name; none if nothing is in the way.
pub fn walks_doubt(compared: &Comparison<'_>, of: &WalksDiff) -> Option<String> {
    let calls = compared.diff.methods.get(of.method).map(|method| method.calls).unwrap_or_default();
    let knows_calls = |side: &WalkedSide| side.calls(side.walks).is_some();
    if !of.sides.iter().all(knows_calls) {
        return Some(
            "not all runs of a side have walked its stacks, or not at one interval; its callers do \
             not compare"
                .to_owned(),
        );
    }
    if calls.varies() {
        return Some(
            "its calls vary between equal runs; a difference of its callers shows nothing"
                .to_owned(),
        );
    }
    let lost = of.sides.map(|side| side.lost);
    lost.iter().any(|lost| *lost > 0).then(|| {
        let [base, new] = lost.map(grouped);
        format!(
            "{base} walks of the base and {new} new ones lack callers, and count against any \
             difference"
        )
    })
}
