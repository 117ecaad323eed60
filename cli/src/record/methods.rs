//! The options of the methods' modes: timed, counted, or off.

use crate::failure::usage;
use anyhow::Result;
use jfathom_collector::{Budget, CountRule};
use jfathom_instrument::{RewrittenProgram, check_method_selectors};
use jfathom_plan::{ProbeRule, ProbeRules, Selector};

const PROBE: &str = "--probe";
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
    /// What the probes of selected methods do: time each call, whatever the budget; count calls;
    /// or nothing (off), so that their time is their callers'. Roots are always timed. With
    /// time+stack/N or count+stack/N the JVM walks the stack at every Nth call, also of roots: the
    /// report shows who calls the method (docs/how-to/callers.md). With time+alloc the methods and
    /// the roots read what they allocate, and no others do (docs/how-to/allocations.md). Not by
    /// annotations; repeat for more, the last that selects a method has precedence, also over
    /// --count-only
    #[arg(long, value_name = "SELECTOR=time|count|off[+alloc][+stack/N]")]
    probe: Vec<ProbeRule>,
    /// Keep how long the calls of what SELECTOR selects take, by call path, for `report --latency`;
    /// roots and tasks have that always; not by annotations; repeat for more
    #[arg(long, value_name = "SELECTOR")]
    latency: Vec<Selector>,
    /// What timing calls may take of the program's time, as a share: probes and the collector,
    /// beyond what it takes to count all calls. While it takes more, the methods whose timing takes
    /// most are counted instead. `none` times all methods that can be timed
    #[arg(long, value_name = "SHARE", default_value_t = Budget::DEFAULT)]
    budget: Budget,
    /// Time the roots only: their total time at almost no overhead
    #[arg(long, conflicts_with_all = ["anchor", "count_only", "probe", "budget"])]
    pub(super) roots_only: bool,
}

impl Methods {
    /// The methods that are counted, or off, from the beginning, and those that stay timed.
    pub(super) fn count_rule(&self) -> CountRule {
        CountRule {
            trivial: !self.all_timed(),
            selectors: self.count_only.clone(),
            rules: self.probe_rules(),
        }
    }

    /// The methods that have latencies.
    pub(super) fn latency_rule(&self) -> CountRule {
        CountRule { selectors: self.latency.clone(), ..CountRule::default() }
    }

    /// What the probes of methods do.
    pub(super) fn probe_rules(&self) -> ProbeRules {
        ProbeRules { list: self.probe.clone() }
    }

    /// Whether --probe has stacks walked.
    pub(super) fn walks_stacks(&self) -> bool {
        self.probe.iter().any(|rule| rule.stack_interval.is_some())
    }

    /// The budget of probes and collector.
    pub(super) fn budget(&self) -> Budget {
        if self.roots_only { Budget::Unlimited } else { self.budget }
    }

    /// Whether --count-only or --probe names methods.
    pub(super) fn names_modes(&self) -> bool {
        !self.count_only.is_empty() || !self.probe.is_empty()
    }

    /// Whether methods are counted only if --count-only or --probe names them.
    pub(super) fn all_timed(&self) -> bool {
        self.budget() == Budget::Unlimited
    }

    /// Refuses selectors without a match. The methods of a live session (no `program`) are unknown
    /// before it runs.
    pub(super) fn check(&self, program: Option<&RewrittenProgram>) -> Result<()> {
        check_method_selectors(COUNT_ONLY, &self.count_only)?;
        let intervals = self.probe_rules().stack_intervals().len();
        if intervals > ProbeRules::MOST_INTERVALS {
            return Err(usage(format!(
                "--probe: there are {intervals} different N of stack/N; a session has room for {}",
                ProbeRules::MOST_INTERVALS
            )));
        }
        check_method_selectors(LATENCY, &self.latency)?;
        if let (Some(program), false) = (program, self.latency.is_empty()) {
            program.require_methods(LATENCY, &self.latency)?;
            program.require_timed(LATENCY, &self.latency)?;
        }
        if let (Some(program), false) = (program, self.count_only.is_empty()) {
            program.require_methods(COUNT_ONLY, &self.count_only)?;
        }
        if let (Some(program), false) = (program, self.probe.is_empty()) {
            let selectors: Vec<Selector> = self.probe_rules().selectors().cloned().collect();
            program.require_methods(PROBE, &selectors)?;
            let rules = self.probe.iter().filter(|rule| rule.needs_time());
            let selectors: Vec<Selector> = rules.map(|rule| rule.selector.clone()).collect();
            program.require_timed(PROBE, &selectors)?;
        }
        Ok(())
    }
}
