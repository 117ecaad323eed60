//! A column on two sides.

use jfathom_profile::Profile;
use jfathom_statistics::{Moments, lower_half_mean};

use super::number::TimeDiff;
use crate::column::{Column, Coverage, Prominence, Value};

/// A column of one thing on both sides, in the column's unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ColumnDiff {
    /// Mean of the baseline's runs. None without the thing, and if not the whole side has the
    /// column.
    pub base: Option<Value>,
    /// Mean of the candidate's runs, likewise.
    pub new: Option<Value>,
    /// Half width of the 95 % interval of the true difference: the scatter of the runs, and what
    /// both sides may be off by. None with one run on a side, and where a series keeps the sum
    /// alone.
    pub half_width: Option<f64>,
    /// P-value of the difference, adjusted for the number of things compared; likewise.
    pub p_value: Option<f64>,
}

impl ColumnDiff {
    /// From the values of both sides and what is known of their difference.
    pub(super) fn of([base, new]: [Option<Value>; 2], tested: TimeDiff) -> Self {
        let mut found = Self { base, new, half_width: None, p_value: tested.p_value };
        found.half_width = tested.half_width.map(|half| half + found.error());
        found
    }

    /// The numbers of both sides. None unless both are known.
    pub fn numbers(&self) -> Option<[f64; 2]> {
        Some([self.base?.known()?, self.new?.known()?])
    }

    /// Candidate minus baseline. None unless both are known.
    pub fn difference(&self) -> Option<f64> {
        self.numbers().map(|[base, new]| new - base)
    }

    /// By how much the difference may be off for what is not known of the values.
    pub fn error(&self) -> f64 {
        [self.base, self.new].into_iter().flatten().map(Value::bar).sum()
    }

    /// Half width of the interval; of one run on a side what the difference may be off by. None
    /// where it is exact.
    pub fn bar(&self) -> Option<f64> {
        self.half_width.or_else(|| Some(self.error()).filter(|error| *error > 0.0))
    }

    /// Whether calls have not read it, on either side.
    pub fn is_unread(&self) -> bool {
        [self.base, self.new].into_iter().flatten().any(|value| value.known().is_none())
    }

    /// Whether the difference is significant, and larger than it may be off.
    pub fn is_significant(&self) -> bool {
        let is_beyond_error = || self.difference().is_some_and(|of| of.abs() > self.error());
        TimeDiff { p_value: self.p_value, ..TimeDiff::default() }.is_significant()
            && is_beyond_error()
    }

    /// Whether values are known to differ: significantly, or, without a test, by more than they
    /// may be off.
    pub fn is_known(&self) -> bool {
        match self.p_value {
            Some(_) => self.is_significant(),
            None => self.difference().is_some_and(|of| of.abs() > self.error()),
        }
    }
}

/// A column of one thing over the runs of a side.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnRuns {
    /// By run. Where a series keeps the sum alone, one number: the mean. Empty if the side does
    /// not have it.
    pub numbers: Vec<f64>,
    sum: Option<Value>,
}

impl ColumnRuns {
    pub(super) fn push(&mut self, value: Value) {
        self.numbers.push(value.number);
        self.sum = Some(self.sum.map_or(value, |sum| sum.plus(value)));
    }

    /// The mean of the runs. None without any.
    pub fn mean(&self) -> Option<Value> {
        Some(self.sum?.per(self.numbers.len()))
    }

    /// The mean of the lower half of the runs; 0 without any.
    pub fn lower_half(&self) -> f64 {
        lower_half_mean(&self.numbers)
    }
}

/// The same of which only moments are kept.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ColumnMoments {
    pub moments: Moments,
    sum: Option<Value>,
}

impl ColumnMoments {
    pub(super) fn push(&mut self, value: Value) {
        self.moments.push(value.number);
        self.sum = Some(self.sum.map_or(value, |sum| sum.plus(value)));
    }

    pub(super) fn mean(&self) -> Option<Value> {
        Some(self.sum?.per(self.moments.count() as usize))
    }
}

/// A column that a difference has.
#[derive(Clone, Copy, Debug)]
pub struct DiffColumn {
    /// The column.
    pub column: &'static Column,
    /// Whether the whole of the baseline and of the candidate have it.
    pub is_on: [bool; 2],
}

impl DiffColumn {
    /// The columns that the whole of either side has.
    pub(super) fn all(sides: [&Profile; 2]) -> Vec<Self> {
        let is_whole = |of: &Column, side| matches!(of.coverage_of_runs(side), Coverage::Whole(_));
        let all = crate::COLUMNS.iter();
        all.map(|column| Self { column, is_on: sides.map(|side| is_whole(column, side)) })
            .filter(|of| of.is_on != [false; 2])
            .collect()
    }

    /// Whether both sides have it.
    pub fn is_on_both(&self) -> bool {
        self.is_on == [true; 2]
    }

    /// Those that people see where both sides have them, by their places.
    pub(super) fn seen(all: &[Self], at: Prominence) -> Vec<(usize, &'static Column)> {
        let both = |column: &Column| all.iter().any(|of| of.column == column && of.is_on_both());
        let columns = all.iter().map(|of| of.column).enumerate();
        columns.filter(|(_, of)| both(of) && of.prominence >= at && !of.is_told_by(both)).collect()
    }
}
