//! The notices of a recording: what the user should know of it, although nothing was lost.

use jfathom_profile::Profile;
use std::io::{self, Write};

/// Writes the first `most` notices, and how many more there are.
pub(crate) fn write(profile: &Profile, most: usize, out: &mut dyn Write) -> io::Result<()> {
    let notices = &profile.meta.notices;
    for notice in notices.iter().take(most) {
        write_line!(out, "note      {notice}")?;
    }
    match notices.len().saturating_sub(most) {
        0 => Ok(()),
        more => write_line!(out, "          and {more} more (--view summary)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_testkit::small_profile;

    #[test]
    fn those_that_are_not_shown_are_counted() {
        let mut profile = small_profile::profile();
        let written = |profile: &Profile| {
            let mut out = Vec::new();
            write(profile, 2, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        profile.meta.notices = ["one", "two", "three"].map(str::to_owned).to_vec();
        assert_eq!(
            written(&profile),
            "note      one\nnote      two\n          and 1 more (--view summary)\n"
        );
        profile.meta.notices.truncate(2);
        assert_eq!(written(&profile), "note      one\nnote      two\n");
    }
}
