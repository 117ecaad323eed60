//! Selectors bound to given classes. Each is checked to match something.

use super::regions::{self, Regions};
use super::{PlanError, SelectionRules, is_ours, suggestions};
use crate::{
    ClassSummary, LineRange, MethodSummary, ProbeKind, Selector, SelectorTarget, quoted_class,
    quoted_name,
};
use std::collections::{BTreeMap, HashSet};

/// A selector, and what it names among the given classes.
struct Bound<'a> {
    selector: &'a Selector,
    target: SelectorTarget,
}

impl<'a> Bound<'a> {
    fn new(selector: &'a Selector, classes: &[ClassSummary]) -> Self {
        Self { selector, target: selector.resolve_target(classes) }
    }

    fn matches_class(&self, class: &ClassSummary) -> bool {
        self.selector.matches_class(self.target, class)
    }

    fn matches(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.matches_class(class) || self.selector.matches_method(self.target, class, method)
    }
}

/// The readings of a selector that has more than one: it names a class, and a method of another
/// class; or methods whose parameters have the same simple names.
fn readings(bound: &Bound<'_>, classes: &[ClassSummary]) -> Vec<String> {
    let Bound { selector, target } = bound;
    if selector.may_be_method() && *target == SelectorTarget::Class {
        let is_meant = |class: &ClassSummary, method: &MethodSummary| {
            selector.matches_method(SelectorTarget::Method, class, method)
        };
        let method = classes.iter().find_map(|class| {
            let method = class.methods.iter().find(|method| is_meant(class, method))?;
            Some(format!("{}::{}", quoted_class(&class.name), quoted_name(&method.name)))
        });
        let class = classes.iter().find(|class| bound.matches_class(class));
        let class = class.map(|class| format!("{}::*", quoted_class(&class.name)));
        return match (class, method) {
            (Some(class), Some(method)) if !selector.has_wildcard() => vec![class, method],
            _ => Vec::new(),
        };
    }
    if !selector.has_simple_types() || selector.has_wildcard() {
        return Vec::new();
    }
    for class in classes {
        let matched = class.methods.iter().filter(|method| bound.matches(class, method));
        let mut by_parameters: BTreeMap<&str, String> = BTreeMap::new();
        for method in matched {
            let parameters = method.descriptor.rsplit_once(')').map_or("", |(list, _)| list);
            let name = || suggestions::method_name(class, method);
            by_parameters.entry(parameters).or_insert_with(name);
        }
        if by_parameters.len() > 1 {
            return by_parameters.into_values().collect();
        }
    }
    Vec::new()
}

/// All selectors of a command.
pub(super) struct Selection<'a> {
    include: Vec<Bound<'a>>,
    exclude: Vec<Bound<'a>>,
    /// Indices of class and method.
    roots: HashSet<(usize, usize)>,
    regions: Regions,
}

impl<'a> Selection<'a> {
    /// Binds all selectors.
    pub(super) fn new(
        classes: &[ClassSummary],
        rules: &'a SelectionRules,
    ) -> Result<Self, PlanError> {
        let mut selection = Self::from_roots(classes, rules)?;
        for selector in rules.include.iter().filter(|selector| !selector.is_exclusion()) {
            let bound = Bound::new(selector, classes);
            selection.check("--include", &bound, classes, |_, _| ())?;
            selection.include.push(bound);
        }
        let by = |option, selectors: &'a [Selector]| {
            selectors.iter().map(move |selector| (option, selector))
        };
        let given = by("--include", &rules.include).chain(by("--root", &rules.roots));
        for (option, selector) in given.filter(|selector| selector.1.is_exclusion()) {
            let bound = Bound::new(selector, classes);
            let selects = |class: &ClassSummary| {
                bound.matches_class(class)
                    || class.methods.iter().any(|method| bound.matches(class, method))
            };
            if !classes.iter().any(selects) {
                return Err(suggestions::no_match(option, selector, classes));
            }
        }
        Ok(selection)
    }

    /// Binds roots and exclusions, without a check that the exclusions match.
    pub(super) fn from_roots(
        classes: &[ClassSummary],
        rules: &'a SelectionRules,
    ) -> Result<Self, PlanError> {
        let mut selection = Self {
            include: Vec::new(),
            exclude: Vec::new(),
            roots: HashSet::new(),
            regions: Regions::new(),
        };
        let all = rules.include.iter().chain(&rules.roots);
        let exclusions = all.filter(|selector| selector.is_exclusion());
        selection.exclude = exclusions.map(|selector| Bound::new(selector, classes)).collect();
        for selector in rules.roots.iter().filter(|selector| !selector.is_exclusion()) {
            let mut found = Vec::new();
            let bound = Bound::new(selector, classes);
            selection
                .check("--root", &bound, classes, |class, method| found.push((class, method)))?;
            selection.roots.extend(found);
        }
        selection.regions = regions::find(classes, rules, |class, method| {
            selection.excludes_class(class) || selection.excludes_method(class, method)
        })?;
        Ok(selection)
    }

    /// Calls `found` for each method that `bound` matches and that can be instrumented. Fails if
    /// there is none.
    fn check(
        &self,
        option: &'static str,
        bound: &Bound,
        classes: &[ClassSummary],
        mut found: impl FnMut(usize, usize),
    ) -> Result<(), PlanError> {
        let mut any = false;
        let (mut without_code, mut excluded, mut matched) = (None, false, false);
        for (at, class) in classes.iter().enumerate().filter(|(_, class)| !is_ours(class)) {
            matched |= bound.matches_class(class);
            let outside = self.excludes_class(class);
            for (method_at, method) in class.methods.iter().enumerate() {
                if !bound.matches(class, method) {
                    continue;
                }
                matched = true;
                if method.code_length.is_none() {
                    without_code.get_or_insert((class, method));
                } else if outside || self.excludes_method(class, method) {
                    excluded = true;
                } else {
                    any = true;
                    found(at, method_at);
                }
            }
        }
        let selector = bound.selector.to_string();
        match (any, without_code) {
            (true, _) => match readings(bound, classes) {
                readings if readings.is_empty() => Ok(()),
                readings => Err(PlanError::Ambiguous { option, selector, readings }),
            },
            (false, _) if excluded => Err(PlanError::Excluded { option, selector }),
            (false, Some((class, method))) => {
                let example = suggestions::method_name(class, method);
                Err(PlanError::NoCode { option, selector, example })
            }
            // The selector is right if it names a class without methods. The plan as a whole may
            // still be empty.
            (false, None) if matched => Ok(()),
            (false, None) => Err(suggestions::no_match(option, bound.selector, classes)),
        }
    }

    pub(super) fn includes(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.include.is_empty()
            || self.include.iter().any(|selector| selector.matches(class, method))
    }

    pub(super) fn excludes_class(&self, class: &ClassSummary) -> bool {
        self.exclude.iter().any(|selector| selector.matches_class(class))
    }

    pub(super) fn excludes_method(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.exclude
            .iter()
            .any(|selector| selector.selector.matches_method(selector.target, class, method))
    }

    /// The regions of a method.
    pub(super) fn regions(&self, class: usize, method: usize) -> &[(LineRange, ProbeKind)] {
        self.regions.get(&(class, method)).map_or(&[], Vec::as_slice)
    }

    /// Whether a region of a method is a root.
    pub(super) fn has_root(&self, class: usize, method: usize) -> bool {
        self.regions(class, method).iter().any(|&(_, kind)| kind == ProbeKind::Root)
    }

    pub(super) fn is_root(&self, class: usize, method: usize) -> bool {
        self.roots.contains(&(class, method))
    }
}
