//! The line that says what was repaired or is missing.

use jfathom_profile::Profile;
use jfathom_views::quality::sentences;
use std::io::{self, Write};

/// Writes the quality line: before all numbers when the recording is not clean. True where it is.
pub(crate) fn write(profile: &Profile, out: &mut dyn Write) -> io::Result<bool> {
    let sentences = sentences(profile);
    if !sentences.is_empty() {
        write_line!(out, "NOT CLEAN: {}", sentences.join("; "))?;
    }
    Ok(sentences.is_empty())
}
