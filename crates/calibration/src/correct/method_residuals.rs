//! The residual of each method, from its self time and its calls.

use jfathom_profile::{Frame, NodeIx, Thread};

use super::inputs::Inputs;
use super::node::OpenNode;
use crate::residual::MethodResidual;
use crate::{Costs, Estimator, fitted};

/// A method over the whole tree, before any residual.
#[derive(Clone, Copy, Debug, Default)]
struct MethodSum {
    /// Measured self time less the calibrated costs, in nanoseconds.
    self_nanos: f64,
    /// Timed calls.
    calls: f64,
}

/// The residual of each method's timed calls.
pub(super) fn method_residuals(inputs: &Inputs, estimator: Estimator) -> Vec<MethodResidual> {
    let surplus = surplus_nanos(inputs, estimator);
    let timed = inputs.residual.timed(inputs.has_unordered_clock);
    let methods = &inputs.profile.methods;
    let jvms = inputs.profile.meta.jvms.len() as f64;
    let hot_calls = inputs.residual.warm_up.calls * jvms;
    let hot_methods = methods.iter().filter(|method| method.calls() as f64 >= hot_calls).count();
    let sums = method_sums(inputs);
    let residuals = sums.iter().zip(methods).map(|(sum, method)| {
        let self_nanos = sum.self_nanos / sum.calls.max(1.0);
        let is_pinned = method.info.pinned && !inputs.has_unordered_clock;
        let assumed = timed.per_call(self_nanos, is_pinned);
        // What intervals show beyond the loops is optimisation lost.
        let lost = (assumed.lost_nanos - surplus.max(0.0)).max(0.0);
        let warm_up = inputs.residual.warm_up(sum.calls, jvms, hot_methods);
        let moved = 1.0 + self_nanos.max(0.0) / fitted::MOVED_WORK_NANOS;
        MethodResidual {
            nanos: lost + warm_up.nanos - assumed.hidden_nanos,
            error_nanos: assumed.error_nanos.hypot(surplus / 2.0).hypot(warm_up.error_nanos),
            moved_error_nanos: inputs.residual.moved_error_nanos / moved,
            from_caller_nanos: assumed.hidden_nanos / 2.0 + assumed.shifted_nanos,
        }
    });
    residuals.collect()
}

/// How much more than by the loops a call costs by the costs that are used, in nanoseconds as a
/// mean over the threads.
fn surplus_nanos(inputs: &Inputs, estimator: Estimator) -> f64 {
    if estimator == Estimator::Loops {
        return 0.0;
    }
    let jvms = &inputs.profile.meta.jvms;
    let threads = inputs.profile.threads.iter().zip(&inputs.costs);
    let surplus = |(thread, costs): (&Thread, &Costs)| {
        let loops = Costs::from_jvm(jvms.get(thread.jvm as usize)?, Estimator::Loops)?;
        Some(costs.pair_nanos() - loops.pair_nanos())
    };
    let all: Vec<f64> = threads.filter_map(surplus).collect();
    all.iter().sum::<f64>() / (all.len() as f64).max(1.0)
}

/// By method: its self time without the calibrated costs, and its timed calls.
fn method_sums(inputs: &Inputs) -> Vec<MethodSum> {
    let tree = &inputs.profile.tree;
    let none = MethodResidual::default();
    let mut sums = vec![MethodSum::default(); inputs.profile.methods.len()];
    let mut path: Vec<NodeIx> = Vec::new();
    for node in tree.nodes() {
        path.truncate(tree.depth(node) as usize);
        let thread = inputs.thread_of(node, path.first().copied());
        let cost = thread.and_then(|thread| inputs.costs.get(thread));
        if let (Some(cost), Frame::Method(method)) = (cost, tree.frame(node)) {
            let (open, for_caller) = OpenNode::new(inputs, node, cost, &none);
            let sum = &mut sums[method.0 as usize];
            sum.self_nanos += open.self_nanos;
            sum.calls += tree.timed(node) as f64;
            if let (Some(caller), Some(for_caller)) = (path.last(), for_caller)
                && let Frame::Method(caller) = tree.frame(*caller)
            {
                sums[caller.0 as usize].self_nanos -= for_caller.nanos;
            }
        }
        path.push(node);
    }
    sums
}
