//! The correction of one node, and what its calls take from its caller.

use jfathom_profile::{Frame, NodeIx};

use super::inputs::Inputs;
use crate::bars::{ErrorTerm, ErrorTerms};
use crate::residual::MethodResidual;
use crate::{Costs, Residual};

/// A node whose subtree a pass is in. Times in nanoseconds.
pub(super) struct OpenNode {
    pub node: NodeIx,
    /// Self time, as far as it is corrected.
    pub self_nanos: f64,
    /// The part of the self time in which it waited and no other thread of the program was at work:
    /// runs do not differ in it.
    pub alone_nanos: f64,
    /// Total times of the children so far.
    pub children_nanos: f64,
    pub self_terms: ErrorTerms,
    pub children_terms: ErrorTerms,
    /// Calls that it made, timed or counted.
    pub calls_made: f64,
    /// Variance of work that is moved between the node and its caller.
    pub moved_variance: f64,
    /// Variance of work that is moved between the node and its callees.
    pub callees_moved_variance: f64,
    /// Its calls that ended by an exception.
    throws: u64,
    /// Calls of its children that ended by an exception.
    pub callee_throws: u64,
}

/// What a node's calls take from their caller's time.
pub(super) struct CallerShare {
    pub nanos: f64,
    /// How many they are.
    pub calls: f64,
    pub terms: ErrorTerms,
    pub moved_variance: f64,
}

impl OpenNode {
    /// The node with its own part of the correction, and what its calls take from its caller: none
    /// for threads and tasks.
    pub(super) fn new(
        inputs: &Inputs,
        node: NodeIx,
        cost: &Costs,
        residual: &MethodResidual,
    ) -> (Self, Option<CallerShare>) {
        let tree = &inputs.profile.tree;
        let numbers = tree.numbers(node);
        let mut open = Self {
            node,
            self_nanos: inputs.measured_self_nanos(node),
            alone_nanos: 0.0,
            children_nanos: 0.0,
            self_terms: ErrorTerms::default(),
            children_terms: ErrorTerms::default(),
            calls_made: 0.0,
            moved_variance: 0.0,
            callees_moved_variance: 0.0,
            throws: numbers.throws,
            callee_throws: 0,
        };
        let frame = tree.frame(node);
        if matches!(frame, Frame::Thread(_)) {
            // What a thread does outside of all methods is in no node.
            return (open, None);
        }
        let counted = tree.counted_callees(node) as f64;
        let records = numbers.count_records as f64;
        let record_nanos = cost.count_record.nanos + inputs.residual.count_record_nanos;
        open.self_nanos -=
            counted * (cost.count.nanos + inputs.counted.nanos) + records * record_nanos;
        open.self_terms[ErrorTerm::Count] =
            counted * cost.count.error_nanos + records * cost.count_record.error_nanos;
        open.self_terms[ErrorTerm::CountedResidual] = counted * inputs.counted.error_nanos
            + records * inputs.residual.count_record_error_nanos;
        open.calls_made = counted;
        if !matches!(frame, Frame::Method(_)) {
            return (open, None);
        }
        let (calls, throws) = (numbers.timed as f64, numbers.throws as f64);
        let returns = calls - throws;
        open.self_nanos -= returns * cost.inner.nanos + throws * cost.inner_throw.nanos;
        open.self_nanos -= calls * (residual.nanos / 2.0 - residual.from_caller_nanos);
        open.moved_variance = (calls * residual.moved_error_nanos).powi(2);
        // A clock's grain is off by up to half a tick on either side of each interval.
        let grain_variance = calls * inputs.nanos_per_tick * inputs.nanos_per_tick / 6.0;
        let mut terms = ErrorTerms::default()
            .with(
                ErrorTerm::Inner,
                returns * cost.inner.error_nanos + throws * cost.inner_throw.error_nanos,
            )
            .with(ErrorTerm::Residual, calls * residual.error_nanos / 2.0);
        terms.random_variance = grain_variance;
        open.self_terms.add(&terms);
        let mut terms = ErrorTerms::default()
            .with(ErrorTerm::Outer, returns * cost.outer.error_nanos)
            .with(ErrorTerm::Throw, throws * cost.outer_throw.error_nanos)
            .with(ErrorTerm::Residual, calls * residual.error_nanos / 2.0);
        terms.random_variance = grain_variance;
        let for_caller = CallerShare {
            nanos: returns * cost.outer.nanos
                + throws * cost.outer_throw.nanos
                + calls * (residual.nanos / 2.0 + residual.from_caller_nanos),
            calls,
            terms,
            moved_variance: open.moved_variance,
        };
        (open, Some(for_caller))
    }

    /// Subtracts what a callee's calls take from this node, and counts their exceptions.
    pub(super) fn add_callee(&mut self, share: &CallerShare, throws: u64) {
        self.self_nanos -= share.nanos;
        self.calls_made += share.calls;
        self.self_terms.add(&share.terms);
        self.callees_moved_variance += share.moved_variance;
        self.callee_throws += throws;
    }

    /// Subtracts what exceptions of the node's children cost. As many as can have passed through
    /// the node went on to its caller. The others were caught in the node, or in counted calls that
    /// it made.
    pub(super) fn subtract_exceptions(&mut self, residual: &Residual) {
        let passed = self.throws.min(self.callee_throws) as f64;
        let caught = self.callee_throws as f64 - passed;
        self.self_nanos -= passed * residual.thrown_nanos + caught * residual.caught_nanos;
        self.self_terms[ErrorTerm::Throw] +=
            passed * residual.thrown_error_nanos + caught * residual.caught_error_nanos;
    }
}
