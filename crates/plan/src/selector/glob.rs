//! Names with wildcards.

use super::letters::{self, Letter};

/// A name in which `*` stands for any characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob {
    /// The literal parts between the stars. One part means no star.
    parts: Vec<String>,
}

impl Glob {
    pub(super) fn new(letters: &[Letter]) -> Self {
        Self { parts: letters.split(|letter| letter.is('*')).map(letters::text).collect() }
    }

    /// Whether it has a star.
    pub(super) fn has_star(&self) -> bool {
        self.parts.len() > 1
    }

    pub(super) fn matches(&self, name: &str) -> bool {
        let [first, middle @ .., last] = self.parts.as_slice() else {
            return self.parts.first().is_some_and(|only| only == name);
        };
        let Some(mut rest) =
            name.strip_prefix(first.as_str()).and_then(|rest| rest.strip_suffix(last.as_str()))
        else {
            return false;
        };
        // The leftmost match of each part leaves the longest rest for the others.
        for part in middle {
            match rest.find(part.as_str()) {
                Some(at) => rest = rest.get(at + part.len()..).unwrap_or(""),
                None => return false,
            }
        }
        true
    }
}

/// A class name with wildcards, split at its dots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ClassPattern {
    segments: Vec<Segment>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    /// One package, class, outer or nested class.
    One(Glob),
    /// `**`: any number of packages. At the end also any class in them.
    Any,
}

impl ClassPattern {
    pub(super) fn new(segments: &[&[Letter]]) -> Self {
        let segment = |letters: &&[Letter]| match letters {
            [a, b] if a.is('*') && b.is('*') => Segment::Any,
            letters => Segment::One(Glob::new(letters)),
        };
        Self { segments: segments.iter().map(segment).collect() }
    }

    /// The classes whose names end with these, in any package.
    pub(super) fn ending(segments: &[&[Letter]]) -> Self {
        let mut pattern = Self::new(segments);
        pattern.segments.insert(0, Segment::Any);
        pattern
    }

    /// Whether it may match several classes.
    pub(super) fn has_star(&self) -> bool {
        self.segments.iter().any(|segment| match segment {
            Segment::One(glob) => glob.has_star(),
            Segment::Any => true,
        })
    }

    /// Whether the pattern matches the class with this internal name.
    pub(super) fn matches(&self, internal: &str) -> bool {
        matches_from(&self.segments, internal)
    }
}

/// Matches the packages one by one, then the class.
fn matches_from(pattern: &[Segment], name: &str) -> bool {
    match (pattern, name.split_once('/')) {
        ([], _) => false,
        ([Segment::Any], _) => true,
        ([Segment::Any, rest @ ..], None) => matches_nested(rest, name),
        ([Segment::Any, rest @ ..], Some((_, inner))) => {
            matches_from(rest, name) || matches_from(pattern, inner)
        }
        ([Segment::One(glob), rest @ ..], Some((package, inner))) => {
            glob.matches(package) && matches_from(rest, inner)
        }
        ([Segment::One(_), ..], None) => matches_nested(pattern, name),
    }
}

/// Matches the last part of an internal name. There `$` separates outer and nested classes, but may
/// also be part of a name. So each dot of the pattern is tried at every `$`.
fn matches_nested(pattern: &[Segment], name: &str) -> bool {
    match pattern {
        [] => false,
        [Segment::Any] => true,
        [Segment::One(glob)] => glob.matches(name),
        [Segment::Any, ..] => false,
        [Segment::One(glob), rest @ ..] => name
            .match_indices('$')
            .any(|(at, _)| glob.matches(&name[..at]) && matches_nested(rest, &name[at + 1..])),
    }
}
