//! The clock of a JVM's records, by that of switches.

use jfathom_clock::Moment;
use jfathom_switches::{Nanos, namespace_offset};
use jfathom_trace::{Clock, ClockKind};

/// A new reading replaces the last one if it is closer to the one before, in ns.
const STEP: i64 = 1_000_000;
/// With more readings every second one of the older half is forgotten.
const MOST: usize = 4096;
/// A reading whose two clocks are much further apart than at best is left out, if there is one that
/// is not older than this, in ns.
const PATIENCE: i64 = 10_000_000;

/// Turns moments of `CLOCK_MONOTONIC` into times of records.
#[derive(Debug)]
pub(crate) enum TickClock {
    /// `System.nanoTime` is `CLOCK_MONOTONIC`: the difference of both, which is the session's
    /// begin and the offset of the JVM's time namespace.
    NanoTime { offset: i64 },
    /// The processor's counter, between readings of both clocks.
    Counter {
        /// The counter at the session's begin.
        base: i64,
        /// By how much this process's clock is ahead of that of switches, in ns.
        offset: i64,
        /// Ascending.
        readings: Vec<Moment>,
        /// The least [`Moment::distance_nanos`], and the largest of those that are used.
        best: i64,
        worst: i64,
    },
}

impl Default for TickClock {
    fn default() -> Self {
        Self::NanoTime { offset: 0 }
    }
}

impl TickClock {
    /// The clock of a JVM. None where its clock is a counter that cannot be read here.
    pub(crate) fn new(clock: &Clock, pid: Option<u32>) -> Option<Self> {
        let base = clock.base_ticks.cast_signed();
        match clock.kind {
            ClockKind::NanoTime => {
                Some(Self::NanoTime { offset: namespace_offset(pid).wrapping_sub(base) })
            }
            ClockKind::Tsc => {
                let first = Moment::now()?;
                let hz = i64::try_from(clock.hz).ok().filter(|hz| *hz > 0)?;
                // A second reading is yet to come: until then by the rate that the JVM has found.
                let before = Moment {
                    ticks: first.ticks.wrapping_sub(hz),
                    nanos: first.nanos - 1_000_000_000,
                    ..first
                };
                let offset = namespace_offset(None);
                let best = first.distance_nanos;
                let readings = vec![before, first];
                Some(Self::Counter { base, offset, readings, best, worst: best })
            }
        }
    }

    /// Reads both clocks.
    pub(crate) fn look(&mut self) {
        let Self::Counter { readings, best, worst, .. } = self else { return };
        let (Some(now), Some(last)) = (Moment::now(), readings.last().copied()) else { return };
        *best = now.distance_nanos.min(*best);
        let is_apart = now.distance_nanos > 4 * *best;
        if now.nanos <= last.nanos || is_apart && now.nanos - last.nanos < PATIENCE {
            return;
        }
        *worst = now.distance_nanos.max(*worst);
        let before = readings.len().checked_sub(2).and_then(|at| readings.get(at));
        if before.is_some_and(|before| last.nanos - before.nanos < STEP) {
            readings.pop();
        }
        readings.push(now);
        if readings.len() > MOST {
            let mut place = 0;
            readings.retain(|_| {
                place += 1;
                place > MOST / 2 || place % 2 == 1
            });
        }
    }

    /// The time of records at a moment; zero before the session's begin.
    pub(crate) fn ticks(&self, at: Nanos) -> u64 {
        let nanos = i64::try_from(at.0).unwrap_or(i64::MAX);
        let ticks = match self {
            Self::NanoTime { offset } => nanos.wrapping_add(*offset),
            Self::Counter { base, offset, readings, .. } => {
                let nanos = nanos.saturating_add(*offset);
                let next = readings.partition_point(|of| of.nanos <= nanos);
                let next = next.clamp(1, readings.len().saturating_sub(1).max(1));
                let (Some(a), Some(b)) = (readings.get(next - 1), readings.get(next)) else {
                    return 0;
                };
                let length = i128::from((b.nanos - a.nanos).max(1));
                let ticks = i128::from(b.ticks.wrapping_sub(a.ticks));
                let since = i128::from(nanos - a.nanos) * ticks / length;
                a.ticks.wrapping_sub(*base).wrapping_add(i64::try_from(since).unwrap_or(0))
            }
        };
        u64::try_from(ticks).unwrap_or(0)
    }

    /// How far the two clocks may be apart at most, in ns.
    pub(crate) fn error_nanos(&self) -> u64 {
        match self {
            Self::NanoTime { .. } => 0,
            Self::Counter { worst, .. } => u64::try_from(*worst).unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(nanos: i64, ticks: i64) -> Moment {
        Moment { ticks, nanos, distance_nanos: 20 }
    }

    #[test]
    fn times_lie_between_the_readings_around_them() {
        let readings = vec![reading(1_000, 10_000), reading(2_000, 12_000), reading(3_000, 15_000)];
        let clock = TickClock::Counter { base: 10_000, offset: 500, readings, best: 20, worst: 20 };
        let ticks = |nanos| clock.ticks(Nanos(nanos));
        assert_eq!((ticks(500), ticks(1_000), ticks(1_500)), (0, 1_000, 2_000));
        assert_eq!((ticks(2_000), ticks(2_500), ticks(3_500)), (3_500, 5_000, 8_000));
        // Before the session there is no time.
        assert_eq!(ticks(0), 0);
        assert_eq!(clock.error_nanos(), 20);
    }

    #[test]
    fn nano_time_counts_from_the_session() {
        let clock = TickClock::NanoTime { offset: -1_000 };
        assert_eq!((clock.ticks(Nanos(1_700)), clock.ticks(Nanos(3))), (700, 0));
    }

    #[test]
    fn a_counter_agrees_with_itself() {
        let Some(start) = Moment::now() else { return };
        let later = || {
            std::thread::sleep(std::time::Duration::from_millis(3));
            Moment::now().unwrap()
        };
        let other = later();
        let hz = (other.ticks - start.ticks) as f64 / (other.nanos - start.nanos) as f64 * 1e9;
        let base_ticks = start.ticks.cast_unsigned();
        let clock = Clock {
            kind: ClockKind::Tsc,
            reason: 0,
            hz: hz as u64,
            base_ticks,
            base_epoch_nanos: 0,
        };
        let mut clock = TickClock::new(&clock, None).unwrap();
        let moments = [later(), later()];
        clock.look();
        for moment in moments {
            let outside = u64::try_from(moment.nanos - namespace_offset(None)).unwrap();
            let ticks = clock.ticks(Nanos(outside));
            let expected = (moment.ticks - start.ticks).cast_unsigned();
            // Two readings may each be off by the distance of their clocks.
            let most = (clock.error_nanos() + moment.distance_nanos.cast_unsigned()) as f64;
            let off = ticks.abs_diff(expected) as f64 * 1e9 / hz;
            assert!(off <= most + 50.0, "{off} {most}");
        }
    }
}
