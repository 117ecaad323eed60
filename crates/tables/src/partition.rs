//! Folders by day and label, as Hive, Spark and DataFusion read them: `day=2026-11-25/branch=main`.

use jfathom_profile::Profile;
use jfathom_views::date;
use std::{fmt::Write, path::PathBuf};

/// The day on which a recording began, in UTC.
const DAY: &str = "day";

/// What Hive calls a folder of rows without a value.
const NO_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

/// The folders of a profile below that of a table: one for each key. `day` is the day of the
/// recording, any other key that of a label.
pub fn partition_path(profile: &Profile, keys: &[String]) -> PathBuf {
    let folder = |key: &String| match (&**key, profile.meta.labels.get(key)) {
        (DAY, _) => format!("{DAY}={}", date(profile.meta.started_millis)),
        (key, Some(value)) if !value.is_empty() => format!("{key}={}", escaped(value)),
        (key, _) => format!("{key}={NO_VALUE}"),
    };
    keys.iter().map(folder).collect()
}

/// A value as the name of a folder: what file systems or engines take for something else is `%`
/// and two hexadecimal digits.
fn escaped(value: &str) -> String {
    let mut name = String::new();
    for c in value.chars() {
        match c {
            '\0'..='\u{1f}'
            | '\u{7f}'
            | '"'
            | '#'
            | '%'
            | '\''
            | '*'
            | '/'
            | ':'
            | '='
            | '?'
            | '\\'
            | '{'
            | '}'
            | '['
            | ']'
            | '^' => {
                // A `String` takes all that is written to it.
                let _ = write!(name, "%{:02X}", u32::from(c));
            }
            c => name.push(c),
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_profile::Labels;
    use std::path::Path;

    #[test]
    fn a_value_is_one_folder() {
        let mut profile = jfathom_testkit::small_profile::profile();
        profile.meta.started_millis = 1_764_028_800_000;
        let labels = ["branch=feature/x=1", "empty="].map(|label| label.parse().unwrap());
        profile.meta.labels = Labels::new(labels).unwrap();
        let path = |keys: &[&str]| {
            partition_path(&profile, &keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(path(&["day", "branch"]), Path::new("day=2025-11-25/branch=feature%2Fx%3D1"));
        let none = format!("empty={NO_VALUE}/other={NO_VALUE}");
        assert_eq!(path(&["empty", "other"]), Path::new(&none));
        assert_eq!(path(&[]), Path::new(""));
    }
}
