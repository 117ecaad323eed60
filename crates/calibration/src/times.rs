//! Corrected times of a node.

/// Corrected times of a node, in nanoseconds: estimates of this run without the probes. Each
/// interval of value ± error is meant to contain that time in 95 of 100 cases. Another run differs
/// by more, which the bars between runs say. Times are multiples of 1/64 ns, so that they add up
/// exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// Self time.
    pub self_nanos: f64,
    /// Total time: exactly the sum of the self time and the children's total times.
    pub total_nanos: f64,
    /// Error bar of the self time.
    pub self_error_nanos: f64,
    /// Error bar of the total time.
    pub total_error_nanos: f64,
    /// What self times of runs of the program differ by; not in `self_error_nanos`.
    pub self_between_runs_nanos: f64,
    /// What total times of runs of the program differ by; not in `total_error_nanos`.
    pub total_between_runs_nanos: f64,
    /// The part of `total_error_nanos` that is the wait for a processor.
    pub total_queue_nanos: f64,
}

/// Where the interval of a corrected time lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeStatus {
    /// Above zero.
    AboveResolution,
    /// It reaches zero: below resolution.
    BelowResolution,
}

impl TimeStatus {
    /// The status of `nanos` ± `error_nanos`.
    pub fn from_interval(nanos: f64, error_nanos: f64) -> Self {
        match nanos {
            _ if nanos > error_nanos => Self::AboveResolution,
            _ => Self::BelowResolution,
        }
    }
}

impl Times {
    /// The status of the self time.
    pub fn self_status(&self) -> TimeStatus {
        TimeStatus::from_interval(self.self_nanos, self.self_error_nanos)
    }

    /// The status of the total time.
    pub fn total_status(&self) -> TimeStatus {
        TimeStatus::from_interval(self.total_nanos, self.total_error_nanos)
    }

    /// The self time alone.
    pub fn self_only(self) -> Self {
        Self {
            total_nanos: 0.0,
            total_error_nanos: 0.0,
            total_between_runs_nanos: 0.0,
            total_queue_nanos: 0.0,
            ..self
        }
    }

    /// The total time alone.
    pub fn total_only(self) -> Self {
        Self { self_nanos: 0.0, self_error_nanos: 0.0, self_between_runs_nanos: 0.0, ..self }
    }

    /// The part of the total time's error bar that is the probes'.
    pub fn total_probes_error_nanos(&self) -> f64 {
        let [all, queue] = [self.total_error_nanos, self.total_queue_nanos];
        (all * all - queue * queue).max(0.0).sqrt()
    }

    /// The error bar of the total time as an estimate of another run.
    pub fn total_error_of_another_run_nanos(&self) -> f64 {
        self.total_error_nanos.hypot(self.total_between_runs_nanos)
    }

    /// The node with other times, found since no time is below zero. The bars still hold what they
    /// held above zero.
    pub(crate) fn moved_to(self, self_nanos: f64, total_nanos: f64) -> Self {
        Self {
            self_nanos,
            total_nanos,
            self_error_nanos: moved_bar(self.self_nanos, self.self_error_nanos, self_nanos),
            total_error_nanos: moved_bar(self.total_nanos, self.total_error_nanos, total_nanos),
            ..self
        }
    }

    /// The sum of both. Errors add up as well, because most of each is common to both.
    pub fn plus(self, other: Self) -> Self {
        Self {
            self_nanos: self.self_nanos + other.self_nanos,
            total_nanos: self.total_nanos + other.total_nanos,
            self_error_nanos: self.self_error_nanos + other.self_error_nanos,
            total_error_nanos: self.total_error_nanos + other.total_error_nanos,
            self_between_runs_nanos: self.self_between_runs_nanos + other.self_between_runs_nanos,
            total_between_runs_nanos: self.total_between_runs_nanos
                + other.total_between_runs_nanos,
            total_queue_nanos: self.total_queue_nanos + other.total_queue_nanos,
        }
    }
}

/// The error bar of `nanos`, which were `before` ± `error` before zero bounded them. A time below
/// zero says that the error was at least as large.
fn moved_bar(before: f64, error: f64, nanos: f64) -> f64 {
    let lowest = (before - error).max(0.0).min(before);
    error.max(nanos - lowest).max(before + error - nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_says_where_zero_lies() {
        let status = |nanos| TimeStatus::from_interval(nanos, 2.0);
        assert_eq!(status(2.5), TimeStatus::AboveResolution);
        assert_eq!(status(2.0), TimeStatus::BelowResolution);
        assert_eq!(status(-2.5), TimeStatus::BelowResolution);
    }

    #[test]
    fn a_bar_reaches_zero_and_its_parts_are_kept_apart() {
        let times = Times {
            self_nanos: -7.0,
            self_error_nanos: 2.0,
            total_nanos: 9.0,
            total_error_nanos: 5.0,
            total_queue_nanos: 3.0,
            ..Times::default()
        };
        assert_eq!(times.total_probes_error_nanos(), 4.0);
        let moved = times.moved_to(0.0, 8.0);
        assert_eq!((moved.self_error_nanos, moved.total_error_nanos), (7.0, 6.0));
    }
}
