//! Error bars: the errors of a time by cause, and their sum.
//!
//! An error of one cause shifts all calls of a recording alike, so the contributions of a subtree
//! add up within one cause. Errors of different causes are independent: their squares add up.

use std::ops::{Index, IndexMut};

/// Cause of an error that all calls of a recording share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorTerm {
    /// The inner cost of timed calls.
    Inner,
    /// The outer cost of timed calls that return.
    Outer,
    /// The cost of exceptions.
    Throw,
    /// The cost of counted calls and of COUNTED records.
    Count,
    /// The residual overhead of counted calls.
    CountedResidual,
    /// The machine's pace, which changes from one run to the next.
    Pace,
    /// Run-queue delay: another run has another one.
    RunQueue,
    /// What runs of the program differ by: compilation falls out differently in each.
    BetweenRuns,
    /// Inlining that is lost in methods with many calls.
    Inlining,
    /// Late compilation, because probes enlarge methods.
    LateCompilation,
    /// The residual overhead of timed calls.
    Residual,
    /// The wait correction.
    Waits,
    /// The error of an anchored root total.
    Anchor,
}

impl ErrorTerm {
    /// All terms, in the order of their values.
    pub(crate) const ALL: [Self; 13] = [
        Self::Inner,
        Self::Outer,
        Self::Throw,
        Self::Count,
        Self::CountedResidual,
        Self::Pace,
        Self::RunQueue,
        Self::BetweenRuns,
        Self::Inlining,
        Self::LateCompilation,
        Self::Residual,
        Self::Waits,
        Self::Anchor,
    ];
}

/// The errors of a time, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ErrorTerms {
    /// Half widths by cause.
    nanos: [f64; ErrorTerm::ALL.len()],
    /// Variance of errors that are independent per call, in ns².
    pub random_variance: f64,
}

impl Index<ErrorTerm> for ErrorTerms {
    type Output = f64;

    fn index(&self, term: ErrorTerm) -> &f64 {
        &self.nanos[term as usize]
    }
}

impl IndexMut<ErrorTerm> for ErrorTerms {
    fn index_mut(&mut self, term: ErrorTerm) -> &mut f64 {
        &mut self.nanos[term as usize]
    }
}

impl ErrorTerms {
    /// The terms with one of them set.
    #[cfg(test)]
    pub(crate) fn with(mut self, term: ErrorTerm, nanos: f64) -> Self {
        self[term] = nanos;
        self
    }

    /// Adds the errors of another part of the same recording.
    pub(crate) fn add(&mut self, other: &Self) {
        for (sum, nanos) in self.nanos.iter_mut().zip(other.nanos) {
            *sum += nanos;
        }
        self.random_variance += other.random_variance;
    }

    /// Error of the assumed terms. An anchor's correction is distributed in proportion to it.
    pub(crate) fn assumed(&self) -> f64 {
        self[ErrorTerm::Residual] + self[ErrorTerm::Waits]
    }

    /// The half width of all errors together, and of work with variance `moved_variance` that the
    /// compiler moves across the node's edge. What runs differ by is no error of this one.
    pub(crate) fn bar(&self, moved_variance: f64) -> f64 {
        let of_this_run = ErrorTerm::ALL.into_iter().filter(|term| *term != ErrorTerm::BetweenRuns);
        let squares: f64 = of_this_run.map(|term| self[term] * self[term]).sum();
        (squares + self.random_variance + moved_variance).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_add_up_within_a_cause_and_by_squares_across_causes() {
        let mut terms = ErrorTerms::default().with(ErrorTerm::Inner, 1.0);
        terms.add(&ErrorTerms::default().with(ErrorTerm::Inner, 2.0).with(ErrorTerm::Waits, 4.0));
        assert_eq!(terms[ErrorTerm::Inner], 3.0);
        assert_eq!(terms.bar(0.0), 5.0);
        terms.random_variance = 11.0;
        assert_eq!(terms.bar(0.0), 6.0);
        assert_eq!(terms.bar(13.0), 7.0);
        assert_eq!(terms.with(ErrorTerm::BetweenRuns, 9.0).bar(13.0), 7.0);
    }

    #[test]
    fn each_term_has_a_place_of_its_own() {
        for (at, term) in ErrorTerm::ALL.into_iter().enumerate() {
            assert_eq!(term as usize, at);
        }
    }
}
