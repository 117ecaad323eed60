//! Whether a new profile stays within limits that a base sets.
//!
//! **Calls** are compared per method and exactly. What differs between equal runs of either side is
//! left out and named.
//!
//! **Times** are compared per root, by the lower halves of their runs
//! ([`jfathom_statistics::lower_half_test`]): a root breaks its limit when it grew by more than the
//! limit ([`RootDiff::growth`]) and the increase is significant at [`Gate::alpha`] over all roots
//! together (Holm). The test is exact for any distribution of times where there are enough runs, so
//! that two groups of runs of one program, taken in any order, break the gate less than once in a
//! thousand times (in turn: five), whatever their spread; with few runs it is Welch's, which
//! takes times for normal. Runs that were made in turn are compared among neighbours
//! ([`jfathom_statistics::interleaved_test`]), so that no drift of the machine hides a difference.

mod limits;

use crate::conditions::incomparable_calls;
use crate::diff::{Diff, MethodDiff, RootDiff};
use crate::{Calls, are_interleaved, condition_differences};
use jfathom_profile::{Loss, MethodIx, Profile, Quality};
use jfathom_statistics::{
    Moments, holm, interleaved_test, lower_half_test, min_p_value, min_p_value_interleaved, welch,
};

pub use limits::{CallLimit, Limits};

/// The chance that the times of equal programs break the gate, over all roots.
pub const ALPHA: f64 = 1e-3;
/// The same where the sides were recorded in turn: the machine cannot have been another one for
/// each, so that less is asked.
pub const ALPHA_INTERLEAVED: f64 = 5e-3;
/// Roots with a smaller part of the time on both sides do not decide.
const SMALL: f64 = 0.01;

/// How a gate stands.
#[derive(Clone, Debug)]
pub struct Gate {
    /// Methods whose calls are within the limit.
    pub calls_within: usize,
    /// Methods whose calls break the limit, the largest growth first: places in [`Diff::methods`].
    pub calls_exceeded: Vec<CallsVerdict>,
    /// Methods whose calls vary between equal runs: places in [`Diff::methods`].
    pub varying: Vec<usize>,
    /// The roots, where times are limited.
    pub roots: Vec<RootVerdict>,
    /// The chance that the times of equal programs break this gate: [`ALPHA`] or
    /// [`ALPHA_INTERLEAVED`].
    pub alpha: f64,
    /// What could not be answered, one sentence each.
    pub refused: Vec<String>,
    /// What else to know.
    pub notes: Vec<String>,
}

/// Calls that break the limit.
#[derive(Clone, Debug, PartialEq)]
pub struct CallsVerdict {
    /// The methods: one, or several of one code that cannot be told apart. Places in
    /// [`Diff::methods`].
    pub methods: Vec<usize>,
    /// Calls in the base.
    pub base: u64,
    /// Calls on the new side.
    pub new: u64,
}

/// What is found of a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is not slower by more than the limit.
    Within,
    /// It is slower by more than the limit, and that is no chance.
    Exceeded,
    /// It was slower by more than the limit, and that may be chance.
    Inconclusive,
    /// It takes too small a part of the time to decide.
    Negligible,
}

/// A root against its limit.
#[derive(Clone, Debug, PartialEq)]
pub struct RootVerdict {
    /// Its place in [`Diff::roots`].
    pub root: usize,
    /// By how much it grew: 0.1 is ten per cent.
    pub growth: f64,
    /// How likely chance alone gives such an increase, adjusted for the number of roots; none
    /// where it is within the limit.
    pub p_value: Option<f64>,
    /// Whether the test is the exact one.
    pub exact: bool,
    /// What follows.
    pub verdict: Verdict,
}

/// Why nothing can be answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GateError {
    /// So few methods are on both sides, of so many on the smaller one.
    UnrelatedPrograms {
        /// Methods on both sides.
        common: usize,
        /// Methods of the side that has fewer.
        of: usize,
    },
    /// The selection leaves no method.
    NothingSelected,
}

impl std::fmt::Display for GateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UnrelatedPrograms { common, of } => write!(
                f,
                "only {common} of {of} methods are in both profiles: they are of different programs, or of different selections"
            ),
            Self::NothingSelected => write!(f, "no method of the profiles is selected"),
        }
    }
}

impl std::error::Error for GateError {}

impl Gate {
    /// Whether a limit is broken.
    pub fn is_failed(&self) -> bool {
        !self.calls_exceeded.is_empty()
            || self.roots.iter().any(|root| root.verdict == Verdict::Exceeded)
    }
}

/// Holds the difference of two profiles against limits. `select` chooses the methods and roots that
/// count.
///
/// # Errors
/// Where the profiles have too little in common, or nothing is selected.
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
    let mut gate = Gate {
        calls_within: 0,
        calls_exceeded: Vec::new(),
        varying: Vec::new(),
        roots: Vec::new(),
        alpha: if are_interleaved(base, new) { ALPHA_INTERLEAVED } else { ALPHA },
        refused: Vec::new(),
        notes: Vec::new(),
    };
    if let Some(limit) = limits.calls {
        calls(&mut gate, [base, new], diff, limit, &selected);
    }
    if let Some(limit) = limits.time {
        times(&mut gate, diff, limit, &selected, are_interleaved(base, new));
    }
    gate.notes.extend(condition_differences(base, new));
    Ok(gate)
}

fn calls(
    gate: &mut Gate,
    profiles: [&Profile; 2],
    diff: &Diff,
    limit: CallLimit,
    selected: &[bool],
) {
    for (profile, side) in profiles.into_iter().zip(["base", "new"]) {
        if let Some(loss) = loss(&profile.quality) {
            gate.refused.push(format!(
                "calls: {loss} in the {side} profile, so its counts are too low; record again"
            ));
        }
    }
    if let Some(why) = incomparable_calls(profiles[0], profiles[1]) {
        gate.refused.push(format!("calls: {why}"));
    }
    if !gate.refused.is_empty() {
        return;
    }
    if profiles[0].meta.jvms.iter().any(|jvm| jvm.roots_only) {
        gate.notes.push(
            "only the roots were recorded (--only-root): the limit holds for their calls alone"
                .to_owned(),
        );
    }
    for side in 0..2 {
        if diff.runs[side] == 1 {
            let side = ["base", "new"][side];
            gate.notes.push(format!(
                "the {side} profile has one run: counts that vary between its equal runs are not known (record --runs 10)"
            ));
        }
    }
    let place = |at: Option<MethodIx>, of: fn(&MethodDiff) -> Option<MethodIx>| {
        diff.methods.iter().position(|method| of(method) == at)
    };
    // Methods of one code that cannot be told apart are compared together.
    let mut grouped = vec![false; diff.methods.len()];
    for (of_base, of_new) in &diff.matching.ambiguous {
        let base = of_base.iter().filter_map(|at| place(Some(*at), |method| method.base));
        let new = of_new.iter().filter_map(|at| place(Some(*at), |method| method.new));
        let members: Vec<usize> = base.chain(new).filter(|at| selected[*at]).collect();
        members.iter().for_each(|at| grouped[*at] = true);
        verdict(gate, diff, members, limit);
    }
    for at in (0..diff.methods.len()).filter(|at| selected[*at] && !grouped[*at]) {
        verdict(gate, diff, vec![at], limit);
    }
    gate.calls_exceeded.sort_by_key(|calls| std::cmp::Reverse(calls.new - calls.base));
}

fn verdict(gate: &mut Gate, diff: &Diff, methods: Vec<usize>, limit: CallLimit) {
    if methods.is_empty() {
        return;
    }
    if methods.iter().any(|at| diff.methods[*at].calls.varies()) {
        gate.varying.extend(methods);
        return;
    }
    let sum = |of: fn(&MethodDiff) -> Option<Calls>| {
        let calls = methods.iter().filter_map(|at| of(&diff.methods[*at]));
        calls.map(|calls| calls.least).fold(0, u64::saturating_add)
    };
    let (base, new) = (sum(|method| method.calls.base), sum(|method| method.calls.new));
    if limit.allows(base, new) {
        gate.calls_within += methods.len();
    } else {
        gate.calls_exceeded.push(CallsVerdict { methods, base, new });
    }
}

fn times(gate: &mut Gate, diff: &Diff, limit: f64, selected: &[bool], in_turn: bool) {
    let single: Vec<&str> = ["base", "new"]
        .into_iter()
        .zip(diff.runs)
        .filter(|(_, runs)| *runs < 2)
        .map(|(side, _)| side)
        .collect();
    let who = match single[..] {
        [] => None,
        [side] => Some(format!("the {side} profile has")),
        _ => Some("both profiles have".to_owned()),
    };
    if let Some(who) = who {
        gate.refused.push(format!(
            "time: {who} one run, which has no spread; record both with --runs 10, or put runs together with `jfathom mean`"
        ));
        return;
    }
    let on_both = |root: &RootDiff| root.nanos.iter().all(|runs| !runs.is_empty());
    let all = || diff.roots.iter().enumerate().filter(|(_, root)| on_both(root));
    let roots: Vec<(usize, &RootDiff)> = all().filter(|(_, root)| selected[root.method]).collect();
    if roots.is_empty() {
        gate.refused.push(match all().count() {
            0 => "time: no root is in both profiles; name roots with `rewrite --root`".to_owned(),
            left_out => format!("time: none of the roots is selected (--only), of which both profiles have {left_out}"),
        });
        return;
    }
    let decide: Vec<&(usize, &RootDiff)> =
        roots.iter().filter(|(_, root)| root.share >= SMALL).collect();
    let alpha = gate.alpha;
    let enough = |smallest: f64| smallest * decide.len() as f64 <= alpha;
    let exact = enough(min_p_value(diff.runs[0], diff.runs[1]));
    let neighbours =
        in_turn && diff.runs[0] == diff.runs[1] && enough(min_p_value_interleaved(diff.runs[0]));
    // A root within its limit cannot break it, whatever a test says; it counts among the roots all
    // the same.
    let test = |root: &RootDiff| {
        let [base, new] = &root.nanos;
        let found = match (root.growth(), exact) {
            (Some(growth), _) if growth <= limit => None,
            _ if neighbours => interleaved_test(base, new),
            (_, true) => lower_half_test(base, new),
            (_, false) => welch(&Moments::from_values(base), &Moments::from_values(new))
                .map(|found| found.increase_p_value),
        };
        found.unwrap_or(1.0)
    };
    let mut p_values: Vec<f64> = decide.iter().map(|(_, root)| test(root)).collect();
    holm(&mut p_values);
    let mut p_values = p_values.into_iter();
    for (at, root) in roots {
        let small = root.share < SMALL;
        let p_value = if small { None } else { p_values.next() };
        let Some(growth) = root.growth() else {
            gate.refused.push("time: a root has no time in the base to compare with".to_owned());
            continue;
        };
        let (verdict, p_value) = match p_value {
            None => (Verdict::Negligible, None),
            Some(_) if growth <= limit => (Verdict::Within, None),
            Some(p_value) if p_value <= alpha => (Verdict::Exceeded, Some(p_value)),
            Some(p_value) => (Verdict::Inconclusive, Some(p_value)),
        };
        gate.roots.push(RootVerdict { root: at, growth, p_value, exact, verdict });
    }
    if !exact {
        gate.notes.push(format!(
            "{} and {} runs are too few for an exact test at {alpha}: times are taken for normal (record --runs 10)",
            diff.runs[0], diff.runs[1]
        ));
    }
    if !in_turn {
        gate.notes.push(
            "the sides were not recorded in turn, so that what the machine did between their runs counts as the program's; \
             `record --base FILE --base-command COMMAND` records both in turn"
                .to_owned(),
        );
    }
    if gate.roots.iter().any(|root| root.verdict == Verdict::Inconclusive) {
        gate.notes.push(
            "a root was slower by more than the limit, but that may be chance: record more runs"
                .to_owned(),
        );
    }
}

/// What a recording lost that makes its counts too low.
fn loss(quality: &Quality) -> Option<String> {
    let found = quality
        .losses()
        .find_map(|(loss, count)| Some(format!("{count} {}", lowers_counts(loss)?)));
    found.or_else(|| quality.other_losses.first().cloned())
}

/// What is lost with a loss that makes counts too low; none for one that leaves them right, or
/// lowers them in all recordings of a program alike.
const fn lowers_counts(loss: Loss) -> Option<&'static str> {
    match loss {
        Loss::UnknownRecords => Some("records were of unknown kinds"),
        Loss::LostRecords => Some("records were lost"),
        Loss::LostWaiting => Some("records were lost while the collector made no room"),
        Loss::LostWithCollector => Some("records were lost with the collector"),
        Loss::KilledCollectors => Some("collectors were killed"),
        Loss::SilentEnds => Some("live sessions ended while their collector was silent"),
        Loss::LostJvms => Some("JVMs could not be read"),
        Loss::LostRings => Some("threads were not recorded"),
        Loss::LostThreads => Some("threads were too many to be recorded"),
        Loss::LostRingless => Some("records were lost with the threads not recorded"),
        Loss::DamagedRings => Some("rings could not be read"),
        Loss::LostCounts => Some("counted calls were lost"),
        Loss::OutsideSpan => Some("calls had no room in the session"),
        Loss::UncleanEnds => Some("JVMs were killed"),
        Loss::LateCalls => Some("first calls went on before their callees were live"),
        // The exits are inferred, and the entries are there.
        Loss::LostOverflow
        | Loss::InferredExits
        | Loss::UnmatchedExits
        | Loss::UnmatchedCatches
        | Loss::RepairedTasks
        | Loss::BackwardTimes
        | Loss::GapTicks
        | Loss::VirtualCalls
        | Loss::NotFollowed
        | Loss::SecondRuntimes
        | Loss::InfoDropped
        | Loss::UnnamedMethods
        | Loss::BrokenLines
        | Loss::FailedClasses => None,
    }
}
