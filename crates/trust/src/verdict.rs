//! Whether two shares agree.

use crate::sampled::{Estimate, HALF_WIDTH};
use jfathom_profile::TrustVerdict;
use jfathom_statistics::{holm, student_quantile, student_tail};

/// A share on both sides, to be judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The samples' estimate.
    pub sampled: Estimate,
    /// Samples of all items.
    pub samples: u64,
    /// The factor of the variance of so many samples.
    pub factor: f64,
    /// The recording's estimate.
    pub recorded: Estimate,
}

/// The significance level of all comparisons of a family together: with so much probability one
/// that is no difference is called distorted.
const LEVEL: f64 = 0.05;

/// Two points: a smaller difference is no distortion, however certain.
const DISTORTION: f64 = 0.02;

/// Bounds up to one point mean something for any share.
const NARROW: f64 = 0.01;

/// Bounds up to this part of the larger share mean something, too.
const NARROW_PART: f64 = 0.25;

impl Difference {
    /// By how much the recording has more.
    fn value(&self) -> f64 {
        self.recorded.share - self.sampled.share
    }

    fn larger(&self) -> f64 {
        self.sampled.share.max(self.recorded.share)
    }

    /// Standard error. If both shares are equal, the samples' variance may be that of either, and
    /// the larger one is taken.
    fn error(&self) -> f64 {
        let recorded = self.recorded.share.clamp(0.0, 1.0);
        let expected = recorded * (1.0 - recorded) / (self.samples as f64).max(1.0) * self.factor;
        (self.sampled.variance.max(expected) + self.recorded.variance).sqrt()
    }

    fn p_value(&self, degrees: Option<f64>) -> f64 {
        let error = self.error();
        if error <= 0.0 {
            return if self.value() == 0.0 { 1.0 } else { 0.0 };
        }
        let t = self.value().abs() / error;
        2.0 * student_tail(t, degrees.unwrap_or(NORMAL))
    }
}

/// So many degrees of freedom are as good as none: the normal distribution.
const NORMAL: f64 = 1e6;

/// The verdicts on a family of shares. `degrees` are those of the samples' scatter
/// ([`crate::Scatter::degrees`]).
pub fn judge(family: &[Difference], degrees: Option<f64>) -> Vec<TrustVerdict> {
    let mut p_values: Vec<f64> =
        family.iter().map(|difference| difference.p_value(degrees)).collect();
    holm(&mut p_values);
    let quantile = degrees.map_or(HALF_WIDTH, |degrees| student_quantile(0.975, degrees));
    let verdict = |(difference, p_value): (&Difference, &f64)| {
        let (value, bound) = (difference.value().abs(), quantile * difference.error());
        let is_narrow = bound <= NARROW.max(NARROW_PART * difference.larger());
        if value >= DISTORTION && *p_value <= LEVEL {
            TrustVerdict::Distorted
        } else if (value <= bound && is_narrow) || value + bound <= DISTORTION {
            TrustVerdict::Confirmed
        } else {
            TrustVerdict::Doubtful
        }
    };
    family.iter().zip(&p_values).map(verdict).collect()
}
