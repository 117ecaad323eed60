//! The methods that regions are in.

use super::{PlanError, RegionRule, SelectionRules, is_ours, suggestions};
use crate::{ClassSummary, LineRange, LinesRelation, MethodSummary, ProbeKind};
use std::collections::HashMap;

/// Lines and probes of the regions by indices of class and method.
pub(super) type Regions = HashMap<(usize, usize), Vec<(LineRange, ProbeKind)>>;

/// How many lines of a method an error names.
const NAMED: usize = 12;

/// Finds the methods of all regions of `rules` that are not `excluded`.
///
/// # Errors
/// Fails if a region is in no method, or if two regions of a method overlap.
pub(super) fn find(
    classes: &[ClassSummary],
    rules: &SelectionRules,
    excluded: impl Fn(&ClassSummary, &MethodSummary) -> bool,
) -> Result<Regions, PlanError> {
    let mut regions = Regions::new();
    for rule in &rules.regions {
        let kind = match rule.root || !rules.has_given_root() {
            true => ProbeKind::Root,
            false => ProbeKind::InRoot,
        };
        for (class_at, method_at) in methods(classes, rule, &excluded)? {
            let of_method = regions.entry((class_at, method_at)).or_default();
            let same = of_method.iter_mut().find(|(lines, _)| *lines == rule.selector.lines);
            match same {
                // Given twice, once as a root.
                Some((_, known)) if kind == ProbeKind::Root => *known = kind,
                Some(_) => {}
                None => of_method.push((rule.selector.lines, kind)),
            }
        }
    }
    for (&(class_at, method_at), of_method) in &mut regions {
        of_method.sort_by_key(|(lines, _)| (lines.first(), std::cmp::Reverse(lines.last())));
        if let Some((first, second)) = overlap(of_method)
            && let Some(class) = classes.get(class_at)
            && let Some(method) = class.methods.get(method_at)
        {
            let method = suggestions::method_name(class, method);
            return Err(PlanError::OverlappingRegions { method, first, second });
        }
    }
    Ok(regions)
}

fn overlap(regions: &[(LineRange, ProbeKind)]) -> Option<(LineRange, LineRange)> {
    regions.iter().enumerate().find_map(|(at, &(one, _))| {
        let later = regions.get(at + 1..).unwrap_or_default().iter();
        let mut overlapping =
            later.filter(|(other, _)| one.relation(*other) == LinesRelation::Overlap);
        overlapping.next().map(|&(other, _)| (one, other))
    })
}

/// The methods that a region is in: indices of class and method.
fn methods(
    classes: &[ClassSummary],
    rule: &RegionRule,
    excluded: impl Fn(&ClassSummary, &MethodSummary) -> bool,
) -> Result<Vec<(usize, usize)>, PlanError> {
    let RegionRule { selector, .. } = rule;
    let target = selector.method.resolve_target(classes);
    let (option, region) = (rule.option(), selector.to_string());
    let mut found = Vec::new();
    // What the nearest miss lacks; a later reason is nearer.
    let mut miss: Option<(u8, PlanError)> = None;
    let mut note = |nearness: u8, error: PlanError| {
        if miss.as_ref().is_none_or(|(known, _)| *known < nearness) {
            miss = Some((nearness, error));
        }
    };
    for (class_at, class) in classes.iter().enumerate().filter(|(_, class)| !is_ours(class)) {
        for (method_at, method) in class.methods.iter().enumerate() {
            if !selector.method.matches_method(target, class, method) {
                continue;
            }
            let name = || suggestions::method_name(class, method);
            if method.code_length.is_none() {
                let (selector, example) = (region.clone(), name());
                note(0, PlanError::NoCode { option, selector, example });
            } else if excluded(class, method) {
                note(1, PlanError::Excluded { option, selector: region.clone() });
            } else if !method.lines.iter().any(|&line| selector.lines.contains(line)) {
                let problem = match method.lines.is_empty() {
                    true => format!(
                        "{} has no line numbers; compile it with javac -g or -g:lines",
                        name()
                    ),
                    false => format!("{} has {}", name(), named(&method.lines)),
                };
                let selector = region.clone();
                note(2, PlanError::NoLines { option, selector, problem });
            } else {
                found.push((class_at, method_at));
            }
        }
    }
    match miss {
        _ if !found.is_empty() => Ok(found),
        Some((_, error)) => Err(error),
        None => Err(match suggestions::no_match(option, &selector.method, classes) {
            PlanError::NoMatch { near, .. } => {
                let near = near.iter().map(|name| format!("{name}:{}", selector.lines)).collect();
                PlanError::NoMatch { option, selector: region, near }
            }
            PlanError::NoMethod { problem, .. } => {
                PlanError::NoMethod { option, selector: region, problem }
            }
            other => other,
        }),
    }
}

/// `code at the lines 3, 4, 7 and 9 to 20`: a few lines, or from where to where they are.
fn named(lines: &[u16]) -> String {
    match lines {
        [only] => format!("code at the line {only} only"),
        [first, .., last] if lines.len() > NAMED => {
            format!("code at {} lines from {first} to {last}", lines.len())
        }
        [best @ .., last] => {
            let best: Vec<String> = best.iter().map(u16::to_string).collect();
            format!("code at the lines {} and {last}", best.join(", "))
        }
        [] => "no code".to_owned(),
    }
}
