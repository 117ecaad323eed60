//! The residual of each method, from its self time and its calls.

use jfathom_profile::{Frame, Metric, NodeIx};

use super::folded::FoldedShares;
use super::inputs::Inputs;
use super::node::{CallerShare, calibrated};
use crate::fitted;
use crate::residual::MethodResidual;

/// A method over the whole tree, before any residual.
#[derive(Clone, Copy, Debug, Default)]
struct MethodSum {
    /// Measured self time less the calibrated costs, in nanoseconds.
    self_nanos: f64,
    /// Timed calls.
    calls: f64,
}

/// The residual of each method's timed calls.
pub(super) fn method_residuals(inputs: &Inputs) -> Vec<MethodResidual> {
    let timed = inputs.residual.timed(inputs.has_unordered_clock);
    let methods = &inputs.profile.methods;
    let jvms = inputs.profile.meta.jvms.len() as f64;
    let hot_calls = inputs.residual.warm_up.calls * jvms;
    let hot_methods = methods.iter().filter(|method| method.calls() as f64 >= hot_calls).count();
    let sums = method_sums(inputs);
    let residuals = sums.iter().map(|sum| {
        let self_nanos = sum.self_nanos / sum.calls.max(1.0);
        let assumed = timed.per_call(self_nanos);
        let warm_up = inputs.residual.warm_up(sum.calls, jvms, hot_methods);
        let moved = 1.0 + self_nanos.max(0.0) / fitted::MOVED_WORK_NANOS;
        MethodResidual {
            nanos: assumed.lost_nanos + warm_up.nanos - assumed.hidden_nanos,
            error_nanos: assumed.error_nanos.hypot(warm_up.error_nanos),
            moved_error_nanos: inputs.residual.moved_error_nanos / moved,
            from_caller_nanos: assumed.hidden_nanos / 2.0 + assumed.shifted_nanos,
        }
    });
    residuals.collect()
}

/// By method: its self time without the calibrated costs, and its timed calls.
fn method_sums(inputs: &Inputs) -> Vec<MethodSum> {
    let tree = &inputs.profile.tree;
    let mut sums = vec![MethodSum::default(); inputs.profile.methods.len()];
    // Whether a node has time of its own, and its frame.
    let mut path: Vec<(bool, Frame)> = Vec::new();
    for root in tree.roots() {
        let thread = inputs.thread_with_costs(root);
        let Some(cost) = thread.and_then(|thread| inputs.costs.get(thread)) else { continue };
        let of_thread = tree.subtree(root);
        let folded = FoldedShares::new(tree, of_thread.clone(), |node| {
            Some(CallerShare::of_nanos(calibrated(inputs, node, cost).1))
        });
        for node in of_thread.map(NodeIx) {
            path.truncate(tree.depth(node) as usize);
            let frame = tree.frame(node);
            if let Frame::Method(method) = frame {
                let (self_nanos, from_caller_nanos) = calibrated(inputs, node, cost);
                let sum = &mut sums[method.0 as usize];
                sum.self_nanos += self_nanos;
                sum.calls += tree.timed(node) as f64;
                let outer = || path.iter().rev().find(|(has_time, _)| *has_time);
                let outer = || outer().map(|(_, frame)| frame);
                let (caller, nanos) = match folded.of(node) {
                    Some(share) if tree.number(Metric::Folded, node) == 0 => {
                        (Some(&frame), share.nanos)
                    }
                    Some(share) => (outer(), share.nanos),
                    None => (outer(), from_caller_nanos),
                };
                if let Some(Frame::Method(caller)) = caller {
                    sums[caller.0 as usize].self_nanos -= nanos;
                }
            }
            path.push((!tree.has_callers_time(node), frame));
        }
    }
    sums
}
