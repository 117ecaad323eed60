//! Matching of names with wildcards.

/// A name in which `*` stands for any characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glob {
    /// The literal parts between the stars: one part means no star.
    parts: Vec<String>,
}

impl Glob {
    pub(super) fn new(text: &str) -> Self {
        Self { parts: text.split('*').map(str::to_owned).collect() }
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
        // The leftmost place for each part leaves the most room for the others.
        for part in middle {
            match rest.find(part.as_str()) {
                Some(at) => rest = rest.get(at + part.len()..).unwrap_or(""),
                None => return false,
            }
        }
        true
    }
}

/// A class name by its parts between dots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ClassPattern {
    segments: Vec<Segment>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    /// One package, or the class, or a class around or in it.
    One(Glob),
    /// `**`: any number of packages; at the end, any class below too.
    Any,
}

impl ClassPattern {
    pub(super) fn new(segments: &[&str]) -> Self {
        let segment =
            |text: &&str| if *text == "**" { Segment::Any } else { Segment::One(Glob::new(text)) };
        Self { segments: segments.iter().map(segment).collect() }
    }

    /// Whether the pattern names the class with this internal name.
    pub(super) fn matches(&self, internal: &str) -> bool {
        below(&self.segments, internal)
    }
}

/// Matches the packages one by one, then the class.
fn below(pattern: &[Segment], name: &str) -> bool {
    match (pattern, name.split_once('/')) {
        ([], _) => false,
        ([Segment::Any], _) => true,
        ([Segment::Any, rest @ ..], None) => nested(rest, name),
        ([Segment::Any, rest @ ..], Some((_, inner))) => below(rest, name) || below(pattern, inner),
        ([Segment::One(glob), rest @ ..], Some((package, inner))) => {
            glob.matches(package) && below(rest, inner)
        }
        ([Segment::One(_), ..], None) => nested(pattern, name),
    }
}

/// Matches the last part of an internal name, in which `$` stands between outer and nested classes;
/// a compiler may also have made the `$` part of a name, so the pattern's dots are tried at every
/// one.
fn nested(pattern: &[Segment], name: &str) -> bool {
    match pattern {
        [] => false,
        [Segment::Any] => true,
        [Segment::One(glob)] => glob.matches(name),
        [Segment::Any, ..] => false,
        [Segment::One(glob), rest @ ..] => name
            .match_indices('$')
            .any(|(at, _)| glob.matches(&name[..at]) && nested(rest, &name[at + 1..])),
    }
}
