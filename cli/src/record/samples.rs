//! `record --stack-samples`: stacks sampled in the recorded run.

use super::live::duration;
use jfathom_collector::JfrEvents;
use jfathom_session::ClockChoice;
use std::time::Duration;

/// The shortest and the longest time between two samples of a thread. JFR takes no shorter one.
const PERIODS: [Duration; 2] = [Duration::from_millis(1), Duration::from_secs(1)];

/// From this version on a stack is sampled by the thread itself (JEP 518).
const SAMPLES_ITSELF: u32 = 25;

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
    /// one. Their shares have the error of so many samples (docs/how-to/cpu.md). TIME is the time
    /// between two samples of a thread
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

    /// The clock for them. `java` is the feature version of the JVM, if that is known.
    ///
    /// JFR before Java 25 signals a thread to sample it. Until the signal arrives, the thread stops
    /// at its next way back from native code, and then has no sample (HotSpot, `JfrThreadSampler`).
    /// The processor's counter is read by a native method: where many probes read it, most samples
    /// would be missing, and those that are left be of the longest times without a probe.
    pub(super) fn clock(&self, asked: ClockChoice, java: Option<u32>) -> ClockChoice {
        let is_missed = || java.is_none_or(|java| java < SAMPLES_ITSELF);
        match asked {
            ClockChoice::Auto if self.stack_samples.is_some() && is_missed() => ClockChoice::Nano,
            asked => asked,
        }
    }

    /// Whether most samples may be missing.
    pub(super) fn misses(&self, asked: ClockChoice, java: Option<u32>) -> bool {
        asked == ClockChoice::Tsc && self.clock(ClockChoice::Auto, java) == ClockChoice::Nano
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_native_method_reads_the_clock_where_jfr_would_miss_its_callers() {
        let given = SamplesArgs { stack_samples: Some(PERIODS[0]) };
        let none = SamplesArgs { stack_samples: None };
        let clock = |args: &SamplesArgs, java| args.clock(ClockChoice::Auto, java);
        for java in [None, Some(11), Some(24)] {
            assert_eq!(clock(&given, java), ClockChoice::Nano);
            assert_eq!(clock(&none, java), ClockChoice::Auto);
            assert_eq!(given.clock(ClockChoice::Tsc, java), ClockChoice::Tsc);
            assert!(given.misses(ClockChoice::Tsc, java) && !none.misses(ClockChoice::Tsc, java));
        }
        assert_eq!(clock(&given, Some(25)), ClockChoice::Auto);
        assert!(!given.misses(ClockChoice::Tsc, Some(25)));
        assert!(!given.misses(ClockChoice::Auto, Some(11)));
    }

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
