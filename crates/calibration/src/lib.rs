//! Overhead correction: from the probe costs that a JVM measured on itself to corrected times with
//! error bars.
//!
//! Each pass is a module with its own inputs:
//!
//! | pass | from | to |
//! |---|---|---|
//! | `costs` | stored calibrations | what one call's probes cost |
//! | `residual` | a method's self time and calls | probe cost that calibration does not see |
//! | `waits` | the threads' times after these two | the share of a wait that is others' probes |
//! | `anchor` | the measured root total | what it adds to residual and waits |
//! | `bars` | the error terms of a node | its error bar |
//!
//! `correct` applies them to the tree: [`correct_times`] gives [`CorrectedTimes`]. `constants` and
//! `fitted` have the constants that no recording measures, each with its origin.
//! `docs/calibration.md` explains the method.
#![forbid(unsafe_code)]

mod anchor;
mod assumptions;
mod bars;
mod constants;
mod correct;
mod costs;
mod fitted;
mod history;
mod pace;
mod residual;
mod root_sums;
mod run_queue;
mod run_spread;
mod summary;
mod times;
mod waits;

pub use assumptions::{
    CompileQueueResidual, InliningResidual, Residual, TimedResidual, WarmUpResidual,
};
pub use constants::constants_machine;
pub use correct::{
    CorrectedTimes, correct_times, correct_times_with, correct_times_without_samples,
    subtracted_root_nanos,
};
pub use costs::{Cost, Costs};
pub use history::{Judgement, call_nanos, judge, settled_nanos};
pub use pace::pace_nanos;
pub use summary::{CalibrationSummary, CallCost, CostSpread};
pub use times::{TimeStatus, Times};
