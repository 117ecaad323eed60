//! The binomial distribution, by the regularised incomplete beta function.

use crate::beta::beta;

/// The probability that so many of `trials` or more succeed, of which each does with the
/// `probability`, from 0 to 1 (DLMF 8.17.5). 1 if that is no number.
pub fn binomial_at_least(successes: u64, trials: u64, probability: f64) -> f64 {
    match successes {
        0 => 1.0,
        _ if probability.is_nan() => 1.0,
        _ if successes > trials => 0.0,
        _ => beta(successes as f64, (trials - successes) as f64 + 1.0, probability),
    }
}
