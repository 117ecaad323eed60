//! The rule by which methods are counted, and not timed, from the begin of a recording.

use jfathom_plan::{ClassSummary, Manifest, MethodId, MethodSummary, Selector, SelectorTarget};

/// Which methods are counted from the begin. Roots never are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountRule {
    /// Whether trivial methods are counted.
    pub trivial: bool,
    /// Methods that one of these matches, unless one with `!` does. Manifests have no annotations,
    /// so selectors by annotation match nothing.
    pub selectors: Vec<Selector>,
}

impl CountRule {
    /// The methods of a manifest to count, ascending.
    pub(crate) fn methods(&self, manifest: &Manifest) -> Vec<MethodId> {
        let classes: Vec<ClassSummary> = match self.selectors.is_empty() {
            true => Vec::new(),
            false => manifest.classes.iter().map(|class| named(&class.name)).collect(),
        };
        let targets: Vec<(&Selector, SelectorTarget)> = self
            .selectors
            .iter()
            .map(|selector| (selector, selector.resolve_target(&classes)))
            .collect();
        let mut counted = Vec::new();
        for (index, class) in manifest.classes.iter().enumerate() {
            for method in class.methods.iter().filter(|method| !method.root) {
                let selected = classes.get(index).is_some_and(|class| {
                    let summary = MethodSummary {
                        name: method.name.clone(),
                        descriptor: method.descriptor.clone(),
                        ..MethodSummary::default()
                    };
                    let selects = |(selector, target): &(&Selector, SelectorTarget)| {
                        selector.matches_class(*target, class)
                            || selector.matches_method(*target, class, &summary)
                    };
                    let (excluded, included): (Vec<_>, Vec<_>) =
                        targets.iter().partition(|(selector, _)| selector.is_exclusion());
                    included.into_iter().any(selects) && !excluded.into_iter().any(selects)
                });
                if selected || self.trivial && method.trivial {
                    counted.push(method.id);
                }
            }
        }
        counted
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.trivial && self.selectors.is_empty()
    }
}

fn named(name: &str) -> ClassSummary {
    ClassSummary { name: name.to_owned(), ..ClassSummary::default() }
}
