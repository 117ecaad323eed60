//! Statistical tests of whether two groups of runs differ by more than chance.
//!
//! There are four tests, each for what it is good at:
//!
//! - [`welch`]: the means of two groups, from their moments alone, with an interval for the
//!   difference. It takes times for roughly normal, which run times are not at the far tails.
//! - [`rank_test`] (Mann and Whitney, Ann. Math. Statist. 18, 1947): exact whatever the
//!   distribution; from single values.
//! - [`lower_half_test`]: an exact permutation test (Pitman, 1937) of the means of the lower
//!   halves. Disturbances from outside only add time. So the lower half of the runs is nearer to
//!   the program than their mean, and up to half of the runs may be disturbed before it moves.
//! - [`interleaved_test`]: the same for interleaved runs. It permutes within neighbouring rounds
//!   only, so that a drift over the series is no difference. It looks at the mean as well.
//!
//! [`benjamini_hochberg`] adjusts many p-values at once (Benjamini and Hochberg, J. R. Stat. Soc. B
//! 57, 1995), [`holm`] those of a decision that must hold for all (Holm, Scand. J. Statist. 6,
//! 1979). [`fit_line`] fits a line to points, [`binomial_at_least`] is the tail of an exact test of
//! counts.
#![forbid(unsafe_code)]

mod adjust;
mod beta;
mod interleaved;
mod line;
mod lower_half;
mod moments;
mod permutation;
mod rank;
mod student;
mod welch;

pub use adjust::{benjamini_hochberg, holm};
pub use beta::binomial_at_least;
pub use interleaved::{interleaved_test, min_p_value_interleaved};
pub use line::{LineFit, fit_line};
pub use lower_half::{lower_half_mean, lower_half_test, lower_quarter_mean};
pub use moments::Moments;
pub use permutation::min_p_value;
pub use rank::rank_test;
pub use student::{student_95, student_quantile, student_tail};
pub use welch::{Welch, welch};

#[cfg(test)]
mod tests;
