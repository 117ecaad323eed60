//! What a plan could not follow, in a sentence.

use crate::number::counted;
use jfathom_plan::UnfollowedCounts;
use std::io::{self, Write};

/// What was met, most telling first: `3 reflective calls, 5 native methods`; none where nothing
/// was.
pub fn unfollowed_sentence(counts: &UnfollowedCounts) -> Option<String> {
    let word = |(reason, count): (jfathom_plan::Unfollowed, u32)| {
        let [one, several] = reason.words();
        counted(count, one, several)
    };
    let parts: Vec<String> = counts.iter().map(word).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Writes the line of a report, if there is anything to say.
pub(crate) fn write(counts: &UnfollowedCounts, out: &mut dyn Write) -> io::Result<()> {
    match unfollowed_sentence(counts) {
        Some(what) => writeln!(
            out,
            "plan      could not follow {what}: calls below may be missing (rewrite with --assume-called, --profile-use or --scheme total)"
        ),
        None => Ok(()),
    }
}
