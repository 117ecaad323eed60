//! Several runs: the sum of their corrected times, and what they differ by.

use jfathom_profile::Profile;

use super::sampled_owners::SampledOwners;
use super::{CorrectedTimes, settle, subtract};
use crate::{Residual, Times, fitted, run_spread::MeanError};

/// A mean and the squared deviations from it, one value at a time (Welford, Technometrics 4, 1962).
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    mean: f64,
    squares: f64,
}

impl Spread {
    /// Adds a value; `count` is the number of values with it.
    fn add(&mut self, value: f64, count: f64) {
        let deviation = value - self.mean;
        self.mean += deviation / count;
        self.squares += deviation * (value - self.mean);
    }
}

/// The sum over all runs. The error bars of the runs add up as errors in common. Beside them, and
/// not in them, stands what the runs differ by, n times the error of their mean.
///
/// Runs with an anchor are compared as shares of their root total, because the anchor measures how
/// much that is. So the whole root total does not differ, and little is assumed to differ in nodes
/// that are most of it.
pub(super) fn correct_runs(
    profile: &Profile,
    residual: &Residual,
    sampled: &SampledOwners,
) -> Option<CorrectedTimes> {
    // The runs show what they differ by.
    let residual = &Residual { between_runs_share: 0.0, ..*residual };
    let mut nodes = vec![Times::default(); profile.tree.len()];
    let mut spreads = vec![[Spread::default(); 2]; nodes.len()];
    let mut costs = Vec::new();
    let (mut residual_nanos, mut waits_nanos) = (0.0, 0.0);
    let runs = profile.run_count();
    let corrected = |number| subtract(&profile.run(number)?, residual);
    let root_total = |run: &CorrectedTimes| {
        profile.outermost_roots().map(|root| run.node(root).total_nanos).sum::<f64>()
    };
    let mut root_totals = Vec::new();
    for number in (0..runs).filter(|_| profile.anchor.is_some()) {
        root_totals.push(root_total(&corrected(number)?));
    }
    let mean = root_totals.iter().sum::<f64>() / runs as f64;
    for number in 0..runs {
        let run = corrected(number)?;
        let scale = match root_totals.get(number) {
            Some(total) if *total > 0.0 && mean > 0.0 => mean / total,
            _ => 1.0,
        };
        for ((sum, spread), times) in nodes.iter_mut().zip(&mut spreads).zip(run.nodes()) {
            *sum = sum.plus(*times);
            spread[0].add(times.self_nanos * scale, number as f64 + 1.0);
            spread[1].add(times.total_nanos * scale, number as f64 + 1.0);
        }
        costs.extend(run.costs);
        residual_nanos += run.residual_nanos;
        waits_nanos += run.waits_nanos;
    }
    let anchored_mean = (!root_totals.is_empty() && mean > 0.0).then_some(mean);
    let count = u32::try_from(runs).unwrap_or(u32::MAX);
    let of_mean = MeanError::of_runs(count);
    let between_runs = |spread: &Spread| {
        let deviation = (spread.squares / f64::from(count.saturating_sub(1).max(1))).sqrt();
        let differs = anchored_mean.map_or(1.0, |whole| (1.0 - spread.mean.abs() / whole).max(0.0));
        let assumed = fitted::RUN_SPREAD_SHARE * differs * spread.mean.abs();
        f64::from(count) * of_mean.with(deviation, assumed)
    };
    for (times, [self_spread, total_spread]) in nodes.iter_mut().zip(&spreads) {
        times.self_between_runs_nanos = between_runs(self_spread);
        times.total_between_runs_nanos = between_runs(total_spread);
    }
    // What is below zero in one run may be noise that another one makes up for.
    settle(profile, sampled, &mut nodes);
    Some(CorrectedTimes { costs, residual_nanos, waits_nanos, nodes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_has_mean_and_squared_deviations() {
        let mut spread = Spread::default();
        for (at, value) in [2.0, 4.0, 9.0].into_iter().enumerate() {
            spread.add(value, at as f64 + 1.0);
        }
        assert_eq!((spread.mean, spread.squares), (5.0, 26.0));
    }
}
