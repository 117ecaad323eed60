//! Significance of differences.

use jfathom_statistics::{Moments, benjamini_hochberg, welch};

/// Accepted share of false positives among the significant differences (Benjamini and Hochberg).
pub const FALSE_DISCOVERY_RATE: f64 = 0.05;

/// Adjusts the p-values for the number of tests. None stays none.
pub(super) fn adjust(p_values: Vec<Option<f64>>) -> Vec<Option<f64>> {
    let mut known: Vec<f64> = p_values.iter().flatten().copied().collect();
    benjamini_hochberg(&mut known);
    let mut known = known.into_iter();
    p_values.into_iter().map(|p_value| p_value.and_then(|_| known.next())).collect()
}

/// The same for each family of p-values. All of `things` have the same families.
pub(super) fn adjust_all<T>(
    things: &mut [T],
    p_values: impl for<'t> Fn(&'t mut T) -> Vec<&'t mut Option<f64>>,
) {
    let mut families: Vec<Vec<Option<f64>>> = Vec::new();
    for thing in &mut *things {
        let of = p_values(thing);
        families.resize_with(of.len(), Vec::new);
        of.into_iter().zip(&mut families).for_each(|(p_value, family)| family.push(*p_value));
    }
    let adjusted: Vec<_> = families.into_iter().map(adjust).collect();
    for (at, thing) in things.iter_mut().enumerate() {
        p_values(thing).into_iter().zip(&adjusted).for_each(|(of, family)| *of = family[at]);
    }
}

/// The test for a mean from moments alone: half width of the interval, and p-value.
pub(super) fn from_moments(
    base: Option<Moments>,
    new: Option<Moments>,
) -> (Option<f64>, Option<f64>) {
    match (base, new) {
        (Some(base), Some(new)) => welch(&base, &new)
            .map_or((None, None), |found| (Some(found.half_width), Some(found.p_value))),
        _ => (None, None),
    }
}
