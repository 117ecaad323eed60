//! Probe costs by kind of call, summarized over the JVMs of a profile.

use jfathom_profile::{BatchStatistics, Calibration, CallKind, Phase, Profile};

/// Kinds of calls, in the order of a summary.
const KINDS: [CallKind; 6] = [
    CallKind::Return,
    CallKind::Throw,
    CallKind::Nested,
    CallKind::Count,
    CallKind::Mixed,
    CallKind::Off,
];

/// The probe costs of a profile's JVMs.
#[derive(Clone, Debug, PartialEq)]
pub struct CalibrationSummary {
    /// One per kind of call that was calibrated.
    pub calls: Vec<CallCost>,
}

/// The probe cost of one kind of call, in nanoseconds per call.
#[derive(Clone, Debug, PartialEq)]
pub struct CallCost {
    /// The kind of call.
    pub kind: CallKind,
    /// Cost between the clock reads; zero for kinds without one.
    pub inner: CostSpread,
    /// The rest of the cost.
    pub outer: CostSpread,
    /// Both together at the start of the JVMs.
    pub start_nanos: Option<f64>,
    /// Both together at the end of the JVMs.
    pub end_nanos: Option<f64>,
}

/// The mean of a cost over several JVMs, with standard deviations.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CostSpread {
    /// Mean of the JVMs.
    pub mean_nanos: f64,
    /// Standard deviation between the batches of one JVM: the mean of the JVMs.
    pub batch_deviation_nanos: f64,
    /// Standard deviation between the JVMs; zero for a single one.
    pub jvm_deviation_nanos: f64,
}

impl CalibrationSummary {
    /// The summary of a profile's JVMs; `None` unless each of them was calibrated.
    pub fn from_profile(profile: &Profile) -> Option<Self> {
        let jvms: Vec<&[Calibration]> =
            profile.meta.jvms.iter().map(|jvm| jvm.calibrations.as_slice()).collect();
        Self::from_jvms(&jvms)
    }

    fn from_jvms(jvms: &[&[Calibration]]) -> Option<Self> {
        if jvms.is_empty() || !jvms.iter().all(|jvm| is_complete(jvm)) {
            return None;
        }
        let calls = KINDS.iter().filter_map(|kind| CallCost::from_jvms(*kind, jvms)).collect();
        Some(Self { calls })
    }
}

fn is_complete(jvm: &[Calibration]) -> bool {
    jvm.iter().any(|measured| measured.kind == CallKind::Return && !measured.inner.is_empty())
}

impl CallCost {
    fn from_jvms(kind: CallKind, jvms: &[&[Calibration]]) -> Option<Self> {
        let of_kind = |jvm: &&[Calibration]| -> Vec<Calibration> {
            jvm.iter().filter(|measured| measured.kind == kind).cloned().collect()
        };
        let measured: Vec<Vec<Calibration>> =
            jvms.iter().map(of_kind).filter(|measured| !measured.is_empty()).collect();
        if measured.is_empty() {
            return None;
        }
        let at = |phase: Phase| {
            let in_phase = measured.iter().flatten().filter(|measured| measured.phase == phase);
            let both = in_phase.map(|measured| measured.inner.median + measured.outer.median);
            mean(&both.collect::<Vec<_>>())
        };
        Some(Self {
            kind,
            inner: CostSpread::new(&measured, |measured| measured.inner),
            outer: CostSpread::new(&measured, |measured| measured.outer),
            start_nanos: at(Phase::Start),
            end_nanos: at(Phase::End),
        })
    }
}

impl CostSpread {
    /// The spread of one part of the cost; `jvms` has the calibrations of each JVM.
    fn new(jvms: &[Vec<Calibration>], part: impl Fn(&Calibration) -> BatchStatistics) -> Self {
        let per_jvm = |value: fn(&BatchStatistics) -> f64| -> Vec<f64> {
            let of_jvm = |jvm: &Vec<Calibration>| {
                mean(&jvm.iter().map(|measured| value(&part(measured))).collect::<Vec<_>>())
            };
            jvms.iter().filter_map(of_jvm).collect()
        };
        let medians = per_jvm(|batches| batches.median);
        Self {
            mean_nanos: mean(&medians).unwrap_or(0.0),
            batch_deviation_nanos: mean(&per_jvm(|batches| batches.deviation)).unwrap_or(0.0),
            jvm_deviation_nanos: deviation(&medians),
        }
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The sample standard deviation; 0 for fewer than two values.
fn deviation(values: &[f64]) -> f64 {
    let (Some(mean), 2..) = (mean(values), values.len()) else { return 0.0 };
    let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (squares / (values.len() - 1) as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(phase: Phase, kind: CallKind, inner: &[f64]) -> Calibration {
        Calibration::from_batches(phase, kind, 100, inner, &[1.0, 1.0], &[1.0])
    }

    #[test]
    fn deviations_of_batches_and_of_jvms_are_separate() {
        let jvms = [&[9.0, 11.0], &[13.0, 13.0]]
            .map(|inner| vec![measured(Phase::Start, CallKind::Return, inner)]);
        let spread = CostSpread::new(&jvms, |measured| measured.inner);
        assert_eq!(spread.mean_nanos, 11.5);
        assert!((spread.batch_deviation_nanos - f64::sqrt(2.0) / 2.0).abs() < 1e-9);
        assert!((spread.jvm_deviation_nanos - f64::sqrt(4.5)).abs() < 1e-9);
        assert_eq!((deviation(&[]), deviation(&[1.0])), (0.0, 0.0));
    }

    #[test]
    fn phases_and_kinds_are_separate() {
        let jvm = [
            measured(Phase::Start, CallKind::Return, &[20.0, 20.0]),
            measured(Phase::End, CallKind::Return, &[10.0, 10.0]),
            measured(Phase::End, CallKind::Off, &[0.0, 0.0]),
        ];
        let summary = CalibrationSummary::from_jvms(&[&jvm]).unwrap();
        let [timed, off] = &summary.calls[..] else { panic!("{summary:?}") };
        assert_eq!((timed.kind, off.kind), (CallKind::Return, CallKind::Off));
        assert_eq!((timed.start_nanos, timed.end_nanos), (Some(21.0), Some(11.0)));
        assert_eq!((timed.inner.mean_nanos, timed.outer.mean_nanos), (15.0, 1.0));
        assert_eq!((off.start_nanos, off.end_nanos), (None, Some(1.0)));
    }

    #[test]
    fn each_jvm_must_be_calibrated() {
        let calibrated = [measured(Phase::Start, CallKind::Return, &[20.0, 20.0])];
        let off_only = [measured(Phase::Start, CallKind::Off, &[0.0, 0.0])];
        assert_eq!(CalibrationSummary::from_jvms(&[]), None);
        assert!(CalibrationSummary::from_jvms(&[&calibrated]).is_some());
        assert_eq!(CalibrationSummary::from_jvms(&[&calibrated, &off_only]), None);
    }
}
