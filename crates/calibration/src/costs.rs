//! The costs pass: probe cost per call, with its error, from calibration loops.

use jfathom_profile::{BatchStatistics, Calibration, CallKind, Jvm};
use phases::Phases;

use crate::fitted;
use crate::pace::pace_nanos;

mod phases;

/// Probe cost per call.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// Inner cost of a timed call that returns: between its two clock reads, in its measured time.
    pub inner: Cost,
    /// Inner cost of a timed call that ends by an exception.
    pub inner_throw: Cost,
    /// Outer cost of a timed call that returns: in the time of its caller.
    pub outer: Cost,
    /// Outer cost of a timed call that ends by an exception.
    pub outer_throw: Cost,
    /// Count cost, of a counted call: in the time of the method on top of the stack.
    pub count: Cost,
    /// Cost of one COUNTED record.
    pub count_record: Cost,
}

/// Standard normal quantile of the middle 95 %.
const NORMAL_95: f64 = 1.96;
/// Expected distance of the minimum of twenty normal draws from their median, in standard
/// deviations.
const BATCHES_REACH: f64 = 1.87;

impl Costs {
    /// The costs in this JVM. None if it did not calibrate itself.
    pub fn from_jvm(jvm: &Jvm) -> Option<Self> {
        let known = jvm.known_calibration.as_ref().filter(|known| known.is_used);
        match known {
            Some(known) => Some(Self::from_calibrations(&known.calibrations)?.borrowed()),
            None => Self::from_calibrations(&jvm.calibrations),
        }
    }

    /// The costs that the calibration loops show. None without a calibration of timed calls.
    pub fn from_calibrations(calibrations: &[Calibration]) -> Option<Self> {
        let both = |kind, part: fn(&Calibration) -> BatchStatistics| {
            start_and_end(Phases::of(calibrations, kind), part)
        };
        let inner_of = |kind| both(kind, |calibration| calibration.inner);
        let outer_of = |kind| both(kind, |calibration| calibration.outer);
        let (inner, outer) = (inner_of(CallKind::Return)?, outer_of(CallKind::Return)?);
        let inner_throw = inner_of(CallKind::Throw).unwrap_or(inner);
        // The surrounding code decides how much of an exception's cost the program would have paid
        // without probes.
        let outer_throw = outer_of(CallKind::Throw).map_or(outer, |cost| {
            let error = fitted::THROW_ERROR_SHARE * (cost.nanos - outer.nanos).abs();
            Cost { error_nanos: cost.error_nanos.hypot(error), ..cost }
        });
        let measured_count = outer_of(CallKind::Count).unwrap_or(fitted::UNMEASURED_COUNT);
        // Loops of the same code show 0.7 to 4.4 ns in one recording after another, where the pace
        // stays.
        let count = pace_nanos(calibrations).map_or(measured_count, |pace| Cost {
            nanos: fitted::COUNT_STEPS * pace,
            error_nanos: fitted::COUNT_STEPS_ERROR * pace,
        });
        let count_record = match (inner_of(CallKind::Mixed), outer_of(CallKind::Mixed)) {
            (Some(mixed_inner), Some(mixed)) => {
                let calls = measured_count.nanos + inner.nanos + outer.nanos;
                Cost {
                    nanos: (mixed_inner.nanos + mixed.nanos - calls).max(0.0),
                    error_nanos: mixed.error_nanos.hypot(measured_count.error_nanos),
                }
            }
            _ => fitted::UNMEASURED_RECORD,
        };
        Some(Self { inner, inner_throw, outer, outer_throw, count, count_record })
    }

    /// The same costs as another JVM has measured them.
    fn borrowed(self) -> Self {
        let borrowed = |cost: Cost| Cost {
            error_nanos: cost.error_nanos.hypot(cost.nanos * fitted::BORROWED_ERROR_SHARE),
            ..cost
        };
        Self {
            inner: borrowed(self.inner),
            inner_throw: borrowed(self.inner_throw),
            outer: borrowed(self.outer),
            outer_throw: borrowed(self.outer_throw),
            count: borrowed(self.count),
            count_record: borrowed(self.count_record),
        }
    }

    /// Inner and outer cost of a timed call that returns, in nanoseconds.
    pub fn pair_nanos(&self) -> f64 {
        self.inner.nanos + self.outer.nanos
    }
}

/// A cost from the batches at the JVM's start and at its end: the mean of their medians, with half
/// their difference and the scatter as error. None if both are empty.
fn start_and_end(phases: Phases, part: fn(&Calibration) -> BatchStatistics) -> Option<Cost> {
    let filled =
        |measured: Option<&Calibration>| measured.map(part).filter(|batches| !batches.is_empty());
    let error = |batches: BatchStatistics| {
        NORMAL_95 * undisturbed_deviation(batches) / f64::from(batches.count).sqrt()
    };
    Some(match (filled(phases.start), filled(phases.end)) {
        (Some(start), Some(end)) => Cost {
            nanos: (start.median + end.median) / 2.0,
            error_nanos: ((end.median - start.median).abs() / 2.0)
                .hypot(error(start).max(error(end))),
        },
        (Some(batches), None) | (None, Some(batches)) => {
            let share = match phases.disagree {
                true => fitted::BORROWED_ERROR_SHARE,
                false => fitted::SINGLE_CALIBRATION_ERROR_SHARE,
            };
            Cost {
                nanos: batches.median,
                error_nanos: error(batches).hypot(batches.median.abs() * share),
            }
        }
        (None, None) => return None,
    })
}

/// The standard deviation of undisturbed batches. Disturbances only lengthen a batch, so the
/// shortest one shows the scatter of the others.
fn undisturbed_deviation(batches: BatchStatistics) -> f64 {
    batches.deviation.min((batches.median - batches.min) / BATCHES_REACH)
}

/// A cost in nanoseconds. `nanos` ± `error_nanos` contains the truth in 95 of 100 cases.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// The estimate.
    pub nanos: f64,
    /// Its error bar.
    pub error_nanos: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use jfathom_profile::{KnownCalibration, Phase};

    fn measured(phase: Phase, inner: f64) -> Calibration {
        let batches = [inner - 1.0, inner, inner];
        Calibration::from_batches(phase, CallKind::Return, 9, &batches, &[1.0; 3], &[1.0; 3])
    }

    fn inner(calibrations: &[Calibration]) -> Cost {
        Costs::from_calibrations(calibrations).unwrap().inner
    }

    #[test]
    fn start_and_end_differ_by_the_error() {
        let [start, end] = [measured(Phase::Start, 10.0), measured(Phase::End, 14.0)];
        let cost = inner(&[start.clone(), end]);
        assert_eq!(cost.nanos, 12.0);
        assert!((2.0..2.2).contains(&cost.error_nanos), "{cost:?}");
        let once = inner(&[start]);
        assert_eq!(once.nanos, 10.0);
        assert!((0.5..0.9).contains(&once.error_nanos), "{once:?}");
        assert_eq!(Costs::from_calibrations(&[]), None);
    }

    #[test]
    fn code_that_is_not_compiled_costs_no_call() {
        let [start, end] = [measured(Phase::Start, 12_000.0), measured(Phase::End, 14.0)];
        let cost = inner(&[start, end]);
        assert_eq!(cost.nanos, 14.0);
        assert!((2.0..3.0).contains(&cost.error_nanos), "{cost:?}");
    }

    #[test]
    fn probes_that_would_give_time_back_were_not_measured() {
        let [start, end] = [measured(Phase::Start, 10.0), measured(Phase::End, -14.0)];
        assert_eq!(inner(&[start, end.clone()]).nanos, 10.0);
        assert_eq!(Costs::from_calibrations(&[end]), None);
    }

    #[test]
    fn a_known_calibration_is_used_only_where_it_says_so() {
        let mut jvm = jfathom_testkit::profiles::meta(1).jvms.remove(0);
        jvm.calibrations = vec![measured(Phase::Start, 50.0)];
        let known = KnownCalibration {
            taken_millis: 1,
            calibrations: vec![measured(Phase::Start, 20.0)],
            is_used: false,
        };
        for (is_used, nanos) in [(false, 50.0), (true, 20.0)] {
            jvm.known_calibration = Some(KnownCalibration { is_used, ..known.clone() });
            let costs = Costs::from_jvm(&jvm).unwrap();
            assert_eq!(costs.inner.nanos, nanos);
            assert_eq!(costs.inner.error_nanos > 0.1 * nanos, is_used, "{costs:?}");
        }
    }

    #[test]
    fn a_record_costs_what_mixed_calls_have_beyond_their_calls() {
        let calibration = |kind, inner: f64, outer: f64| {
            Calibration::from_batches(Phase::Start, kind, 1000, &[inner], &[outer], &[0.0])
        };
        let all = [
            calibration(CallKind::Return, 20.0, 25.0),
            calibration(CallKind::Count, 0.0, 2.0),
            calibration(CallKind::Mixed, 20.0, 33.0),
        ];
        let costs = Costs::from_calibrations(&all).unwrap();
        assert_eq!(costs.pair_nanos(), 45.0);
        assert_eq!(costs.count_record.nanos, 6.0);
        assert_eq!(costs.inner_throw, costs.inner);
        assert_eq!(Costs::from_calibrations(&all[1..]), None);
    }
}
