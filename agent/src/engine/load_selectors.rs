//! Selectors over classes that come one by one.

use crate::Options;
use jfathom_plan::{ClassSummary, MethodSummary, Selector, SelectorTarget};
use jfathom_reachability::{ContainerKind, World};

/// A selector, and how it is to be read.
#[derive(Clone, Debug)]
pub(super) struct LoadSelector {
    pub(super) selector: Selector,
    /// `a.b.C` is a class that the containers have, and so no method `C` of a class `a.b`.
    only_class: bool,
}

impl LoadSelector {
    pub(super) fn all(selectors: &[Selector], exclusion: bool, world: &World<'_>) -> Vec<Self> {
        let given = selectors.iter().filter(|selector| selector.is_exclusion() == exclusion);
        let mut patterns: Vec<Self> =
            given.map(|selector| Self { selector: selector.clone(), only_class: false }).collect();
        let open = |pattern: &Self| {
            let text = pattern.selector.to_string();
            !pattern.selector.is_annotation() && !text.contains("::") && !text.contains('(')
        };
        if patterns.iter().any(open) {
            for kind in [ContainerKind::Program, ContainerKind::Jdk] {
                for name in world.all_classes(kind) {
                    let class =
                        ClassSummary { name: world.names().show(name), ..ClassSummary::default() };
                    for pattern in patterns.iter_mut().filter(|it| !it.only_class) {
                        pattern.only_class = open(pattern)
                            && pattern.selector.matches_class(SelectorTarget::Class, &class);
                    }
                }
            }
        }
        patterns
    }

    /// Whether it may select something of the class, of which only the name is known.
    pub(super) fn concerns(&self, class: &ClassSummary) -> bool {
        self.selector.is_annotation()
            || self.selector.matches_class(SelectorTarget::Class, class)
            || !self.only_class && self.selector.names_class_of_method(class)
    }

    /// Whether it may select methods of the class, and not the class as a whole.
    pub(super) fn names_class_of_method(&self, class: &ClassSummary) -> bool {
        !self.only_class && !self.class(class) && self.selector.names_class_of_method(class)
    }

    /// Whether the class as a whole is selected.
    pub(super) fn class(&self, class: &ClassSummary) -> bool {
        self.selector.matches_class(SelectorTarget::Class, class)
    }

    /// Whether the method is selected, for itself or with its class.
    pub(super) fn method(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.class(class)
            || !self.only_class
                && self.selector.matches_method(SelectorTarget::Method, class, method)
    }
}

/// What may be instrumented.
#[derive(Debug, Default)]
pub(super) struct Scope {
    include: Vec<LoadSelector>,
    exclude: Vec<LoadSelector>,
}

impl Scope {
    pub(super) fn new(options: &Options, world: &World<'_>) -> Self {
        let mut exclude = LoadSelector::all(&options.exclude, false, world);
        for selectors in [&options.exclude, &options.include, &options.roots] {
            exclude.extend(LoadSelector::all(selectors, true, world));
        }
        Self { include: LoadSelector::all(&options.include, false, world), exclude }
    }

    pub(super) fn has_annotations(&self) -> bool {
        self.include.iter().chain(&self.exclude).any(|it| it.selector.is_annotation())
    }

    /// Whether everything may be.
    pub(super) fn is_all(&self) -> bool {
        self.include.is_empty() && self.exclude.is_empty()
    }

    pub(super) fn excludes(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.exclude.iter().any(|it| it.method(class, method))
    }

    pub(super) fn includes(&self, class: &ClassSummary, method: &MethodSummary) -> bool {
        self.include.is_empty() || self.include.iter().any(|it| it.method(class, method))
    }
}
