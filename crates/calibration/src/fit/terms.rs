//! What one program tells of the constants.

use jfathom_profile::{NodeIx, Profile};

use super::program::{FitProgram, median};
use crate::constants::with_values;
use crate::{Residual, Times, correct_times_with};

/// The steps in which a constant is changed to see what depends on it.
const STEPS: [f64; 4] = [0.1, 1.0, 5.0, 0.05];

/// A program's corrected time as a linear function of the constants; in ns.
#[derive(Clone, Copy, Debug)]
pub(super) struct FitTerms {
    /// The uninstrumented root: the median of its runs.
    pub plain_nanos: f64,
    /// The corrected root with all constants zero.
    pub base_nanos: f64,
    /// Standard deviation of `base_nanos` less `plain_nanos` from all other causes.
    pub deviation_nanos: f64,
    /// By how much a constant of one shortens the corrected root.
    pub slopes: [f64; 4],
}

impl FitTerms {
    /// The terms near these constants; none without calibration, root or uninstrumented run.
    pub(super) fn new(program: &FitProgram, at: &[f64; 4]) -> Option<Self> {
        let FitProgram { profile, plain_nanos } = program;
        let of_roots = |values: &[f64; 4]| of_roots(profile, &with_values(values));
        let here = of_roots(at)?;
        let mut slopes = [0.0; 4];
        for (number, slope) in slopes.iter_mut().enumerate() {
            let mut changed = *at;
            changed[number] += STEPS[number];
            *slope = (here.total_nanos - of_roots(&changed)?.total_nanos) / STEPS[number];
        }
        let subtracted: f64 = slopes.iter().zip(at).map(|(slope, value)| slope * value).sum();
        let plain_nanos = median(plain_nanos.clone());
        let is_measured = plain_nanos.is_finite() && plain_nanos > 0.0;
        is_measured.then_some(Self {
            plain_nanos,
            base_nanos: here.total_nanos + subtracted,
            // Error bars hold 95 %.
            deviation_nanos: here.total_error_nanos / 2.0,
            slopes,
        })
    }

    /// What is subtracted too little with these constants, in ns.
    pub(super) fn excess_nanos(&self, values: &[f64; 4]) -> f64 {
        let subtracted: f64 =
            self.slopes.iter().zip(values).map(|(slope, value)| slope * value).sum();
        self.base_nanos - self.plain_nanos - subtracted
    }
}

/// The sum over the roots' outermost calls.
fn of_roots(profile: &Profile, residual: &Residual) -> Option<Times> {
    let corrected = correct_times_with(profile, residual)?;
    let roots: Vec<NodeIx> = profile.outermost_roots().collect();
    roots.into_iter().map(|root| corrected.node(root)).reduce(Times::plus)
}
