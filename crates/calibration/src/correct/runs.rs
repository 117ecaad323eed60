//! Several runs: the sum of their corrected times, and what they differ by.

use super::{CorrectedTimes, Times, correct_times_with};
use crate::{Estimator, Residual};
use jfathom_profile::Profile;
use jfathom_statistics::student_95;

/// A mean and the squares around it, one value at a time (Welford).
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    mean: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, value: f64, count: f64) {
        let off = value - self.mean;
        self.mean += off / count;
        self.squares += off * (value - self.mean);
    }
}

/// The sum over all runs, the bars of each run added up as errors in common, and beside them what
/// the runs differ by: of the sum of n runs with a standard deviation s it is t·s·√n.
///
/// Runs with an anchor are compared as parts of their whole time: how much that is, the anchor
/// says.
pub(super) fn correct_run_times(
    profile: &Profile,
    estimator: Estimator,
    residual: &Residual,
) -> Option<CorrectedTimes> {
    let mut nodes = vec![Times::default(); profile.tree.len()];
    let mut spreads = vec![[Spread::default(); 2]; nodes.len()];
    let mut costs = Vec::new();
    let (mut residual_nanos, mut waits_nanos) = (0.0, 0.0);
    let runs = profile.run_count();
    let corrected = |number| correct_times_with(&profile.run(number)?, estimator, residual);
    let whole = |run: &CorrectedTimes| {
        profile.outermost_roots().map(|root| run.node(root).total_nanos).sum::<f64>()
    };
    let mut wholes = Vec::new();
    for number in (0..runs).filter(|_| profile.anchor.is_some()) {
        wholes.push(whole(&corrected(number)?));
    }
    let mean = wholes.iter().sum::<f64>() / runs as f64;
    for number in 0..runs {
        let run = corrected(number)?;
        let scale = match wholes.get(number) {
            Some(whole) if *whole > 0.0 && mean > 0.0 => mean / whole,
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
    let freedom = u32::try_from(runs).unwrap_or(u32::MAX).saturating_sub(1);
    let quantile = student_95(freedom);
    let between = |spread: &Spread| {
        quantile * (spread.squares / f64::from(freedom.max(1))).sqrt() * (runs as f64).sqrt()
    };
    for (times, [own, total]) in nodes.iter_mut().zip(&spreads) {
        times.self_bar = times.self_bar.hypot(between(own));
        times.total_bar = times.total_bar.hypot(between(total));
    }
    Some(CorrectedTimes { estimator, costs, residual_nanos, waits_nanos, nodes })
}
