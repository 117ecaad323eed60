//! The fit: constants of residual overhead from programs that ran plain and recorded on one
//! machine.
//!
//! The corrected time of a root is linear in the constants, near enough. So they are found by least
//! squares (`solve`) over the differences of corrected and plain times (`terms`), and held to the
//! shipped constants as far as the programs say little. What single programs differ by beyond that
//! becomes the error of the inlining.

mod program;
mod refusal;
mod solve;
mod terms;

use jfathom_profile::{Constant, FittedConstants};

pub use program::FitProgram;
pub use refusal::FitRefusal;

use crate::constants::before_fit;
use program::median;
use solve::{Fit, solve};
use terms::FitTerms;

/// The fewest programs.
const FEWEST_PROGRAMS: usize = 12;
/// Uninstrumented runs of one program may differ by so much, as a share of their median. Origin:
/// chosen; on a quiet machine half of the drawn programs have a standard deviation below 3 %.
const LARGEST_SCATTER: f64 = 0.25;
/// Passes over the programs: each is linear about the constants of the one before.
const PASSES: usize = 3;

/// Fits the constants to programs of one machine, JVM and clock. Neighbours in `programs` should
/// not be of one kind: the halves of the fit have every other program.
///
/// # Errors
/// Why the constants are not to be used.
pub fn fit_constants(
    programs: &[FitProgram],
    taken_millis: u64,
) -> Result<FittedConstants, FitRefusal> {
    if programs.len() < FEWEST_PROGRAMS {
        return Err(FitRefusal::FewPrograms { found: programs.len(), needed: FEWEST_PROGRAMS });
    }
    let scatter = median(programs.iter().map(|program| scatter(&program.plain_nanos)).collect());
    if scatter > LARGEST_SCATTER {
        return Err(FitRefusal::Busy { scatter });
    }
    let first = programs.first().map(|program| &program.profile);
    let known = before_fit(first.is_none_or(crate::correct::is_after_17));
    let mut at = known.map(|constant| constant.value);
    let mut terms = Vec::new();
    for _ in 0..PASSES {
        let found = programs.iter().map(|program| FitTerms::new(program, &at));
        terms = found.collect::<Option<Vec<_>>>().ok_or(FitRefusal::Uncalibrated)?;
        at = solve(&terms, &known).ok_or(FitRefusal::Undetermined)?.values();
    }
    let constants = checked(&terms, &known)?;
    let [counted, count_record, demoted, inlining] = constants;
    let programs = u32::try_from(terms.len()).unwrap_or(u32::MAX);
    Ok(FittedConstants { taken_millis, programs, counted, count_record, demoted, inlining })
}

/// The constants, if both halves of the programs agree on them and they are plausible.
fn checked(terms: &[FitTerms], known: &[Constant; 4]) -> Result<[Constant; 4], FitRefusal> {
    let half = |of: usize| -> Option<Fit> {
        let terms: Vec<FitTerms> = terms.iter().skip(of).step_by(2).copied().collect();
        solve(&terms, known)
    };
    let all = solve(terms, known).ok_or(FitRefusal::Undetermined)?;
    let halves = half(0).zip(half(1)).ok_or(FitRefusal::Undetermined)?;
    refusal::check_halves(&halves.0, &halves.1)?;
    refusal::check_plausible(&all, known)?;
    Ok(all.constants())
}

/// What runs differ by, as a share of their median.
fn scatter(nanos: &[f64]) -> f64 {
    let largest = nanos.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = nanos.iter().copied().fold(f64::INFINITY, f64::min);
    (largest - smallest) / median(nanos.to_vec())
}

#[cfg(test)]
mod tests;
