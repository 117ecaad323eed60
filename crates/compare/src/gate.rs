//! The gate: whether a candidate stays within limits of growth over a baseline.
//!
//! **Calls** are compared exactly, per method. Methods whose calls vary between runs of a side are
//! left out and named.
//!
//! **Times** are compared per root, by the lower halves of their runs
//! ([`jfathom_statistics::lower_half_test`]). A root exceeds its limit if two conditions hold. It
//! grew by more than the limit ([`crate::RootDiff::growth`]), and the growth is significant at
//! [`Gate::alpha`] over all roots together (Holm). With enough runs the test is exact for any
//! distribution of times. Equal programs then fail the gate at most once in a thousand times. With
//! few runs it is Welch's test, which assumes normal times. Interleaved runs are permuted among
//! neighbours ([`jfathom_statistics::interleaved_test`]), so drift of the machine hides no
//! difference.
//!
//! Where methods changed and one root has a limit, the root also exceeds it if the self times of
//! these methods alone grew by more than the limit, by the same test. They scatter less than the
//! whole root does. Both p-values count double then (Bonferroni).
//!
//! **Columns** are compared per root. Those of which each run has its own values are compared as
//! times are. They may be off for what is not known of them. A root exceeds its limit if it grew by
//! more than the limit and this error together, and significantly. Where the error is wider than
//! the limit, a small growth is inconclusive, too. Of the others the means of the runs are
//! compared, without a test.
//!
//! **Ratios** are calls of some methods per call of others, in each run of the candidate. The
//! baseline has no part in them.

mod calls;
mod columns;
mod limits;
pub(crate) mod losses;
mod outcome;
mod ratio_limit;
mod ratios;
mod run_test;
mod times;
mod verdict;

use jfathom_profile::Profile;

use crate::conditions::SAMPLED;
use crate::diff::{Diff, MethodDiff};
use crate::{are_interleaved, condition_differences};
pub use limits::{CallLimit, Limits};
pub use outcome::{CallsVerdict, Gate, RootVerdict};
pub use ratio_limit::RatioLimit;
pub use verdict::{ColumnVerdict, RatioVerdict, Verdict};

/// Significance level: the probability that the times of equal programs fail the gate, over all
/// roots.
pub const ALPHA: f64 = 1e-3;
/// Significance level for interleaved runs that differ in code, calls or conditions, such as the
/// JVM. Interleaving cancels time-of-day effects. Where nothing is known to differ, a growth is not
/// likely, and the level stays at [`ALPHA`].
pub const ALPHA_INTERLEAVED: f64 = 5e-3;

/// Why a gate cannot compare the profiles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GateError {
    /// Too few methods are in both profiles.
    #[error(
        "only {common} of {of} methods are in both profiles: they are of different programs, or \
         of different selections"
    )]
    UnrelatedPrograms {
        /// Methods on both sides.
        common: usize,
        /// Methods of the side that has fewer.
        of: usize,
    },
    /// The selection leaves no method.
    #[error("no method of the profiles is selected")]
    NothingSelected,
}

/// Checks the difference of two profiles against limits. `select` chooses the methods and roots
/// that count.
///
/// # Errors
/// Fails if less than half of the smaller profile's methods are in both, or if none is selected.
pub fn gate(
    base: &Profile,
    new: &Profile,
    diff: &Diff,
    limits: &Limits,
    select: impl Fn(&MethodDiff) -> bool,
) -> Result<Gate, GateError> {
    let common = diff.matching.pairs.len();
    let of = common + diff.matching.only_base.len().min(diff.matching.only_new.len());
    if common == 0 || 2 * common < of {
        return Err(GateError::UnrelatedPrograms { common, of });
    }
    let selected: Vec<bool> = diff.methods.iter().map(&select).collect();
    if !selected.contains(&true) {
        return Err(GateError::NothingSelected);
    }
    let conditions = condition_differences(base, new);
    let has_roots_only = |profile: &Profile| profile.meta.jvms.iter().any(|jvm| jvm.roots_only);
    // Where only roots were recorded, nobody knows whether other methods differ.
    let is_different = !conditions.is_empty()
        || has_roots_only(base)
        || diff.methods.iter().any(MethodDiff::is_changed);
    let mut gate = Gate {
        limits: limits.clone(),
        calls_within: 0,
        calls_exceeded: Vec::new(),
        edited: (0..diff.methods.len()).filter(|at| diff.methods[*at].is_edited()).collect(),
        varying: Vec::new(),
        roots: Vec::new(),
        columns: Vec::new(),
        ratios: Vec::new(),
        alpha: match are_interleaved(base, new) && is_different {
            true => ALPHA_INTERLEAVED,
            false => ALPHA,
        },
        refused: Vec::new(),
        notes: Vec::new(),
    };
    if let Some(limit) = limits.calls {
        calls::check(&mut gate, [base, new], diff, limit, &selected);
    }
    let is_sampled = [base, new].iter().any(|profile| !profile.latencies.unsampled.is_empty());
    let interleaved = are_interleaved(base, new);
    if is_sampled && limits.time.is_some() {
        gate.refused.push(format!("time: {SAMPLED}"));
    } else if let Some(limit) = limits.time {
        times::check(&mut gate, diff, limit, &selected, interleaved);
    }
    for limit in &limits.columns {
        match is_sampled && limit.0.keeps_runs() {
            true => gate.refused.push(format!("{}: {SAMPLED}", limit.0.key)),
            false => columns::check(&mut gate, [base, new], diff, *limit, &selected, interleaved),
        }
    }
    let (ratios, refused) = ratios::check(base, new, &limits.ratios);
    gate.ratios = ratios;
    gate.refused.extend(refused);
    gate.notes.extend(conditions);
    Ok(gate)
}
