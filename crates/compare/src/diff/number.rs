//! Calls and times on two sides.

use super::significance::{FALSE_DISCOVERY_RATE, from_moments};
use jfathom_statistics::Moments;

/// Calls over the runs of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Calls {
    /// The smallest number of any run.
    pub least: u64,
    /// The largest number of any run.
    pub most: u64,
    /// Their mean.
    pub mean: f64,
    /// Runs with any.
    pub runs: u32,
}

impl Calls {
    /// From the calls of all runs of a side, at least one.
    pub(crate) fn of(runs: &[u64]) -> Self {
        let mut calls = Self::default();
        runs.iter().enumerate().for_each(|(before, run)| calls.push(before as u32, *run));
        calls
    }

    /// Adds the calls of one more run; `before` is the number of runs so far.
    pub(crate) fn push(&mut self, before: u32, calls: u64) {
        self.least = if before == 0 { calls } else { self.least.min(calls) };
        self.most = self.most.max(calls);
        self.mean += (calls as f64 - self.mean) / f64::from(before + 1);
        self.runs += u32::from(calls > 0);
    }

    /// Whether they differ between runs.
    pub fn varies(&self) -> bool {
        self.least != self.most
    }
}

/// Calls on both sides. None for a side without any.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CallsChange {
    /// In the baseline.
    pub base: Option<Calls>,
    /// In the candidate.
    pub new: Option<Calls>,
    /// Whether a summary node may have calls of this call path, on either side: their difference is
    /// then not known. Always false of a method: folding changes no sum by method.
    pub is_unknown: bool,
}

impl CallsChange {
    pub(crate) fn of(base: Option<Calls>, new: Option<Calls>) -> Self {
        let some = |calls: Option<Calls>| calls.filter(|calls| calls.runs > 0);
        Self { base: some(base), new: some(new), is_unknown: false }
    }

    /// Whether runs of either side differ. A difference between the sides then shows nothing.
    pub fn varies(&self) -> bool {
        self.base.is_some_and(|calls| calls.varies())
            || self.new.is_some_and(|calls| calls.varies())
    }

    /// Growth of the calls. None if they vary or are unknown.
    pub fn growth(&self) -> Option<i128> {
        let calls = |side: Option<Calls>| i128::from(side.map_or(0, |calls| calls.least));
        (!self.varies() && !self.is_unknown).then(|| calls(self.new) - calls(self.base))
    }

    /// Difference of the means.
    pub fn mean_growth(&self) -> f64 {
        let mean = |side: Option<Calls>| side.map_or(0.0, |calls| calls.mean);
        mean(self.new) - mean(self.base)
    }

    /// Whether they are known to differ and do not vary.
    pub fn changed(&self) -> bool {
        self.growth().is_some_and(|growth| growth != 0)
    }
}

/// A time on both sides, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeDiff {
    /// Mean of the baseline's runs.
    pub base: Option<f64>,
    /// Mean of the candidate's runs.
    pub new: Option<f64>,
    /// Half width of the 95 % interval of the true difference, in nanoseconds. None with one run on
    /// a side.
    pub half_width: Option<f64>,
    /// P-value of the difference, adjusted for the number of times compared. None with one run on a
    /// side.
    pub p_value: Option<f64>,
}

impl TimeDiff {
    pub(crate) fn of(base: Option<Moments>, new: Option<Moments>) -> Self {
        let (half_width, p_value) = from_moments(base, new);
        let mean = |moments: Option<Moments>| moments.map(|moments| moments.mean());
        Self { base: mean(base), new: mean(new), half_width, p_value }
    }

    /// Candidate minus baseline, in ns. A missing side counts as zero.
    pub fn difference(&self) -> f64 {
        self.new.unwrap_or(0.0) - self.base.unwrap_or(0.0)
    }

    /// Whether the difference is significant.
    pub fn is_significant(&self) -> bool {
        self.p_value.is_some_and(|p_value| p_value <= FALSE_DISCOVERY_RATE)
    }
}
