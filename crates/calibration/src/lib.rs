//! Overhead correction: from the probe costs that a JVM measured on itself to corrected times with
//! error bars.
//!
//! The passes, in order: [`costs`] turns stored calibrations into the cost of one call, the residual
//! adds the probe cost that calibration does not see, waits finds what other threads' probes added
//! to a wait, the anchor sets the root total to a measured one, and the bars put the error terms
//! together. The result of all is [`CorrectedTimes`]; [`correct_times`] makes it of a profile.
#![forbid(unsafe_code)]

mod correct;
mod costs;
mod residual;
mod waits;

pub use correct::{CorrectedTimes, TimeStatus, Times, correct_times, correct_times_with};
pub use costs::{Cost, Costs, Estimator};
pub use residual::{CompileQueueResidual, Residual, TimedResidual, WarmUpResidual};
