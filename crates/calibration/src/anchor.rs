//! The anchor pass: residual overhead and waits from a measured root total.
//!
//! An anchor fixes the root total. Its correction is distributed in proportion to the errors of the
//! assumed terms. Whether these terms caused the error stays unknown. An anchor applies to the
//! threads of the roots only.

use jfathom_profile::{Anchor, Frame, Profile};

use crate::bars::{ErrorTerm, ErrorTerms};
use crate::fitted;
use crate::residual::MethodResidual;
use crate::run_spread::MeanError;

/// An anchor, applied to a tree.
#[derive(Clone, Debug)]
pub(crate) struct AppliedAnchor {
    /// By thread: whether a root was called on it.
    threads: Vec<bool>,
    /// By method: what is added to its residual overhead, in nanoseconds per timed call.
    residual_nanos: Vec<f64>,
    /// What is added to the wait correction, as a part of its error.
    wait_share: f64,
    /// Error of all calls on those threads together, before the anchor.
    whole: ErrorTerms,
    /// The error that the anchor leaves of the root total, in nanoseconds.
    remaining_nanos: f64,
}

impl AppliedAnchor {
    /// Distributes the anchor's correction beyond the assumed residual. `threads` has the error
    /// terms of each thread's tree before the anchor.
    pub(crate) fn new(
        profile: &Profile,
        anchor: &Anchor,
        residuals: &[MethodResidual],
        threads: &[(usize, ErrorTerms)],
    ) -> Self {
        let anchored = threads_with_roots(profile);
        let mut whole = ErrorTerms::default();
        for (thread, terms) in threads {
            if anchored.get(*thread) == Some(&true) {
                whole.add(terms);
            }
        }
        let (calls, assumed_nanos) = calls_and_residual(profile, residuals, &anchored);
        let rest = anchor.residual_nanos * calls - assumed_nanos;
        let error = whole.assumed();
        let residual_nanos = residuals.iter().map(|residual| {
            if error > 0.0 { rest * residual.error_nanos / error } else { rest / calls.max(1.0) }
        });
        Self {
            residual_nanos: residual_nanos.collect(),
            wait_share: if error > 0.0 { rest / error } else { 0.0 },
            threads: anchored,
            whole,
            remaining_nanos: root_total_error(anchor),
        }
    }

    /// Whether the thread is anchored.
    pub(crate) fn holds_for(&self, thread: usize) -> bool {
        self.threads.get(thread) == Some(&true)
    }

    /// What is added to a method's residual overhead, in nanoseconds per timed call.
    pub(crate) fn residual_nanos(&self, method: usize) -> f64 {
        self.residual_nanos.get(method).copied().unwrap_or(0.0)
    }

    /// What is added to the wait correction, as a part of its error.
    pub(crate) fn wait_share(&self) -> f64 {
        self.wait_share
    }

    /// Error terms of an anchored thread after the anchor.
    pub(crate) fn remaining(&self, terms: &ErrorTerms) -> ErrorTerms {
        let assumed = self.whole.assumed();
        let part = if assumed > 0.0 { (terms.assumed() / assumed).min(1.0) } else { 0.0 };
        let mut remaining = *terms;
        for term in ErrorTerm::ALL {
            remaining[term] = terms[term] - part * self.whole[term];
        }
        // The distribution of the correction is an assumption.
        for term in [ErrorTerm::Residual, ErrorTerm::Waits] {
            remaining[term] = terms[term] * (1.0 - part);
        }
        remaining[ErrorTerm::Anchor] = part * self.remaining_nanos;
        remaining
    }
}

/// By thread: whether a root was called on it.
pub(crate) fn threads_with_roots(profile: &Profile) -> Vec<bool> {
    let mut found = vec![false; profile.threads.len()];
    let mut thread = None;
    for node in profile.tree.nodes() {
        match profile.tree.frame(node) {
            Frame::Thread(of) => thread = found.get_mut(of.0 as usize),
            Frame::Method(method) if profile.method(method).info.root => {
                thread.iter_mut().for_each(|found| **found = true);
            }
            Frame::Method(_) | Frame::Task(_) => {}
        }
    }
    found
}

/// The timed calls on the anchored threads, and their residual overhead in nanoseconds.
fn calls_and_residual(
    profile: &Profile,
    residuals: &[MethodResidual],
    anchored: &[bool],
) -> (f64, f64) {
    let (mut calls, mut nanos) = (0.0, 0.0);
    let mut is_anchored = false;
    for node in profile.tree.nodes() {
        match profile.tree.frame(node) {
            Frame::Thread(thread) => is_anchored = anchored.get(thread.0 as usize) == Some(&true),
            Frame::Method(method) if is_anchored => {
                let of_node = profile.tree.timed(node) as f64;
                calls += of_node;
                nanos += of_node * residuals[method.0 as usize].nanos;
            }
            Frame::Method(_) | Frame::Task(_) => {}
        }
    }
    (calls, nanos)
}

/// The error of the measured root total, in nanoseconds.
fn root_total_error(anchor: &Anchor) -> f64 {
    let nanos = anchor.roots_only_nanos.abs();
    let assumed = fitted::RUN_SPREAD_SHARE * nanos;
    MeanError::of_runs(anchor.roots_only_runs).with(anchor.roots_only_deviation, assumed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied() -> AppliedAnchor {
        AppliedAnchor {
            threads: vec![true, false],
            residual_nanos: vec![3.0],
            wait_share: 0.0,
            whole: ErrorTerms::default()
                .with(ErrorTerm::Inner, 50.0)
                .with(ErrorTerm::Residual, 90.0)
                .with(ErrorTerm::Waits, 10.0),
            remaining_nanos: 7.0,
        }
    }

    #[test]
    fn the_whole_keeps_the_error_of_the_measured_total_alone() {
        let anchor = applied();
        let remaining = anchor.remaining(&anchor.whole);
        assert_eq!(remaining, ErrorTerms::default().with(ErrorTerm::Anchor, 7.0));
        assert!(anchor.holds_for(0) && !anchor.holds_for(1) && !anchor.holds_for(2));
    }

    #[test]
    fn a_part_without_assumptions_keeps_its_errors() {
        let terms = ErrorTerms::default().with(ErrorTerm::Inner, 4.0);
        assert_eq!(applied().remaining(&terms), terms);
    }

    #[test]
    fn the_spread_of_roots_only_runs_is_assumed_and_then_seen() {
        let anchor = Anchor {
            roots_only_runs: 1,
            roots_only_nanos: 1000.0,
            roots_only_deviation: 0.0,
            full_runs: 1,
            residual_nanos: 0.0,
            correction_share: 0.0,
        };
        // t(2) and the standard deviation assumed.
        assert!((root_total_error(&anchor) - 4.303 * 50.0).abs() < 0.1);
        let three = Anchor { roots_only_runs: 3, roots_only_deviation: 300.0, ..anchor };
        assert!(root_total_error(&three) > root_total_error(&anchor));
    }
}
