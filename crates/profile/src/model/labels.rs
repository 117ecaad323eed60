//! Labels: what a user says of a recording, such as its branch, commit or service.

use std::collections::BTreeMap;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Characters that a key may have.
const KEY_LENGTH: usize = 128;
/// Bytes that a value may have.
const VALUE_LENGTH: usize = 1024;
/// Bytes that the keys and values of a profile may have together: its file keeps them in its
/// header.
const ALL_LENGTH: usize = 2048;
/// Labels that a profile may have.
const MOST: usize = 64;

/// Labels of a recording: values by key, in the order of the keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labels(BTreeMap<String, String>);

/// A label: `branch=main`. The key begins with a letter or `_`; letters, digits, `_`, `.` and `-`
/// follow. So it is a key of OpenTelemetry's attributes, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// What stands before the first `=`.
    pub key: String,
    /// What stands behind it.
    pub value: String,
}

/// Why a text is no label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LabelError {
    /// It has no `=`.
    #[error("a label is KEY=VALUE, such as branch=main")]
    NoValue,
    /// What stands before `=` is no key.
    #[error("a key begins with a letter or _, and has letters, digits, _, . and - (128 at most)")]
    BadKey,
    /// The value is longer than 1,024 bytes.
    #[error("a value has at most 1,024 bytes")]
    LongValue,
    /// The value has a control character.
    #[error("a value has no control characters")]
    ControlCharacter,
    /// There are more than 64 labels, or more than 2,048 bytes of them.
    #[error("a profile has at most 64 labels, and 2,048 bytes of them")]
    TooMany,
}

impl Labels {
    /// The labels of a list; of those with one key the last one counts.
    ///
    /// # Errors
    /// [`LabelError::TooMany`].
    pub fn new(labels: impl IntoIterator<Item = Label>) -> Result<Self, LabelError> {
        let all: BTreeMap<String, String> =
            labels.into_iter().map(|label| (label.key, label.value)).collect();
        let bytes: usize = all.iter().map(|(key, value)| key.len() + value.len()).sum();
        match all.len() <= MOST && bytes <= ALL_LENGTH {
            true => Ok(Self(all)),
            false => Err(LabelError::TooMany),
        }
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Keys and values, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (&**key, &**value))
    }

    /// Whether all of `wanted` are here, with the same values.
    pub fn contains(&self, wanted: &Self) -> bool {
        wanted.iter().all(|(key, value)| self.get(key) == Some(value))
    }

    /// Keeps what the labels of another part of the same profile have, too.
    pub(crate) fn keep_common(&mut self, other: &Self) {
        self.0.retain(|key, value| other.get(key) == Some(value));
    }
}

impl FromStr for Label {
    type Err = LabelError;

    fn from_str(text: &str) -> Result<Self, LabelError> {
        let (key, value) = text.split_once('=').ok_or(LabelError::NoValue)?;
        if !is_key(key) {
            return Err(LabelError::BadKey);
        }
        if value.len() > VALUE_LENGTH {
            return Err(LabelError::LongValue);
        }
        if value.chars().any(char::is_control) {
            return Err(LabelError::ControlCharacter);
        }
        Ok(Self { key: key.to_owned(), value: value.to_owned() })
    }
}

fn is_key(text: &str) -> bool {
    let follows = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    text.len() <= KEY_LENGTH
        && text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.bytes().all(follows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(all: &[&str]) -> Labels {
        Labels::new(all.iter().map(|text| text.parse().unwrap())).unwrap()
    }

    #[test]
    fn labels_are_keys_and_values() {
        let label: Label = "service.name=a=b".parse().unwrap();
        assert_eq!((&*label.key, &*label.value), ("service.name", "a=b"));
        assert_eq!("_=".parse::<Label>().unwrap().value, "");
        let error = |text: &str| text.parse::<Label>().unwrap_err();
        assert_eq!(error("branch"), LabelError::NoValue);
        for key in ["", "1", "a b", "é", &"k".repeat(129)] {
            assert_eq!(error(&format!("{key}=1")), LabelError::BadKey, "{key}");
        }
        assert_eq!(error(&format!("a={}", "v".repeat(1025))), LabelError::LongValue);
        assert_eq!(error("a=\u{1b}[2J"), LabelError::ControlCharacter);
        let many = |count: usize, length: usize| {
            let label = |at| Label { key: format!("k{at}"), value: "v".repeat(length) };
            Labels::new((0..count).map(label)).map(|_| ())
        };
        assert_eq!((many(64, 10), many(65, 1)), (Ok(()), Err(LabelError::TooMany)));
        assert_eq!((many(2, 1_000), many(2, 1_024)), (Ok(()), Err(LabelError::TooMany)));
    }

    #[test]
    fn a_part_of_labels_is_contained() {
        let all = labels(&["branch=main", "commit=1", "branch=next"]);
        assert_eq!(all.get("branch"), Some("next"));
        assert!(all.contains(&labels(&["commit=1"])) && all.contains(&Labels::default()));
        assert!(!all.contains(&labels(&["commit=2"])) && !all.contains(&labels(&["service=1"])));
    }

    #[test]
    fn a_sum_keeps_what_its_parts_have_in_common() {
        let mut one = labels(&["branch=main", "commit=1", "host=a"]);
        one.keep_common(&labels(&["branch=main", "commit=2"]));
        assert_eq!(one, labels(&["branch=main"]));
    }
}
