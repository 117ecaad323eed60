//! P-values of many tests, adjusted for their number.

/// Adjusts p-values by the false discovery rate: of the tests whose adjusted p-value is at most
/// some level, at most that share is false in the mean (Benjamini and Hochberg).
pub fn benjamini_hochberg(p_values: &mut [f64]) {
    let tests = p_values.len() as f64;
    let mut smallest = 1.0_f64;
    for (rank, at) in ascending(p_values).into_iter().enumerate().rev() {
        smallest = smallest.min(p_values[at] * tests / (rank + 1) as f64);
        p_values[at] = smallest;
    }
}

/// Adjusts p-values of a family of tests, so that a significance level holds for all of them
/// together: the probability that any test without a true difference falls below the level is at
/// most the level (Holm).
pub fn holm(p_values: &mut [f64]) {
    let tests = p_values.len();
    let mut largest = 0.0_f64;
    for (rank, at) in ascending(p_values).into_iter().enumerate() {
        largest = largest.max(p_values[at] * (tests - rank) as f64).min(1.0);
        p_values[at] = largest;
    }
}

/// The places of the values, the smallest value first.
fn ascending(p_values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    order
}
