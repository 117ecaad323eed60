//! Overhead correction of a tree.
//!
//! For a node with n timed calls, whose children have m timed calls in all, from which c calls were
//! counted in r COUNTED records:
//!
//! self time = measured self time − n·inner − m·outer − c·count − r·record − residuals − waits, and
//! total time = self time + the children's total times.
//!
//! Exits by exception have costs of their own. Nothing is clamped: a time below zero is shown as
//! such.

mod inputs;
mod method_residuals;
mod node;
mod runs;
mod tree_pass;

use jfathom_profile::{NodeIx, Profile};

use crate::anchor::AppliedAnchor;
use crate::waits::wait_shares;
use crate::{ConstantsOrigin, Costs, Residual, Times};
use inputs::Inputs;
use method_residuals::method_residuals;
use tree_pass::{CorrectionSums, TreePass};

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

pub(crate) use inputs::is_after_17;

/// Corrects the times of a profile, with the constants of its machine if it has any
/// ([`ConstantsOrigin::of_profile`]). None if a JVM with a thread in the profile has no
/// calibration.
///
/// For a run series the result is the sum over the runs. The error bars then include the runs'
/// differences.
pub fn correct_times(profile: &Profile) -> Option<CorrectedTimes> {
    correct_times_with(profile, &ConstantsOrigin::of_profile(profile).residual())
}

/// [`correct_times`] with other assumptions on the residual overhead.
pub fn correct_times_with(profile: &Profile, residual: &Residual) -> Option<CorrectedTimes> {
    if profile.runs.len() > 1 {
        return runs::correct_runs(profile, residual);
    }
    let costs: Vec<Option<Costs>> = profile.meta.jvms.iter().map(Costs::from_jvm).collect();
    let by_thread: Option<Vec<Costs>> =
        profile.threads.iter().map(|thread| *costs.get(thread.jvm as usize)?).collect();
    let inputs = Inputs::new(profile, by_thread?, residual);
    let CorrectionSums { times: nodes, residual_nanos, waits_nanos, .. } = correct_run(&inputs);
    Some(CorrectedTimes { costs, residual_nanos, waits_nanos, nodes })
}

/// Corrects one run in three steps: costs and residuals, then waits from the times without those,
/// then the anchor from the errors of both.
fn correct_run(inputs: &Inputs) -> CorrectionSums {
    let profile = inputs.profile;
    let residuals = method_residuals(inputs);
    let late = inputs.late_shares();
    let pass = TreePass { inputs, residuals: &residuals, late: &late, waits: &[], anchor: None };
    let without_waits = pass.run();
    let start = inputs.residual.thread_start_nanos;
    let waits = wait_shares(profile, &without_waits.times, inputs.nanos_per_tick, start);
    let has_waits = waits.iter().any(|share| share.error > 0.0);
    let pass = TreePass { waits: &waits, ..pass };
    let corrected = if has_waits { pass.run() } else { without_waits };
    let Some(anchor) = &profile.anchor else { return corrected };
    let anchor = AppliedAnchor::new(profile, anchor, &residuals, &corrected.threads);
    TreePass { anchor: Some(&anchor), ..pass }.run()
}
