//! Which of a JVM's calibrations are used: that at its start, that at its end, or both.

use jfathom_profile::{Calibration, CallKind, Phase};

use crate::fitted;

/// The calibrations of one kind of call that are used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Phases<'a> {
    pub start: Option<&'a Calibration>,
    pub end: Option<&'a Calibration>,
    /// Whether one is left out because they do not agree.
    pub disagree: bool,
}

impl<'a> Phases<'a> {
    /// The last calibration of either phase. Where they do not agree, the one with the larger cost
    /// is left out: disturbances and code that is not compiled only add time. Calls that return
    /// decide for the other kinds, too.
    pub fn of(calibrations: &'a [Calibration], kind: CallKind) -> Self {
        let returns = Self::of_kind(calibrations, CallKind::Return).without_larger();
        let mut phases = Self::of_kind(calibrations, kind);
        if returns.disagree && phases.start.is_some() && phases.end.is_some() {
            phases.start = phases.start.filter(|_| returns.start.is_some());
            phases.end = phases.end.filter(|_| returns.end.is_some());
            phases.disagree = true;
        }
        phases.without_larger()
    }

    fn of_kind(calibrations: &'a [Calibration], kind: CallKind) -> Self {
        let of = |phase| {
            let is_same = |found: &&Calibration| found.kind == kind && found.phase == phase;
            // No probe gives time back: the loop without probes was not compiled then.
            let can_be = |found: &&Calibration| !found.outer.is_empty() && whole_nanos(found) > 0.0;
            calibrations.iter().rfind(|found| is_same(found) && can_be(found))
        };
        Self { start: of(Phase::Start), end: of(Phase::End), disagree: false }
    }

    fn without_larger(self) -> Self {
        let (Some(start), Some(end)) = (self.start, self.end) else { return self };
        let [at_start, at_end] = [start, end].map(whole_nanos);
        let share = fitted::AGREEING_SHARE * at_start.min(at_end);
        if (at_start - at_end).abs() <= share.max(fitted::AGREEING_NANOS) {
            return self;
        }
        match at_start < at_end {
            true => Self { end: None, disagree: true, ..self },
            false => Self { start: None, disagree: true, ..self },
        }
    }
}

/// Inner and outer cost of a call in nanoseconds.
pub(crate) fn whole_nanos(measured: &Calibration) -> f64 {
    measured.inner.median + measured.outer.median
}
