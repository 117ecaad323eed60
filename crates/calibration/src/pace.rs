//! The machine's pace, by loops without probes.

use jfathom_profile::{Calibration, CallKind};

/// Time of a step of the loop without probes, in ns: the mean of start and end.
pub fn pace_nanos(calibrations: &[Calibration]) -> Option<f64> {
    let pace = calibrations.iter().filter(|found| found.kind == CallKind::Pace);
    let medians: Vec<f64> = pace.map(|found| found.reference.median).collect();
    let is_empty = medians.is_empty() || medians.iter().any(|nanos| *nanos <= 0.0);
    (!is_empty).then(|| medians.iter().sum::<f64>() / medians.len() as f64)
}
