//! What got no probes, by reason.

use crate::number::grouped;
use jfathom_plan::{Skip, SkipReason};
use std::collections::BTreeMap;

/// How many classes and methods were skipped, the most frequent reason first: `12 trivial, 3
/// native`; none where nothing was.
pub fn skip_counts<'a>(skips: impl Iterator<Item = &'a Skip>) -> Option<String> {
    let mut counts = BTreeMap::new();
    for skip in skips {
        *counts.entry(skip.reason).or_insert(0) += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    reasons(counts.into_iter())
}

/// Counts of reasons in their order; none where there is none.
pub(crate) fn reasons(counts: impl Iterator<Item = (SkipReason, usize)>) -> Option<String> {
    let counts: Vec<String> =
        counts.map(|(reason, count)| format!("{} {reason}", grouped(count as u64))).collect();
    (!counts.is_empty()).then(|| counts.join(", "))
}
