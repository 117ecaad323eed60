//! Suggestions for a selector that matches nothing.

use crate::{
    ClassSummary, MethodKey, MethodSummary, PlanError, Selector, quoted_class, quoted_name,
};
use std::collections::BTreeSet;

/// Number of suggestions at most.
const SUGGESTIONS: usize = 4;

/// A method as a selector.
pub(super) fn method_name(class: &ClassSummary, method: &MethodSummary) -> String {
    let (class, name, descriptor) =
        (class.name.clone(), method.name.clone(), method.descriptor.clone());
    MethodKey { class, name, descriptor }.to_string()
}

/// How many methods of a class are named if none has a similar name.
const NAMED: usize = 6;

/// The error that a selector matches nothing.
pub(super) fn no_match(
    option: &'static str,
    selector: &Selector,
    classes: &[ClassSummary],
) -> PlanError {
    let near = misses(selector, classes);
    let mut named = classes.iter().filter(|class| selector.names_class_of_method(class));
    match (near.is_empty(), named.next(), named.next()) {
        (true, Some(class), None) => PlanError::NoMethod {
            option,
            selector: selector.to_string(),
            problem: format!(
                "{} has no such method{}",
                quoted_class(&class.name),
                methods_of(class)
            ),
        },
        _ => PlanError::NoMatch { option, selector: selector.to_string(), near },
    }
}

/// `; it has run, step and 3 more`: methods that have code and a name in the class's source. Empty
/// if there are none.
pub fn methods_of(class: &ClassSummary) -> String {
    let with_code = class.methods.iter().filter(|method| method.code_length.is_some());
    let names: BTreeSet<&str> =
        with_code.map(|method| &*method.name).filter(|name| !name.contains(['<', '$'])).collect();
    let named: Vec<_> = names.iter().copied().take(NAMED).map(quoted_name).collect();
    match (named.is_empty(), names.len().saturating_sub(named.len())) {
        (true, _) => String::new(),
        (false, 0) => format!("; it has {}", named.join(", ")),
        (false, more) => format!("; it has {} and {more} more", named.join(", ")),
    }
}

/// Names among `classes` that are similar to the selector, best first.
pub(super) fn misses(selector: &Selector, classes: &[ClassSummary]) -> Vec<String> {
    let class = selector.class_name();
    if selector.is_annotation() {
        return nearest(class, &annotations(classes))
            .map(|name| format!("@{}", quoted_class(&name)))
            .collect();
    }
    let method = selector.method_name();
    let named: Vec<&ClassSummary> =
        classes.iter().filter(|class| selector.names_class_of_method(class)).collect();
    if !named.is_empty() {
        let method = method.or_else(|| class.rsplit('.').next()).unwrap_or("");
        return methods(&named, method, selector.text_of_method());
    }
    if let Some(package) = class.strip_suffix(".**").or_else(|| class.strip_suffix(".*")) {
        let tail = &class[package.len()..];
        let packages: BTreeSet<String> = classes.iter().filter_map(package_of).collect();
        let near = nearest(package, &packages);
        return near.map(|package| format!("{}{tail}", quoted_class(&package))).collect();
    }
    let known: BTreeSet<String> = classes.iter().map(|class| dotted(&class.name)).collect();
    let suffix = match (method, selector.text_of_method()) {
        (Some(_), Some(text)) => format!("::{text}"),
        _ => String::new(),
    };
    let mut found: Vec<String> =
        nearest(class, &known).map(|class| format!("{}{suffix}", quoted_class(&class))).collect();
    // `a.b.C.run` without a class `a.b.C`: its last part may be the method.
    if let (true, None, Some((class, method))) = (found.is_empty(), method, class.rsplit_once('.'))
    {
        let method = quoted_name(method);
        found.extend(
            nearest(class, &known).map(|class| format!("{}::{method}", quoted_class(&class))),
        );
    }
    found
}

/// Methods of the classes that the selector names: overloads first, then similar names. `text` is
/// what was written for the method, which may be a name that needs quotes.
fn methods(classes: &[&ClassSummary], wanted: &str, text: Option<&str>) -> Vec<String> {
    let all = || {
        classes.iter().flat_map(|class| class.methods.iter().map(move |method| (*class, method)))
    };
    let overloads: Vec<String> = all()
        .filter(|(_, method)| method.name == wanted || Some(&*method.name) == text)
        .map(|(class, method)| method_name(class, method))
        .take(SUGGESTIONS)
        .collect();
    if !overloads.is_empty() {
        return overloads;
    }
    let names: BTreeSet<String> = all().map(|(_, method)| method.name.clone()).collect();
    let best: Vec<String> = nearest(wanted, &names).collect();
    let mut found = Vec::new();
    for name in best {
        let same = all().filter(|(_, method)| method.name == name);
        found.extend(
            same.map(|(class, method)| {
                format!("{}::{}", quoted_class(&class.name), quoted_name(&method.name))
            })
            .take(1),
        );
    }
    found
}

fn annotations(classes: &[ClassSummary]) -> BTreeSet<String> {
    let of_class = |class: &ClassSummary| {
        let methods = class.methods.iter().flat_map(|method| method.annotations.iter());
        class.annotations.iter().chain(methods).map(|name| dotted(name)).collect::<Vec<_>>()
    };
    classes.iter().flat_map(of_class).collect()
}

fn package_of(class: &ClassSummary) -> Option<String> {
    class.name.rsplit_once('/').map(|(package, _)| dotted(package))
}

fn dotted(internal: &str) -> String {
    internal.replace('/', ".")
}

/// The names of `known` that are similar to `wanted`: few typing errors, other capitals, or the
/// same last part in another package.
fn nearest<'a>(
    wanted: &str,
    known: &'a BTreeSet<String>,
) -> impl Iterator<Item = String> + use<'a> {
    let wanted = wanted.to_lowercase();
    let wanted_last = last_part(&wanted);
    let mut ranked: Vec<(usize, &String)> = Vec::new();
    for name in known {
        let lower = name.to_lowercase();
        let Some(last) = errors(last_part(&lower), wanted_last) else { continue };
        // Another package costs as much as two typing errors, so that a full match of the rest
        // comes first.
        let whole = errors(&lower, &wanted).unwrap_or(usize::MAX);
        ranked.push((whole.min(last + 2), name));
    }
    ranked.sort();
    ranked.into_iter().take(SUGGESTIONS).map(|(_, name)| name.clone())
}

fn last_part(name: &str) -> &str {
    name.rsplit(['.', '$']).next().unwrap_or(name)
}

/// Number of typing errors between two names. None if there are too many for their length.
fn errors(name: &str, wanted: &str) -> Option<usize> {
    let bound = (wanted.len() / 4 + 1).min(4);
    if name.len().abs_diff(wanted.len()) > bound {
        return None;
    }
    let distance = strsim::osa_distance(name, wanted);
    (distance <= bound && distance < wanted.chars().count().max(1)).then_some(distance)
}
