//! The rank test of Mann and Whitney, exact with ties as well.

/// Up to so many values get the exact distribution. For more the normal approximation is good to
/// the third digit.
const EXACT: usize = 40;

/// P-value of the height of the new group's ranks. None if a group is empty.
///
/// The distribution is that over all permutations, so the test is exact for any runs that could as
/// well have come in another order.
pub fn rank_test(base: &[f64], new: &[f64]) -> Option<f64> {
    if base.is_empty() || new.is_empty() {
        return None;
    }
    let ranks = doubled_ranks(base, new);
    let sum: usize = ranks[base.len()..].iter().sum();
    if ranks.len() > EXACT {
        return Some(normal_tail(&ranks, new.len(), sum));
    }
    // ways[k][s]: in how many ways k of the ranks seen so far add up to s.
    let most: usize = ranks.iter().sum();
    let mut ways = vec![vec![0.0_f64; most + 1]; new.len() + 1];
    ways[0][0] = 1.0;
    for (seen, rank) in ranks.iter().enumerate() {
        for k in (1..=new.len().min(seen + 1)).rev() {
            let (fewer, more) = ways.split_at_mut(k);
            for (to, from) in more[0][*rank..].iter_mut().zip(&fewer[k - 1]) {
                *to += from;
            }
        }
    }
    let all: f64 = ways[new.len()].iter().sum();
    Some(ways[new.len()][sum..].iter().sum::<f64>() / all)
}

/// Twice the rank of each value among all, the base first; equal values share the mean of their
/// ranks.
fn doubled_ranks(base: &[f64], new: &[f64]) -> Vec<usize> {
    let values: Vec<f64> = base.iter().chain(new).copied().collect();
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0; values.len()];
    let mut from = 0;
    for group in order.chunk_by(|a, b| values[*a] == values[*b]) {
        for at in group {
            ranks[*at] = 2 * from + group.len() + 1;
        }
        from += group.len();
    }
    ranks
}

/// The normal approximation with the correction for ties.
fn normal_tail(ranks: &[usize], new: usize, sum: usize) -> f64 {
    let (all, of_new) = (ranks.len() as f64, new as f64);
    let mean = ranks.iter().sum::<usize>() as f64 / all;
    let spread = ranks.iter().map(|rank| (*rank as f64 - mean).powi(2)).sum::<f64>() / (all - 1.0);
    let variance = spread * of_new * (all - of_new) / all;
    if variance <= 0.0 {
        return 1.0;
    }
    // A doubled rank sum moves in steps of two: half a step.
    let z = (sum as f64 - 1.0 - mean * of_new) / variance.sqrt();
    crate::student_tail(z, 1e9)
}
