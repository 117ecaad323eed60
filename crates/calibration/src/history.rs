//! A JVM's calibration beside earlier ones of the same machine, JVM and clock.

use jfathom_profile::{Calibration, CallKind, Phase};

use crate::{Costs, pace::pace_nanos};

/// Calibrations agree if their costs of a call differ by less than this share.
const AGREEING: f64 = 0.15;
/// A calibration whose cost of a call is larger by more than this share is not believed alone.
const BELIEVED: f64 = 0.3;
/// So many calibrations that agree with one another are believed against an earlier one.
const MANY: usize = 3;
/// Batches that a calibration has at least.
const FEWEST_BATCHES: u32 = 5;

/// What becomes of a calibration, and of the one that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It is used, and takes the place of the known one.
    Good,
    /// It is used, and the known one stays.
    Used,
    /// The known one is used in its place.
    Replaced,
    /// Nothing is known, and it does not agree with itself. It is used.
    Unknown,
}

/// The cost of a timed call that returns, in ns, by calibrations; none if they have none, or if it
/// is not above zero.
pub fn call_nanos(calibrations: &[Calibration]) -> Option<f64> {
    let costs = Costs::from_calibrations(calibrations)?;
    let is_positive = costs.inner.nanos > 0.0 && costs.pair_nanos() > 0.0;
    is_positive.then(|| costs.pair_nanos())
}

/// Judges a JVM's calibration by the last good one of its machine. `disagreeing` has the costs of a
/// call of those that have come since and differ from it, oldest first.
pub fn judge(own: &[Calibration], known: Option<&[Calibration]>, disagreeing: &[f64]) -> Judgement {
    let settled = settled_nanos(own);
    let Some(known_nanos) = known.and_then(call_nanos) else {
        return if settled.is_some() { Judgement::Good } else { Judgement::Unknown };
    };
    let Some(own_nanos) = settled else { return Judgement::Replaced };
    let recent = &disagreeing[disagreeing.len().saturating_sub(MANY - 1)..];
    let agrees = |other: f64| (own_nanos / other - 1.0).abs() <= AGREEING;
    let are_many = recent.len() == MANY - 1 && recent.iter().all(|other| agrees(*other));
    // Not only where it agrees: disturbances only add time.
    if own_nanos <= known_nanos * (1.0 + AGREEING) || are_many {
        Judgement::Good
    } else if own_nanos <= known_nanos * (1.0 + BELIEVED)
        || known.is_some_and(|known| is_as_slow(own, known, own_nanos / known_nanos))
    {
        Judgement::Used
    } else {
        Judgement::Replaced
    }
}

/// The cost of a call in ns, if start and end show the same; none otherwise.
pub fn settled_nanos(own: &[Calibration]) -> Option<f64> {
    let of = |phase| {
        let is_return =
            |found: &&Calibration| found.kind == CallKind::Return && found.phase == phase;
        let found = own.iter().rfind(is_return)?;
        let enough = found.inner.count >= FEWEST_BATCHES && found.inner.median > 0.0;
        enough.then_some(found.inner.median + found.outer.median)
    };
    let (start, end) = (of(Phase::Start)?, of(Phase::End)?);
    let differ = (start - end).abs() > AGREEING * 2.0 * start.min(end);
    (!differ).then(|| call_nanos(own)).flatten()
}

/// Whether the loop without probes was slower by as much, so that the machine was.
fn is_as_slow(own: &[Calibration], known: &[Calibration], ratio: f64) -> bool {
    let (Some(own), Some(known)) = (pace_nanos(own), pace_nanos(known)) else { return false };
    (ratio / (own / known) - 1.0).abs() <= AGREEING
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_kind(phase: Phase, kind: CallKind, inner: f64, reference: f64) -> Calibration {
        Calibration::from_batches(phase, kind, 512, &[inner; 9], &[inner; 9], &[reference; 9])
    }

    /// Calls that take twice `start` and twice `end`, on a machine of this pace.
    fn taken(start: f64, end: f64, pace: f64) -> Vec<Calibration> {
        let phases = [(Phase::Start, start), (Phase::End, end)];
        let of = |(phase, inner)| {
            [
                of_kind(phase, CallKind::Return, inner, 1.0),
                of_kind(phase, CallKind::Pace, 0.0, pace),
            ]
        };
        phases.into_iter().flat_map(of).collect()
    }

    #[test]
    fn what_agrees_with_itself_and_with_the_past_is_good() {
        let known = taken(20.0, 20.0, 1.0);
        for (own, judgement) in [
            (taken(20.0, 22.0, 1.0), Judgement::Good),
            (taken(12.0, 12.0, 1.0), Judgement::Good),
            (taken(24.0, 25.0, 1.0), Judgement::Used),
            (taken(30.0, 30.0, 1.0), Judgement::Replaced),
            (taken(30.0, 30.0, 1.5), Judgement::Used),
            (taken(20.0, 90.0, 1.0), Judgement::Replaced),
            (taken(-5.0, -5.0, 1.0), Judgement::Replaced),
            (Vec::new(), Judgement::Replaced),
        ] {
            assert_eq!(judge(&own, Some(&known), &[]), judgement, "{own:?}");
        }
    }

    #[test]
    fn nothing_is_known_at_first() {
        assert_eq!(judge(&taken(20.0, 20.0, 1.0), None, &[]), Judgement::Good);
        assert_eq!(judge(&taken(20.0, 90.0, 1.0), None, &[]), Judgement::Unknown);
    }

    #[test]
    fn a_machine_may_become_slower() {
        let (known, own) = (taken(20.0, 20.0, 1.0), taken(30.0, 30.0, 1.0));
        assert_eq!(judge(&own, Some(&known), &[61.0]), Judgement::Replaced);
        assert_eq!(judge(&own, Some(&known), &[61.0, 59.0]), Judgement::Good);
        assert_eq!(judge(&own, Some(&known), &[61.0, 99.0]), Judgement::Replaced);
    }
}
