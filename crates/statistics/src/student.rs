//! Student's distribution, by the regularised incomplete beta function.

use crate::beta::beta;

/// The probability that a value of Student's distribution with so many degrees of freedom is `t` or
/// more (DLMF 8.17). 1 if an argument is no number or there is no degree of freedom.
pub fn student_tail(t: f64, degrees: f64) -> f64 {
    if t.is_nan() || degrees.is_nan() || degrees <= 0.0 {
        return 1.0;
    }
    let half = 0.5 * beta(degrees / 2.0, 0.5, degrees / (degrees + t * t));
    if t >= 0.0 { half } else { 1.0 - half }
}

/// The value that a variable of Student's distribution stays below with this probability, which
/// must lie between 0 and 1.
pub fn student_quantile(probability: f64, degrees: f64) -> f64 {
    if probability < 0.5 {
        return -student_quantile(1.0 - probability, degrees);
    }
    let tail = 1.0 - probability;
    let (mut low, mut high) = (0.0, 1.0);
    while student_tail(high, degrees) > tail && high < 1e12 {
        low = high;
        high *= 2.0;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if student_tail(middle, degrees) > tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// Half width of the 95 % interval of a mean, in standard errors. Without a degree of freedom there
/// is no spread to multiply; the result is then that for one.
pub fn student_95(freedom: u32) -> f64 {
    student_quantile(0.975, f64::from(freedom.max(1)))
}
