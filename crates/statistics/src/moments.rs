//! Number, mean and spread of values.

use crate::student_quantile;

/// Number, mean and spread of values that come one by one (Welford, Technometrics 4, 1962).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    count: u32,
    mean: f64,
    /// Sum of the squared deviations from the mean.
    squares: f64,
}

impl Moments {
    /// The moments of some values.
    pub fn from_values(values: &[f64]) -> Self {
        let mut moments = Self::default();
        values.iter().for_each(|value| moments.push(*value));
        moments
    }

    /// Adds a value.
    pub fn push(&mut self, value: f64) {
        self.count += 1;
        let deviation = value - self.mean;
        self.mean += deviation / f64::from(self.count);
        self.squares += deviation * (value - self.mean);
    }

    /// Number of values.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Mean; 0 without a value.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Estimate of the variance of the distribution. None with fewer than two values.
    pub fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.squares.max(0.0) / f64::from(self.count - 1))
    }

    /// Standard deviation. None with fewer than two values.
    pub fn deviation(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// Half width of the 95 % interval of the true mean. None with fewer than two values.
    pub fn half_width(&self) -> Option<f64> {
        let error = (self.variance()? / f64::from(self.count)).sqrt();
        Some(error * student_quantile(0.975, f64::from(self.count - 1)))
    }
}
