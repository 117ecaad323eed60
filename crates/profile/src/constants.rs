//! Constants of residual overhead that were fitted on the machine of a profile.

use serde::{Deserialize, Serialize};

/// A constant with its error bar, both in the same unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Constant {
    /// The constant.
    pub value: f64,
    /// Its error bar.
    pub error: f64,
}

/// What `jfathom calibrate --fit` found for a machine, JVM and clock. `docs/calibration.md`
/// explains the causes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedConstants {
    /// When they were fitted, in ms since the Unix epoch.
    pub taken_millis: u64,
    /// The number of programs.
    pub programs: u32,
    /// Nanoseconds per counted call, beyond the calibration loops.
    pub counted: Constant,
    /// Nanoseconds per COUNTED record, beyond the calibration loops.
    pub count_record: Constant,
    /// Nanoseconds per early counted call of a demoted method.
    pub demoted: Constant,
    /// Share of the self time of methods with many calls that is lost with their inlining.
    pub inlining: Constant,
}

impl FittedConstants {
    /// The constants, in the order of the fields.
    pub fn constants(&self) -> [Constant; 4] {
        [self.counted, self.count_record, self.demoted, self.inlining]
    }

    /// Whether all constants are finite, and no error is negative.
    pub fn is_valid(&self) -> bool {
        let is_valid = |constant: &Constant| {
            constant.value.is_finite() && constant.error.is_finite() && constant.error >= 0.0
        };
        self.constants().iter().all(is_valid)
    }
}
