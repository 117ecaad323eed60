//! The test of whether the runs of the candidate take longer than those of the baseline.

use jfathom_statistics::{
    Moments, interleaved_test, lower_half_test, min_p_value, min_p_value_interleaved, welch,
};

/// Which test of two run series can be significant among so many.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunTest {
    /// Whether it is exact for any distribution.
    pub exact: bool,
    /// Whether neighbouring runs are permuted.
    neighbours: bool,
}

impl RunTest {
    /// The test for `roots` roots at a level. `runs` are those of both sides.
    pub fn new(runs: [usize; 2], roots: usize, alpha: f64, interleaved: bool) -> Self {
        let enough = |smallest: f64| smallest * roots as f64 <= alpha;
        Self {
            exact: enough(min_p_value(runs[0], runs[1])),
            neighbours: interleaved
                && runs[0] == runs[1]
                && enough(min_p_value_interleaved(runs[0])),
        }
    }

    /// The p-value of an increase; 1 where nothing can be said.
    pub fn p_value(self, [base, new]: &[Vec<f64>; 2]) -> f64 {
        let found = match self.exact {
            _ if self.neighbours => interleaved_test(base, new),
            true => lower_half_test(base, new),
            false => welch(&Moments::from_values(base), &Moments::from_values(new))
                .map(|found| found.increase_p_value),
        };
        found.unwrap_or(1.0)
    }
}

/// Which sides have one run, which has no spread, as the subject of a sentence. None if none.
pub(super) fn single_runs(runs: [usize; 2]) -> Option<String> {
    let sides = ["base", "new"].into_iter().zip(runs);
    let single: Vec<&str> = sides.filter(|(_, runs)| *runs < 2).map(|(side, _)| side).collect();
    match single[..] {
        [] => None,
        [side] => Some(format!("the {side} profile has")),
        _ => Some("both profiles have".to_owned()),
    }
}

/// What a gate says of runs that no command interleaved.
pub(super) const NOT_INTERLEAVED: &str = "the runs of the two sides were not interleaved, so that what the \
     machine did between their runs counts as the program's; `record --baseline FILE=COMMAND` interleaves them";

/// What a gate says if its test is not exact.
pub(super) fn inexact_note(runs: [usize; 2], alpha: f64) -> String {
    format!(
        "{} and {} runs are too few for an exact test at {alpha}: times are taken for normal (record --runs 10)",
        runs[0], runs[1]
    )
}
