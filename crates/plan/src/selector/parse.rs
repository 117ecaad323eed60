//! Parsing of selectors.

use crate::RegionSelector;

use super::{
    MethodPattern, Selector, SelectorError, Target, descriptor,
    glob::{ClassPattern, Glob},
};

impl std::str::FromStr for Selector {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        let text = text.trim();
        let (exclusion, body) = match text.strip_prefix('!') {
            Some(body) => (true, body),
            None => (false, text),
        };
        let target = target(body).map_err(|problem| SelectorError {
            text: text.to_owned(),
            problem,
            expected: super::Expected::Selector,
        })?;
        Ok(Self { text: text.to_owned(), exclusion, target })
    }
}

fn target(body: &str) -> Result<Target, String> {
    if body.is_empty() {
        return Err("it is empty".to_owned());
    }
    if RegionSelector::is_meant(body) {
        return Err("lines are for --region, and for --root of rewrite and plan".to_owned());
    }
    if let Some(name) = body.strip_prefix('@') {
        return annotation(name);
    }
    // Split off first: a descriptor also has `/`.
    let (names, descriptor) = match body.find('(') {
        Some(at) => (&body[..at], Some(descriptor::check(&body[at..])?)),
        None => (body, None),
    };
    let names = names.replace('/', ".");
    if let Some((class, method)) = names.split_once("::") {
        if class.is_empty() {
            return Err(format!(
                "the class is missing before ‘::’; **::{method} means all classes"
            ));
        }
        return Ok(Target::Methods(MethodPattern {
            class: class_pattern(class)?,
            name: method_name(method)?,
            descriptor,
        }));
    }
    let split = names.rsplit_once('.');
    if let Some(descriptor) = descriptor {
        let (class, method) =
            split.ok_or_else(|| format!("the class is missing before ‘{names}’"))?;
        let (class, name) = (class_pattern(class)?, method_name(method)?);
        return Ok(Target::Methods(MethodPattern { class, name, descriptor: Some(descriptor) }));
    }
    match split {
        Some((class, method)) if method.starts_with('<') => {
            let (class, name) = (class_pattern(class)?, method_name(method)?);
            Ok(Target::Methods(MethodPattern { class, name, descriptor: None }))
        }
        Some((class, method)) if !matches!(method, "*" | "**") => {
            let classes = class_pattern(&names)?;
            let method = MethodPattern {
                class: class_pattern(class)?,
                name: method_name(method)?,
                descriptor: None,
            };
            Ok(Target::Classes { classes, or_method: Some(method) })
        }
        _ => Ok(Target::Classes { classes: class_pattern(&names)?, or_method: None }),
    }
}

fn annotation(name: &str) -> Result<Target, String> {
    if name.contains("::") || name.contains('(') {
        return Err("an annotation stands alone, without a method".to_owned());
    }
    let name = name.replace('/', ".");
    Ok(Target::Annotation { name: class_pattern(&name)?, simple: !name.contains(['.', '$']) })
}

fn class_pattern(text: &str) -> Result<ClassPattern, String> {
    let segments: Vec<&str> = text.split('.').collect();
    for segment in &segments {
        if segment.is_empty() {
            return Err("a name between two dots is missing".to_owned());
        }
        if *segment != "**" {
            check_name(segment)?;
        }
    }
    if segments.windows(2).any(|pair| pair == ["**", "**"]) {
        return Err("‘**’ stands twice in a row".to_owned());
    }
    Ok(ClassPattern::new(&segments))
}

fn method_name(text: &str) -> Result<Glob, String> {
    if text.is_empty() {
        return Err("the method's name is missing; ::* means all methods".to_owned());
    }
    if text.starts_with('<') {
        if !matches!(text, "<init>" | "<clinit>") {
            return Err(format!("‘{text}’ is neither <init> nor <clinit>"));
        }
        return Ok(Glob::new(text));
    }
    if text.contains('.') {
        return Err(format!("the method's name ‘{text}’ has a dot"));
    }
    check_name(text)?;
    Ok(Glob::new(text))
}

/// JVMS 4.2.2 allows nearly everything in a name; what is refused here is never meant.
fn check_name(segment: &str) -> Result<(), String> {
    if segment.contains("**") {
        return Err("‘**’ stands for whole packages and is written between dots".to_owned());
    }
    match segment
        .chars()
        .find(|&c| c.is_whitespace() || c.is_control() || ";:[<>,()@!#\"'`?|&\\{}".contains(c))
    {
        Some(c) => Err(format!("{c:?} is in no name")),
        None => Ok(()),
    }
}
