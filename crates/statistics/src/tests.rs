use super::*;

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() <= 1e-6 * expected.abs().max(1e-3),
        "{found} instead of {expected}"
    );
}

/// Closed forms: one degree of freedom is Cauchy's distribution, two have an algebraic one.
#[test]
fn student_has_its_closed_forms() {
    for t in [-700.0_f64, -3.0, -0.5, 0.0, 0.1, 1.0, 2.5, 40.0] {
        close(student_tail(t, 1.0), 0.5 - t.atan() / std::f64::consts::PI);
        close(student_tail(t, 2.0), 0.5 - t / (2.0 * (2.0 + t * t).sqrt()));
    }
    // The normal distribution's 97.5 % point, then published tables.
    close(student_quantile(0.975, 1e9), 1.959_963_985);
    for (probability, degrees, value) in [
        (0.975, 1.0, 12.706_205),
        (0.975, 9.0, 2.262_157),
        (0.999, 18.0, 3.610_485),
        (0.95, 4.0, 2.131_847),
    ] {
        close(student_quantile(probability, degrees), value);
        close(student_quantile(1.0 - probability, degrees), -value);
    }
    assert_eq!(student_tail(f64::NAN, 3.0), 1.0);
}

#[test]
fn moments_of_known_values() {
    let moments = Moments::from_values(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
    assert_eq!((moments.count(), moments.mean()), (8, 5.0));
    close(moments.variance().unwrap(), 32.0 / 7.0);
    assert_eq!(Moments::from_values(&[3.0]).variance(), None);
    assert_eq!(Moments::default().mean(), 0.0);
}

/// The data of Student's sleep study, and what R's `t.test` prints for them.
#[test]
fn welch_as_in_the_textbook() {
    let one = Moments::from_values(&[0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]);
    let two = Moments::from_values(&[1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]);
    let found = welch(&one, &two).unwrap();
    close(found.difference, 1.58);
    assert!((found.p_value - 0.079_39).abs() < 1e-5, "{found:?}");
    assert!((found.difference + found.half_width - 3.365_483).abs() < 1e-5, "{found:?}");
    close(found.increase_p_value, found.p_value / 2.0);
    assert_eq!(welch(&one, &Moments::from_values(&[1.0])), None);
    let same = Moments::from_values(&[5.0, 5.0]);
    assert_eq!(welch(&same, &same).unwrap().p_value, 1.0);
    assert_eq!(welch(&same, &Moments::from_values(&[6.0, 6.0])).unwrap().increase_p_value, 0.0);
}

/// The p-value over all permutations, by brute force.
fn by_hand(base: &[f64], new: &[f64], statistic: impl Fn(&[f64], &[f64]) -> f64) -> f64 {
    let values: Vec<f64> = base.iter().chain(new).copied().collect();
    let found = statistic(base, new);
    let (mut all, mut at_least) = (0.0, 0.0);
    for mask in 0_u32..1 << values.len() {
        if mask.count_ones() as usize == new.len() {
            let group = |one| {
                (0..values.len())
                    .filter(|i| (mask >> i & 1 == 1) == one)
                    .map(|i| values[i])
                    .collect()
            };
            let (base, new): (Vec<f64>, Vec<f64>) = (group(false), group(true));
            all += 1.0;
            at_least += if statistic(&base, &new) >= found - 1e-9 { 1.0 } else { 0.0 };
        }
    }
    at_least / all
}

#[test]
fn exact_tests_count_all_permutations() {
    let pairs = |base: &[f64], new: &[f64]| -> f64 {
        let win = |b: f64, n: f64| f64::from(u8::from(n > b)) + 0.5 * f64::from(u8::from(n == b));
        base.iter().flat_map(|b| new.iter().map(move |n| win(*b, *n))).sum()
    };
    for (base, new) in [
        (vec![1.0, 2.0, 3.0, 4.0], vec![3.5, 5.0, 6.0]),
        (vec![1.0, 1.0, 2.0], vec![1.0, 2.0, 2.0, 3.0]),
        (vec![9.0, 8.0, 1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0, 7.0, 2.5]),
        (vec![1.0; 4], vec![1.0; 4]),
        (vec![-1.0], vec![0.0]),
    ] {
        close(rank_test(&base, &new).unwrap(), by_hand(&base, &new, pairs));
        let halves = |base: &[f64], new: &[f64]| lower_half_mean(new) - lower_half_mean(base);
        close(lower_half_test(&base, &new).unwrap(), by_hand(&base, &new, halves));
    }
    assert_eq!((rank_test(&[], &[1.0]), lower_half_test(&[1.0], &[])), (None, None));
    close(min_p_value(10, 10), 1.0 / 184_756.0);
    close(min_p_value(3, 5), 1.0 / 56.0);
}

/// The p-value of [`interleaved_test`], by going through all ways to mark half of the values.
/// `blocks` has the rounds of each block.
fn interleaved_by_hand(base: &[f64], new: &[f64], blocks: &[usize]) -> f64 {
    let rounds = base.len();
    let values = [base, new].concat();
    let round_of = |at: usize| at % rounds;
    let statistics = |mask: u32| -> Option<[f64; 3]> {
        let of = |from: usize, to: usize, is_new: bool| -> Vec<f64> {
            let chosen =
                |at: &usize| (from..to).contains(&round_of(*at)) && (mask >> at & 1 == 1) == is_new;
            (0..values.len()).filter(chosen).map(|at| values[at]).collect()
        };
        let excess =
            |from, to| lower_half_mean(&of(from, to, true)) - lower_half_mean(&of(from, to, false));
        let (mut in_blocks, mut first) = (0.0, 0);
        for rounds in blocks {
            if of(first, first + rounds, true).len() != *rounds {
                return None;
            }
            in_blocks += *rounds as f64 * excess(first, first + rounds);
            first += rounds;
        }
        let sum = |is_new| of(0, rounds, is_new).iter().sum::<f64>();
        Some([excess(0, rounds), in_blocks, sum(true) - sum(false)])
    };
    let all: Vec<[f64; 3]> = (0..1 << values.len()).filter_map(statistics).collect();
    let share = |found: &[f64; 3], which: usize| {
        all.iter().filter(|other| other[which] >= found[which] - 1e-9).count() as f64
            / all.len() as f64
    };
    let least = |found: &[f64; 3]| (0..3).map(|which| share(found, which)).fold(1.0, f64::min);
    let found = least(&statistics(((1 << rounds) - 1) << rounds).unwrap());
    all.iter().filter(|found_by| least(found_by) <= found).count() as f64 / all.len() as f64
}

#[test]
fn interleaved_runs_are_permuted_among_neighbours() {
    // Up to five rounds are one block; six are two, and seven are three and four.
    for (base, new, blocks) in [
        (vec![9.0, 8.0, 1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0, 7.0, 2.5], vec![5]),
        (vec![1.0, 1.0, 2.0, 1.0], vec![1.0, 2.0, 2.0, 3.0], vec![4]),
        (vec![9.0, 8.0, 7.0, 2.0, 3.0, 4.0], vec![9.5, 8.5, 7.0, 2.0, 9.0, 4.5], vec![3, 3]),
        (vec![1.0; 6], vec![1.0; 6], vec![3, 3]),
    ] {
        close(interleaved_test(&base, &new).unwrap(), interleaved_by_hand(&base, &new, &blocks));
    }
    // A drift between the blocks does not matter.
    let base: Vec<f64> =
        (0..7).map(|at| if at < 3 { 1.0 } else { 100.0 } + f64::from(at) / 8.0).collect();
    let new: Vec<f64> = base.iter().map(|value| value + 2.0).collect();
    close(interleaved_test(&base, &new).unwrap(), 1.0 / (20.0 * 70.0));
    close(min_p_value_interleaved(7), 1.0 / (20.0 * 70.0));
    close(min_p_value_interleaved(10), 1.0 / (252.0 * 252.0));
    assert!(lower_half_test(&base, &new).unwrap() > 0.01);
    // One disturbed run is seen through, which the mean does not.
    let mut base: Vec<f64> = (0..10).map(|at| f64::from(at % 3)).collect();
    let new: Vec<f64> = base.iter().map(|value| value + 3.0).collect();
    base[4] = 1000.0;
    assert!(interleaved_test(&base, &new).unwrap() < 1e-3);
    assert_eq!((interleaved_test(&[], &[]), interleaved_test(&[1.0], &[1.0, 2.0])), (None, None));
    close(interleaved_test(&[1.0; 4], &[1.0; 4]).unwrap(), 1.0);
    // For many rounds permutations are drawn.
    let base: Vec<f64> = (0..40).map(f64::from).collect();
    let new: Vec<f64> = base.iter().map(|value| value + 10.0).collect();
    let found = interleaved_test(&base, &new).unwrap();
    assert!(found > 0.0 && found < 1.1e-5, "{found}");
    assert!(interleaved_test(&base, &base).unwrap() > 0.4);
}

#[test]
fn large_groups_are_close_to_exact() {
    let base: Vec<f64> = (0..19).map(|i| f64::from(i * 37 % 19)).collect();
    let new: Vec<f64> = (0..19).map(|i| f64::from(i * 41 % 19) + 3.0).collect();
    let exact = rank_test(&base, &new).unwrap();
    let (more_base, more_new) = ([base.clone(), base].concat(), [new.clone(), new].concat());
    let normal = rank_test(&more_base, &more_new).unwrap();
    assert!(exact > 0.001 && exact < 0.2 && normal < exact, "{exact} {normal}");
    let drawn = lower_half_test(&more_base, &more_new).unwrap();
    assert!(drawn > 0.0 && drawn < 0.2, "{drawn}");
    let far: Vec<f64> = more_base.iter().map(|value| value + 1000.0).collect();
    assert!(lower_half_test(&more_base, &far).unwrap() < 1.1e-5);
}

#[test]
fn many_p_values_at_once() {
    let mut found = [0.01, 0.04, 0.03, 0.5];
    benjamini_hochberg(&mut found);
    for (found, expected) in found.into_iter().zip([0.04, 0.16 / 3.0, 0.16 / 3.0, 0.5]) {
        close(found, expected);
    }
    let mut found = [0.01, 0.04, 0.03, 0.5];
    holm(&mut found);
    for (found, expected) in found.into_iter().zip([0.04, 0.09, 0.09, 0.5]) {
        close(found, expected);
    }
    benjamini_hochberg(&mut []);
}

/// Sums of the distribution itself, and a count so large that no sum would do.
#[test]
fn binomial_tails_are_sums() {
    let choose = |n: u64, k: u64| (0..k).map(|i| (n - i) as f64 / (i + 1) as f64).product::<f64>();
    for (trials, probability) in [(1, 0.5), (7, 0.1), (20, 0.75), (40, 0.03)] {
        for successes in 0..=trials + 1 {
            let sum = (successes..=trials).map(|k| {
                let (won, lost) = (k as i32, (trials - k) as i32);
                choose(trials, k) * f64::powi(probability, won) * f64::powi(1.0 - probability, lost)
            });
            close(binomial_at_least(successes, trials, probability), sum.sum());
        }
    }
    // Half of the outcomes and half of the middle one, which is √(2 / (π n)) by Stirling.
    let trials = 10_000_000_u64;
    let middle = (2.0 / (std::f64::consts::PI * trials as f64)).sqrt();
    close(binomial_at_least(trials / 2, trials, 0.5), 0.5 + middle / 2.0);
    assert_eq!(binomial_at_least(3, 5, f64::NAN), 1.0);
}
