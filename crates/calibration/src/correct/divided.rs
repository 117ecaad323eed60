//! Times of calls that were only counted, by samples.
//!
//! What a counted call does itself is in the self time of the timed call around it. The samples in
//! both say how that time divides.
//!
//! Samples are of threads that run. A timed call with fewer samples than its time should have has
//! waited: the wait stays with it.

use std::collections::HashMap;

use jfathom_profile::NodeIx;

use super::sampled_owners::{RUNNING_SHARE, SampledOwners};
use super::tree_pass::grains;
use crate::Times;

/// Standard deviations of a 95 % interval.
const NORMAL_95: f64 = 1.96;
/// Fewer samples divide nothing.
const LEAST_SAMPLES: f64 = 4.0;

/// Divides the self times of timed calls among the calls that were counted in them. Totals of timed
/// calls stay.
pub(super) fn divide(sampled: &SampledOwners, times: &mut [Times]) {
    let before: Vec<Times> =
        sampled.owners.iter().map(|owner| times[owner.node.0 as usize]).collect();
    let mut sampled_variances: HashMap<NodeIx, f64> = HashMap::new();
    for (owner, own) in sampled.owners.iter().zip(before) {
        let samples = owner.all();
        let all = samples.running;
        if all < LEAST_SAMPLES || own.self_nanos <= 0.0 {
            continue;
        }
        // Samples of probes count, too: their time has been subtracted.
        let running = match sampled.nanos_per_sample {
            Some(nanos) if (all + samples.probes) * nanos < RUNNING_SHARE * own.self_nanos => {
                all * nanos
            }
            _ => own.self_nanos,
        };
        let owner_node = owner.node;
        let mut left = 1.0;
        for part in owner.parts.iter().filter(|part| part.node != owner_node) {
            let share = part.samples.running / all;
            let nanos = grains(share * running);
            let sampling_error = running * share_error(share, all);
            left -= share;
            let at = &mut times[part.node.0 as usize];
            at.self_nanos += nanos;
            at.self_error_nanos =
                (at.self_error_nanos + share * own.self_error_nanos).hypot(sampling_error);
            at.self_between_runs_nanos += share * own.self_between_runs_nanos;
            times[owner_node.0 as usize].self_nanos -= nanos;
            let mut above = part.node;
            while above != owner_node {
                let at = &mut times[above.0 as usize];
                at.total_nanos += nanos;
                at.total_error_nanos += share * own.self_error_nanos;
                at.total_between_runs_nanos += share * own.self_between_runs_nanos;
                *sampled_variances.entry(above).or_default() += sampling_error * sampling_error;
                above = sampled.caller(above);
            }
        }
        let at = &mut times[owner_node.0 as usize];
        let kept = (1.0 - (1.0 - left) * running / own.self_nanos).clamp(0.0, 1.0);
        let without = |now: f64, own: f64| (now - (1.0 - kept) * own).max(0.0);
        at.self_error_nanos = without(at.self_error_nanos, own.self_error_nanos)
            .hypot(running * share_error(left, all));
        at.self_between_runs_nanos =
            without(at.self_between_runs_nanos, own.self_between_runs_nanos);
    }
    for (node, variance) in sampled_variances {
        let at = &mut times[node.0 as usize];
        at.total_error_nanos = at.total_error_nanos.hypot(variance.sqrt());
    }
}

/// Half of the 95 % interval of a share of so many samples (Wilson's, without its shift).
fn share_error(share: f64, all: f64) -> f64 {
    let share = share.clamp(0.0, 1.0);
    let z2 = NORMAL_95 * NORMAL_95;
    NORMAL_95 * (share * (1.0 - share) / all + z2 / (4.0 * all * all)).sqrt() / (1.0 + z2 / all)
}
