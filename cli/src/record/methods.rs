//! The options of the methods' modes: counted, demoted, or off.

use super::placement::JavaProgram;
use crate::failure::usage;
use anyhow::Result;
use jfathom_collector::{CountRule, DemotionRule};
use jfathom_instrument::Rewritten;
use jfathom_plan::{
    ClassSummary, Manifest, MethodSummary, PlanError, SelectionRules, Selector, choose,
};

/// How methods are recorded.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Methods")]
pub(super) struct Methods {
    /// Count the calls of what SELECTOR selects, and do not time them; not by annotations; repeat
    /// for more
    #[arg(long, value_name = "SELECTOR")]
    count_only: Vec<Selector>,
    /// Demote methods that are too short to be timed, and count trivial methods from the beginning:
    /// the default
    #[arg(long, overrides_with = "no_demote")]
    demote: bool,
    /// Time all methods to the end, except those of --count-only
    #[arg(long, overrides_with = "demote",
        conflicts_with_all = ["demote_max_nanos", "demote_min_calls", "demote_max_callees"])]
    no_demote: bool,
    /// Demote a method if its corrected self time per call is at most NS × (1 + its timed callees
    /// per call)
    #[arg(long, value_name = "NS", default_value_t = DemotionRule::default().max_self_nanos, value_parser = number)]
    demote_max_nanos: f64,
    /// Demote a method only after this many calls
    #[arg(long, value_name = "CALLS", default_value_t = DemotionRule::default().min_calls,
        value_parser = clap::value_parser!(u64).range(1..))]
    demote_min_calls: u64,
    /// Demote no method with more timed callees per call than this: it gives the tree its shape
    #[arg(long, value_name = "CALLS", default_value_t = DemotionRule::default().max_timed_callees, value_parser = number)]
    demote_max_callees: f64,
    /// Time the roots only: their total time at almost no overhead
    #[arg(long,
        conflicts_with_all = ["anchor", "count_only", "demote_max_nanos", "demote_min_calls", "demote_max_callees"])]
    pub(super) roots_only: bool,
}

fn number(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|nanos| (0.0..=1e9).contains(nanos));
    number.ok_or_else(|| "a number is wanted, such as 20".to_owned())
}

impl Methods {
    /// The methods that are counted from the beginning.
    pub(super) fn count_rule(&self) -> CountRule {
        CountRule { trivial: !self.all_timed(), selectors: self.count_only.clone() }
    }

    /// When methods are demoted; `None` if never.
    pub(super) fn demote_rule(&self) -> Option<DemotionRule> {
        (!self.all_timed()).then_some(DemotionRule {
            min_calls: self.demote_min_calls,
            max_self_nanos: self.demote_max_nanos,
            max_timed_callees: self.demote_max_callees,
        })
    }

    /// Whether methods are counted only if --count-only names them.
    pub(super) fn all_timed(&self) -> bool {
        self.no_demote && !self.demote || self.roots_only
    }

    /// Refuses selectors without a match. The methods of a live session are unknown before it runs.
    pub(super) fn check(&self, program: &JavaProgram, live: bool) -> Result<()> {
        if self.count_only.is_empty() {
            return Ok(());
        }
        if let Some(annotation) = self.count_only.iter().find(|selector| is_annotation(selector)) {
            return Err(usage(format!(
                "--count-only {annotation}: manifests do not list annotations; name classes or methods"
            )));
        }
        if self.count_only.iter().all(Selector::is_exclusion) {
            return Err(usage("--count-only: every selector is an exclusion; name what to count"));
        }
        if live {
            return Ok(());
        }
        let mut classes = Vec::new();
        for (path, _) in program.files() {
            classes.extend(Rewritten::open(&path)?.manifest.iter().flat_map(summaries));
        }
        if classes.is_empty() {
            return Err(usage(
                "--count-only: the command has no known rewritten file; name the directory of `jfathom rewrite -o` with --rewritten",
            ));
        }
        match choose(
            &classes,
            &SelectionRules { include: self.count_only.clone(), ..SelectionRules::default() },
        ) {
            Ok(_) => Ok(()),
            Err(PlanError::NoMatch { selector, near, .. }) => Err(usage(
                PlanError::NoMatch { option: "--count-only", selector, near }.to_string(),
            )),
            Err(PlanError::Excluded { selector, .. }) => {
                Err(usage(PlanError::Excluded { option: "--count-only", selector }.to_string()))
            }
            Err(error) => Err(usage(format!("--count-only: {error}"))),
        }
    }
}

/// Whether a selector names an annotation.
fn is_annotation(selector: &Selector) -> bool {
    selector.to_string().trim_start_matches('!').starts_with('@')
}

/// The classes of a manifest, as far as selectors need them.
fn summaries(manifest: &Manifest) -> Vec<ClassSummary> {
    let class = |class: &jfathom_plan::ManifestClass| ClassSummary {
        name: class.name.clone(),
        methods: class
            .methods
            .iter()
            .map(|method| MethodSummary {
                name: method.name.clone(),
                descriptor: method.descriptor.clone(),
                code_length: Some(1),
                ..MethodSummary::default()
            })
            .collect(),
        ..ClassSummary::default()
    };
    manifest.classes.iter().map(class).collect()
}
