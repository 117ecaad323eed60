//! Permutation tests of the lower halves of two groups.

/// Up to so many ways of dealing are all gone through; of more, [`DRAWS`] are drawn.
const EXHAUSTIVE: f64 = 200_000.0;
/// Draws for large groups; the way at hand counts as one more, so that the probability is never too small.
const DRAWS: u32 = 100_000;

/// The mean of the lower half of the values, the middle one included; 0 of none.
pub fn lower_half(values: &[f64]) -> f64 {
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

/// How likely it is by chance that the lower half of the new group exceeds that of the base by at least as much as it does: the
/// share of all ways of dealing the values to the two groups in which it does. `None` where a group is empty.
pub fn lower_half_test(base: &[f64], new: &[f64]) -> Option<f64> {
    if base.is_empty() || new.is_empty() {
        return None;
    }
    let of = |is_new| move |value: &f64| (*value, is_new);
    let mut values: Vec<(f64, bool)> = base.iter().map(of(false)).chain(new.iter().map(of(true))).collect();
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
    if 1.0 / super::smallest_probability(base.len(), new.len()) <= EXHAUSTIVE {
        each_way(&mut dealt, 0, new.len(), &mut count);
    } else {
        count(&is_new);
        dealt[base.len()..].fill(true);
        let mut random = Shuffle(0x9e37_79b9_7f4a_7c15);
        for _ in 0..DRAWS {
            random.shuffle(&mut dealt);
            count(&dealt);
        }
    }
    Some(f64::from(at_least) / f64::from(all))
}

/// Rounds that are dealt together where two groups were recorded in turn: the more, the less a disturbed run matters, the fewer,
/// the less a drift does.
const TOGETHER: usize = 5;

/// The same for two groups that were recorded in turn, so that values of one place belong to one round: the rounds are parted into
/// blocks of five at most, values are dealt within each, and what is taken is the sum of the blocks' excesses. What changes
/// from block to block is on neither side. `None` where the groups are empty, or not of one size.
pub fn lower_half_test_in_turn(base: &[f64], new: &[f64]) -> Option<f64> {
    if base.is_empty() || base.len() != new.len() {
        return None;
    }
    let (mut found, mut blocks) = (0.0, Vec::new());
    let mut at = 0;
    for rounds in parted(base.len()) {
        let of = |is_new| move |value: &f64| (*value, is_new);
        let block = at..at + rounds;
        at = block.end;
        let mut values: Vec<(f64, bool)> =
            base[block.clone()].iter().map(of(false)).chain(new[block].iter().map(of(true))).collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (sorted, is_new): (Vec<f64>, Vec<bool>) = values.into_iter().unzip();
        let weighted = |dealt: &[bool]| rounds as f64 * excess(&sorted, dealt, rounds);
        found += weighted(&is_new);
        let mut ways = Vec::new();
        each_way(&mut vec![false; sorted.len()], 0, rounds, &mut |dealt| ways.push(weighted(dealt)));
        blocks.push(ways);
    }
    let largest = base.iter().chain(new).fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let least = found - largest * base.len() as f64 * 1e-12;
    if 1.0 / smallest_probability_in_turn(base.len()) <= EXHAUSTIVE {
        let sums = blocks.iter().fold(vec![0.0], |sums: Vec<f64>, block| {
            sums.iter().flat_map(|sum| block.iter().map(move |excess| sum + excess)).collect()
        });
        return Some(sums.iter().filter(|sum| **sum >= least).count() as f64 / sums.len() as f64);
    }
    let mut random = Shuffle(0x9e37_79b9_7f4a_7c15);
    let mut drawn = || blocks.iter().map(|block| block[random.below(block.len())]).sum::<f64>();
    let at_least = 1 + (0..DRAWS).filter(|_| drawn() >= least).count();
    Some(at_least as f64 / f64::from(DRAWS + 1))
}

/// The smallest probability that [`lower_half_test_in_turn`] can find for so many rounds.
pub fn smallest_probability_in_turn(rounds: usize) -> f64 {
    parted(rounds).map(|rounds| super::smallest_probability(rounds, rounds)).product()
}

/// The rounds of each block: as few blocks as can be, as even as can be.
fn parted(rounds: usize) -> impl Iterator<Item = usize> {
    let blocks = rounds.div_ceil(TOGETHER);
    (0..blocks).map(move |block| rounds * (block + 1) / blocks - rounds * block / blocks)
}

/// By how much the lower half of the new group exceeds that of the base. `values` are sorted.
fn excess(values: &[f64], is_new: &[bool], new: usize) -> f64 {
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
fn each_way(marks: &mut [bool], from: usize, left: usize, see: &mut impl FnMut(&[bool])) {
    if left == 0 {
        return see(marks);
    }
    for at in from..=marks.len() - left {
        marks[at] = true;
        each_way(marks, at + 1, left - 1, see);
        marks[at] = false;
    }
}

/// A fixed sequence of random numbers (xorshift; Marsaglia, J. Stat. Softw. 8, 2003): equal groups get equal answers.
struct Shuffle(u64);

impl Shuffle {
    fn shuffle(&mut self, marks: &mut [bool]) {
        for at in (1..marks.len()).rev() {
            let other = self.below(at + 1);
            marks.swap(at, other);
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * limit as u64) >> 32) as usize
    }
}
