//! The parameters in a selector: a method descriptor (JVMS 4.3.3), or types as in source.

use super::{
    glob::{ClassPattern, Glob},
    letters::{self, Letter},
};
use crate::Problem;

/// Which parameters a method has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Parameters {
    /// `(ILjava/lang/String;)V`.
    Descriptor(String),
    /// `(int, String[])`, with what the method returns if it is named: `(int): String`.
    Types { list: Vec<Type>, returned: Option<Type> },
}

/// A type as in source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Type {
    dimensions: usize,
    element: Element,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Element {
    /// Its letter in descriptors.
    Primitive(char),
    /// A class by its last names, or by all.
    Class { pattern: ClassPattern, simple: Option<Glob> },
}

impl Parameters {
    /// Reads what stands from the `(` on.
    pub(super) fn parse(letters: &[Letter]) -> Result<Self, Problem> {
        let text = letters::text(letters);
        if is_descriptor(letters) {
            return Ok(Self::Descriptor(text));
        }
        let error = || {
            format!(
                "‘{text}’ is neither a method descriptor such as (ILjava/lang/String;)V nor a list \
                 of types such as (int, String[])"
            )
        };
        let close = letters.iter().rposition(|letter| letter.is(')')).ok_or_else(error)?;
        let returned = match letters::trimmed(&letters[close + 1..]) {
            [] => None,
            [colon, named @ ..] if colon.is(':') => Some(Type::parse(named).ok_or_else(error)?),
            _ => return Err(error().into()),
        };
        let list = letters::trimmed(&letters[1..close]);
        let list = match list.is_empty() {
            true => Vec::new(),
            false => split(list).map(Type::parse).collect::<Option<_>>().ok_or_else(error)?,
        };
        Ok(Self::Types { list, returned })
    }

    /// Whether a method with this descriptor has the parameters.
    pub(super) fn matches(&self, descriptor: &str) -> bool {
        let (list, returned) = match self {
            Self::Descriptor(wanted) => return wanted == descriptor,
            Self::Types { list, returned } => (list, returned),
        };
        let Some(mut rest) = descriptor.strip_prefix('(') else { return false };
        for wanted in list {
            let Some((found, after)) = field(rest) else { return false };
            if !wanted.matches(found) {
                return false;
            }
            rest = after;
        }
        let Some(found) = rest.strip_prefix(')') else { return false };
        returned.as_ref().is_none_or(|wanted| wanted.matches(found))
    }
}

impl Type {
    /// Reads a type. Its type arguments do not count, since a descriptor has none.
    fn parse(letters: &[Letter]) -> Option<Self> {
        let mut name = Vec::new();
        let mut depth = 0_usize;
        for letter in letters::trimmed(letters) {
            match letter.c {
                '<' if !letter.quoted => depth += 1,
                '>' if !letter.quoted => depth = depth.checked_sub(1)?,
                _ if depth == 0 => name.push(*letter),
                _ => {}
            }
        }
        let mut name = &name[..];
        let mut dimensions = 0;
        loop {
            name = letters::trimmed(name);
            name = match name {
                [rest @ .., open, close] if open.is('[') && close.is(']') => rest,
                [rest @ .., a, b, c] if [a, b, c].iter().all(|dot| dot.is('.')) => rest,
                _ => break,
            };
            dimensions += 1;
        }
        let is_odd = |letter: &Letter| {
            !letter.quoted && (letter.c.is_whitespace() || ";:[]()<>,!@#*?&|".contains(letter.c))
        };
        let element = match (&*letters::text(name), name) {
            (_, []) => return None,
            ("byte", _) => Element::Primitive('B'),
            ("char", _) => Element::Primitive('C'),
            ("double", _) => Element::Primitive('D'),
            ("float", _) => Element::Primitive('F'),
            ("int", _) => Element::Primitive('I'),
            ("long", _) => Element::Primitive('J'),
            ("short", _) => Element::Primitive('S'),
            ("boolean", _) => Element::Primitive('Z'),
            ("void", _) => Element::Primitive('V'),
            _ if name.iter().any(is_odd) => return None,
            _ => {
                let parts: Vec<&[Letter]> =
                    name.split(|letter| matches!(letter.c, '.' | '/')).collect();
                if depth > 0 || parts.iter().any(|part| part.is_empty()) {
                    return None;
                }
                let simple = if let [only] = *parts { Some(Glob::new(only)) } else { None };
                Element::Class { pattern: ClassPattern::ending(&parts), simple }
            }
        };
        Some(Self { dimensions, element })
    }

    /// Whether it is the type of a field descriptor.
    fn matches(&self, descriptor: &str) -> bool {
        let element = descriptor.trim_start_matches('[');
        if descriptor.len() - element.len() != self.dimensions {
            return false;
        }
        match &self.element {
            Element::Primitive(letter) => element.chars().eq([*letter]),
            Element::Class { pattern, simple } => {
                let name = element.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
                name.is_some_and(|name| {
                    let last = name.rsplit(['/', '$']).next().unwrap_or(name);
                    pattern.matches(name) || simple.as_ref().is_some_and(|one| one.matches(last))
                })
            }
        }
    }
}

/// The parts between commas that are not inside `<…>`.
fn split(letters: &[Letter]) -> impl Iterator<Item = &[Letter]> {
    let mut depth = 0_i32;
    letters.split(move |letter| {
        match letter.c {
            '<' if !letter.quoted => depth += 1,
            '>' if !letter.quoted => depth -= 1,
            _ => {}
        }
        depth == 0 && letter.is(',')
    })
}

/// The first field descriptor, and what follows it.
fn field(text: &str) -> Option<(&str, &str)> {
    let element = text.trim_start_matches('[');
    let length = match element.chars().next()? {
        'L' => element.find(';')? + 1,
        ')' => return None,
        c => c.len_utf8(),
    };
    Some(text.split_at(text.len() - element.len() + length))
}

fn is_descriptor(letters: &[Letter]) -> bool {
    let Some((open, mut rest)) = letters.split_first() else { return false };
    if !open.is('(') {
        return false;
    }
    loop {
        match rest {
            [close, returned @ ..] if close.is(')') => {
                let is_void = matches!(returned, [only] if only.is('V'));
                return is_void || after_field(returned).is_some_and(<[Letter]>::is_empty);
            }
            _ => match after_field(rest) {
                Some(after) => rest = after,
                None => return false,
            },
        }
    }
}

/// What follows one field descriptor. None if there is none.
fn after_field(mut letters: &[Letter]) -> Option<&[Letter]> {
    while let [bracket, rest @ ..] = letters
        && bracket.is('[')
    {
        letters = rest;
    }
    match letters {
        [l, name @ ..] if l.is('L') => {
            let end = name.iter().position(|letter| letter.is(';'))?;
            (end > 0).then(|| &name[end + 1..])
        }
        [letter, rest @ ..] if !letter.quoted && "BCDFIJSZ".contains(letter.c) => Some(rest),
        _ => None,
    }
}
