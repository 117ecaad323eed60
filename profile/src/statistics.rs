//! Quantiles of Student's distribution.

/// Two-sided 95 % quantiles for 1 to 30 degrees of freedom, as in any table.
const TABLE: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

/// So many standard errors of a mean hold the truth to either side in 95 of 100 cases. With no degree of freedom there is no
/// spread to multiply: then it is the value for one.
pub(crate) fn student(freedom: u32) -> f64 {
    match TABLE.get((freedom.max(1) - 1) as usize) {
        Some(quantile) => *quantile,
        // The first term of the expansion around the normal quantile; 0.002 off at most beyond the table.
        None => 1.960 + 2.4 / f64::from(freedom),
    }
}
