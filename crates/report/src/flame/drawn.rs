//! Frames of a flame graph.

use jfathom_calibration::Times;
use jfathom_profile::{Frame, NodeIx};
use jfathom_views::number::{grouped, signed, with_error_bar};
use jfathom_views::{Pruned, StackWeight};

/// A frame: nodes in preorder with what is drawn of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drawn {
    /// Distance from the bottom.
    pub depth: usize,
    /// Its weight with all that lies on it: ns or calls.
    pub value: f64,
    /// Its name.
    pub name: String,
    /// Time, share and calls.
    pub detail: String,
    /// The time behind it and its error bar in ns; none for calls without a time.
    pub trust: Option<[f64; 2]>,
}

/// The frames of the call tree, each on its caller.
pub(crate) fn frames(visible: &Pruned, weight: StackWeight) -> Vec<Drawn> {
    let tree = &visible.tree;
    let before = calls_before(visible);
    let calls_within = |node: NodeIx| {
        let below = tree.subtree(node);
        before[below.end as usize] - before[below.start as usize]
    };
    let mut frames: Vec<Drawn> = Vec::new();
    for node in visible.nodes() {
        let value = match weight {
            StackWeight::SelfTime => visible.total(node).max(0.0),
            StackWeight::Calls => calls_within(node),
        };
        let times = visible.times_or_measured(node);
        let calls = match tree.frame(node) {
            Frame::Thread(_) => None,
            _ => Some((tree.calls(node), tree.timed(node))),
        };
        frames.push(Drawn {
            depth: tree.depth(node) as usize,
            value,
            name: visible.node_name(node),
            detail: detail(times, visible.is_corrected(), visible.whole, calls),
            trust: visible.has_total(node).then_some([times.total_nanos, times.total_error_nanos]),
        });
    }
    frames
}

/// By node, the calls of all methods before it, in preorder; then those of all.
fn calls_before(visible: &Pruned) -> Vec<f64> {
    let tree = &visible.tree;
    let mut sums = vec![0.0];
    let mut sum = 0.0;
    for node in tree.nodes() {
        if !matches!(tree.frame(node), Frame::Thread(_)) {
            sum += tree.calls(node) as f64;
        }
        sums.push(sum);
    }
    sums
}

/// `12.3 ms ±40%, 31.0 % of all, ×2,000 (timed 1,200)`.
pub(crate) fn detail(
    times: Times,
    is_corrected: bool,
    whole: f64,
    calls: Option<(u64, u64)>,
) -> String {
    let mut parts = Vec::new();
    if times.total_nanos > 0.0 || calls.is_none_or(|(_, timed)| timed > 0) {
        let time = match is_corrected {
            true => with_error_bar(times.total_nanos, times.total_error_nanos),
            false => signed(times.total_nanos),
        };
        parts.push(time.trim_end().to_owned());
        if whole > 0.0 {
            parts.push(format!("{:.1} % of all", times.total_nanos * 100.0 / whole));
        }
    }
    if let Some((calls, timed)) = calls {
        parts.push(match timed {
            _ if timed == calls => format!("×{}", grouped(calls)),
            0 => format!("×{}, counted", grouped(calls)),
            _ => format!("×{}, timed {}", grouped(calls), grouped(timed)),
        });
    }
    parts.join(", ")
}
