//! Who calls the methods whose stacks were walked on both sides, and what the walks show of it.

use jfathom_profile::{Profile, SampledName, WalkedMethod};
use jfathom_statistics::binomial_at_least;

use super::significance::FALSE_DISCOVERY_RATE;

/// The callers of a method whose stacks were walked on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct WalksDiff {
    /// Its index in [`super::Diff::methods`].
    pub method: usize,
    /// What is known of it on each side, the baseline first.
    pub sides: [WalkedSide; 2],
    /// Its callers, and theirs, each after the one that it calls; those with the most calls first.
    pub callers: Vec<CallerDiff>,
}

/// The walks of a method on one side, over its runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkedSide {
    /// The stack was walked at each call of so many; zero if runs differ.
    pub interval: u32,
    /// Walks with known callers.
    pub walks: u64,
    /// Walks of which some caller is not known: that were not made or kept, or have no stack with
    /// the method, or lack their outermost frames.
    pub lost: u64,
    /// For how many calls of a run a walk stands. None if that is not known.
    calls_a_walk: Option<f64>,
}

/// A caller of a method, or of another caller.
#[derive(Clone, Debug, PartialEq)]
pub struct CallerDiff {
    /// Calls between it and the method; from 1.
    pub depth: u32,
    /// Who it is.
    pub caller: Caller,
    /// Walks that came this way on each side, over its runs.
    pub walks: [u64; 2],
    /// The probability of walks that differ so much if as many calls came this way on both sides,
    /// adjusted for the number of callers. Walks whose callers are not known count against it. None
    /// where it is not asked: nothing is left to chance, the intervals or the calls differ from run
    /// to run, or some runs walk no stacks.
    pub p_value: Option<f64>,
    /// Whether both sides have walked every call of each run, so that the difference is exact.
    pub is_exact: bool,
}

/// Who calls.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Caller {
    /// A method, by its index in [`super::Diff::methods`]. The first of several with its class and
    /// name, where a side has frames without recorded calls of that name.
    Method(usize),
    /// A method of neither table.
    Named(SampledName),
}

impl WalkedSide {
    pub(super) fn new(profile: &Profile, of: WalkedMethod) -> Self {
        let walks = profile.stack_walks.walks(of.method);
        let unseen = of.due.saturating_sub(walks);
        let lost = unseen.saturating_add(of.truncated).saturating_add(profile.stack_walks.cut);
        let (interval, runs) = (u64::from(of.interval), profile.run_count());
        // Each JVM leaves fewer calls than an interval. More are of runs that walk no stacks.
        let calls = profile.method(of.method).calls();
        let left = calls.saturating_sub(of.due.saturating_mul(interval));
        let jvms = profile.meta.jvms.len().max(runs) as u64;
        let is_known = interval > 0 && left <= jvms.saturating_mul(interval - 1);
        let calls_a_walk = is_known.then(|| interval as f64 / runs as f64);
        Self { interval: of.interval, walks, lost, calls_a_walk }
    }

    /// For about how many calls of a run so many walks stand. None if intervals differ, or if some
    /// runs walk no stacks.
    pub fn calls(&self, walks: u64) -> Option<f64> {
        self.calls_a_walk.map(|calls| walks as f64 * calls)
    }

    /// Whether the callers of all calls are known.
    pub fn is_whole(&self) -> bool {
        self.interval == 1 && self.lost == 0 && self.calls_a_walk.is_some()
    }
}

impl WalksDiff {
    /// Calls of a run that came by a caller on each side, about. None if a side does not know.
    pub fn calls(&self, caller: &CallerDiff) -> Option<[f64; 2]> {
        let [base, new] = [0, 1].map(|side: usize| self.sides[side].calls(caller.walks[side]));
        Some([base?, new?])
    }

    /// Whether other calls of a run came by a caller on one side than on the other.
    pub fn is_changed(&self, caller: &CallerDiff) -> bool {
        let differs = || self.calls(caller).is_some_and(|[base, new]| base != new);
        caller.is_exact && differs()
            || caller.p_value.is_some_and(|p_value| p_value <= FALSE_DISCOVERY_RATE)
    }
}

/// What the walks that came by a caller show: a p-value before adjustment, or whether they are
/// those of all calls.
///
/// If as many calls came this way in each run of both sides, a walk of the two is the candidate's
/// with a probability that runs and intervals alone tell. So the number of its walks is binomial
/// (Przyborowski and Wilenski, Biometrika 31, 1940). Walks without all their callers may have come
/// this way, too: they count for the side that has fewer.
pub(super) fn test(sides: [WalkedSide; 2], walks: [u64; 2], varies: bool) -> (Option<f64>, bool) {
    if sides.iter().all(WalkedSide::is_whole) {
        return (None, !varies);
    }
    let [Some(base), Some(new)] = sides.map(|side| side.calls_a_walk).map(|of| of.map(f64::recip))
    else {
        return (None, false);
    };
    let expected = [base, new];
    if varies || expected.iter().any(|walks| !walks.is_finite() || *walks <= 0.0) {
        return (None, false);
    }
    let tail = |more: usize| {
        let fewer = 1 - more;
        let others = walks[fewer].saturating_add(sides[fewer].lost);
        let probability = expected[more] / (expected[0] + expected[1]);
        binomial_at_least(walks[more], walks[more].saturating_add(others), probability)
    };
    (Some((2.0 * tail(0).min(tail(1))).min(1.0)), false)
}
