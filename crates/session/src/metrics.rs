//! What is recorded beside calls and times.

use crate::names::{
    METRIC_ALLOC, METRIC_ALLOC_SELECTED, METRIC_CAUGHT, METRIC_CPU, METRIC_JFR_CLOCK, METRIC_STACKS,
};
use jfathom_plan::ProbeRules;
use std::str::FromStr;

/// A number that is recorded by call, beside its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Bytes that threads allocate on the Java heap.
    Alloc,
    /// The same, where only some methods read it: those for which rules ask. Nobody names it on
    /// the command line.
    SelectedAlloc,
    /// Which part of the time threads ran.
    Cpu,
    /// Why threads did not run, by kind. The JVM's own recorder tells it.
    Waits,
    /// What threads threw, by class. The JVM's own recorder tells it.
    Exceptions,
    /// What threads caught, by class. Probes tell it. [`Metric::Exceptions`] has it, too.
    Caught,
    /// The session's clock in events of JFR, for what is joined by them. Nobody names it on the
    /// command line.
    JfrClock,
    /// The stacks of calls in events of JFR, where rules ask for them. Nobody names it on the
    /// command line.
    Stacks,
}

/// Some metrics; none by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    /// [`Metric::Alloc`].
    pub alloc: bool,
    /// [`Metric::SelectedAlloc`]. Not beside the one of all methods.
    pub selected_alloc: bool,
    /// [`Metric::Cpu`].
    pub cpu: bool,
    /// [`Metric::Waits`].
    pub waits: bool,
    /// [`Metric::Exceptions`].
    pub exceptions: bool,
    /// [`Metric::Caught`].
    pub caught: bool,
    /// [`Metric::JfrClock`].
    pub jfr_clock: bool,
    /// [`Metric::Stacks`].
    pub stacks: bool,
    /// Whether probes record [`Metric::Cpu`], by the threads' own CPU clocks. Else the kernel's
    /// context switches tell it, and no probe does anything for it.
    pub thread_clock: bool,
}

/// A text that names no metric.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("‘{name}’ is no metric: expected {}", Metrics::FORM)]
pub struct MetricsError {
    /// The name.
    pub name: String,
}

impl Metric {
    /// All metrics, in the order in which they are written.
    pub const ALL: [Self; 8] = [
        Self::Alloc,
        Self::SelectedAlloc,
        Self::Cpu,
        Self::Waits,
        Self::Exceptions,
        Self::Caught,
        Self::JfrClock,
        Self::Stacks,
    ];

    /// Its name on the command line and in the JVM's environment.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Alloc => METRIC_ALLOC,
            Self::SelectedAlloc => METRIC_ALLOC_SELECTED,
            Self::Cpu => METRIC_CPU,
            Self::Waits => "waits",
            Self::Exceptions => "exceptions",
            Self::Caught => METRIC_CAUGHT,
            Self::JfrClock => METRIC_JFR_CLOCK,
            Self::Stacks => METRIC_STACKS,
        }
    }
}

impl Metrics {
    /// The form of a list of metrics, for error messages.
    pub const FORM: &str = "names of metrics with commas between them; there are: alloc, cpu, waits, exceptions, \
         caught";

    /// Those that the JVM is asked for.
    #[must_use]
    pub fn of_probes(self) -> Self {
        let cpu = self.cpu && self.thread_clock;
        let caught = self.caught || self.exceptions;
        Self { cpu, caught, waits: false, exceptions: false, ..self }
    }

    /// With what rules ask for: where not all methods read what they allocate, some may.
    #[must_use]
    pub fn with_rules(self, rules: &ProbeRules) -> Self {
        Self { selected_alloc: !self.alloc && rules.reads_alloc(), ..self }
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// The names, with a separator between them; empty for none.
    pub fn join(self, separator: &str) -> String {
        let names = Metric::ALL.iter().filter(|metric| self.has(**metric));
        names.map(|metric| metric.as_str()).collect::<Vec<_>>().join(separator)
    }

    /// The metrics of these names.
    ///
    /// # Errors
    /// Fails for a name that no metric has.
    pub fn from_names<'n>(names: impl Iterator<Item = &'n str>) -> Result<Self, MetricsError> {
        let mut metrics = Self::default();
        for name in names {
            let found = Metric::ALL.into_iter().find(|metric| metric.as_str() == name);
            match found.ok_or_else(|| MetricsError { name: name.to_owned() })? {
                Metric::Alloc => metrics.alloc = true,
                Metric::SelectedAlloc => metrics.selected_alloc = true,
                Metric::Cpu => metrics.cpu = true,
                Metric::Waits => metrics.waits = true,
                Metric::Exceptions => metrics.exceptions = true,
                Metric::Caught => metrics.caught = true,
                Metric::JfrClock => metrics.jfr_clock = true,
                Metric::Stacks => metrics.stacks = true,
            }
        }
        Ok(metrics)
    }

    fn has(self, metric: Metric) -> bool {
        match metric {
            Metric::Alloc => self.alloc,
            Metric::SelectedAlloc => self.selected_alloc,
            Metric::Cpu => self.cpu,
            Metric::Waits => self.waits,
            Metric::Exceptions => self.exceptions,
            Metric::Caught => self.caught,
            Metric::JfrClock => self.jfr_clock,
            Metric::Stacks => self.stacks,
        }
    }
}

impl FromStr for Metrics {
    type Err = MetricsError;

    /// The metrics that a user names.
    fn from_str(text: &str) -> Result<Self, MetricsError> {
        let metrics = Self::from_names(text.split(',').map(str::trim))?;
        let unnamed = [Metric::SelectedAlloc, Metric::JfrClock, Metric::Stacks];
        match unnamed.into_iter().find(|metric| metrics.has(*metric)) {
            Some(metric) => Err(MetricsError { name: metric.as_str().to_owned() }),
            None => Ok(metrics),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_again() {
        let alloc = Metrics { alloc: true, ..Metrics::default() };
        let both = Metrics { cpu: true, ..alloc };
        let told = Metrics { waits: true, exceptions: true, ..alloc };
        assert_eq!("exceptions,alloc,waits".parse(), Ok(told));
        let probes = Metrics { caught: true, ..alloc };
        assert_eq!((told.join(",").as_str(), told.of_probes()), ("alloc,waits,exceptions", probes));
        assert_eq!(probes.of_probes().join(","), "alloc,caught");
        let clock = Metrics { thread_clock: true, ..both };
        assert_eq!((clock.of_probes(), clock.join(",").as_str()), (clock, "alloc,cpu"));
        assert_eq!("cpu,alloc".parse(), Ok(both));
        assert_eq!((both.join(",").as_str(), both.of_probes()), ("alloc,cpu", alloc));
        assert_eq!("alloc".parse(), Ok(alloc));
        assert_eq!(" alloc, alloc".parse(), Ok(alloc));
        assert_eq!(alloc.join(",").parse(), Ok(alloc));
        assert_eq!(Metrics::default().join(","), "");
        for metric in Metric::ALL {
            let is_named = metric.as_str().parse::<Metrics>().is_ok();
            assert_eq!(is_named, Metrics::FORM.contains(metric.as_str()));
        }
        let clock = Metrics { jfr_clock: true, stacks: true, ..alloc };
        let names = clock.of_probes().join(",");
        assert_eq!(names, "alloc,jfr-clock,stacks");
        assert_eq!(Metrics::from_names(names.split(',')), Ok(clock));
    }

    #[test]
    fn rules_ask_for_what_not_all_methods_read() {
        let rules = |text: &str| ProbeRules { list: vec![text.parse().unwrap()] };
        let (none, alloc) = (Metrics::default(), Metrics { alloc: true, ..Metrics::default() });
        let some = none.with_rules(&rules("a.B=time+alloc"));
        assert_eq!(some, Metrics { selected_alloc: true, ..none });
        assert_eq!(some.of_probes().join(","), "alloc-selected");
        assert_eq!(Metrics::from_names(["alloc-selected"].into_iter()), Ok(some));
        assert_eq!(some.with_rules(&rules("a.B=time")), none);
        assert_eq!(alloc.with_rules(&rules("a.B=time+alloc")), alloc);
    }

    #[test]
    fn an_unknown_name_is_an_error_that_lists_the_others() {
        for (text, name) in
            [("heap", "heap"), ("alloc,heap", "heap"), ("alloc,", ""), ("Alloc", "Alloc")]
        {
            let error = text.parse::<Metrics>().unwrap_err();
            assert_eq!(error.name, name);
            assert!(error.to_string().contains("there are: alloc"), "{error}");
        }
    }
}
