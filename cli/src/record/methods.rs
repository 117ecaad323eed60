//! The options of the methods' modes: counted, demoted, or off.

use anyhow::Result;
use jfathom_collector::{CountRule, DemotionRule};
use jfathom_instrument::{RewrittenProgram, check_method_selectors};
use jfathom_plan::Selector;

const COUNT_ONLY: &str = "--count-only";

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
    number.ok_or_else(|| "expected a number such as 20".to_owned())
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

    /// Refuses selectors without a match. The methods of a live session (no `program`) are unknown
    /// before it runs.
    pub(super) fn check(&self, program: Option<&RewrittenProgram>) -> Result<()> {
        check_method_selectors(COUNT_ONLY, &self.count_only)?;
        if let (Some(program), false) = (program, self.count_only.is_empty()) {
            program.require_methods(COUNT_ONLY, &self.count_only)?;
        }
        Ok(())
    }
}
