//! What tells when threads ran.

use crate::{failure::usage, messages};
use anyhow::Result;
use jfathom_collector::switches_refused;
use jfathom_session::Metrics;

/// What tells when threads ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum CpuSource {
    /// The kernel's context switches, and where it refuses them the threads' CPU clocks
    Auto,
    /// The kernel's context switches
    Switches,
    /// The threads' CPU clocks, read after 10 µs without a record
    ThreadClock,
}

impl CpuSource {
    /// The metrics, with what tells when threads run.
    pub(super) fn add_to(self, metrics: Metrics) -> Metrics {
        let thread_clock = metrics.cpu
            && match self {
                Self::Auto => switches_refused().is_some(),
                Self::Switches => false,
                Self::ThreadClock => true,
            };
        Metrics { thread_clock, ..metrics }
    }

    /// Says that the threads' clocks are taken, and why, unless `is_quiet`. A source that nobody
    /// asks is refused.
    pub(super) fn say(self, metrics: Metrics, is_quiet: bool) -> Result<()> {
        if self != Self::Auto {
            return match metrics.cpu {
                true => Ok(()),
                false => Err(usage("--cpu-source needs --metrics cpu".to_owned())),
            };
        }
        if let Some(why) = switches_refused().filter(|_| metrics.cpu && !is_quiet) {
            messages::warn(&format!(
                "jfathom: the kernel tells no context switches: {why}. The threads' CPU clocks tell when they run\n"
            ))?;
        }
        Ok(())
    }
}
