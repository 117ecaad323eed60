//! The rule by which methods are counted, timed or off from the begin of a recording.

use jfathom_plan::{ClassSummary, Manifest, MethodId, MethodSummary, ProbeFunction, ProbeRules};
use jfathom_trace::StackIntervalIx;

/// Which methods are counted from the begin, and which are always timed or off. Roots are timed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountRule {
    /// Whether trivial methods are counted.
    pub trivial: bool,
    /// What the probes of methods do. That has precedence.
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
    /// It is kept how long each call takes; roots may be among them.
    pub watched: Vec<MethodId>,
}

impl CountRule {
    /// The methods of a manifest that are chosen.
    pub(crate) fn choose(&self, manifest: &Manifest) -> ChosenModes {
        let classes: Vec<ClassSummary> = match self.rules.list.is_empty() {
            true => Vec::new(),
            false => manifest.classes.iter().map(|class| named(&class.name)).collect(),
        };
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
                    if class.is_some_and(|class| rules.keeps_latency(class, &summary)) {
                        chosen.watched.push(method.id);
                    }
                }
                if method.root {
                    continue;
                }
                match function {
                    Some(ProbeFunction::Off) => chosen.off.push(method.id),
                    _ if method.counted => chosen.count.push(method.id),
                    Some(ProbeFunction::Time) => chosen.timed.push(method.id),
                    Some(ProbeFunction::Count) => chosen.count.push(method.id),
                    None if self.trivial && method.trivial => chosen.count.push(method.id),
                    None => {}
                }
            }
        }
        chosen
    }
}

fn named(name: &str) -> ClassSummary {
    ClassSummary { name: name.to_owned(), ..ClassSummary::default() }
}
