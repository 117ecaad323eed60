//! The options of the methods' modes: timed, counted, or off.

use anyhow::Result;
use jfathom_collector::{Budget, CountRule};
use jfathom_instrument::{RewrittenProgram, check_method_selectors};
use jfathom_plan::Selector;

const COUNT_ONLY: &str = "--count-only";
const LATENCY: &str = "--latency";

/// Options for recording methods.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Methods")]
pub(super) struct Methods {
    /// Count the calls of what SELECTOR selects, and do not time them; not by annotations; repeat
    /// for more
    #[arg(long, value_name = "SELECTOR")]
    count_only: Vec<Selector>,
    /// Keep how long the calls of what SELECTOR selects take, by call path, for `report --latency`;
    /// roots and tasks have that always; not by annotations; repeat for more
    #[arg(long, value_name = "SELECTOR")]
    latency: Vec<Selector>,
    /// What probes and the collector may take, as a share of the program's time. While they take
    /// more, methods with little time for their cost are counted and not timed. `none` times all
    /// methods
    #[arg(long, value_name = "SHARE", default_value_t = Budget::DEFAULT)]
    budget: Budget,
    /// Time all methods, except those of --count-only: --budget none
    #[arg(long, conflicts_with = "budget")]
    no_demote: bool,
    /// Time the roots only: their total time at almost no overhead
    #[arg(long, conflicts_with_all = ["anchor", "count_only", "budget"])]
    pub(super) roots_only: bool,
}

impl Methods {
    /// The methods that are counted from the beginning.
    pub(super) fn count_rule(&self) -> CountRule {
        CountRule { trivial: !self.all_timed(), selectors: self.count_only.clone() }
    }

    /// The methods that have latencies.
    pub(super) fn latency_rule(&self) -> CountRule {
        CountRule { trivial: false, selectors: self.latency.clone() }
    }

    /// The budget of probes and collector.
    pub(super) fn budget(&self) -> Budget {
        if self.no_demote || self.roots_only { Budget::Unlimited } else { self.budget }
    }

    /// Whether --count-only names methods.
    pub(super) fn counts_some(&self) -> bool {
        !self.count_only.is_empty()
    }

    /// Whether methods are counted only if --count-only names them.
    pub(super) fn all_timed(&self) -> bool {
        self.budget() == Budget::Unlimited
    }

    /// Refuses selectors without a match. The methods of a live session (no `program`) are unknown
    /// before it runs.
    pub(super) fn check(&self, program: Option<&RewrittenProgram>) -> Result<()> {
        check_method_selectors(COUNT_ONLY, &self.count_only)?;
        check_method_selectors(LATENCY, &self.latency)?;
        if let (Some(program), false) = (program, self.latency.is_empty()) {
            program.require_methods(LATENCY, &self.latency)?;
        }
        if let (Some(program), false) = (program, self.count_only.is_empty()) {
            program.require_methods(COUNT_ONLY, &self.count_only)?;
        }
        Ok(())
    }
}
