//! Permutations of two groups: which of all values are the new group's.

/// Up to so many permutations are all gone through; of more, [`DRAWS`] are drawn.
pub(crate) const EXHAUSTIVE: f64 = 200_000.0;
/// Permutations drawn for large groups. The observed one counts as one more, so that the p-value is
/// never too small.
pub(crate) const DRAWS: u32 = 100_000;

/// The smallest p-value that a test over all permutations can give for groups of these sizes.
pub fn min_p_value(base: usize, new: usize) -> f64 {
    (0..base.min(new)).map(|i| (i + 1) as f64 / (base + new - i) as f64).product()
}

/// Calls `visit` with each way to mark `left` of the places from `from` on.
pub(crate) fn for_each_permutation(
    marks: &mut [bool],
    from: usize,
    left: usize,
    visit: &mut impl FnMut(&[bool]),
) {
    if left == 0 {
        return visit(marks);
    }
    for at in from..=marks.len() - left {
        marks[at] = true;
        for_each_permutation(marks, at + 1, left - 1, visit);
        marks[at] = false;
    }
}

/// A fixed sequence of random numbers (xorshift; Marsaglia, J. Stat. Softw. 8, 2003): equal groups
/// get equal answers.
pub(crate) struct Random(u64);

impl Random {
    /// The sequence from its beginning.
    pub(crate) fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    pub(crate) fn shuffle(&mut self, marks: &mut [bool]) {
        for at in (1..marks.len()).rev() {
            let other = self.below(at + 1);
            marks.swap(at, other);
        }
    }

    /// A number from 0 to `limit` − 1.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * limit as u64) >> 32) as usize
    }
}
