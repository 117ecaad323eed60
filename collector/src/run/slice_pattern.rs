//! Slices as the user wants them: how long, how many, and the names of their profiles.

use humantime::format_rfc3339_seconds;
use std::{
    path::{Path, PathBuf},
    str::FromStr,
    time::{Duration, SystemTime},
};

/// A path in which `%t` stands for the time at which a slice begins (UTC, `20261126T140500Z`), `%n`
/// for its number from 0, `%p` for the JVM's process id, and `%%` for a percent sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlicePattern(String);

/// Why a text is no pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Slices would have equal names.
    #[error(
        "with --every each profile needs a name of its own: put %t (time) or %n (number) into it, \
         as in p-%t.jfp"
    )]
    OneName,
    /// A sign after a percent sign that means nothing.
    #[error("%{0} means nothing: %t is the time, %n the number, %p the process id")]
    Unknown(char),
}

impl FromStr for SlicePattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let mut is_own = false;
        let mut signs = text.chars();
        while let Some(sign) = signs.next() {
            match (sign, (sign == '%').then(|| signs.next()).flatten()) {
                ('%', Some('t' | 'n')) => is_own = true,
                ('%', Some('p' | '%')) => {}
                ('%', other) => return Err(PatternError::Unknown(other.unwrap_or(' '))),
                _ => {}
            }
        }
        match is_own {
            true => Ok(Self(text.to_owned())),
            false => Err(PatternError::OneName),
        }
    }
}

impl SlicePattern {
    /// The path of a slice of the JVM with process id `pid` that began at `began`, in milliseconds
    /// since the epoch.
    pub fn path(&self, began: u64, number: u32, pid: u64) -> PathBuf {
        let mut path = String::with_capacity(self.0.len() + 24);
        let mut signs = self.0.chars();
        while let Some(sign) = signs.next() {
            match (sign, (sign == '%').then(|| signs.next()).flatten()) {
                ('%', Some('t')) => path.push_str(&time(began)),
                ('%', Some('n')) => path.push_str(&format!("{number:04}")),
                ('%', Some('p')) => path.push_str(&pid.to_string()),
                (sign, _) => path.push(sign),
            }
        }
        PathBuf::from(path)
    }

    /// The folder of the profiles, if it does not depend on the slice.
    pub fn folder(&self) -> &Path {
        Path::new(&self.0).parent().unwrap_or(Path::new(""))
    }
}

/// A time as names of files have it.
fn time(millis: u64) -> String {
    // The year 9999 is the last that the format has.
    let millis = Duration::from_millis(millis.min(253_402_300_799_000));
    let text = format_rfc3339_seconds(SystemTime::UNIX_EPOCH + millis).to_string();
    text.chars().filter(|sign| !matches!(sign, '-' | ':')).collect()
}

/// How a recording is written in slices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceOptions {
    /// How long a slice is.
    pub every: Duration,
    /// The names of the profiles.
    pub pattern: SlicePattern,
    /// The bytes of all profiles of the recording, beyond which the oldest are removed; none means
    /// that all stay.
    pub max_size: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_slice_has_a_name_of_its_own() {
        let path = |text: &str| {
            text.parse::<SlicePattern>().map(|pattern| pattern.path(1_764_165_900_123, 7, 42))
        };
        assert_eq!(path("p-%t.jfp"), Ok(PathBuf::from("p-20251126T140500Z.jfp")));
        assert_eq!(path("d/%p-%n%%.jfp"), Ok(PathBuf::from("d/42-0007%.jfp")));
        assert_eq!(path("p.jfp"), Err(PatternError::OneName));
        assert_eq!(path("%p.jfp"), Err(PatternError::OneName));
        assert_eq!(path("%n-%x.jfp"), Err(PatternError::Unknown('x')));
        assert_eq!(path("%n-%"), Err(PatternError::Unknown(' ')));
        let late = "%t".parse::<SlicePattern>().unwrap().path(u64::MAX, 0, 0);
        assert_eq!(late, PathBuf::from("99991231T235959Z"));
    }
}
