//! The slowest calls beside the others: which call path takes the time that makes them slow.

use jfathom_calibration::CorrectedTimes;
use jfathom_profile::{Frame, NodeIx, Profile};

use crate::path_sums::{PathNumber, PathSum, PathSums};
use crate::slowest::{SlowestCalls, self_nanos};

/// Frames of a call path that are kept: the innermost ones of a deep recursion.
const MOST_FRAMES: usize = 64;

/// Where the slowest calls and all recorded calls take their time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Differences {
    /// The recorded calls of the call path.
    pub calls: u64,
    /// Those with the largest difference first.
    pub first: Vec<Difference>,
    /// Further call paths, which are left off.
    pub left_off: usize,
    /// By how much the slowest calls take longer, in ns, in all call paths in which they do.
    pub longer_nanos: f64,
}

/// A call path below the calls, and what it takes of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The innermost frames below the call, at most 64; empty for the call itself.
    pub path: Vec<Frame>,
    /// Frames between the call and those of `path`.
    pub frames_left_off: usize,
    /// Mean self time in each of the slowest calls, in ns.
    pub slow_nanos: f64,
    /// Mean self time in each recorded call, in ns.
    pub all_nanos: f64,
    /// Calls of it in each of the slowest calls, and in each recorded call.
    pub slow_calls: f64,
    /// See `slow_calls`.
    pub all_calls: f64,
}

impl Difference {
    /// By how much the slowest calls take longer here, in ns.
    pub fn nanos(&self) -> f64 {
        self.slow_nanos - self.all_nanos
    }
}

/// The `most` largest differences of these slowest calls.
pub(crate) fn differences(
    profile: &Profile,
    corrected: Option<&CorrectedTimes>,
    of: &SlowestCalls,
    most: usize,
) -> Differences {
    let tick = 1e9 / profile.rate.hz() as f64;
    let mut sums = PathSums::new();
    for call in &of.kept {
        for (span, nanos) in self_nanos(&call.activation.spans, tick, of.record_nanos) {
            let sum = sums.enter(span.depth, span.frame());
            if span.is_timed() {
                sum.slow_nanos += nanos;
                sum.slow_calls += 1.0;
            }
        }
    }
    let calls = add_all(profile, corrected, of.path, &mut sums);
    let (slow, all) = (of.kept.len().max(1) as f64, (calls as f64).max(1.0));
    let nanos = |sum: &PathSum| sum.slow_nanos / slow - sum.all_nanos / all;
    let timed = sums.iter().filter(|(_, _, sum)| sum.slow_calls > 0.0 || sum.all_calls > 0.0);
    let mut order: Vec<(PathNumber, u32, &PathSum)> = timed.collect();
    order.sort_by(|(_, a_depth, a), (_, b_depth, b)| {
        nanos(b).total_cmp(&nanos(a)).then_with(|| a_depth.cmp(b_depth))
    });
    let first = order.iter().take(most).map(|(number, depth, sum)| {
        let path = sums.frames(*number, MOST_FRAMES);
        Difference {
            frames_left_off: (*depth as usize).saturating_sub(path.len()),
            path,
            slow_nanos: sum.slow_nanos / slow,
            all_nanos: sum.all_nanos / all,
            slow_calls: sum.slow_calls / slow,
            all_calls: sum.all_calls / all,
        }
    });
    Differences {
        calls,
        first: first.collect(),
        left_off: order.len().saturating_sub(most),
        longer_nanos: order.iter().map(|(_, _, sum)| nanos(sum).max(0.0)).sum(),
    }
}

/// Adds the self times and calls of all recorded calls of a call path, and returns how many these
/// calls are.
fn add_all(
    profile: &Profile,
    corrected: Option<&CorrectedTimes>,
    path: &[Frame],
    sums: &mut PathSums,
) -> u64 {
    let tree = &profile.tree;
    let tick = 1e9 / profile.rate.hz() as f64;
    let mut recorded = 0_u64;
    for top in crate::latency::nodes_of(profile, path) {
        recorded = recorded.saturating_add(tree.timed(top));
        let depth = tree.depth(top);
        for node in tree.subtree(top).map(NodeIx) {
            let sum = sums.enter(tree.depth(node).saturating_sub(depth), tree.frame(node));
            if tree.timed(node) > 0 {
                sum.all_calls += tree.timed(node) as f64;
                sum.all_nanos += match corrected {
                    Some(corrected) => corrected.node(node).self_nanos,
                    None => tree.self_time(node).0 as f64 * tick,
                };
            }
        }
    }
    recorded
}
