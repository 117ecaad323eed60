//! A program that a fit is made from.

use jfathom_profile::Profile;

/// A program that ran uninstrumented and recorded.
#[derive(Clone, Debug)]
pub struct FitProgram {
    /// One recording of one JVM.
    pub profile: Profile,
    /// What the roots took in uninstrumented runs, in ns. At least one.
    pub plain_nanos: Vec<f64>,
}

/// The median; not a number for none.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let count = values.len();
    let middle = [values.get(count.saturating_sub(1) / 2), values.get(count / 2)];
    middle.into_iter().map(|value| value.copied().unwrap_or(f64::NAN)).sum::<f64>() / 2.0
}
