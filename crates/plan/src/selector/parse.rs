//! Parsing of selectors.

use crate::{Problem, RegionSelector};

use super::{
    MethodPattern, Names, Selector, SelectorError, Target,
    glob::{ClassPattern, Glob},
    letters::{self, Letter, letters, trimmed},
    parameters::Parameters,
};

impl std::str::FromStr for Selector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        let text = text.trim();
        let refuse = |problem| SelectorError::new(text, super::Expected::Selector, problem);
        let letters = letters(text).map_err(refuse)?;
        let (exclusion, body) = match &*letters {
            [first, body @ ..] if first.is('!') => (true, body),
            body => (false, body),
        };
        if RegionSelector::is_meant(text) {
            let problem = "lines of a method are for --include and --root";
            return Err(refuse(problem.into()));
        }
        let (target, mut names) = target(body).map_err(refuse)?;
        names.method_at = split_member(body)
            .and_then(|(_, method)| method.first())
            .map(|first| first.at)
            .filter(|_| names.method.is_some());
        Ok(Self { text: text.to_owned(), exclusion, target, names })
    }
}

fn target(body: &[Letter]) -> Result<(Target, Names), Problem> {
    match body {
        [] => return Err("it is empty".into()),
        [first, name @ ..] if first.is('@') => return annotation(name),
        _ => {}
    }
    // Split off first: parameters also have `/` and `.`.
    let (names, parameters) = match body.iter().position(|letter| letter.is('(')) {
        Some(at) => (trimmed(&body[..at]), Some(Parameters::parse(&body[at..])?)),
        None => (body, None),
    };
    if let Some((class, method)) = split_member(names) {
        if class.is_empty() {
            let method = letters::text(method);
            return Err(format!(
                "the class is missing before ‘::’; **::{method} means all classes"
            )
            .into());
        }
        let name = method_name(method)?;
        return methods(class, method, name, parameters);
    }
    let dot = names.iter().rposition(is_dot);
    let split = dot.map(|at| (&names[..at], &names[at + 1..]));
    match (split, parameters) {
        (None, Some(_)) => {
            Err(format!("the class is missing before ‘{}’", letters::text(names)).into())
        }
        (Some((class, method)), Some(parameters)) => {
            let name = method_name(method)?;
            methods(class, method, name, Some(parameters))
        }
        (Some((class, method)), None) if method.first().is_some_and(|first| first.is('<')) => {
            let name = method_name(method)?;
            methods(class, method, name, None)
        }
        (Some((class, method)), None) if !is_wildcard(method) => {
            let classes = class_pattern(names)?;
            let method = MethodPattern {
                class: class_pattern(class)?,
                name: Glob::new(method),
                parameters: None,
            };
            let names = Names { class: dotted(names), method: None, method_at: None };
            Ok((Target::Classes { classes, or_method: Some(method) }, names))
        }
        _ => {
            let target = Target::Classes { classes: class_pattern(names)?, or_method: None };
            Ok((target, Names { class: dotted(names), method: None, method_at: None }))
        }
    }
}

fn methods(
    class: &[Letter],
    method: &[Letter],
    name: Glob,
    parameters: Option<Parameters>,
) -> Result<(Target, Names), Problem> {
    let names =
        Names { class: dotted(class), method: Some(letters::text(method)), method_at: None };
    Ok((Target::Methods(MethodPattern { class: class_pattern(class)?, name, parameters }), names))
}

/// Class and method, with `::` or, as in Javadoc, `#` between them.
fn split_member(names: &[Letter]) -> Option<(&[Letter], &[Letter])> {
    let colons = names.windows(2).position(|pair| pair.iter().all(|letter| letter.is(':')));
    match colons {
        Some(at) => Some((&names[..at], &names[at + 2..])),
        None => {
            let at = names.iter().position(|letter| letter.is('#'))?;
            Some((&names[..at], &names[at + 1..]))
        }
    }
}

fn annotation(name: &[Letter]) -> Result<(Target, Names), Problem> {
    if split_member(name).is_some() || name.iter().any(|letter| letter.is('(')) {
        return Err("an annotation stands alone, without a method".into());
    }
    let text = dotted(name);
    let simple = !text.contains(['.', '$']);
    let target = Target::Annotation { name: class_pattern(name)?, simple };
    Ok((target, Names { class: text, method: None, method_at: None }))
}

/// Whether a letter separates packages and classes. No name has a dot or a slash (JVMS 4.2.2), so
/// that quotes may stand around several names.
fn is_dot(letter: &Letter) -> bool {
    matches!(letter.c, '.' | '/')
}

/// Whether the last part of a selector means classes alone: `*` or `**`.
fn is_wildcard(letters: &[Letter]) -> bool {
    matches!(letters.len(), 1 | 2) && letters.iter().all(|letter| letter.is('*'))
}

fn dotted(letters: &[Letter]) -> String {
    letters::text(letters).replace('/', ".")
}

fn class_pattern(letters: &[Letter]) -> Result<ClassPattern, Problem> {
    let segments: Vec<&[Letter]> = letters.split(is_dot).collect();
    let is_any = |segment: &[Letter]| segment.len() == 2 && is_wildcard(segment);
    for segment in &segments {
        if segment.is_empty() {
            return Err("a name between two dots is missing".into());
        }
        if !is_any(segment) {
            check_stars(segment)?;
            check(segment, ";:[<>,()@!#\"'`?|&\\{}", char::is_whitespace)?;
        }
    }
    if segments.windows(2).any(|pair| pair.iter().all(|segment| is_any(segment))) {
        return Err("‘**’ stands twice in a row".into());
    }
    Ok(ClassPattern::new(&segments))
}

/// A method's name. Behind its class it is one even with characters that names in source have not.
fn method_name(letters: &[Letter]) -> Result<Glob, Problem> {
    let text = letters::text(letters);
    if letters.is_empty() {
        return Err("the method's name is missing; ::* means all methods".into());
    }
    if letters[0].is('<') {
        if !matches!(&*text, "<init>" | "<clinit>") {
            return Err(format!("‘{text}’ is neither <init> nor <clinit>").into());
        }
        return Ok(Glob::new(letters));
    }
    if letters.iter().any(is_dot) {
        return Err(format!("the method's name ‘{text}’ has a dot").into());
    }
    check_stars(letters)?;
    if letters.windows(2).any(|pair| pair.iter().all(|letter| letter.is(':'))) {
        return Err("‘::’ is in a name only between backticks".into());
    }
    check(letters, ";[<>", |_| false)?;
    Ok(Glob::new(letters))
}

fn check_stars(letters: &[Letter]) -> Result<(), Problem> {
    match letters.windows(2).any(|pair| pair.iter().all(|letter| letter.is('*'))) {
        true => Err("‘**’ stands for whole packages and is written between dots".into()),
        false => Ok(()),
    }
}

/// JVMS 4.2.2 allows nearly everything in a name. What is refused without quotes is hardly meant.
fn check(letters: &[Letter], odd: &str, is_odd: impl Fn(char) -> bool) -> Result<(), Problem> {
    let mut bare = letters.iter().filter(|letter| !letter.quoted).map(|letter| letter.c);
    match bare.find(|&c| c.is_control() || odd.contains(c) || is_odd(c)) {
        Some(c) => Err(format!("{c:?} is in a name only between backticks, as in `a{c}b`").into()),
        None => Ok(()),
    }
}
