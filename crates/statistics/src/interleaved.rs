//! A permutation test of two groups that were recorded in turn.

use super::min_p_value;
use super::permutation::{DRAWS, EXHAUSTIVE, Shuffle, excess, for_each_permutation};

/// Rounds that are dealt together: the more, the less a disturbed run matters, the fewer, the less
/// a drift does.
const TOGETHER: usize = 5;

/// What is looked at in a dealing: by how much the new group exceeds the base in its lower half, in
/// the lower halves of the blocks, and in its mean.
const STATISTICS: usize = 3;

/// How likely it is by chance that the new group exceeds the base by at least as much as it does,
/// for two groups that were recorded in turn, so that values of one place belong to one round. The
/// rounds are parted into blocks of five at most, and values are dealt to the two groups within
/// each: a drift from block to block is on neither side of any dealing.
///
/// Three statistics are looked at: the lower half of all runs, which sees through disturbed ones;
/// the lower halves of the blocks, added up, which see through drift as well; and the mean, which
/// tells most where noise is even. The probability is the share of all dealings in which the least
/// likely of the three is as unlikely as it is here (Westfall and Young's minP, 1993), which is
/// exact whatever they have to do with each other. `None` where the groups are empty, or not of one
/// size.
pub fn interleaved_test(base: &[f64], new: &[f64]) -> Option<f64> {
    if base.is_empty() || base.len() != new.len() {
        return None;
    }
    let series = Series::new(base, new);
    let found = series.statistics(&series.found());
    let mut dealings = Vec::new();
    if 1.0 / smallest_probability_in_turn(base.len()) <= EXHAUSTIVE {
        series.each_dealing(&mut |dealing| dealings.push(series.statistics(dealing)));
    } else {
        // The dealing at hand counts as one more, so that the probability is never too small.
        dealings.push(found);
        let mut random = Shuffle::new();
        dealings.extend((0..DRAWS).map(|_| series.statistics(&series.drawn(&mut random))));
    }
    // Sums taken in another order differ in their last digits.
    let largest = base.iter().chain(new).fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let slack = largest * base.len() as f64 * 1e-12;
    // How many dealings are at least as far out, by the statistic that is furthest out.
    let at_least =
        |which: usize| dealings.iter().filter(|it| it[which] >= found[which] - slack).count();
    let rarity = (0..STATISTICS).map(at_least).min()?;
    // Those are as rare that are further out in any than all but so many.
    let edges: [f64; STATISTICS] = std::array::from_fn(|which| {
        let mut values: Vec<f64> = dealings.iter().map(|statistics| statistics[which]).collect();
        match values.len().checked_sub(rarity + 1) {
            Some(place) => *values.select_nth_unstable_by(place, f64::total_cmp).1 + slack,
            None => f64::NEG_INFINITY,
        }
    });
    let is_as_rare =
        |it: &&[f64; STATISTICS]| it.iter().zip(&edges).any(|(value, edge)| value > edge);
    let as_rare = dealings.iter().filter(is_as_rare).count();
    Some(as_rare as f64 / dealings.len() as f64)
}

/// The smallest probability that [`in_turn_test`] can find for so many rounds.
pub fn smallest_probability_in_turn(rounds: usize) -> f64 {
    parted(rounds).map(|rounds| min_p_value(rounds, rounds)).product()
}

/// The rounds of each block: as few blocks as can be, as even as can be.
fn parted(rounds: usize) -> impl Iterator<Item = usize> {
    let blocks = rounds.div_ceil(TOGETHER);
    (0..blocks).map(move |block| rounds * (block + 1) / blocks - rounds * block / blocks)
}

/// The values of both groups in ascending order, and in their blocks.
struct Series {
    sorted: Vec<f64>,
    blocks: Vec<Block>,
}

/// Some rounds, whose values are dealt among themselves.
struct Block {
    rounds: usize,
    /// Where in [`Series::sorted`] its values are, in ascending order.
    places: Vec<usize>,
    /// The dealing that was found.
    found: Way,
    /// All dealings.
    ways: Vec<Way>,
}

/// One dealing of a block: which of its values are the new group's, and by how much their lower
/// half exceeds the others', times the rounds.
struct Way {
    is_new: Vec<bool>,
    excess: f64,
}

impl Way {
    fn new(values: &[f64], is_new: &[bool]) -> Self {
        let rounds = values.len() / 2;
        Self { is_new: is_new.to_vec(), excess: rounds as f64 * excess(values, is_new, rounds) }
    }
}

impl Series {
    fn new(base: &[f64], new: &[f64]) -> Self {
        let round =
            |(at, values): (usize, (&f64, &f64))| [(*values.0, at, false), (*values.1, at, true)];
        let mut all: Vec<(f64, usize, bool)> =
            base.iter().zip(new).enumerate().flat_map(round).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut first = 0;
        let blocks = parted(base.len()).map(|rounds| {
            let block = first..first + rounds;
            first = block.end;
            let places: Vec<usize> =
                (0..all.len()).filter(|place| block.contains(&all[*place].1)).collect();
            let values: Vec<f64> = places.iter().map(|place| all[*place].0).collect();
            let is_new: Vec<bool> = places.iter().map(|place| all[*place].2).collect();
            let mut ways = Vec::new();
            for_each_permutation(&mut vec![false; values.len()], 0, rounds, &mut |dealt| {
                ways.push(Way::new(&values, dealt))
            });
            Block { rounds, places, found: Way::new(&values, &is_new), ways }
        });
        Self { blocks: blocks.collect(), sorted: all.iter().map(|(value, ..)| *value).collect() }
    }

    /// The dealing that was found: a way of each block.
    fn found(&self) -> Vec<&Way> {
        self.blocks.iter().map(|block| &block.found).collect()
    }

    fn drawn(&self, random: &mut Shuffle) -> Vec<&Way> {
        self.blocks.iter().map(|block| &block.ways[random.below(block.ways.len())]).collect()
    }

    fn each_dealing<'s>(&'s self, see: &mut impl FnMut(&[&'s Way])) {
        fn go_on<'s>(
            blocks: &'s [Block],
            dealing: &mut Vec<&'s Way>,
            see: &mut impl FnMut(&[&'s Way]),
        ) {
            let Some((block, others)) = blocks.split_first() else { return see(dealing) };
            for way in &block.ways {
                dealing.push(way);
                go_on(others, dealing, see);
                dealing.pop();
            }
        }
        go_on(&self.blocks, &mut Vec::new(), see);
    }

    fn statistics(&self, dealing: &[&Way]) -> [f64; STATISTICS] {
        let mut is_new = vec![false; self.sorted.len()];
        for (block, way) in self.blocks.iter().zip(dealing) {
            for (place, new) in block.places.iter().zip(&way.is_new) {
                is_new[*place] = *new;
            }
        }
        let rounds = self.blocks.iter().map(|block| block.rounds).sum();
        let signed = |(value, new): (&f64, &bool)| if *new { *value } else { -value };
        let mean = self.sorted.iter().zip(&is_new).map(signed).sum::<f64>();
        [excess(&self.sorted, &is_new, rounds), dealing.iter().map(|way| way.excess).sum(), mean]
    }
}
