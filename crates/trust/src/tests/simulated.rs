//! Verdicts and estimates on simulated runs: how often they are wrong is known, because the truth
//! is.

use crate::{Bias, Difference, Estimate, RunCounts, Scatter, combine, judge};
use jfathom_profile::TrustVerdict;
use jfathom_testkit::Random;

/// A number from 0 to 1.
fn uniform(random: &mut Random) -> f64 {
    (random.next() >> 11) as f64 / (1_u64 << 53) as f64
}

/// A number of the normal distribution (Box and Muller).
fn normal(random: &mut Random) -> f64 {
    let radius = (-2.0 * (1.0 - uniform(random)).ln()).sqrt();
    radius * (std::f64::consts::TAU * uniform(random)).cos()
}

/// Shares of a program: a few large, many small, adding up to one.
fn shares(random: &mut Random, count: usize) -> Vec<f64> {
    let raw: Vec<f64> = (0..count).map(|at| uniform(random) / (at + 1) as f64).collect();
    let sum: f64 = raw.iter().sum();
    raw.into_iter().map(|share| share / sum).collect()
}

/// The shares in one run of a program whose runs differ.
fn of_run(random: &mut Random, shares: &[f64], deviation: f64) -> Vec<f64> {
    let raw: Vec<f64> =
        shares.iter().map(|share| share * (deviation * normal(random)).exp()).collect();
    let sum: f64 = raw.iter().sum();
    raw.into_iter().map(|share| share / sum).collect()
}

/// Samples of a run.
fn drawn(random: &mut Random, shares: &[f64], samples: u64) -> Vec<u64> {
    let mut counts = vec![0; shares.len()];
    for _ in 0..samples {
        let mut rest = uniform(random);
        let item = shares.iter().position(|share| {
            rest -= share;
            rest < 0.0
        });
        counts[item.unwrap_or(0)] += 1;
    }
    counts
}

/// A program, three runs of which were sampled, and a recording.
struct Simulated {
    counts: RunCounts,
    scatter: Scatter,
    recorded: Vec<Estimate>,
}

/// `deviation` is what a share differs by between runs, as a part of it; `error` is the standard
/// error of a recorded share, as a part of it.
fn simulate(
    random: &mut Random,
    truth: &[f64],
    recorded: &[f64],
    deviation: f64,
    error: f64,
    samples: u64,
) -> Simulated {
    let mut counts = RunCounts::default();
    for _ in 0..3 {
        let run = of_run(random, truth, deviation);
        counts.push(samples, drawn(random, &run, samples));
    }
    let scatter = counts.scatter();
    let run = of_run(random, recorded, deviation);
    let estimate = |(at, share): (usize, &f64)| Estimate {
        share: share * (1.0 + error * normal(random)),
        variance: (error * share).powi(2) + counts.between_runs(at, scatter),
    };
    let recorded = run.iter().enumerate().map(estimate).collect();
    Simulated { counts, scatter, recorded }
}

impl Simulated {
    fn verdicts(&self) -> Vec<TrustVerdict> {
        let difference = |(at, recorded): (usize, &Estimate)| Difference {
            sampled: self.counts.estimate(at, self.scatter),
            samples: self.counts.samples(),
            factor: self.counts.item_factor(at, self.scatter),
            recorded: *recorded,
        };
        let family: Vec<Difference> = self.recorded.iter().enumerate().map(difference).collect();
        judge(&family, self.scatter.degrees)
    }

    fn combined(&self) -> (Vec<Estimate>, Vec<(Estimate, Estimate)>) {
        let pair = |(at, recorded): (usize, &Estimate)| {
            (self.counts.estimate(at, self.scatter), *recorded)
        };
        let pairs: Vec<(Estimate, Estimate)> = self.recorded.iter().enumerate().map(pair).collect();
        (combine(&pairs, Bias::from_shares(&pairs)), pairs)
    }
}

/// Pairs without a difference: in how many of them anything is called distorted.
fn false_alarms(deviation: f64, error: f64, samples: u64) -> f64 {
    let mut random = Random(0x1234_5678_9abc_def1);
    let pairs = 400;
    let mut alarms = 0;
    for _ in 0..pairs {
        let truth = shares(&mut random, 25);
        let simulated = simulate(&mut random, &truth, &truth, deviation, error, samples);
        alarms += u32::from(simulated.verdicts().contains(&TrustVerdict::Distorted));
    }
    f64::from(alarms) / f64::from(pairs)
}

/// The level is 5 % for all methods of a profile together. With 400 pairs the rate has a standard
/// error of 1.1 %.
#[test]
fn false_alarms_are_as_rare_as_the_level() {
    for (deviation, error, samples) in
        [(0.0, 0.0, 300), (0.0, 0.0, 1000), (0.0, 0.05, 1000), (0.05, 0.0, 1000), (0.15, 0.05, 600)]
    {
        let rate = false_alarms(deviation, error, samples);
        assert!(rate <= 0.08, "{rate} of the pairs, {deviation}, {error}, {samples}");
    }
}

/// A method of 3 % that takes 19 % when it is recorded.
fn distorted(random: &mut Random) -> (Vec<f64>, Vec<f64>) {
    let mut truth = shares(random, 25);
    truth[24] = 0.03;
    let rest: f64 = truth[..24].iter().sum();
    truth[..24].iter_mut().for_each(|share| *share *= 0.97 / rest);
    let mut recorded = truth.clone();
    recorded[24] = 0.19;
    recorded[..24].iter_mut().for_each(|share| *share *= 0.81 / 0.97);
    (truth, recorded)
}

#[test]
fn a_distortion_is_found() {
    let mut random = Random(0xfeed_beef_cafe_0001);
    let (mut found, mut confirmed) = (0, 0);
    for _ in 0..100 {
        let (truth, recorded) = distorted(&mut random);
        let verdicts = simulate(&mut random, &truth, &recorded, 0.05, 0.03, 300).verdicts();
        found += u32::from(verdicts[24] == TrustVerdict::Distorted);
        confirmed += u32::from(verdicts[24] == TrustVerdict::Confirmed);
    }
    assert_eq!((found, confirmed), (100, 0));
}

#[test]
fn few_samples_and_wide_bars_are_doubtful() {
    let mut random = Random(0xfeed_beef_cafe_0002);
    let truth = [0.5, 0.3, 0.2];
    let few = simulate(&mut random, &truth, &truth, 0.0, 0.0, 5).verdicts();
    assert!(!few.contains(&TrustVerdict::Confirmed), "{few:?}");
    let wide = simulate(&mut random, &truth, &truth, 0.0, 0.7, 2000).verdicts();
    assert!(!wide.contains(&TrustVerdict::Confirmed), "{wide:?}");
    let (mut confirmed, mut all) = (0, 0);
    for _ in 0..100 {
        let good = simulate(&mut random, &truth, &truth, 0.0, 0.01, 2000).verdicts();
        confirmed += good.iter().filter(|verdict| **verdict == TrustVerdict::Confirmed).count();
        all += good.len();
    }
    assert!(confirmed * 100 >= all * 90, "{confirmed} of {all}");
}

/// Root mean square errors of the combined estimate, of the samples and of the recording, over all
/// methods of many simulated profiles.
fn errors(is_distorted: bool, error: f64, stated: f64) -> [f64; 3] {
    let mut random = Random(0x0dd_ba11);
    let mut squares = [0.0; 3];
    let rounds = 200;
    for _ in 0..rounds {
        let (truth, distorted) = distorted(&mut random);
        let recorded = if is_distorted { &distorted } else { &truth };
        let mut simulated = simulate(&mut random, &truth, recorded, 0.0, error, 200);
        for estimate in &mut simulated.recorded {
            estimate.variance *= stated * stated;
        }
        let (combined, pairs) = simulated.combined();
        let sum: f64 = combined.iter().map(|estimate| estimate.share).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        for (at, truth) in truth.iter().enumerate() {
            let found = [combined[at].share, pairs[at].0.share, pairs[at].1.share];
            for (sum, found) in squares.iter_mut().zip(found) {
                *sum += (found - truth).powi(2) / (rounds * 25) as f64;
            }
        }
    }
    squares.map(f64::sqrt)
}

#[test]
fn the_combined_estimate_is_no_worse_than_the_samples() {
    // A recording that is right makes few samples better by far.
    let [combined, sampled, recorded] = errors(false, 0.01, 1.0);
    assert!(
        recorded < 0.5 * sampled && combined < 0.7 * sampled,
        "{combined} {sampled} {recorded}"
    );
    // One that lies does not win, also if its bars say that it is certain.
    for stated in [1.0, 0.01] {
        let [combined, sampled, recorded] = errors(true, 0.01, stated);
        assert!(recorded > 3.0 * sampled && combined < 1.1 * sampled, "{combined} {sampled}");
    }
    // A noisy one with bars that are too small does not spoil the samples.
    let [combined, sampled, _] = errors(false, 0.5, 0.1);
    assert!(combined < 1.1 * sampled, "{combined} {sampled}");
}

#[test]
fn the_scatter_of_runs_is_found() {
    let mut random = Random(0xabc0_ffee);
    let truth = shares(&mut random, 12);
    let mean = |random: &mut Random, deviation: f64| {
        let factor = |_| simulate(random, &truth, &truth, deviation, 0.0, 1000).scatter.common;
        (0..40).map(factor).sum::<f64>() / 40.0
    };
    let (quiet, wild) = (mean(&mut random, 0.0), mean(&mut random, 0.3));
    assert!(quiet < 1.4 && wild > 3.0, "{quiet} {wild}");
    let mut one = RunCounts::default();
    one.push(100, vec![50, 50]);
    assert_eq!(one.scatter(), Scatter { common: 1.0, degrees: None });
}
