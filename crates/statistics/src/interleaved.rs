//! The permutation test of two groups of interleaved runs.

use crate::lower_half::lower_half_excess;
use crate::min_p_value;
use crate::permutation::{DRAWS, EXHAUSTIVE, Random, for_each_permutation};

/// Rounds of a block at most. With more a disturbed run matters less, with fewer a drift does.
const BLOCK_ROUNDS: usize = 5;

/// By how much the new group exceeds the base: in its lower half, in the lower halves of the
/// blocks, and in its sum.
type Statistics = [f64; STATISTICS];
const STATISTICS: usize = 3;

/// P-value of the excess of the new group over the base, for two groups of interleaved runs: values
/// of one place belong to one round. The rounds are split into blocks of five at most. Values are
/// permuted within each block, so that a drift from block to block is on neither side of any
/// permutation.
///
/// There are three statistics. Permuting all runs is robust to outliers: the lower half of all
/// runs. Blocks are robust to drift as well: the sum of the blocks' lower halves. The mean has the
/// most power under uniform noise. The p-value is the share of permutations in which the most
/// extreme of the three is at least as extreme as observed (min-P; Westfall and Young, 1993). The
/// test is exact whatever the statistics have to do with each other. None if the groups are empty
/// or of different sizes.
pub fn interleaved_test(base: &[f64], new: &[f64]) -> Option<f64> {
    if base.is_empty() || base.len() != new.len() {
        return None;
    }
    let rounds = Rounds::new(base, new);
    let observed = rounds.statistics(&rounds.observed());
    let mut permutations: Vec<Statistics> = Vec::new();
    if 1.0 / min_p_value_interleaved(base.len()) <= EXHAUSTIVE {
        rounds.for_each_permutation(&mut |chosen| permutations.push(rounds.statistics(chosen)));
    } else {
        // The observed permutation counts as one more, so that the p-value is never too small.
        permutations.push(observed);
        let mut random = Random::new();
        permutations.extend((0..DRAWS).map(|_| rounds.statistics(&rounds.draw(&mut random))));
    }
    // Sums taken in another order differ in their last digits.
    let largest = base.iter().chain(new).fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let slack = largest * base.len() as f64 * 1e-12;
    Some(min_p_share(&permutations, &observed, slack))
}

/// The share of permutations in which the most extreme statistic is at least as extreme as
/// observed. Numbers that differ by `slack` count as equal.
fn min_p_share(permutations: &[Statistics], observed: &Statistics, slack: f64) -> f64 {
    let at_least = |which: usize| {
        let is_at_least = |found: &&Statistics| found[which] >= observed[which] - slack;
        permutations.iter().filter(is_at_least).count()
    };
    // How many permutations are at least as extreme by the most extreme statistic.
    let rarity = (0..STATISTICS).map(at_least).min().unwrap_or(0);
    // As extreme are those that exceed, in any statistic, all permutations but so many.
    let edges: Statistics = std::array::from_fn(|which| {
        let mut values: Vec<f64> = permutations.iter().map(|found| found[which]).collect();
        match values.len().checked_sub(rarity + 1) {
            Some(place) => *values.select_nth_unstable_by(place, f64::total_cmp).1 + slack,
            None => f64::NEG_INFINITY,
        }
    });
    let is_extreme =
        |found: &&Statistics| found.iter().zip(&edges).any(|(value, edge)| value > edge);
    permutations.iter().filter(is_extreme).count() as f64 / permutations.len() as f64
}

/// The smallest p-value that [`interleaved_test`] can give for so many rounds.
pub fn min_p_value_interleaved(rounds: usize) -> f64 {
    block_sizes(rounds).map(|rounds| min_p_value(rounds, rounds)).product()
}

/// The rounds of each block: as few blocks as can be, as even as can be.
fn block_sizes(rounds: usize) -> impl Iterator<Item = usize> {
    let blocks = rounds.div_ceil(BLOCK_ROUNDS);
    (0..blocks).map(move |block| rounds * (block + 1) / blocks - rounds * block / blocks)
}

/// The values of both groups in ascending order, and in their blocks.
struct Rounds {
    sorted: Vec<f64>,
    blocks: Vec<Block>,
}

/// Neighbouring rounds, whose values are permuted among themselves.
struct Block {
    rounds: usize,
    /// Where in [`Rounds::sorted`] its values are, in ascending order.
    places: Vec<usize>,
    observed: BlockPermutation,
    /// All permutations.
    permutations: Vec<BlockPermutation>,
}

/// Which values of a block are the new group's, and by how much their lower half exceeds the
/// others', times the rounds.
struct BlockPermutation {
    is_new: Vec<bool>,
    excess: f64,
}

impl BlockPermutation {
    fn new(values: &[f64], is_new: &[bool]) -> Self {
        let rounds = values.len() / 2;
        let excess = rounds as f64 * lower_half_excess(values, is_new, rounds);
        Self { is_new: is_new.to_vec(), excess }
    }
}

impl Rounds {
    fn new(base: &[f64], new: &[f64]) -> Self {
        let round =
            |(at, values): (usize, (&f64, &f64))| [(*values.0, at, false), (*values.1, at, true)];
        let mut all: Vec<(f64, usize, bool)> =
            base.iter().zip(new).enumerate().flat_map(round).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut first = 0;
        let blocks = block_sizes(base.len()).map(|rounds| {
            let block = first..first + rounds;
            first = block.end;
            let places: Vec<usize> =
                (0..all.len()).filter(|place| block.contains(&all[*place].1)).collect();
            let values: Vec<f64> = places.iter().map(|place| all[*place].0).collect();
            let is_new: Vec<bool> = places.iter().map(|place| all[*place].2).collect();
            let mut permutations = Vec::new();
            for_each_permutation(&mut vec![false; values.len()], 0, rounds, &mut |is_new| {
                permutations.push(BlockPermutation::new(&values, is_new))
            });
            let observed = BlockPermutation::new(&values, &is_new);
            Block { rounds, places, observed, permutations }
        });
        Self { blocks: blocks.collect(), sorted: all.iter().map(|(value, ..)| *value).collect() }
    }

    fn observed(&self) -> Vec<&BlockPermutation> {
        self.blocks.iter().map(|block| &block.observed).collect()
    }

    fn draw(&self, random: &mut Random) -> Vec<&BlockPermutation> {
        let draw = |block| {
            let Block { permutations, .. }: &Block = block;
            &permutations[random.below(permutations.len())]
        };
        self.blocks.iter().map(draw).collect()
    }

    /// Calls `visit` with each combination of the blocks' permutations.
    fn for_each_permutation<'s>(&'s self, visit: &mut impl FnMut(&[&'s BlockPermutation])) {
        fn combine<'s>(
            blocks: &'s [Block],
            chosen: &mut Vec<&'s BlockPermutation>,
            visit: &mut impl FnMut(&[&'s BlockPermutation]),
        ) {
            let Some((block, others)) = blocks.split_first() else { return visit(chosen) };
            for permutation in &block.permutations {
                chosen.push(permutation);
                combine(others, chosen, visit);
                chosen.pop();
            }
        }
        combine(&self.blocks, &mut Vec::new(), visit);
    }

    /// The statistics of one permutation per block.
    fn statistics(&self, chosen: &[&BlockPermutation]) -> Statistics {
        let mut is_new = vec![false; self.sorted.len()];
        for (block, permutation) in self.blocks.iter().zip(chosen) {
            for (place, new) in block.places.iter().zip(&permutation.is_new) {
                is_new[*place] = *new;
            }
        }
        let rounds = self.blocks.iter().map(|block| block.rounds).sum();
        let signed = |(value, new): (&f64, &bool)| if *new { *value } else { -value };
        [
            lower_half_excess(&self.sorted, &is_new, rounds),
            chosen.iter().map(|permutation| permutation.excess).sum(),
            self.sorted.iter().zip(&is_new).map(signed).sum(),
        ]
    }
}
