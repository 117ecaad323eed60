//! Least squares with known errors of the unknowns (ridge regression, in its Bayesian reading:
//! Lindley and Smith, J. R. Stat. Soc. B 34, 1972).

use jfathom_profile::Constant;
use jfathom_statistics::student_95;

use super::terms::FitTerms;

/// The place of the inlining among the constants.
pub(super) const INLINING: usize = 3;
/// As many programs would have shown the shipped spread. Origin: chosen, so that it counts as much
/// as that of the programs here, which are of few kinds.
const PROGRAMS_OF_SPREAD: f64 = 27.0;
/// Rounds in which constants and spread are found from each other.
const ROUNDS: usize = 12;
/// Steps of the search for the spread, which halves [0, 4] each time.
const HALVINGS: usize = 40;

/// The result of a fit.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    values: [f64; 4],
    /// Standard deviations of the values.
    deviations: [f64; 4],
    /// Standard deviation of the inlining between programs.
    pub spread: f64,
    programs: usize,
}

impl Fit {
    pub(super) fn values(&self) -> [f64; 4] {
        self.values
    }

    /// The constants with bars of 95 %. That of the inlining is for another program.
    pub(super) fn constants(&self) -> [Constant; 4] {
        let quantile = student_95(u32::try_from(self.programs).unwrap_or(u32::MAX).max(1));
        std::array::from_fn(|number| {
            let spread = if number == INLINING { self.spread } else { 0.0 };
            let deviation = self.deviations[number].hypot(spread);
            Constant { value: self.values[number].max(0.0), error: quantile * deviation }
        })
    }

    /// The value and its bar, before anything is held to be above zero.
    pub(super) fn as_found(&self, number: usize) -> Constant {
        Constant { value: self.values[number], error: 2.0 * self.deviations[number] }
    }
}

/// Solves for the constants. `known` are the shipped ones, with error bars of two standard
/// deviations. None if there is no solution.
pub(super) fn solve(terms: &[FitTerms], known: &[Constant; 4]) -> Option<Fit> {
    let spread_known = known[INLINING].error / 2.0;
    let mut spread = spread_known;
    let mut found = None;
    for _ in 0..ROUNDS {
        let (values, deviations) = step(terms, known, spread)?;
        let shown = shown_spread(terms, &values);
        let count = terms.len() as f64;
        let squares = PROGRAMS_OF_SPREAD * spread_known.powi(2) + count * shown.powi(2);
        spread = (squares / (PROGRAMS_OF_SPREAD + count)).sqrt();
        found = Some(Fit { values, deviations, spread, programs: terms.len() });
    }
    found.filter(|fit| fit.values.iter().chain(&fit.deviations).all(|number| number.is_finite()))
}

/// The variance of a program's excess with this spread of the inlining.
fn variance(terms: &FitTerms, spread: f64) -> f64 {
    terms.deviation_nanos.powi(2) + (spread * terms.slopes[INLINING]).powi(2)
}

/// Values and their standard deviations with a known spread.
fn step(terms: &[FitTerms], known: &[Constant; 4], spread: f64) -> Option<([f64; 4], [f64; 4])> {
    let mut matrix = [[0.0; 4]; 4];
    let mut right = [0.0; 4];
    for number in 0..4 {
        let weight = (known[number].error / 2.0).powi(-2);
        matrix[number][number] = weight;
        right[number] = weight * known[number].value;
    }
    for terms in terms {
        let weight = 1.0 / variance(terms, spread);
        let excess = terms.base_nanos - terms.plain_nanos;
        for row in 0..4 {
            right[row] += weight * terms.slopes[row] * excess;
            for (cell, slope) in matrix[row].iter_mut().zip(terms.slopes) {
                *cell += weight * terms.slopes[row] * slope;
            }
        }
    }
    let values = solved(matrix, right)?;
    let mut deviations = [0.0; 4];
    for number in 0..4 {
        let mut unit = [0.0; 4];
        unit[number] = 1.0;
        deviations[number] = solved(matrix, unit)?[number].max(0.0).sqrt();
    }
    Some((values, deviations))
}

/// The spread with which the excesses are as large as they should be.
fn shown_spread(terms: &[FitTerms], values: &[f64; 4]) -> f64 {
    let (mut low, mut high) = (0.0, 4.0);
    let expected = terms.len() as f64 - 2.0;
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        let of_program =
            |terms: &FitTerms| terms.excess_nanos(values).powi(2) / variance(terms, middle);
        if terms.iter().map(of_program).sum::<f64>() > expected {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Solves a symmetric, positive system by Gaussian elimination; none if it is singular.
fn solved(mut matrix: [[f64; 4]; 4], mut right: [f64; 4]) -> Option<[f64; 4]> {
    for pivot in 0..4 {
        let above = matrix[pivot];
        let divisor = above[pivot];
        if !divisor.is_finite() || divisor <= 0.0 {
            return None;
        }
        for row in (0..4).filter(|row| *row != pivot) {
            let factor = matrix[row][pivot] / divisor;
            for (cell, above) in matrix[row].iter_mut().zip(above) {
                *cell -= factor * above;
            }
            right[row] -= factor * right[pivot];
        }
    }
    Some(std::array::from_fn(|row| right[row] / matrix[row][row]))
}
