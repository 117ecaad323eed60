//! The permutation test of the lower halves of two groups.

use crate::min_p_value;
use crate::permutation::{DRAWS, EXHAUSTIVE, Random, for_each_permutation};

/// The mean of the lower half of the values, the middle one included; 0 without a value.
pub fn lower_half_mean(values: &[f64]) -> f64 {
    lower_part_mean(values, 2)
}

/// The mean of the lower quarter of the values, at least of the lowest; 0 without a value.
pub fn lower_quarter_mean(values: &[f64]) -> f64 {
    lower_part_mean(values, 4)
}

fn lower_part_mean(values: &[f64], parts: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let part = sorted.len().div_ceil(parts);
    if part == 0 { 0.0 } else { sorted[..part].iter().sum::<f64>() / part as f64 }
}

/// P-value of the excess of the new group's lower half over the base's: the share of permutations
/// of all values with at least this excess. None if a group is empty.
pub fn lower_half_test(base: &[f64], new: &[f64]) -> Option<f64> {
    if base.is_empty() || new.is_empty() {
        return None;
    }
    let of = |is_new| move |value: &f64| (*value, is_new);
    let mut values: Vec<(f64, bool)> =
        base.iter().map(of(false)).chain(new.iter().map(of(true))).collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (sorted, observed): (Vec<f64>, Vec<bool>) = values.into_iter().unzip();
    let largest = sorted.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    // Sums taken in another order differ in their last digits.
    let least = lower_half_excess(&sorted, &observed, new.len()) - largest * 1e-12;
    let (mut at_least, mut all) = (0_u32, 0_u32);
    let mut count = |is_new: &[bool]| {
        all += 1;
        at_least += u32::from(lower_half_excess(&sorted, is_new, new.len()) >= least);
    };
    let mut is_new = vec![false; sorted.len()];
    if 1.0 / min_p_value(base.len(), new.len()) <= EXHAUSTIVE {
        for_each_permutation(&mut is_new, 0, new.len(), &mut count);
    } else {
        count(&observed);
        is_new[base.len()..].fill(true);
        let mut random = Random::new();
        for _ in 0..DRAWS {
            random.shuffle(&mut is_new);
            count(&is_new);
        }
    }
    Some(f64::from(at_least) / f64::from(all))
}

/// The mean of the new group's lower half minus that of the base. `values` are in ascending order,
/// `is_new` marks the `new` values of the new group.
pub(crate) fn lower_half_excess(values: &[f64], is_new: &[bool], new: usize) -> f64 {
    let halves = [(values.len() - new).div_ceil(2), new.div_ceil(2)];
    let mut left = halves;
    let mut sums = [0.0; 2];
    for (value, is_new) in values.iter().zip(is_new) {
        let group = usize::from(*is_new);
        if left[group] > 0 {
            left[group] -= 1;
            sums[group] += value;
        }
    }
    sums[1] / halves[1] as f64 - sums[0] / halves[0] as f64
}
