//! Selectors that are matched against classes one by one, as they are loaded.

use crate::Options;
use jfathom_plan::{ClassSummary, MethodSummary, Selector, SelectorTarget};
use jfathom_reachability::{ContainerKind, World};

/// A selector with its meaning for the program's classes.
#[derive(Clone, Debug)]
pub(super) struct LoadSelector {
    pub(super) selector: Selector,
    /// Whether `a.b.C` is a class of the containers, and so no method `C` of a class `a.b`.
    only_class: bool,
}

impl LoadSelector {
    pub(super) fn all(selectors: &[Selector], exclusion: bool, world: &World<'_>) -> Vec<Self> {
        let given = selectors.iter().filter(|selector| selector.is_exclusion() == exclusion);
        let mut all: Vec<Self> =
            given.map(|selector| Self { selector: selector.clone(), only_class: false }).collect();
        let is_ambiguous = |given: &Self| given.selector.may_be_method();
        if all.iter().any(is_ambiguous) {
            for kind in [ContainerKind::Program, ContainerKind::Jdk] {
                for name in world.all_classes(kind) {
                    let class =
                        ClassSummary { name: world.names().show(name), ..ClassSummary::default() };
                    for given in all.iter_mut().filter(|given| !given.only_class) {
                        given.only_class = is_ambiguous(given)
                            && given.selector.matches_class(SelectorTarget::Class, &class);
                    }
                }
            }
        }
        all
    }

    pub(super) fn is_annotation(&self) -> bool {
        self.selector.is_annotation()
    }

    pub(super) fn has_wildcard(&self) -> bool {
        self.selector.has_wildcard()
    }

    /// Whether the selector may select the class or methods of it, by the class's name.
    pub(super) fn may_select(&self, class: &ClassSummary) -> bool {
        self.is_annotation()
            || self.selector.matches_class(SelectorTarget::Class, class)
            || !self.only_class && self.selector.names_class_of_method(class)
    }

    /// Whether the selector may select methods of the class, and not the class as a whole.
    pub(super) fn names_class_of_method(&self, class: &ClassSummary) -> bool {
        !self.only_class && !self.matches_class(class) && self.selector.names_class_of_method(class)
    }

    /// Whether the selector selects the class as a whole.
    pub(super) fn matches_class(&self, class: &ClassSummary) -> bool {
        self.selector.matches_class(SelectorTarget::Class, class)
    }

    /// Whether the selector selects the method, or its class.
    pub(super) fn matches_method(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.matches_class(class)
            || !self.only_class
                && self.selector.matches_method(SelectorTarget::Method, class, method)
    }
}

/// The methods that the user allows to be instrumented.
#[derive(Debug, Default)]
pub(super) struct Scope {
    include: Vec<LoadSelector>,
    exclude: Vec<LoadSelector>,
}

impl Scope {
    pub(super) fn new(options: &Options, world: &World<'_>) -> Self {
        let mut exclude = Vec::new();
        for selectors in [&options.include, &options.roots] {
            exclude.extend(LoadSelector::all(selectors, true, world));
        }
        Self { include: LoadSelector::all(&options.include, false, world), exclude }
    }

    pub(super) fn has_annotations(&self) -> bool {
        self.include.iter().chain(&self.exclude).any(LoadSelector::is_annotation)
    }

    /// Whether all methods may be instrumented.
    pub(super) fn is_all(&self) -> bool {
        self.include.is_empty() && self.exclude.is_empty()
    }

    pub(super) fn excludes(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.exclude.iter().any(|selector| selector.matches_method(class, method))
    }

    pub(super) fn includes(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.include.is_empty()
            || self.include.iter().any(|selector| selector.matches_method(class, method))
    }
}
