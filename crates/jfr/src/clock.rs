//! The session's clock as a JVM has written it into its recording.

use crate::{chunk::Event, chunk_reader::ChunkReader, error::Problem, metadata::Metadata};

/// The events, and their fields.
const EVENTS: [&str; 2] = ["jfathom.Clock", "jfathom.ChunkClock"];
const FIELDS: [&str; 4] = ["startTime", "number", "before", "after"];

/// A moment on JFR's clock, in its ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JfrTicks(pub u64);

/// A moment on the session's clock: ticks since the session's begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionTicks(pub i64);

/// One event with the session's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockReading {
    /// When, by JFR.
    pub at: JfrTicks,
    /// How many events of the session were written before, or would have been while JFR did not
    /// record.
    pub number: u64,
    /// When, by the session: not before this,
    pub before: SessionTicks,
    /// and not after this.
    pub after: SessionTicks,
}

/// Turns moments of JFR into moments of the session.
#[derive(Clone, Debug)]
pub struct SessionClock {
    /// Ascending in both clocks. At least two.
    readings: Vec<ClockReading>,
    error: u64,
}

/// Reads the events of a chunk.
#[derive(Debug)]
pub(crate) struct ClockEvents {
    of: [Option<u64>; EVENTS.len()],
}

impl ClockEvents {
    pub fn new(metadata: &Metadata) -> Self {
        Self { of: EVENTS.map(|name| metadata.find(name)) }
    }

    pub fn add(
        &mut self,
        chunk: &mut ChunkReader,
        event: &Event,
        into: &mut Vec<ClockReading>,
    ) -> Result<(), Problem> {
        if !self.of.contains(&Some(event.of)) {
            return Ok(());
        }
        let [at, number, before, after] = chunk.numbers(event, FIELDS)?;
        let [before, after] = [before, after].map(|ticks| SessionTicks(ticks.cast_signed()));
        into.push(ClockReading { at: JfrTicks(at), number, before, after });
        Ok(())
    }
}

impl ClockReading {
    fn middle(&self) -> i64 {
        self.before.0.midpoint(self.after.0)
    }

    /// How far the middle may be off, in the session's ticks.
    fn half_width(&self) -> u64 {
        self.after.0.abs_diff(self.before.0).div_ceil(2)
    }
}

impl SessionClock {
    /// The clock that readings show. Readings that contradict the ones before them are left out.
    /// None if fewer than two are left: the clocks' rates may differ.
    pub fn new(readings: &[ClockReading]) -> Option<Self> {
        let mut sorted = readings.to_vec();
        sorted.retain(|reading| reading.before <= reading.after);
        sorted.sort_by_key(|reading| reading.at);
        let mut kept: Vec<ClockReading> = Vec::with_capacity(sorted.len());
        for reading in sorted {
            let is_later =
                |last: &ClockReading| reading.at > last.at && reading.middle() > last.middle();
            if kept.last().is_none_or(is_later) {
                kept.push(reading);
            }
        }
        if kept.len() < 2 {
            return None;
        }
        let error = kept.iter().map(ClockReading::half_width).max()?;
        let mut clock = Self { readings: kept, error };
        clock.error = clock.error.max(clock.scatter());
        Some(clock)
    }

    /// How far readings are from the line through their neighbours, at most, in the session's
    /// ticks: what the clocks drift between two readings, too.
    fn scatter(&self) -> u64 {
        let deviations = self.readings.windows(3).map(|of| {
            let without = interpolated(&of[0], &of[2], of[1].at);
            without.abs_diff(of[1].middle())
        });
        deviations.max().unwrap_or(0)
    }

    /// How far a moment may be off, in the session's ticks.
    pub fn error_ticks(&self) -> u64 {
        self.error
    }

    /// How many readings it is made of.
    pub fn readings(&self) -> usize {
        self.readings.len()
    }

    /// The session's time at a moment of JFR: on the line between the readings around it. Before
    /// the first reading it is on the line from there to one that is at least as far away from it
    /// as the moment, or to the last one, so that what two close readings are off does not grow.
    /// After the last one likewise.
    pub fn at(&self, moment: JfrTicks) -> SessionTicks {
        let all = &self.readings;
        let next = all.partition_point(|reading| reading.at <= moment);
        let last = all.len() - 1;
        let (from, to) = if next == 0 {
            let away = all[0].at.0 - moment.0;
            let far = all.partition_point(|of| of.at.0 - all[0].at.0 < away);
            (0, far.clamp(1, last))
        } else if next > last {
            let away = moment.0 - all[last].at.0;
            let near = all.partition_point(|of| all[last].at.0 - of.at.0 >= away);
            (near.saturating_sub(1).min(last - 1), last)
        } else {
            (next - 1, next)
        };
        SessionTicks(interpolated(&all[from], &all[to], moment))
    }
}

/// The session's time at a moment, on the line through two readings.
fn interpolated(from: &ClockReading, to: &ClockReading, moment: JfrTicks) -> i64 {
    let length = i128::from(to.at.0) - i128::from(from.at.0);
    let ticks = i128::from(to.middle()) - i128::from(from.middle());
    let since = i128::from(moment.0) - i128::from(from.at.0);
    let added = since.saturating_mul(ticks) / length.max(1);
    i64::try_from(i128::from(from.middle()).saturating_add(added)).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(at: u64, before: i64, after: i64) -> ClockReading {
        let [before, after] = [before, after].map(SessionTicks);
        ClockReading { at: JfrTicks(at), number: 0, before, after }
    }

    #[test]
    fn moments_lie_between_the_readings_around_them() {
        let readings =
            [reading(3_000, 1_990, 2_010), reading(1_000, 0, 4), reading(2_000, 1_000, 1_000)];
        let clock = SessionClock::new(&readings).unwrap();
        let at = |moment| clock.at(JfrTicks(moment)).0;
        assert_eq!((at(1_000), at(2_000), at(3_000)), (2, 1_000, 2_000));
        assert_eq!((at(2_500), at(4_000), at(0)), (1_500, 3_000, -996));
        // The widest reading is ten ticks uncertain.
        assert_eq!((clock.error_ticks(), clock.readings()), (10, 3));
    }

    #[test]
    fn scatter_is_part_of_the_error() {
        let readings =
            [reading(0, 0, 0), reading(1_000, 1_080, 1_080), reading(2_000, 2_000, 2_000)];
        assert_eq!(SessionClock::new(&readings).unwrap().error_ticks(), 80);
    }

    #[test]
    fn contradictions_are_left_out() {
        let readings = [
            reading(0, 0, 0),
            reading(10, 900, 100),
            reading(20, -5, -5),
            reading(20, 20, 20),
            reading(20, 30, 30),
        ];
        let clock = SessionClock::new(&readings).unwrap();
        assert_eq!((clock.readings(), clock.at(JfrTicks(40)).0), (2, 40));
        assert!(SessionClock::new(&[reading(0, 9, 1)]).is_none());
    }

    #[test]
    fn any_numbers_have_a_time() {
        let ends = [0, 1, u64::MAX / 2, u64::MAX];
        for (a, b) in ends.into_iter().flat_map(|a| ends.map(|b| (a, b))) {
            let readings = [reading(a, i64::MIN, i64::MIN), reading(b, i64::MAX, i64::MAX)];
            let clock = SessionClock::new(&readings);
            assert_eq!(clock.is_some(), a < b);
            let Some(clock) = clock else { continue };
            ends.iter().for_each(|at| _ = clock.at(JfrTicks(*at)));
        }
        assert!(SessionClock::new(&[reading(7, 5, 5)]).is_none());
    }

    #[test]
    fn close_readings_say_little_of_what_is_far_away() {
        let readings = [
            reading(1_000, 1_000, 1_000),
            reading(1_001, 1_002, 1_002),
            reading(1_500, 1_500, 1_500),
            reading(1_999, 1_998, 1_998),
            reading(2_000, 2_000, 2_000),
        ];
        let clock = SessionClock::new(&readings).unwrap();
        let at = |moment| clock.at(JfrTicks(moment)).0;
        assert_eq!((at(900), at(500), at(0)), (900, 500, 0));
        assert_eq!((at(2_100), at(2_500), at(3_000)), (2_100, 2_500, 3_000));
        assert_eq!((at(999), at(2_001)), (998, 2_002));
    }
}
