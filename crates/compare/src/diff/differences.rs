//! Types of a difference.

use super::column_diff::{ColumnDiff, ColumnRuns, DiffColumn};
use super::events::{EventDiff, EventsDiff};
use super::number::{CallsChange, TimeDiff};
use super::side::TimeKind;
use super::walks::WalksDiff;
use crate::{Column, Matching, MethodMatch, Prominence};
use jfathom_profile::MethodIx;
use jfathom_statistics::{lower_half_mean, lower_quarter_mean};

/// The difference of two profiles.
#[derive(Clone, Debug)]
pub struct Diff {
    /// Runs on each side, the baseline first.
    pub runs: [usize; 2],
    /// Mean time in all recorded methods on each side, in nanoseconds.
    pub total_nanos: [f64; 2],
    /// Which times are compared.
    pub times: TimeKind,
    /// Whether run-queue delay is taken out of them: it was observed in all runs.
    pub without_delay: bool,
    /// Self time of the methods that changed ([`MethodDiff::is_changed`]) in each run of each side,
    /// in nanoseconds.
    pub changed_nanos: [Vec<f64>; 2],
    /// The columns that the whole of either side has.
    pub columns: Vec<DiffColumn>,
    /// The method matching.
    pub matching: Matching,
    /// Methods on both sides in the order of the baseline's table, then those of the baseline
    /// alone, then those of the candidate alone, then what is no method.
    pub methods: Vec<MethodDiff>,
    /// The roots. Without roots, the frames at the bottom of the stacks.
    pub roots: Vec<RootDiff>,
    /// Contexts in preorder.
    pub contexts: Vec<ContextDiff>,
    /// Why threads did not run and what they threw, in all recorded calls.
    pub events: EventsDiff,
    /// Who calls the methods whose stacks were walked on both sides.
    pub walks: Vec<WalksDiff>,
}

/// A method on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodDiff {
    /// Its index in the baseline's table.
    pub base: Option<MethodIx>,
    /// Its index in the candidate's table.
    pub new: Option<MethodIx>,
    /// How they were matched.
    pub pair: Option<MethodMatch>,
    /// Whether it is no method, but stands for something in the tree, as `⋯` does. It has no
    /// numbers.
    pub is_sign: bool,
    /// All its calls: timed, counted, and on virtual threads.
    pub calls: CallsChange,
    /// Its timed calls on both sides, in the mean of the runs: self and total time are theirs.
    pub timed: [Option<f64>; 2],
    /// Whether its calls were timed on one side and counted on the other. Contexts then do not
    /// compare.
    pub modes_differ: bool,
    /// Self time.
    pub self_time: TimeDiff,
    /// Total time, recursive calls counted once.
    pub total_time: TimeDiff,
    /// Its self time in each run of each side, in nanoseconds. Empty on a side without it.
    pub self_nanos: [Vec<f64>; 2],
    /// Its total time, likewise.
    pub total_nanos: [Vec<f64>; 2],
    /// By place in [`Diff::columns`]: the method's own, and with all callees, recursive calls
    /// counted once. What its calls have not read on either side is not known on both; it is its
    /// nearest callers' that have read.
    pub columns: Vec<[ColumnDiff; 2]>,
    /// Why threads did not run in the method itself, and what they threw there: by name, ascending.
    pub events: Vec<EventDiff>,
}

impl Diff {
    /// How many methods there are, on either side.
    pub fn method_count(&self) -> usize {
        self.methods.iter().filter(|method| !method.is_sign).count()
    }

    /// The columns of both sides that people see at a place, or more often; each with its place in
    /// [`Diff::columns`].
    pub fn seen(&self, at: Prominence) -> Vec<(usize, &'static Column)> {
        DiffColumn::seen(&self.columns, at)
    }

    /// The place of a column. None if neither side has it.
    pub fn place(&self, column: &Column) -> Option<usize> {
        self.columns.iter().position(|of| of.column == column)
    }
}

impl MethodDiff {
    /// Whether its code is known to differ, or is on one side only.
    pub fn is_edited(&self) -> bool {
        !self.is_sign && self.pair.is_none_or(|pair| pair.changed)
    }

    /// Whether it is edited, or its calls differ between the sides and not between runs.
    pub fn is_changed(&self) -> bool {
        self.is_edited() || self.calls.changed()
    }
}

/// Kind of a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RootKind {
    /// A method: the time of its outermost calls, or of those at the bottom of a stack.
    Method,
    /// The tasks that a method spawned.
    Task,
}

/// A root on both sides, run by run.
#[derive(Clone, Debug, PartialEq)]
pub struct RootDiff {
    /// Its kind.
    pub kind: RootKind,
    /// Its index in [`Diff::methods`].
    pub method: usize,
    /// Its total time in each run of each side, in nanoseconds.
    pub nanos: [Vec<f64>; 2],
    /// Its share of the time of all roots (0 to 1), on the side where that is larger.
    pub share: f64,
    /// By place in [`Diff::columns`]: with all callees, on each side.
    pub columns: Vec<[ColumnRuns; 2]>,
}

impl RootDiff {
    /// By how much the methods that changed have made it grow, relative to the baseline: from their
    /// self times in each run of each side. None if the baseline has no time.
    pub fn growth_by(&self, changed_nanos: &[Vec<f64>; 2]) -> Option<f64> {
        let whole = lower_half_mean(&self.nanos[0]);
        let of = |mean: fn(&[f64]) -> f64| mean(&changed_nanos[1]) - mean(&changed_nanos[0]);
        (whole > 0.0).then(|| of(lower_half_mean).min(of(lower_quarter_mean)) / whole)
    }

    /// Means of the lower halves of each side's runs, in ns, the baseline first. 0 without a run.
    pub fn lower_half_nanos(&self) -> [f64; 2] {
        [0, 1].map(|side: usize| lower_half_mean(&self.nanos[side]))
    }

    /// Relative growth: 0.1 is ten per cent. None if the baseline has no time.
    pub fn growth(&self) -> Option<f64> {
        growth(&self.nanos)
    }
}

/// Relative growth of the runs of two sides: 0.1 is ten per cent. None if the baseline has no time.
///
/// It is the smaller of the growth of the lower halves and that of the lower quarters. If more runs
/// of one side than of the other were disturbed from outside, the quarters differ less.
pub(crate) fn growth([base, new]: &[Vec<f64>; 2]) -> Option<f64> {
    let of = |part: fn(&[f64]) -> f64| {
        let before = part(base);
        (before > 0.0).then(|| part(new) / before - 1.0)
    };
    Some(of(lower_half_mean)?.min(of(lower_quarter_mean)?))
}

/// Last frame of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContextFrame {
    /// Calls of a method, by its index in [`Diff::methods`].
    Method(usize),
    /// Tasks that a root method spawned.
    Task(usize),
}

/// A call path on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextDiff {
    /// Number of its ancestors.
    pub depth: u32,
    /// Its last frame.
    pub frame: ContextFrame,
    /// Calls along it.
    pub calls: CallsChange,
    /// Self time.
    pub self_time: TimeDiff,
    /// Total time.
    pub total_time: TimeDiff,
    /// By place in [`Diff::columns`]: of its last frame itself.
    pub columns: Vec<ColumnDiff>,
    /// Why threads did not run in its last frame itself, and what they threw there: by name,
    /// ascending.
    pub events: Vec<EventDiff>,
}
