//! Ranges of source lines.

use crate::Problem;
use serde::{Deserialize, Serialize};

/// Source lines, both ends included. Lines are those of a LineNumberTable (JVMS 4.7.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LineRange {
    first: u16,
    last: u16,
}

/// How two ranges of one method lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinesRelation {
    /// They share no line.
    Apart,
    /// The first contains the second, or is equal to it.
    Contains,
    /// The second contains the first.
    Within,
    /// Each has lines that the other has not, and they share some.
    Overlap,
}

impl LineRange {
    /// The lines `first` to `last`. None if there is none in between, or if `first` is 0.
    pub const fn new(first: u16, last: u16) -> Option<Self> {
        if first > 0 && first <= last { Some(Self { first, last }) } else { None }
    }

    /// The first line.
    pub const fn first(self) -> u16 {
        self.first
    }

    /// The last line.
    pub const fn last(self) -> u16 {
        self.last
    }

    /// Whether the line is in it.
    pub const fn contains(self, line: u16) -> bool {
        self.first <= line && line <= self.last
    }

    /// How it lies to another one.
    pub const fn relation(self, other: Self) -> LinesRelation {
        if self.last < other.first || other.last < self.first {
            LinesRelation::Apart
        } else if self.first <= other.first && other.last <= self.last {
            LinesRelation::Contains
        } else if other.first <= self.first && self.last <= other.last {
            LinesRelation::Within
        } else {
            LinesRelation::Overlap
        }
    }

    /// The name of the region of these lines of a method: `run:12-20`.
    pub fn region_name(self, method: &str) -> String {
        format!("{method}:{self}")
    }
}

impl std::fmt::Display for LineRange {
    /// `12-20`, also for a single line: `12-12`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.first, self.last)
    }
}

impl std::str::FromStr for LineRange {
    type Err = Problem;

    /// Reads `12-20`, and `12` as `12-12`.
    fn from_str(text: &str) -> Result<Self, Problem> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let line = |text: &str| match text.bytes().all(|byte| byte.is_ascii_digit()) {
            true => text.parse::<u16>().ok().filter(|&line| line > 0),
            false => None,
        };
        match (line(first), line(last)) {
            (Some(first), Some(last)) => Self::new(first, last)
                .ok_or_else(|| format!("the lines ‘{text}’ end before they begin").into()),
            _ => {
                Err(format!("‘{text}’ is no range of lines from 1 to 65535, such as 12-20").into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_ascending_ranges_of_lines_are_read() {
        let read = |text: &str| text.parse::<LineRange>().map(|lines| lines.to_string());
        assert_eq!(read("12-20").unwrap(), "12-20");
        assert_eq!(read("7").unwrap(), "7-7");
        assert!(read("20-12").unwrap_err().to_string().contains("end before"));
        for text in ["", "-", "0-3", "1-", "+1-2", "1-2-3", "65536", "a"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ranges_are_apart_nested_or_overlap() {
        let lines = |first, last| LineRange::new(first, last).unwrap();
        let middle = lines(10, 20);
        assert_eq!(middle.relation(lines(21, 30)), LinesRelation::Apart);
        assert_eq!(middle.relation(lines(12, 20)), LinesRelation::Contains);
        assert_eq!(middle.relation(middle), LinesRelation::Contains);
        assert_eq!(middle.relation(lines(9, 20)), LinesRelation::Within);
        assert_eq!(middle.relation(lines(20, 30)), LinesRelation::Overlap);
        assert_eq!(middle.relation(lines(1, 10)), LinesRelation::Overlap);
    }
}
