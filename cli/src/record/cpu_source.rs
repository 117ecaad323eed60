//! What tells when threads ran.

use super::Args;
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

impl Args {
    /// What is recorded beside calls and times.
    pub(super) fn all_metrics(&self) -> Metrics {
        let metrics = self.metrics.unwrap_or_default();
        let thread_clock = metrics.cpu
            && match self.cpu_source {
                CpuSource::Auto => switches_refused().is_some(),
                CpuSource::Switches => false,
                CpuSource::ThreadClock => true,
            };
        Metrics { thread_clock, ..metrics }
    }

    /// Says that the threads' clocks are taken, and why. A source that nobody asks is refused.
    pub(super) fn say_cpu_source(&self) -> Result<()> {
        let is_auto = self.cpu_source == CpuSource::Auto;
        let has_cpu = self.metrics.unwrap_or_default().cpu;
        if !is_auto && !has_cpu {
            return Err(usage("--cpu-source needs --metrics cpu".to_owned()));
        }
        if has_cpu
            && is_auto
            && !self.quiet
            && let Some(why) = switches_refused()
        {
            messages::warn(&format!(
                "jfathom: the kernel tells no context switches: {why}. The threads' CPU clocks tell when they run\n"
            ))?;
        }
        Ok(())
    }
}
