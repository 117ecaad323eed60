//! One pass over the tree: every node's corrected times.

use jfathom_profile::Frame;

use super::inputs::Inputs;
use super::node::OpenNode;
use crate::Times;
use crate::anchor::AppliedAnchor;
use crate::bars::{ErrorTerm, ErrorTerms};
use crate::residual::MethodResidual;
use crate::waits::{WaitShare, wait_nanos};

/// Times are multiples of this part of a nanosecond: sums of up to a day are exact in 53 bits.
const GRAINS_PER_NANO: f64 = 64.0;

/// A pass with what earlier passes found.
#[derive(Clone, Copy)]
pub(super) struct TreePass<'a> {
    pub inputs: &'a Inputs<'a>,
    /// By method.
    pub residuals: &'a [MethodResidual],
    /// By thread: the share of its time that late compilation may have taken.
    pub late: &'a [f64],
    /// By thread: the share of its waits that went into other threads' probes. Empty before the
    /// waits are known.
    pub waits: &'a [WaitShare],
    pub anchor: Option<&'a AppliedAnchor>,
}

/// The result of a pass.
pub(super) struct CorrectionSums {
    /// By node.
    pub times: Vec<Times>,
    /// What was subtracted as residual overhead of timed calls.
    pub residual_nanos: f64,
    /// What was subtracted from waits.
    pub waits_nanos: f64,
    /// The error terms of each thread's tree, by place of the thread.
    pub threads: Vec<(usize, ErrorTerms)>,
}

impl TreePass<'_> {
    pub(super) fn run(&self) -> CorrectionSums {
        let inputs = self.inputs;
        let tree = &inputs.profile.tree;
        let mut sums = CorrectionSums {
            times: vec![Times::default(); tree.len()],
            residual_nanos: 0.0,
            waits_nanos: 0.0,
            threads: Vec::new(),
        };
        let mut path: Vec<OpenNode> = Vec::new();
        for node in tree.nodes() {
            self.close(&mut path, tree.depth(node) as usize, &mut sums);
            let thread = inputs.thread_of(node, path.first().map(|open| open.node));
            let Some((thread, cost)) =
                thread.and_then(|thread| Some((thread, inputs.costs.get(thread)?)))
            else {
                continue;
            };
            let anchor = self.anchor.filter(|anchor| anchor.holds_for(thread));
            let mut residual = MethodResidual::default();
            if let Frame::Method(method) = tree.frame(node) {
                residual = self.residuals[method.0 as usize];
                residual.nanos +=
                    anchor.map_or(0.0, |anchor| anchor.residual_nanos(method.0 as usize));
            }
            let (mut open, for_caller) = OpenNode::new(inputs, node, cost, &residual);
            sums.waits_nanos += self.subtract_wait(&mut open, thread, anchor);
            open.self_terms[ErrorTerm::RunQueue] = inputs.queued_nanos(node, thread);
            let late = self.late.get(thread).copied().unwrap_or(0.0);
            let wait = wait_nanos(inputs.profile, node, inputs.nanos_per_tick);
            open.self_terms[ErrorTerm::LateCompilation] =
                (inputs.measured_self_nanos(node) - wait) * late;
            sums.residual_nanos += residual.nanos * tree.timed(node) as f64;
            // What the outermost calls cost outside is time of no node.
            if let (Some(caller), Some(for_caller)) =
                (path.last_mut().filter(|_| tree.depth(node) > 1), for_caller)
            {
                caller.add_callee(&for_caller, tree.throws(node));
            }
            path.push(open);
        }
        self.close(&mut path, 0, &mut sums);
        sums
    }

    /// Subtracts what other threads' probes took of a wait, and returns it in nanoseconds.
    fn subtract_wait(
        &self,
        open: &mut OpenNode,
        thread: usize,
        anchor: Option<&AppliedAnchor>,
    ) -> f64 {
        let wait = wait_nanos(self.inputs.profile, open.node, self.inputs.nanos_per_tick);
        let share = self.waits.get(thread).copied().unwrap_or_default();
        let correction = anchor.map_or(0.0, AppliedAnchor::wait_share);
        let nanos = wait * share.probes + wait * share.error * correction;
        open.self_nanos -= nanos;
        open.self_terms[ErrorTerm::Waits] = wait * share.error;
        open.alone_nanos = wait * (1.0 - share.others);
        nanos
    }

    /// Ends the nodes of the path beyond `depth`.
    fn close(&self, path: &mut Vec<OpenNode>, depth: usize, sums: &mut CorrectionSums) {
        let thread = path.first().and_then(|root| self.inputs.thread_of(root.node, None));
        let anchor =
            thread.and_then(|thread| self.anchor.filter(|anchor| anchor.holds_for(thread)));
        // The bar, and the part of it that is between runs.
        let bar = |terms: &ErrorTerms, moved_variance| {
            let terms = anchor.map_or(*terms, |anchor| anchor.remaining(terms));
            (terms.bar(moved_variance), terms[ErrorTerm::BetweenRuns])
        };
        while path.len() > depth {
            let Some(mut open) = path.pop() else { break };
            open.subtract_exceptions(self.inputs.residual);
            let inlining = self.inputs.residual.inlining.lost(open.self_nanos, open.calls_made);
            if anchor.is_none() {
                // An anchor has measured what is lost.
                open.self_nanos -= inlining.nanos;
            }
            open.self_terms[ErrorTerm::Inlining] = inlining.error_nanos;
            let self_abs = open.self_nanos.abs();
            open.self_terms[ErrorTerm::Pace] = self_abs * self.inputs.residual.pace_share;
            open.self_terms[ErrorTerm::BetweenRuns] =
                (self_abs - open.alone_nanos).max(0.0) * self.inputs.residual.between_runs_share;
            let self_nanos = (open.self_nanos * GRAINS_PER_NANO).round() / GRAINS_PER_NANO;
            let total_nanos = self_nanos + open.children_nanos;
            let self_moved = open.moved_variance + open.callees_moved_variance;
            let mut total_terms = open.children_terms;
            total_terms.add(&open.self_terms);
            let (self_error_nanos, self_between_runs_nanos) = bar(&open.self_terms, self_moved);
            let (total_error_nanos, total_between_runs_nanos) =
                bar(&total_terms, open.moved_variance);
            let times = Times {
                self_nanos,
                total_nanos,
                self_error_nanos,
                total_error_nanos,
                self_between_runs_nanos,
                total_between_runs_nanos,
            };
            sums.times[open.node.0 as usize] = times.reaching_zero();
            if let Some(parent) = path.last_mut() {
                parent.children_nanos += total_nanos;
                parent.children_terms.add(&total_terms);
            } else if let Some(thread) = thread {
                sums.threads.push((thread, total_terms));
            }
        }
    }
}
