//! `record --stack-samples`: stacks sampled in the recorded run.

use super::live::duration;
use jfathom_collector::JfrEvents;
use std::time::Duration;

/// The shortest and the longest time between two samples of a thread. JFR takes no shorter one.
const PERIODS: [Duration; 2] = [Duration::from_millis(1), Duration::from_secs(1)];

fn period(text: &str) -> Result<Duration, String> {
    let time = duration(text)?;
    let [shortest, longest] = PERIODS;
    let fits = (shortest..=longest).contains(&time) && time.subsec_nanos() % 1_000_000 == 0;
    fits.then_some(time).ok_or_else(|| "expected 1ms to 1s, in whole milliseconds".to_owned())
}

/// Options of sampled stacks.
#[derive(Debug, clap::Args)]
pub(super) struct SamplesArgs {
    /// Sample the stacks of running threads beside the recording, by the JVM's own recorder (JFR):
    /// the report then shows which methods without probes, such as the JDK's, run below a recorded
    /// one. Their shares have the error of so many samples (docs/how-to/stack-samples.md). TIME is
    /// the time between two samples of a thread
    #[arg(long, value_name = "TIME", value_parser = period, num_args = 0..=1, require_equals = true,
        default_missing_value = "10ms", conflicts_with_all = ["every", "adopt"])]
    stack_samples: Option<Duration>,
}

impl SamplesArgs {
    /// What JFR records for them.
    pub(super) fn add_to(&self, events: &mut JfrEvents) {
        if let Some(period) = self.stack_samples {
            events.add_stack_samples(period);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_those_that_jfr_takes() {
        for text in ["1ms", "10ms", "1s"] {
            assert!(period(text).is_ok(), "{text}");
        }
        for text in ["0.5ms", "1.5ms", "2s", "x"] {
            assert!(period(text).is_err(), "{text}");
        }
    }
}
