//! Which methods are counted from the beginning of a recording.

use jfathom_plan::{ClassSummary, Manifest, MethodId, MethodSummary, Selector, SelectorTarget};

/// Which methods are counted from the beginning. Roots never are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountRule {
    /// Empty bodies, plain getters and setters.
    pub trivial: bool,
    /// What one of these selects, unless one with `!` does. Annotations are not in manifests:
    /// selectors by annotation select nothing.
    pub selectors: Vec<Selector>,
}

impl CountRule {
    /// The methods of a manifest to count, ascending.
    pub(crate) fn methods(&self, manifest: &Manifest) -> Vec<MethodId> {
        let surveys: Vec<ClassSummary> = match self.selectors.is_empty() {
            true => Vec::new(),
            false => manifest.classes.iter().map(|class| named(&class.name)).collect(),
        };
        let readings: Vec<(&Selector, SelectorTarget)> = self
            .selectors
            .iter()
            .map(|selector| (selector, selector.resolve_target(&surveys)))
            .collect();
        let mut counted = Vec::new();
        for (place, class) in manifest.classes.iter().enumerate() {
            for method in class.methods.iter().filter(|method| !method.root) {
                let selected = surveys.get(place).is_some_and(|class| {
                    let survey = MethodSummary {
                        name: method.name.clone(),
                        descriptor: method.descriptor.clone(),
                        ..MethodSummary::default()
                    };
                    let selects = |(selector, reading): &(&Selector, SelectorTarget)| {
                        selector.matches_class(*reading, class)
                            || selector.matches_method(*reading, class, &survey)
                    };
                    let (out, within): (Vec<_>, Vec<_>) =
                        readings.iter().partition(|(selector, _)| selector.is_exclusion());
                    within.into_iter().any(selects) && !out.into_iter().any(selects)
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
