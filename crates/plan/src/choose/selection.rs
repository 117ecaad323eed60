//! Selectors bound to the classes at hand, each checked to select something.

use super::{PlanError, SelectionRules, is_ours, suggestions};
use crate::{ClassSummary, MethodSummary, Selector, SelectorTarget};
use std::collections::HashSet;

/// A selector and how it reads among the classes at hand.
struct Bound<'a> {
    selector: &'a Selector,
    reading: SelectorTarget,
}

impl<'a> Bound<'a> {
    fn new(selector: &'a Selector, classes: &[ClassSummary]) -> Self {
        Self { selector, reading: selector.resolve_target(classes) }
    }

    fn class(&self, class: &ClassSummary) -> bool {
        self.selector.matches_class(self.reading, class)
    }

    fn method(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.class(class) || self.selector.matches_method(self.reading, class, method)
    }
}

/// All selectors of a command.
pub(super) struct Selection<'a> {
    include: Vec<Bound<'a>>,
    exclude: Vec<Bound<'a>>,
    /// Indices of class and method.
    roots: HashSet<(usize, usize)>,
}

impl<'a> Selection<'a> {
    /// Binds all selectors.
    pub(super) fn new(
        classes: &[ClassSummary],
        rules: &'a SelectionRules,
    ) -> Result<Self, PlanError> {
        let mut selection = Self::of_roots(classes, rules)?;
        for selector in rules.include.iter().filter(|selector| !selector.is_exclusion()) {
            let bound = Bound::new(selector, classes);
            selection.check("--include", &bound, classes, |_, _| ())?;
            selection.include.push(bound);
        }
        let by = |option, selectors: &'a [Selector]| {
            selectors.iter().map(move |selector| (option, selector))
        };
        let given = by("--include", &rules.include).chain(by("--root", &rules.roots));
        for (option, selector) in given
            .filter(|selector| selector.1.is_exclusion())
            .chain(by("--exclude", &rules.exclude))
        {
            let bound = Bound::new(selector, classes);
            let selects = |class: &ClassSummary| {
                bound.class(class) || class.methods.iter().any(|method| bound.method(class, method))
            };
            if !classes.iter().any(selects) {
                let (selector, near) =
                    (selector.to_string(), suggestions::misses(selector, classes));
                return Err(PlanError::NoMatch { option, selector, near });
            }
        }
        Ok(selection)
    }

    /// Binds roots and exclusions; whether these select anything is not asked.
    pub(super) fn of_roots(
        classes: &[ClassSummary],
        rules: &'a SelectionRules,
    ) -> Result<Self, PlanError> {
        let mut selection =
            Self { include: Vec::new(), exclude: Vec::new(), roots: HashSet::new() };
        for selector in rules
            .include
            .iter()
            .chain(&rules.roots)
            .filter(|selector| selector.is_exclusion())
            .chain(&rules.exclude)
        {
            selection.exclude.push(Bound::new(selector, classes));
        }
        for selector in rules.roots.iter().filter(|selector| !selector.is_exclusion()) {
            let mut found = Vec::new();
            let bound = Bound::new(selector, classes);
            selection
                .check("--root", &bound, classes, |class, method| found.push((class, method)))?;
            selection.roots.extend(found);
        }
        Ok(selection)
    }

    /// Tells each method that `bound` selects and that can be instrumented; it is an error where
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
            matched |= bound.class(class);
            let outside = self.excludes_class(class);
            for (method_at, method) in class.methods.iter().enumerate() {
                if !bound.method(class, method) {
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
            (true, _) => Ok(()),
            (false, _) if excluded => Err(PlanError::Excluded { option, selector }),
            (false, Some((class, method))) => {
                let example = suggestions::method_name(class, method);
                Err(PlanError::NoCode { option, selector, example })
            }
            // A class without any method at all was named rightly: the choice may still be empty as
            // a whole.
            (false, None) if matched => Ok(()),
            (false, None) => Err(PlanError::NoMatch {
                option,
                selector,
                near: suggestions::misses(bound.selector, classes),
            }),
        }
    }

    pub(super) fn includes(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.include.is_empty()
            || self.include.iter().any(|selector| selector.method(class, method))
    }

    pub(super) fn excludes_class(&self, class: &ClassSummary) -> bool {
        self.exclude.iter().any(|selector| selector.class(class))
    }

    pub(super) fn excludes_method(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.exclude
            .iter()
            .any(|selector| selector.selector.matches_method(selector.reading, class, method))
    }

    pub(super) fn is_root(&self, class: usize, method: usize) -> bool {
        self.roots.contains(&(class, method))
    }
}
