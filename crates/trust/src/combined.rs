//! The best estimate from both sides.

use crate::sampled::Estimate;

/// What the recording's shares are off by beyond their error bars.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bias {
    /// The variance of a share s is this times s (1 − s).
    pub factor: f64,
}

impl Bias {
    /// From all shares of a profile, each from samples and from the recording: what their squared
    /// differences have beyond both variances. An error bar that is too small cannot win then,
    /// because the comparison itself shows that it is.
    pub fn from_shares(pairs: &[(Estimate, Estimate)]) -> Self {
        let (mut beyond, mut weight) = (0.0, 0.0);
        for (sampled, recorded) in pairs {
            beyond += excess(sampled, recorded);
            weight += spread(sampled, recorded);
        }
        let factor = if weight > 0.0 { (beyond / weight).max(0.0) } else { 0.0 };
        Self { factor }
    }
}

/// The squared difference beyond both variances; below zero where there is less.
fn excess(sampled: &Estimate, recorded: &Estimate) -> f64 {
    let difference = recorded.share - sampled.share;
    difference * difference - sampled.variance - recorded.variance
}

/// s (1 − s) of the mean share.
fn spread(sampled: &Estimate, recorded: &Estimate) -> f64 {
    let share = (0.5 * (sampled.share + recorded.share)).clamp(0.0, 1.0);
    share * (1.0 - share)
}

/// The combined shares, which add up to one. Each side has the weight of the inverse of its
/// variance. The recording's has the bias of all shares in it, and the excess of its own where that
/// is more.
pub fn combine(pairs: &[(Estimate, Estimate)], bias: Bias) -> Vec<Estimate> {
    let combined = |(sampled, recorded): &(Estimate, Estimate)| {
        let common = bias.factor * spread(sampled, recorded);
        let off = recorded.variance + common.max(excess(sampled, recorded)).max(0.0);
        let all = sampled.variance + off;
        let weight = if all > 0.0 { sampled.variance / all } else { 0.0 };
        let share = sampled.share + weight * (recorded.share - sampled.share);
        Estimate { share: share.max(0.0), variance: sampled.variance * (1.0 - weight) }
    };
    let mut all: Vec<Estimate> = pairs.iter().map(combined).collect();
    let sum: f64 = all.iter().map(|estimate| estimate.share).sum();
    if sum > 0.0 {
        for estimate in &mut all {
            estimate.share /= sum;
            estimate.variance /= sum * sum;
        }
    }
    all
}
