//! Verdicts of `jfathom trust` in words.

use jfathom_profile::{ComparedShare, MethodIx, Profile, TrustVerdict};
use std::collections::HashMap;

/// A verdict with the shares of a distortion, the plain one first: `distorted (3 → 19 %)`. Empty if
/// the share is not judged.
pub fn verdict_text(share: &ComparedShare) -> String {
    match share.verdict {
        None => String::new(),
        Some(verdict @ TrustVerdict::Distorted) => {
            let [from, to] = [share.sampled, share.recorded].map(|share| 100.0 * share);
            format!("{} ({from:.0} → {to:.0} %)", verdict.as_str())
        }
        Some(verdict) => verdict.as_str().to_owned(),
    }
}

/// The verdicts on the self times of a profile's methods. Empty if it has none.
pub fn method_verdicts(profile: &Profile) -> HashMap<MethodIx, String> {
    let rows = profile.trust.iter().flat_map(|trust| &trust.methods);
    let judged = rows.filter(|row| row.share.verdict.is_some());
    judged.map(|row| (MethodIx(row.method), verdict_text(&row.share))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distortion_has_both_shares() {
        let share = |verdict| ComparedShare {
            sampled: 0.031,
            recorded: 0.186,
            verdict,
            ..ComparedShare::default()
        };
        assert_eq!(verdict_text(&share(Some(TrustVerdict::Distorted))), "distorted (3 → 19 %)");
        assert_eq!(verdict_text(&share(Some(TrustVerdict::Confirmed))), "confirmed");
        assert_eq!(verdict_text(&share(None)), "");
    }
}
