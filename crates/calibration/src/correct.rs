//! Overhead correction of a tree.
//!
//! For a node with n timed calls, whose children have m timed calls in all, from which c calls were
//! counted in r COUNTED records:
//!
//! self time = measured self time − n·inner − m·outer − c·count − r·record − residuals − waits, and
//! total time = self time + the children's total times.
//!
//! Exits by exception have costs of their own. What would be below zero gives way in the end
//! (`constrained`).

mod constrained;
mod divided;
mod folded;
mod inputs;
mod method_residuals;
mod node;
mod parallel;
mod parts;
mod refined;
mod runs;
mod sampled_owners;
mod tree_pass;

use jfathom_profile::{NodeIx, Profile, both};

use crate::anchor::AppliedAnchor;
use crate::root_sums::root_sums;
use crate::waits::wait_shares;
use crate::{Costs, Residual, Times};
use constrained::{bound_bars, constrain};
use divided::divide;
use folded::FoldedShares;
use inputs::Inputs;
use method_residuals::method_residuals;
use parts::{Chunk, Part, chunks};
use refined::refine;
use sampled_owners::SampledOwners;
use tree_pass::TreePass;

/// Corrected times of a tree.
#[derive(Clone, Debug, PartialEq)]
pub struct CorrectedTimes {
    /// The costs, by JVM. None for a JVM without calibration that has no thread in the profile.
    pub costs: Vec<Option<Costs>>,
    /// Residual overhead of timed calls that was subtracted, in ns over the whole tree.
    pub residual_nanos: f64,
    /// Wait correction, in ns over the whole tree.
    pub waits_nanos: f64,
    /// By node.
    nodes: Vec<Times>,
}

impl CorrectedTimes {
    /// The times of a node; zero for a node that is not of the profile's tree.
    pub fn node(&self, node: NodeIx) -> Times {
        self.nodes.get(node.0 as usize).copied().unwrap_or_default()
    }

    /// The times of all nodes, in their order.
    pub fn nodes(&self) -> &[Times] {
        &self.nodes
    }
}

/// Corrects the times of a profile. None if a JVM with a thread in the profile has no calibration.
///
/// For a run series the result is the sum over the runs.
pub fn correct_times(profile: &Profile) -> Option<CorrectedTimes> {
    correct_times_with(profile, &Residual::shipped())
}

/// [`correct_times`] with other assumptions on the residual overhead.
pub fn correct_times_with(profile: &Profile, residual: &Residual) -> Option<CorrectedTimes> {
    correct(profile, residual, &SampledOwners::new(profile))
}

/// [`correct_times`] without what samples say: what counted calls took is in the timed calls around
/// them. For comparisons, where not all sides have samples, and single runs of a series have none.
pub fn correct_times_without_samples(profile: &Profile) -> Option<CorrectedTimes> {
    correct(profile, &Residual::shipped(), &SampledOwners::default())
}

fn correct(
    profile: &Profile,
    residual: &Residual,
    sampled: &SampledOwners,
) -> Option<CorrectedTimes> {
    if profile.runs.len() > 1 {
        return runs::correct_runs(profile, residual, sampled);
    }
    let mut corrected = subtract(profile, residual)?;
    settle(profile, sampled, &mut corrected.nodes);
    Some(corrected)
}

/// Makes times that can be of those that subtraction leaves, by samples of the run too, and divides
/// them among counted calls.
fn settle(profile: &Profile, sampled: &SampledOwners, times: &mut [Times]) {
    refine(profile, sampled, times);
    constrain(profile, times);
    divide(sampled, times);
    bound_bars(&profile.tree, times);
}

/// The time of the outermost roots of all runs in nanoseconds, as subtraction leaves it. It may be
/// below zero, so it is linear in an anchor's residual. None as for [`correct_times`].
pub fn subtracted_root_nanos(profile: &Profile) -> Option<f64> {
    let residual = Residual::shipped();
    let of_run = |number| {
        let run = profile.run(number)?;
        let corrected = subtract(&run, &residual)?;
        Some(run.outermost_roots().map(|root| corrected.node(root).total_nanos).sum::<f64>())
    };
    (0..profile.run_count()).map(of_run).sum()
}

/// The times of a run without the probes' cost, some of which may be below zero.
fn subtract(profile: &Profile, residual: &Residual) -> Option<CorrectedTimes> {
    let costs: Vec<Option<Costs>> = profile.meta.jvms.iter().map(Costs::from_jvm).collect();
    let by_thread: Option<Vec<Costs>> =
        profile.threads.iter().map(|thread| *costs.get(thread.jvm as usize)?).collect();
    let inputs = Inputs::new(profile, by_thread?, residual);
    let (nodes, residual_nanos, waits_nanos) = correct_run(&inputs, chunks(&inputs));
    Some(CorrectedTimes { costs, residual_nanos, waits_nanos, nodes })
}

/// Corrects one run in three steps: costs and residuals, then waits from the times without those,
/// then the anchor from the errors of both. A later step corrects again what it changes: the parts
/// with waits, then those of the anchored threads. Returns the nodes' times, and what was
/// subtracted as residual overhead and from waits, in nanoseconds.
fn correct_run(inputs: &Inputs, mut chunks: Vec<Chunk>) -> (Vec<Times>, f64, f64) {
    let profile = inputs.profile;
    let (residuals, roots) = both(
        || method_residuals(inputs),
        || root_sums(&profile.tree, &inputs.waiting, inputs.nanos_per_tick),
    );
    let late = inputs.late_shares(&roots);
    let mut times = vec![Times::default(); profile.tree.len()];
    let folded = FoldedShares::default();
    let pass = TreePass {
        inputs,
        residuals: &residuals,
        late: &late,
        waits: &[],
        anchor: None,
        folded: &folded,
    };
    let (mut residual_nanos, mut sums) =
        both(|| pass.residual_nanos(), || pass.run(&mut chunks, &mut times, |_| true));
    let waits = wait_shares(profile, &roots, &times, inputs.residual.thread_start_nanos);
    let pass = TreePass { waits: &waits, ..pass };
    if waits.iter().any(|share| share.error > 0.0) {
        sums = pass.run(&mut chunks, &mut times, Part::has_waits);
    }
    if let Some(anchor) = &profile.anchor {
        let anchor = AppliedAnchor::new(profile, anchor, &residuals, &sums.threads);
        let pass = TreePass { anchor: Some(&anchor), ..pass };
        residual_nanos = pass.residual_nanos();
        sums = pass.run(&mut chunks, &mut times, |part| anchor.holds_for(part.thread));
    }
    (times, residual_nanos, sums.waits_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_testkit::small_profile;

    /// Four threads of one JVM, with recursion, exceptions, a method that waits, and an anchor.
    fn profile() -> Profile {
        let like = small_profile::calibrated();
        let drawn = (0..4).map(|seed| {
            let mut profile = small_profile::drawn(seed);
            profile.meta.jvms = like.meta.jvms.clone();
            profile
        });
        let mut profile = jfathom_compare::merge(drawn.collect()).unwrap();
        profile.threads.iter_mut().for_each(|thread| thread.jvm = 0);
        profile.methods[3].info.waits = true;
        // A tick of 64 µs, so that waits are long enough to be corrected.
        profile.rate = jfathom_profile::TickRate::new(15_625).unwrap();
        profile.anchor = like.anchor;
        profile
    }

    #[test]
    fn times_do_not_depend_on_the_parts_in_which_they_are_corrected() {
        let mut profile = profile();
        for has_anchor in [true, false] {
            profile.anchor = profile.anchor.filter(|_| has_anchor);
            let costs = Costs::from_jvm(&profile.meta.jvms[0]).unwrap();
            let residual = Residual::shipped();
            let inputs = Inputs::new(&profile, vec![costs; profile.threads.len()], &residual);
            let in_chunks = |rows| correct_run(&inputs, parts::chunks_of(&inputs, rows));
            let whole = in_chunks(profile.tree.len());
            assert!(whole.2 > 0.0, "waits are corrected");
            assert_eq!(correct_run(&inputs, chunks(&inputs)), whole);
            for rows in [1, 2, 3, 17, 100] {
                assert_eq!(in_chunks(rows), whole, "{rows} rows");
            }
        }
    }
}
