//! The options of the methods' modes: timed, counted, or off.

use crate::failure::usage;
use anyhow::Result;
use jfathom_collector::{Budget, CountRule};
use jfathom_instrument::RewrittenProgram;
use jfathom_plan::{ProbeRule, ProbeRules, Selector};

const PROBE: &str = "--probe";

/// The rule of `--probe` for roots only.
const ROOTS_ONLY: &str = "**=off";

/// Options for recording methods.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What is recorded")]
pub(super) struct Methods {
    /// What the probes of selected methods do: time, count, or nothing (off); repeat for more
    ///
    /// time: each call, whatever the budget. off: their time is their callers'. Roots are always
    /// timed. With time+stack/N or count+stack/N the JVM walks the stack at every Nth call, also of
    /// roots: the report shows who calls the method (docs/how-to/callers.md). With time+alloc the
    /// methods and the roots read what they allocate, and no others do
    /// (docs/how-to/allocations.md). With time+latency it is kept how long the calls take, by call
    /// path, for `report --view latency`; roots and tasks have that always. Not by annotations; the
    /// last that selects a method has precedence. With '**=off' alone only the roots are recorded,
    /// at almost no overhead.
    #[arg(long, value_name = "SELECTOR=time|count|off[+alloc][+latency][+stack/N]")]
    probe: Vec<ProbeRule>,
    /// What timing calls may take of the program's time, as a share, or none
    ///
    /// Probes and the collector, beyond what it takes to count all calls. While it takes more, the
    /// methods whose timing takes most are counted instead. `none` times all methods that can be
    /// timed.
    #[arg(long, value_name = "SHARE", default_value_t = Budget::DEFAULT)]
    budget: Budget,
}

impl Methods {
    /// The methods that are counted, or off, from the beginning, and those that stay timed.
    pub(super) fn count_rule(&self) -> CountRule {
        CountRule { trivial: !self.all_timed(), rules: self.probe_rules() }
    }

    /// What the probes of methods do.
    pub(super) fn probe_rules(&self) -> ProbeRules {
        ProbeRules { list: self.probe.clone() }
    }

    /// Whether --probe has stacks walked.
    pub(super) fn walks_stacks(&self) -> bool {
        self.probe.iter().any(|rule| rule.stack_interval.is_some())
    }

    /// Whether all methods but the roots are off.
    pub(super) fn roots_only(&self) -> bool {
        matches!(&*self.probe, [rule] if rule.to_string() == ROOTS_ONLY)
    }

    /// The budget of probes and collector.
    pub(super) fn budget(&self) -> Budget {
        if self.roots_only() { Budget::Unlimited } else { self.budget }
    }

    /// Whether --probe changes what is timed.
    pub(super) fn names_modes(&self) -> bool {
        self.probe.iter().any(|rule| !rule.keeps_latency)
    }

    /// Whether methods are counted only if --probe names them.
    pub(super) fn all_timed(&self) -> bool {
        self.budget() == Budget::Unlimited
    }

    /// Refuses selectors without a match. The methods of a live session (no `program`) are unknown
    /// before it runs.
    pub(super) fn check(&self, program: Option<&RewrittenProgram>) -> Result<()> {
        let intervals = self.probe_rules().stack_intervals().len();
        if intervals > ProbeRules::MOST_INTERVALS {
            return Err(usage(format!(
                "--probe: there are {intervals} different N of stack/N; a session has room for {}",
                ProbeRules::MOST_INTERVALS
            )));
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
