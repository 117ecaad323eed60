//! What probes took from a self time, by samples of the run itself beside calibration.
//!
//! A sample whose innermost frames are a probe's is a sample of what probes took. There are too few
//! of them: a processor is interrupted where it waits, often behind the probe, and a probe slows
//! the code around it down, too. Both are a bias, which `SAMPLED_ODDS` and `SAMPLED_ODDS_FACTOR`
//! hold. Calibration has errors of another kind. So a self time with enough samples is the mean of
//! both by the squares of their errors.

use std::collections::HashMap;

use jfathom_profile::{NodeIx, Profile, Tree};

use super::sampled_owners::{RUNNING_SHARE, SampledOwners, Samples};
use super::tree_pass::grains;
use crate::Times;
use crate::fitted::{SAMPLED_ODDS, SAMPLED_ODDS_FACTOR, SUBTRACTED_ERROR_SHARE};

/// Fewer samples say nothing of the probes.
const LEAST_SAMPLES: f64 = 20.0;
/// Where probes took less of a time by calibration, samples would tell no more.
const LEAST_SHARE: f64 = 0.03;

/// A time with its error bar, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Estimate {
    nanos: f64,
    error: f64,
}

/// Refines times by samples: first what was subtracted from each thread as a whole, then self
/// times. An anchor has measured better.
pub(super) fn refine(profile: &Profile, sampled: &SampledOwners, times: &mut [Times]) {
    let Some(nanos_per_sample) = sampled.nanos_per_sample.filter(|_| profile.anchor.is_none())
    else {
        return;
    };
    let tree = &profile.tree;
    let nanos_per_tick = 1e9 / profile.rate.hz() as f64;
    for root in tree.roots() {
        let rows = root.0..tree.subtree(root).end;
        let first = sampled.owners.partition_point(|owner| owner.node.0 < rows.start);
        let of_thread = sampled.owners[first..].iter();
        let of_thread = of_thread.take_while(|owner| owner.node.0 < rows.end);
        let samples = of_thread.fold(Samples::default(), |sum, owner| sum.plus(owner.all()));
        let measured = tree.total_time(root).0 as f64 * nanos_per_tick;
        let total = times[root.0 as usize];
        let Some(found) = found(
            measured,
            Estimate { nanos: total.total_nanos, error: total.total_error_nanos },
            by_samples(samples, measured, nanos_per_sample),
        ) else {
            continue;
        };
        let factor = (measured - found.nanos) / (measured - total.total_nanos);
        let narrower = (found.error / total.total_error_nanos.max(1.0)).min(1.0);
        for node in rows.map(NodeIx) {
            let at = &mut times[node.0 as usize];
            let own = tree.self_time(node).0 as f64 * nanos_per_tick;
            at.self_nanos = grains(own - (own - at.self_nanos) * factor);
            at.self_error_nanos *= narrower;
            at.total_error_nanos = (at.total_error_nanos * narrower).max(at.total_queue_nanos);
        }
        add_up(tree, root, times);
    }
    refine_self_times(profile, sampled, nanos_per_sample, times);
}

/// Sets the totals of a subtree to the sums of its self times.
fn add_up(tree: &Tree, root: NodeIx, times: &mut [Times]) {
    for node in tree.subtree(root).rev().map(NodeIx) {
        let below: f64 = tree.children(node).map(|at| times[at.0 as usize].total_nanos).sum();
        let at = &mut times[node.0 as usize];
        at.total_nanos = at.self_nanos + below;
    }
}

/// The mean of both estimates; none where calibration says that probes took next to nothing, or
/// samples say nothing.
fn found(measured: f64, calibrated: Estimate, sampled: Option<Estimate>) -> Option<Estimate> {
    let subtracted = measured - calibrated.nanos;
    let is_worth_it = subtracted > 0.0 && subtracted >= LEAST_SHARE * measured;
    let sampled = sampled.filter(|_| is_worth_it)?;
    // Less than nothing cannot be: calibration was wrong by as much at least.
    let nanos = calibrated.nanos.max(0.0);
    let error = calibrated.error.max(SUBTRACTED_ERROR_SHARE * subtracted);
    Some(mean(sampled, Estimate { nanos, error: error.max(nanos - calibrated.nanos) }))
}

/// Refines self times, and with them the totals above.
fn refine_self_times(
    profile: &Profile,
    sampled: &SampledOwners,
    nanos_per_sample: f64,
    times: &mut [Times],
) {
    let nanos_per_tick = 1e9 / profile.rate.hz() as f64;
    let mut changes: HashMap<NodeIx, Estimate> = HashMap::new();
    for owner in &sampled.owners {
        let measured = profile.tree.self_time(owner.node).0 as f64 * nanos_per_tick;
        let own = times[owner.node.0 as usize];
        let Some(found) = found(
            measured,
            Estimate { nanos: own.self_nanos, error: own.self_error_nanos },
            by_samples(owner.all(), measured, nanos_per_sample),
        ) else {
            continue;
        };
        let change = Estimate {
            nanos: grains(found.nanos - own.self_nanos),
            error: found.error - own.self_error_nanos,
        };
        let at = &mut times[owner.node.0 as usize];
        at.self_nanos += change.nanos;
        at.self_error_nanos = found.error;
        let mut above = owner.node;
        loop {
            let sum = changes.entry(above).or_insert(Estimate { nanos: 0.0, error: 0.0 });
            *sum = Estimate { nanos: sum.nanos + change.nanos, error: sum.error + change.error };
            let caller = sampled.caller(above);
            if caller == above {
                break;
            }
            above = caller;
        }
    }
    for (node, change) in changes {
        let at = &mut times[node.0 as usize];
        at.total_nanos += change.nanos;
        // What is known better of a part makes the whole no worse.
        let error = at.total_error_nanos + change.error.min(0.0);
        at.total_error_nanos = error.max(at.total_queue_nanos).max(at.self_error_nanos);
    }
}

/// A time by samples: what is measured without the time in which the thread was in probes.
/// None of a thread that has waited for a good part of it: it may have waited for probes elsewhere.
fn by_samples(samples: Samples, measured: f64, nanos_per_sample: f64) -> Option<Estimate> {
    let all = samples.running + samples.probes;
    if all < LEAST_SAMPLES {
        return None;
    }
    let ran = (all * nanos_per_sample).min(measured);
    if ran < RUNNING_SHARE * measured {
        return None;
    }
    // As long as there is none, one might be the next.
    let odds = samples.probes.max(1.0) / samples.running.max(1.0);
    let of_program = |factor: f64| measured - ran * odds * factor / (1.0 + odds * factor);
    let [most, least] = [SAMPLED_ODDS / SAMPLED_ODDS_FACTOR, SAMPLED_ODDS * SAMPLED_ODDS_FACTOR];
    let bias = (of_program(most) - of_program(least)) / 2.0;
    let by_chance = ran * 2.0 * (samples.probes.max(1.0) * samples.running.max(1.0)).sqrt()
        / (all * all.sqrt());
    Some(Estimate { nanos: of_program(SAMPLED_ODDS), error: bias.hypot(by_chance) })
}

/// The mean by the squares of the errors. Where the two disagree by more than both errors, the
/// error is half of what they differ by.
fn mean(one: Estimate, other: Estimate) -> Estimate {
    let weight = |of: Estimate| 1.0 / (of.error * of.error).max(1e-12);
    let [by_one, by_other] = [one, other].map(weight);
    let nanos = (one.nanos * by_one + other.nanos * by_other) / (by_one + by_other);
    let error = 1.0 / (by_one + by_other).sqrt();
    let distance = (one.nanos - other.nanos).abs();
    let is_apart = distance > one.error + other.error;
    Estimate { nanos, error: if is_apart { error.max(distance / 2.0) } else { error } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_near_what_is_known_better() {
        let of = |nanos, error| Estimate { nanos, error };
        let both = mean(of(2.0, 0.5), of(3.0, 1.0));
        assert!((both.nanos - 2.2).abs() < 1e-9 && both.error < 0.5, "{both:?}");
        assert_eq!(mean(of(1.0, 0.1), of(5.0, 0.1)), of(3.0, 2.0));
    }
}
