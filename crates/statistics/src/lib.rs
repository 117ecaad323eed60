//! Whether two groups of runs differ by more than chance.
//!
//! Four tests, each for what it is good at:
//!
//! - [`welch`]: the means of two groups, from their moments alone, with an interval for the
//!   difference. It takes times for roughly normal, which run times are not at the far tails.
//! - [`rank_test`] (Mann and Whitney, Ann. Math. Statist. 18, 1947): exact whatever the
//!   distribution; from single values.
//! - [`lower_half_test`]: an exact permutation test (Pitman, 1937) of the means of the lower
//!   halves. Disturbances from outside only ever add time, so that the lower half of the runs is
//!   nearer to the program than their mean, and up to half of the runs may be disturbed before it
//!   moves.
//! - [`in_turn_test`]: the same for runs made in turn. They are dealt among neighbours only, so
//!   that a drift over the series is no difference, and the mean is looked at as well.
//!
//! [`false_discoveries`] adjusts many probabilities at once (Benjamini and Hochberg, J. R. Stat.
//! Soc. B 57, 1995), [`family`] those of a decision that must hold for all (Holm, Scand. J.
//! Statist. 6, 1979).

#![forbid(unsafe_code)]

mod interleaved;
mod permutation;
mod rank;
mod student;

pub use interleaved::{interleaved_test, smallest_probability_in_turn};
pub use permutation::{lower_half_mean, lower_half_test, lower_quarter};
pub use rank::{min_p_value, rank_test};
pub use student::{student_95, student_quantile, student_tail};

/// Number, mean and spread of values that come one by one (Welford, Technometrics 4, 1962).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    count: u32,
    mean: f64,
    squares: f64,
}

impl Moments {
    /// Those of some values.
    pub fn of(values: &[f64]) -> Self {
        let mut moments = Self::default();
        values.iter().for_each(|value| moments.push(*value));
        moments
    }

    /// Takes in a value.
    pub fn push(&mut self, value: f64) {
        self.count += 1;
        let off = value - self.mean;
        self.mean += off / f64::from(self.count);
        self.squares += off * (value - self.mean);
    }

    /// How many values.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Their mean; 0 of none.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// Their variance, as an estimate for all that could have come; of one value none is known.
    pub fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.squares.max(0.0) / f64::from(self.count - 1))
    }

    /// The root of the variance.
    pub fn deviation(&self) -> Option<f64> {
        self.variance().map(f64::sqrt)
    }

    /// Half the width of the interval that holds the true mean with a confidence of 95 %.
    pub fn half_width(&self) -> Option<f64> {
        let error = (self.variance()? / f64::from(self.count)).sqrt();
        Some(error * student_quantile(0.975, f64::from(self.count - 1)))
    }
}

/// What [`welch`] finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Welch {
    /// Mean of the new group less that of the base.
    pub difference: f64,
    /// Half the width of the interval that holds the true difference with a confidence of 95 %.
    pub half_width: f64,
    /// How likely a difference at least as large, in either direction, is by chance.
    pub probability: f64,
    /// How likely an increase at least as large is by chance.
    pub increase: f64,
}

/// Welch's test for the means of two groups of unequal variance (Biometrika 34, 1947). `None`
/// unless both have two values.
pub fn welch(base: &Moments, new: &Moments) -> Option<Welch> {
    let part = |of: &Moments| Some(of.variance()? / f64::from(of.count));
    let (a, b) = (part(base)?, part(new)?);
    let difference = new.mean - base.mean;
    let error = (a + b).sqrt();
    if error == 0.0 {
        let certain = |yes: bool| if yes { 0.0 } else { 1.0 };
        let (probability, increase) = (certain(difference != 0.0), certain(difference > 0.0));
        return Some(Welch { difference, half_width: 0.0, probability, increase });
    }
    // In shares of the sum, so that squares of small variances do not vanish.
    let (a, b) = (a / (a + b), b / (a + b));
    let degrees =
        1.0 / (a.powi(2) / f64::from(base.count - 1) + b.powi(2) / f64::from(new.count - 1));
    let t: f64 = difference / error;
    Some(Welch {
        difference,
        half_width: error * student_quantile(0.975, degrees),
        probability: (2.0 * student_tail(t.abs(), degrees)).min(1.0),
        increase: student_tail(t, degrees),
    })
}

/// Adjusts the probabilities of many tests so that of those below a level at most that share is
/// false, in the mean.
pub fn benjamini_hochberg(probabilities: &mut [f64]) {
    let many = probabilities.len() as f64;
    let mut smallest = 1.0_f64;
    for (rank, at) in by_size(probabilities).into_iter().enumerate().rev() {
        smallest = smallest.min(probabilities[at] * many / (rank + 1) as f64);
        probabilities[at] = smallest;
    }
}

/// Adjusts the probabilities of a family of tests so that a level holds for all of them together:
/// the chance that any test without a true difference falls below it is at most the level.
pub fn holm(probabilities: &mut [f64]) {
    let many = probabilities.len();
    let mut largest = 0.0_f64;
    for (rank, at) in by_size(probabilities).into_iter().enumerate() {
        largest = largest.max(probabilities[at] * (many - rank) as f64).min(1.0);
        probabilities[at] = largest;
    }
}

fn by_size(probabilities: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|a, b| probabilities[*a].total_cmp(&probabilities[*b]));
    order
}

#[cfg(test)]
mod tests;
