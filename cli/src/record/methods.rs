//! Which methods are counted, demoted, or off: what the user asks for, held against the methods
//! that there are.

use super::placement::JavaProgram;
use crate::{failure::usage, rewritten::Rewritten};
use anyhow::Result;
use jfathom_collector::{CountRule, DemotionRule};
use jfathom_plan::{
    ClassSummary, Manifest, MethodSummary, PlanError, SelectionRules, Selector, choose,
};

/// How methods are recorded.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Methods")]
pub(super) struct Methods {
    /// Only count the calls of what SELECTOR selects (as in `rewrite`, but for annotations);
    /// repeat for more
    #[arg(long, value_name = "SELECTOR")]
    count: Vec<Selector>,
    /// Count, from some point on, methods whose own time is too short to be timed, and empty
    /// methods, plain getters and setters from the beginning: the default
    #[arg(long, overrides_with = "no_demote")]
    demote: bool,
    /// Time all methods to the end, but for those of --count
    #[arg(long, overrides_with = "demote", conflicts_with_all = ["demote_below", "demote_after", "demote_leaves"])]
    no_demote: bool,
    /// Demote methods whose corrected own time a call is not above NS, times one and the timed
    /// calls that they make a call; those that make many stay timed, and what exceptions may
    /// cost that a method catches is allowed for beside
    #[arg(long, value_name = "NS", default_value_t = DemotionRule::default().max_self_nanos, value_parser = number)]
    demote_below: f64,
    /// The calls that it takes to decide that
    #[arg(long, value_name = "CALLS", default_value_t = DemotionRule::default().min_calls,
        value_parser = clap::value_parser!(u64).range(1..))]
    demote_after: u64,
    /// Demote no method that makes more timed calls a call than this: it gives the tree its shape
    #[arg(long, value_name = "CALLS", default_value_t = DemotionRule::default().max_timed_callees, value_parser = number)]
    demote_leaves: f64,
    /// Time the roots alone: what they cost in all, at almost no cost
    #[arg(long, conflicts_with_all = ["anchor", "count", "demote_below", "demote_after", "demote_leaves"])]
    pub(super) only_root: bool,
}

fn number(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|nanos| (0.0..=1e9).contains(nanos));
    number.ok_or_else(|| "a number is wanted, such as 20".to_owned())
}

impl Methods {
    /// Which methods are counted from the beginning.
    pub(super) fn count_rule(&self) -> CountRule {
        CountRule { trivial: !self.all_timed(), selectors: self.count.clone() }
    }

    /// When methods are demoted.
    pub(super) fn demote_rule(&self) -> Option<DemotionRule> {
        (!self.all_timed()).then_some(DemotionRule {
            min_calls: self.demote_after,
            max_self_nanos: self.demote_below,
            max_timed_callees: self.demote_leaves,
        })
    }

    /// Whether no method is counted unless it is named.
    pub(super) fn all_timed(&self) -> bool {
        self.no_demote && !self.demote || self.only_root
    }

    /// Holds that each selector selects something of the program. Of a live one that is not known
    /// before it runs.
    pub(super) fn check(&self, program: &JavaProgram, live: bool) -> Result<()> {
        if self.count.is_empty() {
            return Ok(());
        }
        if let Some(annotation) =
            self.count.iter().find(|it| it.to_string().trim_start_matches('!').starts_with('@'))
        {
            return Err(usage(format!(
                "--count {annotation}: rewritten files do not say which annotations methods have; name classes or methods"
            )));
        }
        if self.count.iter().all(Selector::is_exclusion) {
            return Err(usage(
                "--count: what is to be counted is missing; with `!` alone nothing is",
            ));
        }
        if live {
            return Ok(());
        }
        let mut classes = Vec::new();
        for (path, _) in program.files() {
            classes.extend(Rewritten::open(&path)?.manifest.iter().flat_map(surveys));
        }
        if classes.is_empty() {
            return Err(usage(
                "--count: no rewritten file of the command is known; name the directory that `jfathom rewrite -o` wrote with \
                 --rewritten",
            ));
        }
        match choose(
            &classes,
            &SelectionRules { include: self.count.clone(), ..SelectionRules::default() },
        ) {
            Ok(_) => Ok(()),
            Err(PlanError::NoMatch { selector, near, .. }) => {
                Err(usage(PlanError::NoMatch { option: "--count", selector, near }.to_string()))
            }
            Err(PlanError::Excluded { selector, .. }) => {
                Err(usage(PlanError::Excluded { option: "--count", selector }.to_string()))
            }
            Err(error) => Err(usage(format!("--count: {error}"))),
        }
    }
}

/// The methods of a manifest as selectors see them.
fn surveys(manifest: &Manifest) -> Vec<ClassSummary> {
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
