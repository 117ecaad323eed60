//! The correction of one node, and what its calls take from its caller.

use std::iter::Sum;

use jfathom_profile::{Frame, Metric, NodeIx};

use super::inputs::Inputs;
use crate::bars::{ErrorTerm, ErrorTerms};
use crate::residual::MethodResidual;
use crate::{Costs, Residual};

/// A node whose subtree a pass is in. Times in nanoseconds.
pub(super) struct OpenNode {
    pub node: NodeIx,
    /// Whether its self time is its caller's: see [`jfathom_profile::Tree::has_callers_time`].
    pub has_callers_time: bool,
    /// Self time, as far as it is corrected.
    pub self_nanos: f64,
    /// The part of the self time in which it waited and no other thread of the program was at work:
    /// runs do not differ in it.
    pub alone_nanos: f64,
    /// The part of the self time in which virtual threads were parked: no code ran.
    pub parked_nanos: f64,
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
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CallerShare {
    pub nanos: f64,
    /// How many they are.
    calls: f64,
    outer_error_nanos: f64,
    throw_error_nanos: f64,
    residual_error_nanos: f64,
    random_variance: f64,
    moved_variance: f64,
}

impl CallerShare {
    /// So much time, without what belongs to it.
    pub(super) fn of_nanos(nanos: f64) -> Self {
        Self { nanos, ..Self::default() }
    }

    /// A part of it.
    pub(super) fn scaled(&self, part: f64) -> Self {
        Self {
            nanos: self.nanos * part,
            calls: self.calls * part,
            outer_error_nanos: self.outer_error_nanos * part,
            throw_error_nanos: self.throw_error_nanos * part,
            residual_error_nanos: self.residual_error_nanos * part,
            random_variance: self.random_variance * part,
            moved_variance: self.moved_variance * part,
        }
    }
}

impl Sum for CallerShare {
    fn sum<I: Iterator<Item = Self>>(shares: I) -> Self {
        shares.fold(Self::default(), |sum, share| Self {
            nanos: sum.nanos + share.nanos,
            calls: sum.calls + share.calls,
            outer_error_nanos: sum.outer_error_nanos + share.outer_error_nanos,
            throw_error_nanos: sum.throw_error_nanos + share.throw_error_nanos,
            residual_error_nanos: sum.residual_error_nanos + share.residual_error_nanos,
            random_variance: sum.random_variance + share.random_variance,
            moved_variance: sum.moved_variance + share.moved_variance,
        })
    }
}

/// A node's self time less the cost of the calls that were counted from it, and of their records,
/// in nanoseconds.
#[inline]
fn without_counts(inputs: &Inputs, node: NodeIx, cost: &Costs) -> f64 {
    let tree = &inputs.profile.tree;
    let record_nanos = cost.count_record.nanos + inputs.residual.count_record_nanos;
    let counted = tree.counted_callees(node) as f64;
    let records = tree.number(Metric::CountRecords, node) as f64;
    inputs.measured_self_nanos(node)
        - (counted * (cost.count.nanos + inputs.counted.nanos) + records * record_nanos)
}

/// A method's node without any residual: its self time less the calibrated costs of its own calls,
/// and what these take from their caller, both in nanoseconds.
#[inline]
pub(super) fn calibrated(inputs: &Inputs, node: NodeIx, cost: &Costs) -> (f64, f64) {
    let tree = &inputs.profile.tree;
    let throws = tree.number(Metric::Throws, node) as f64;
    let returns = tree.timed(node) as f64 - throws;
    (
        without_counts(inputs, node, cost)
            - (returns * cost.inner.nanos + throws * cost.inner_throw.nanos),
        returns * cost.outer.nanos + throws * cost.outer_throw.nanos,
    )
}

impl OpenNode {
    /// The node with its own part of the correction, and what its calls take from its caller: none
    /// for threads and tasks.
    #[inline]
    pub(super) fn new(
        inputs: &Inputs,
        node: NodeIx,
        cost: &Costs,
        residual: &MethodResidual,
    ) -> (Self, Option<CallerShare>) {
        let tree = &inputs.profile.tree;
        let mut open = Self {
            node,
            has_callers_time: tree.has_callers_time(node),
            self_nanos: 0.0,
            alone_nanos: 0.0,
            parked_nanos: tree.parked(node).0 as f64 * inputs.nanos_per_tick,
            children_nanos: 0.0,
            self_terms: ErrorTerms::default(),
            children_terms: ErrorTerms::default(),
            calls_made: 0.0,
            moved_variance: 0.0,
            callees_moved_variance: 0.0,
            throws: tree.number(Metric::Throws, node),
            callee_throws: 0,
        };
        let frame = tree.frame(node);
        if matches!(frame, Frame::Thread(_)) {
            // What a thread does outside of all methods is in no node.
            open.self_nanos = inputs.measured_self_nanos(node);
            return (open, None);
        }
        let counted = tree.counted_callees(node) as f64;
        let records = tree.number(Metric::CountRecords, node) as f64;
        open.self_terms[ErrorTerm::Count] =
            counted * cost.count.error_nanos + records * cost.count_record.error_nanos;
        open.self_terms[ErrorTerm::CountedResidual] = counted * inputs.counted.error_nanos
            + records * inputs.residual.count_record_error_nanos;
        open.calls_made = counted;
        if !matches!(frame, Frame::Method(_)) {
            open.self_nanos = without_counts(inputs, node, cost);
            return (open, None);
        }
        let (calibrated_nanos, from_caller_nanos) = calibrated(inputs, node, cost);
        let (calls, throws) = (tree.timed(node) as f64, open.throws as f64);
        let returns = calls - throws;
        open.self_nanos =
            calibrated_nanos - calls * (residual.nanos / 2.0 - residual.from_caller_nanos);
        open.moved_variance = (calls * residual.moved_error_nanos).powi(2);
        // A clock's grain is off by up to half a tick on either side of each interval.
        let grain_variance = calls * inputs.nanos_per_tick * inputs.nanos_per_tick / 6.0;
        let residual_error_nanos = calls * residual.error_nanos / 2.0;
        open.self_terms[ErrorTerm::Inner] =
            returns * cost.inner.error_nanos + throws * cost.inner_throw.error_nanos;
        open.self_terms[ErrorTerm::Residual] = residual_error_nanos;
        open.self_terms.random_variance = grain_variance;
        let for_caller = CallerShare {
            nanos: from_caller_nanos + calls * (residual.nanos / 2.0 + residual.from_caller_nanos),
            calls,
            outer_error_nanos: returns * cost.outer.error_nanos,
            throw_error_nanos: throws * cost.outer_throw.error_nanos,
            residual_error_nanos,
            random_variance: grain_variance,
            moved_variance: open.moved_variance,
        };
        (open, Some(for_caller))
    }

    /// Subtracts what a callee's calls take from this node, and counts their exceptions.
    pub(super) fn add_callee(&mut self, share: &CallerShare, throws: u64) {
        self.self_nanos -= share.nanos;
        self.calls_made += share.calls;
        self.self_terms[ErrorTerm::Outer] += share.outer_error_nanos;
        self.self_terms[ErrorTerm::Throw] += share.throw_error_nanos;
        self.self_terms[ErrorTerm::Residual] += share.residual_error_nanos;
        self.self_terms.random_variance += share.random_variance;
        self.callees_moved_variance += share.moved_variance;
        self.callee_throws += throws;
    }

    /// Adds the times of a child and its descendants.
    pub(super) fn add_child(&mut self, total_nanos: f64, terms: &ErrorTerms) {
        self.children_nanos += total_nanos;
        self.children_terms.add(terms);
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
