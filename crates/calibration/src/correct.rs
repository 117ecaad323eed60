//! The probes' cost taken out of a tree, with the doubt that is left.
//!
//! For a node with n calls of its own, whose children have m calls in all, and from which c calls
//! were counted:
//!
//! self = measured self − n·inner − m·outer − c·count − notes·note − residuals − waits, and total =
//! self + the children's totals.
//!
//! Exits by exception go at their own cost. Nothing is clamped: a time below zero is shown as such.
//! What the errors of the inputs do to a node is kept apart by cause: an error of `inner` shifts
//! all calls of the recording alike, so within one cause the contributions of a subtree add up, and
//! causes are put together as independent ones.

mod accumulate;
mod runs;

use jfathom_profile::{NodeIx, Profile};

use crate::{Costs, Estimator, Residual};

/// Corrected times of a node, in nanoseconds. The truth lies within each bar in about 95 of 100
/// cases. Times are multiples of 1/64 ns, so that they add up exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// In the node itself.
    pub self_nanos: f64,
    /// In the node and all below it: exactly the sum of its own time and its children's totals.
    pub total_nanos: f64,
    /// Half width of the interval around the node's own time.
    pub self_bar: f64,
    /// Half width of the interval around the total.
    pub total_bar: f64,
}

/// What a corrected time is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeStatus {
    /// The interval lies above zero.
    AboveResolution,
    /// The interval holds zero: there is no saying how much it is.
    BelowResolution,
    /// The whole interval lies below zero: more was taken out than there was.
    Negative,
}

impl TimeStatus {
    /// The status of a value with this half width.
    pub fn of(nanos: f64, bar: f64) -> Self {
        match nanos {
            _ if nanos > bar => Self::AboveResolution,
            _ if nanos < -bar => Self::Negative,
            _ => Self::BelowResolution,
        }
    }
}

impl Times {
    /// Of the node's own time.
    pub fn self_status(&self) -> TimeStatus {
        TimeStatus::of(self.self_nanos, self.self_bar)
    }

    /// Of the total.
    pub fn total_status(&self) -> TimeStatus {
        TimeStatus::of(self.total_nanos, self.total_bar)
    }

    /// Both added up. Bars add up as well: what they have in common is their largest part.
    pub fn plus(self, other: Self) -> Self {
        Self {
            self_nanos: self.self_nanos + other.self_nanos,
            total_nanos: self.total_nanos + other.total_nanos,
            self_bar: self.self_bar + other.self_bar,
            total_bar: self.total_bar + other.total_bar,
        }
    }
}

/// A tree's corrected times.
#[derive(Clone, Debug, PartialEq)]
pub struct CorrectedTimes {
    /// How the costs were estimated.
    pub estimator: Estimator,
    /// The costs, by JVM; none for one without calibration of which there is no thread.
    pub costs: Vec<Option<Costs>>,
    /// What was taken out for optimisation lost to the probes, in nanoseconds over the whole tree.
    pub residual_nanos: f64,
    /// What was taken out of waits for other threads, in nanoseconds over the whole tree: those
    /// threads' probes made them longer.
    pub waits_nanos: f64,
    /// By node.
    nodes: Vec<Times>,
}

impl CorrectedTimes {
    /// The times of a node. Panics if it is not of the profile's tree.
    pub fn node(&self, node: NodeIx) -> Times {
        self.nodes[node.0 as usize]
    }

    /// The times of all nodes, in their order.
    pub fn nodes(&self) -> &[Times] {
        &self.nodes
    }
}

/// The profile's times without the probes' cost. None where a JVM that has threads in it did not
/// calibrate itself.
///
/// Of several runs it is the sum, as the profile's other numbers are; the bars then hold what the
/// runs differ by.
pub fn correct_times(profile: &Profile, estimator: Estimator) -> Option<CorrectedTimes> {
    correct_times_with(profile, estimator, &Residual::default())
}

/// [`correct_times`] with other assumptions on the residual.
pub fn correct_times_with(
    profile: &Profile,
    estimator: Estimator,
    residual: &Residual,
) -> Option<CorrectedTimes> {
    if profile.runs.len() > 1 {
        return runs::correct_run_times(profile, estimator, residual);
    }
    let costs: Vec<Option<Costs>> =
        profile.meta.jvms.iter().map(|jvm| Costs::from_jvm(jvm, estimator)).collect();
    let by_thread: Option<Vec<Costs>> =
        profile.threads.iter().map(|thread| *costs.get(thread.jvm as usize)?).collect();
    let accumulate::CorrectionSums { times: nodes, residual_nanos, waits_nanos, .. } =
        accumulate::nodes(profile, &by_thread?, estimator, residual);
    Some(CorrectedTimes { estimator, costs, residual_nanos, waits_nanos, nodes })
}
