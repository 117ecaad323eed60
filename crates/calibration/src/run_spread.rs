//! How much runs of one program differ, where few of them were made.
//!
//! The standard deviation of two runs says little, and Student's t for it is 12.7. What other
//! programs' runs differ by is known besides. It counts like runs that were seen: a scaled inverse
//! χ² prior of the variance (Gelman et al., *Bayesian Data Analysis*, 3rd ed., §2.6). So bars are
//! never wider with two runs than with one.

use jfathom_statistics::student_95;

use crate::fitted;

/// The 95 % error of the mean of so many runs. Its quantile takes microseconds to find, so it is
/// made once for all values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MeanError {
    runs: u32,
    quantile: f64,
}

impl MeanError {
    /// For the mean of so many runs, at least one.
    pub fn of_runs(runs: u32) -> Self {
        let runs = runs.max(1);
        Self { runs, quantile: student_95(runs - 1 + fitted::RUN_SPREAD_FREEDOM) }
    }

    /// With this standard deviation of the runs. `assumed` is the standard deviation that runs have
    /// before any is seen. All in the unit of the deviation.
    pub fn with(self, deviation: f64, assumed: f64) -> f64 {
        let (seen, prior) = (f64::from(self.runs - 1), f64::from(fitted::RUN_SPREAD_FREEDOM));
        let variance = (seen * deviation.powi(2) + prior * assumed.powi(2)) / (seen + prior);
        self.quantile * (variance / f64::from(self.runs)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_runs_are_believed_in_part_and_many_wholly() {
        let mean_error =
            |runs, deviation, assumed| MeanError::of_runs(runs).with(deviation, assumed);
        assert!((mean_error(1, 0.0, 6.0) - 4.303 * 6.0).abs() < 0.01);
        // Two runs that differ much, or not at all, both lie near what is assumed.
        let (alike, apart) = (mean_error(2, 0.0, 6.0), mean_error(2, 12.0, 6.0));
        assert!(alike < apart && apart < mean_error(1, 0.0, 6.0), "{alike} {apart}");
        let many = mean_error(1_000, 20.0, 6.0);
        let alone = student_95(999) * 20.0 / f64::sqrt(1_000.0);
        assert!((many / alone - 1.0).abs() < 0.01, "{many} {alone}");
    }
}
