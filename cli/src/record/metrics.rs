//! `record --metrics`: what is recorded beside calls and times.

use super::live::duration;
use crate::messages;
use anyhow::Result;
use jfathom_collector::{JfrEvents, switches_refused};
use jfathom_plan::Problem;
use jfathom_session::{ClockChoice, Metrics, MetricsError};
use std::{str::FromStr, time::Duration};

/// The names, for error messages.
const NAMES: &str =
    "alloc, cpu[=switches|thread-clock], waits, exceptions, caught, parked, samples[=TIME|off]";

/// The time between two samples of a thread, if none is given; the shortest, which is JFR's, and
/// the longest.
const PERIOD: Duration = Duration::from_millis(10);
const PERIODS: [Duration; 2] = [Duration::from_millis(1), Duration::from_secs(1)];

/// From this version on a stack is sampled by the thread itself (JEP 518).
const SAMPLES_ITSELF: u32 = 25;

/// What `--metrics` names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MetricsArg {
    named: Metrics,
    cpu_source: CpuSource,
    /// The time between two samples that JFR takes of a thread's stack; none if it takes none.
    pub(super) samples: Option<Duration>,
    /// Whether no stacks are sampled, by the agent either.
    without_samples: bool,
    /// Whether it is recorded for how long virtual threads are parked.
    pub(super) parked: bool,
}

/// What tells when threads ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum CpuSource {
    /// The kernel's context switches, and where it refuses them the threads' CPU clocks.
    #[default]
    Auto,
    Switches,
    ThreadClock,
}

impl FromStr for CpuSource {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        match text {
            "switches" => Ok(Self::Switches),
            "thread-clock" => Ok(Self::ThreadClock),
            _ => Err("cpu is told by switches or thread-clock".into()),
        }
    }
}

fn period(text: &str) -> Result<Duration, Problem> {
    let time = duration(text)?;
    let [shortest, longest] = PERIODS;
    let fits = (shortest..=longest).contains(&time) && time.subsec_nanos() % 1_000_000 == 0;
    fits.then_some(time).ok_or_else(|| "samples are 1ms to 1s apart, in whole milliseconds".into())
}

impl FromStr for MetricsArg {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let mut all = Self::default();
        let mut names = Vec::new();
        for part in text.split(',').map(str::trim) {
            match part.split_once('=').map_or((part, None), |(name, of)| (name, Some(of))) {
                ("parked", None) => all.parked = true,
                ("samples", Some("off")) => all.without_samples = true,
                ("samples", of) => all.samples = Some(of.map_or(Ok(PERIOD), period)?),
                ("cpu", Some(source)) => {
                    all.cpu_source = source.parse()?;
                    names.push("cpu");
                }
                (name, None) => names.push(name),
                (name, Some(_)) => return Err(format!("{name} takes no value").into()),
            }
        }
        if !names.is_empty() {
            let named = names.join(",").parse::<Metrics>();
            all.named = named.map_err(|MetricsError { name }| {
                format!("‘{name}’ is no metric; there are: {NAMES}")
            })?;
        }
        match all.without_samples && all.samples.is_some() {
            true => Err("samples are either off or taken".into()),
            false => Ok(all),
        }
    }
}

impl MetricsArg {
    /// The metrics, with what tells when threads run.
    pub(super) fn metrics(self) -> Metrics {
        let thread_clock = self.named.cpu
            && match self.cpu_source {
                CpuSource::Auto => switches_refused().is_some(),
                CpuSource::Switches => false,
                CpuSource::ThreadClock => true,
            };
        Metrics { thread_clock, ..self.named }
    }

    /// Says that the threads' clocks are taken, and why.
    pub(super) fn say_cpu_source(self) -> Result<()> {
        if !self.named.cpu || self.cpu_source != CpuSource::Auto {
            return Ok(());
        }
        if let Some(why) = switches_refused() {
            messages::warn(&format!(
                "jfathom: the kernel tells no context switches: {why}. The threads' CPU clocks tell when they run\n"
            ))?;
        }
        Ok(())
    }

    /// What JFR records for samples.
    pub(super) fn add_to(self, events: &mut JfrEvents) {
        if let Some(period) = self.samples {
            events.add_stack_samples(period);
        }
    }

    /// Whether the agent of a live session samples stacks.
    pub(super) fn are_sampled_by_agent(self) -> bool {
        !self.without_samples && self.samples.is_none()
    }

    /// The clock for samples. `java` is the feature version of the JVM, if that is known.
    ///
    /// JFR before Java 25 signals a thread to sample it. Until the signal arrives, the thread stops
    /// at its next way back from native code, and then has no sample (HotSpot, `JfrThreadSampler`).
    /// The processor's counter is read by a native method: where many probes read it, most samples
    /// would be missing, and those that are left be of the longest times without a probe.
    pub(super) fn clock(self, asked: ClockChoice, java: Option<u32>) -> ClockChoice {
        let is_missed = || java.is_none_or(|java| java < SAMPLES_ITSELF);
        match asked {
            ClockChoice::Auto if self.samples.is_some() && is_missed() => ClockChoice::Nano,
            asked => asked,
        }
    }

    /// Whether most samples may be missing.
    pub(super) fn misses_samples(self, asked: ClockChoice, java: Option<u32>) -> bool {
        asked == ClockChoice::Tsc && self.clock(ClockChoice::Auto, java) == ClockChoice::Nano
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> MetricsArg {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn names_have_values_where_there_are_several() {
        let cpu = Metrics { cpu: true, ..Metrics::default() };
        let all = of("alloc, cpu=thread-clock,parked,samples=20ms");
        let thread_clock = Metrics { alloc: true, thread_clock: true, ..cpu };
        assert_eq!((all.metrics(), all.parked), (thread_clock, true));
        assert_eq!(all.samples, Some(Duration::from_millis(20)));
        assert_eq!(of("cpu=switches").metrics(), cpu);
        assert_eq!(of("samples"), MetricsArg { samples: Some(PERIOD), ..MetricsArg::default() });
        let by_agent =
            ["alloc", "samples", "samples=off"].map(|text| of(text).are_sampled_by_agent());
        assert_eq!(by_agent, [true, false, false]);
        for (text, problem) in [
            ("heap", "there are: alloc"),
            ("alloc,", "‘’ is no metric"),
            ("jfr-clock", "no metric"),
            ("alloc=3", "alloc takes no value"),
            ("parked=1", "parked takes no value"),
            ("cpu=perf", "switches or thread-clock"),
            ("cpu=", "switches or thread-clock"),
            ("samples=off,samples", "either off or taken"),
        ] {
            let error = text.parse::<MetricsArg>().unwrap_err();
            assert!(error.to_string().contains(problem), "{text}: {error}");
        }
    }

    #[test]
    fn no_native_method_reads_the_clock_where_jfr_would_miss_its_callers() {
        let (given, none) = (of("samples=1ms"), MetricsArg::default());
        let clock = |args: MetricsArg, java| args.clock(ClockChoice::Auto, java);
        for java in [None, Some(11), Some(24)] {
            assert_eq!(clock(given, java), ClockChoice::Nano);
            assert_eq!(clock(none, java), ClockChoice::Auto);
            assert_eq!(given.clock(ClockChoice::Tsc, java), ClockChoice::Tsc);
            assert!(given.misses_samples(ClockChoice::Tsc, java));
            assert!(!none.misses_samples(ClockChoice::Tsc, java));
        }
        assert_eq!(clock(given, Some(25)), ClockChoice::Auto);
        assert!(!given.misses_samples(ClockChoice::Tsc, Some(25)));
        assert!(!given.misses_samples(ClockChoice::Auto, Some(11)));
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
