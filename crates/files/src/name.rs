//! Names: of temporary files, and of what lies in a directory itself.

use crate::Refusal;
use std::{
    collections::hash_map::RandomState,
    ffi::OsStr,
    hash::{BuildHasher, Hasher},
    os::unix::ffi::OsStrExt,
};

/// A name that nobody can know before it is used: `.jfathom-0123456789abcdef.tmp`.
///
/// Files with such a name are made exclusively, so that a clash is an error and never a loss.
pub(crate) fn temporary() -> String {
    format!(".jfathom-{}.tmp", unpredictable())
}

/// 16 hexadecimal digits that nobody can know before: they follow from random keys of this thread
/// (`RandomState`).
pub fn unpredictable() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// Holds that a name is one of something in a directory itself.
///
/// # Errors
/// [`Refusal::Name`] where it is empty, `.` or `..`, or has a slash or a zero byte.
pub(crate) fn single(name: &OsStr) -> Result<&OsStr, Refusal> {
    let bytes = name.as_bytes();
    let leads_away =
        matches!(bytes, b"" | b"." | b"..") || bytes.iter().any(|byte| matches!(byte, b'/' | 0));
    if leads_away { Err(Refusal::Name) } else { Ok(name) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_away_are_refused() {
        for name in ["", ".", "..", "a/b", "/a", "a/", "a\0"] {
            assert_eq!(single(OsStr::new(name)), Err(Refusal::Name), "{name:?}");
        }
        for name in ["a", "...", ".a", "a b"] {
            assert!(single(OsStr::new(name)).is_ok(), "{name:?}");
        }
    }

    #[test]
    fn temporary_names_differ_and_say_nothing_of_the_process() {
        let names: std::collections::HashSet<String> = (0..1000).map(|_| temporary()).collect();
        assert_eq!(names.len(), 1000);
    }
}
