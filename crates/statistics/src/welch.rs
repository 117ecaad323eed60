//! Welch's test.

use crate::{Moments, student_quantile, student_tail};

/// The result of [`welch`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Welch {
    /// Mean of the new group minus mean of the base.
    pub difference: f64,
    /// Half width of the 95 % interval of the true difference.
    pub half_width: f64,
    /// P-value of a difference in either direction.
    pub p_value: f64,
    /// P-value of an increase.
    pub increase_p_value: f64,
}

/// Welch's test for the means of two groups of unequal variance (Biometrika 34, 1947). None unless
/// both have two values.
pub fn welch(base: &Moments, new: &Moments) -> Option<Welch> {
    let squared_error = |group: &Moments| Some(group.variance()? / f64::from(group.count()));
    let (a, b) = (squared_error(base)?, squared_error(new)?);
    let difference = new.mean() - base.mean();
    let error = (a + b).sqrt();
    if error == 0.0 {
        let certain = |yes: bool| if yes { 0.0 } else { 1.0 };
        return Some(Welch {
            difference,
            half_width: 0.0,
            p_value: certain(difference != 0.0),
            increase_p_value: certain(difference > 0.0),
        });
    }
    // In shares of the sum, so that squares of small variances do not vanish.
    let (a, b) = (a / (a + b), b / (a + b));
    let degrees =
        1.0 / (a.powi(2) / f64::from(base.count() - 1) + b.powi(2) / f64::from(new.count() - 1));
    let t: f64 = difference / error;
    Some(Welch {
        difference,
        half_width: error * student_quantile(0.975, degrees),
        p_value: (2.0 * student_tail(t.abs(), degrees)).min(1.0),
        increase_p_value: student_tail(t, degrees),
    })
}
