//! The rule by which methods are counted, timed or off from the begin of a recording.

use jfathom_plan::{
    ClassSummary, Manifest, MethodId, MethodSummary, ProbeFunction, ProbeRules, Selector,
    SelectorTarget,
};
use jfathom_trace::StackIntervalIx;

/// Which methods are counted from the begin, and which are always timed or off. Roots are timed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountRule {
    /// Whether trivial methods are counted.
    pub trivial: bool,
    /// Methods that one of these matches, unless one with `!` does. Manifests have no annotations,
    /// so selectors by annotation match nothing.
    pub selectors: Vec<Selector>,
    /// What the probes of methods do. They have precedence over the rest.
    pub rules: ProbeRules,
}

/// The methods of a manifest that a rule chooses, each list ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChosenModes {
    /// Counted from the begin.
    pub count: Vec<MethodId>,
    /// Timed, whatever the budget.
    pub timed: Vec<MethodId>,
    /// Off.
    pub off: Vec<MethodId>,
    /// The stacks of some calls are walked; roots may be among them.
    pub walked: Vec<(MethodId, StackIntervalIx)>,
    /// Each call reads what its thread has allocated.
    pub reading: Vec<MethodId>,
}

impl CountRule {
    /// The methods of a manifest that are chosen.
    pub(crate) fn choose(&self, manifest: &Manifest) -> ChosenModes {
        let classes: Vec<ClassSummary> =
            match self.selectors.is_empty() && self.rules.list.is_empty() {
                true => Vec::new(),
                false => manifest.classes.iter().map(|class| named(&class.name)).collect(),
            };
        let targets: Vec<(&Selector, SelectorTarget)> = self
            .selectors
            .iter()
            .map(|selector| (selector, selector.resolve_target(&classes)))
            .collect();
        let rules = self.rules.bind(&classes);
        let intervals = self.rules.stack_intervals();
        let mut chosen = ChosenModes::default();
        for (index, of) in manifest.classes.iter().enumerate() {
            for method in &of.methods {
                let summary = MethodSummary {
                    name: method.resumed_method().unwrap_or(&method.name).to_owned(),
                    descriptor: method.descriptor.clone(),
                    ..MethodSummary::default()
                };
                let class = classes.get(index);
                let function = class.and_then(|class| rules.function(class, &summary));
                // An entry probe alone does neither.
                if !method.counted {
                    let interval = class.and_then(|class| rules.stack_interval(class, &summary));
                    let place = intervals.iter().position(|known| Some(*known) == interval);
                    let place = place.and_then(StackIntervalIx::new);
                    chosen.walked.extend(place.map(|place| (method.id, place)));
                    if class.is_some_and(|class| rules.reads_alloc(class, &summary)) {
                        chosen.reading.push(method.id);
                    }
                }
                if method.root {
                    continue;
                }
                let is_counted = class.is_some_and(|class| {
                    let selects = |(selector, target): &(&Selector, SelectorTarget)| {
                        selector.matches_class(*target, class)
                            || selector.matches_method(*target, class, &summary)
                    };
                    let (excluded, included): (Vec<_>, Vec<_>) =
                        targets.iter().partition(|(selector, _)| selector.is_exclusion());
                    included.into_iter().any(selects) && !excluded.into_iter().any(selects)
                });
                match function {
                    Some(ProbeFunction::Off) => chosen.off.push(method.id),
                    _ if method.counted => chosen.count.push(method.id),
                    Some(ProbeFunction::Time) => chosen.timed.push(method.id),
                    Some(ProbeFunction::Count) => chosen.count.push(method.id),
                    None if is_counted || self.trivial && method.trivial => {
                        chosen.count.push(method.id);
                    }
                    None => {}
                }
            }
        }
        chosen
    }

    /// The methods of a manifest to count, ascending.
    pub(crate) fn methods(&self, manifest: &Manifest) -> Vec<MethodId> {
        self.choose(manifest).count
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.trivial && self.selectors.is_empty() && self.rules.list.is_empty()
    }
}

fn named(name: &str) -> ClassSummary {
    ClassSummary { name: name.to_owned(), ..ClassSummary::default() }
}
