//! Permutation tests of the lower halves of two groups.

/// Up to so many ways of dealing are all gone through; of more, [`DRAWS`] are drawn.
pub(super) const EXHAUSTIVE: f64 = 200_000.0;
/// Draws for large groups; the way at hand counts as one more, so that the probability is never too
/// small.
pub(super) const DRAWS: u32 = 100_000;

/// The mean of the lower half of the values, the middle one included; 0 of none.
pub fn lower_half_mean(values: &[f64]) -> f64 {
    lower_part(values, 2)
}

/// The mean of the lower quarter of the values, at least of the lowest; 0 of none.
pub fn lower_quarter(values: &[f64]) -> f64 {
    lower_part(values, 4)
}

fn lower_part(values: &[f64], parts: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let part = sorted.len().div_ceil(parts);
    if part == 0 { 0.0 } else { sorted[..part].iter().sum::<f64>() / part as f64 }
}

/// How likely it is by chance that the lower half of the new group exceeds that of the base by at
/// least as much as it does: the share of all ways of dealing the values to the two groups in which
/// it does. `None` where a group is empty.
pub fn lower_half_test(base: &[f64], new: &[f64]) -> Option<f64> {
    if base.is_empty() || new.is_empty() {
        return None;
    }
    let of = |is_new| move |value: &f64| (*value, is_new);
    let mut values: Vec<(f64, bool)> =
        base.iter().map(of(false)).chain(new.iter().map(of(true))).collect();
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (sorted, is_new): (Vec<f64>, Vec<bool>) = values.into_iter().unzip();
    let largest = sorted.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    // Sums taken in another order differ in their last digits.
    let least = excess(&sorted, &is_new, new.len()) - largest * 1e-12;
    let mut dealt = vec![false; sorted.len()];
    let (mut at_least, mut all) = (0_u32, 0_u32);
    let mut count = |dealt: &[bool]| {
        all += 1;
        at_least += u32::from(excess(&sorted, dealt, new.len()) >= least);
    };
    if 1.0 / super::min_p_value(base.len(), new.len()) <= EXHAUSTIVE {
        for_each_permutation(&mut dealt, 0, new.len(), &mut count);
    } else {
        count(&is_new);
        dealt[base.len()..].fill(true);
        let mut random = Shuffle::new();
        for _ in 0..DRAWS {
            random.shuffle(&mut dealt);
            count(&dealt);
        }
    }
    Some(f64::from(at_least) / f64::from(all))
}

/// By how much the lower half of the new group exceeds that of the base. `values` are sorted.
pub(super) fn excess(values: &[f64], is_new: &[bool], new: usize) -> f64 {
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

/// Calls `see` with each way to mark `left` of the places from `from` on.
pub(super) fn for_each_permutation(
    marks: &mut [bool],
    from: usize,
    left: usize,
    see: &mut impl FnMut(&[bool]),
) {
    if left == 0 {
        return see(marks);
    }
    for at in from..=marks.len() - left {
        marks[at] = true;
        for_each_permutation(marks, at + 1, left - 1, see);
        marks[at] = false;
    }
}

/// A fixed sequence of random numbers (xorshift; Marsaglia, J. Stat. Softw. 8, 2003): equal groups
/// get equal answers.
pub(super) struct Shuffle(u64);

impl Shuffle {
    /// The sequence from its beginning.
    pub(super) fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    fn shuffle(&mut self, marks: &mut [bool]) {
        for at in (1..marks.len()).rev() {
            let other = self.below(at + 1);
            marks.swap(at, other);
        }
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * limit as u64) >> 32) as usize
    }
}
