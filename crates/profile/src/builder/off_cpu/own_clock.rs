//! Times without a processor, by readings of a thread's own CPU clock.
//!
//! The clock is read only where a thread had no record for a while. Between two readings it is known
//! for how long the thread did not run. That belongs to the frame that was on top before the second
//! one: before, records followed each other too fast for a wait. What is longer than that
//! frame's time is in no frame.

use crate::{OWN_CLOCK_ERROR_NANOS, OffCpu, Ticks};

/// So many ns less than the time a clock may show though the thread ran.
const SLACK_NANOS: u64 = 2_000;
/// The clocks of the times and of the thread may differ by one part in so many.
const DRIFT: u64 = 4096;

/// What is known of a thread's CPU clock.
#[derive(Clone, Debug)]
pub(in crate::builder) struct OwnClock {
    /// Ticks of the times per second.
    hz: u64,
    /// Time of the record after the last reading; none while nothing is known.
    since: Option<u64>,
    /// Ticks that were taken out of the time since then.
    excluded: u64,
    /// The thread's first time is yet to come: it is known from then on.
    begins: bool,
    /// A reading just before the next time: for how many ns the thread has run since the last.
    reading: Option<u64>,
}

impl OwnClock {
    /// Nothing is known. `hz` is how many ticks the times have in a second.
    pub fn new(hz: u64) -> Self {
        Self { hz, since: None, excluded: 0, begins: false, reading: None }
    }

    /// Whether the next time has something to take.
    pub fn has_more(&self) -> bool {
        self.reading.is_some() || self.since.is_none()
    }

    /// The clock is known from the next time on.
    pub fn begin(&mut self, is_first_time: bool) {
        *self = Self { begins: is_first_time, reading: Some(0), ..Self::new(self.hz) };
        if is_first_time {
            self.reading = None;
        }
    }

    /// Before the next time the clock says for how many ns the thread has run since the last reading.
    pub fn read(&mut self, nanos: u64) {
        // The record that an earlier reading was made for may be lost.
        self.reading = Some(self.reading.unwrap_or(0).saturating_add(nanos));
    }

    /// Ticks before the next time are no time of the thread.
    pub fn exclude(&mut self, ticks: u64) {
        self.excluded = self.excluded.saturating_add(ticks);
    }

    /// Readings are missing, or times have moved.
    pub fn forget(&mut self) {
        *self = Self::new(self.hz);
    }

    /// What lies between the last time and the next one.
    pub fn take(&mut self, from: u64, to: u64) -> OffCpu {
        let length = to.saturating_sub(from);
        if std::mem::take(&mut self.begins) {
            (self.since, self.excluded) = (Some(from), 0);
        }
        let Some(since) = self.since else {
            if self.reading.take().is_some() {
                (self.since, self.excluded) = (Some(to), 0);
            }
            return OffCpu { unknown: Ticks(length), ..OffCpu::default() };
        };
        let Some(nanos) = self.reading.take() else { return OffCpu::default() };
        let time = to.saturating_sub(since).saturating_sub(self.excluded);
        (self.since, self.excluded) = (Some(to), 0);
        let off = time.saturating_sub(self.ticks(nanos));
        let is_wait = off > self.ticks(SLACK_NANOS).saturating_add(time / DRIFT);
        let placed = if is_wait { off.min(length) } else { 0 };
        // As many switches as have a bar of what is in no frame, or may be no wait at all.
        let doubtful = (off - placed).div_ceil(self.ticks(OWN_CLOCK_ERROR_NANOS).max(1));
        OffCpu {
            blocked: Ticks(placed),
            switches: doubtful.saturating_add(u64::from(is_wait)),
            ..OffCpu::default()
        }
    }

    fn ticks(&self, nanos: u64) -> u64 {
        let ticks = u128::from(nanos) * u128::from(self.hz) / 1_000_000_000;
        u64::try_from(ticks).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn off(blocked: u64, switches: u64) -> OffCpu {
        OffCpu { blocked: Ticks(blocked), switches, ..OffCpu::default() }
    }

    fn unknown(ticks: u64) -> OffCpu {
        OffCpu { unknown: Ticks(ticks), ..OffCpu::default() }
    }

    /// A clock that is known since the thread's first record, at 1,000.
    fn known() -> OwnClock {
        let mut clock = OwnClock::new(1_000_000_000);
        clock.begin(true);
        assert!(!clock.has_more() || clock.since.is_none());
        assert_eq!(clock.take(1_000, 1_500), off(0, 0));
        assert!(!clock.has_more());
        clock
    }

    #[test]
    fn a_wait_belongs_to_the_time_before_the_reading() {
        let mut clock = known();
        clock.read(5_000);
        assert!(clock.has_more());
        // 104,000 since the first record, of which 5,000 ran.
        assert_eq!(clock.take(1_500, 105_000), off(99_000, 1));
        // From there on the clock is read anew.
        clock.read(20_000);
        assert_eq!(clock.take(105_000, 125_000), off(0, 0));
    }

    #[test]
    fn what_is_excluded_is_no_wait() {
        let mut clock = known();
        clock.exclude(90_000);
        clock.read(5_000);
        assert_eq!(clock.take(91_500, 105_000), off(9_000, 1));
    }

    #[test]
    fn a_wait_is_not_longer_than_the_time_that_it_belongs_to() {
        let mut clock = known();
        clock.read(10_000);
        // 40,000 did not run, and the last frame has 15,000 of them at most.
        assert_eq!(clock.take(36_000, 51_000), off(15_000, 1 + 25_000_u64.div_ceil(3_000)));
    }

    #[test]
    fn a_reading_whose_record_is_lost_counts_for_the_next_one() {
        let mut clock = known();
        clock.read(30_000);
        clock.read(40_000);
        assert_eq!(clock.take(1_500, 101_000), off(30_000, 1));
    }

    #[test]
    fn a_short_lag_is_a_doubt_and_no_wait() {
        let mut clock = known();
        clock.read(98_500);
        assert_eq!(clock.take(1_500, 101_000), off(0, 1));
        clock.read(200_000);
        assert_eq!(clock.take(101_000, 201_000), off(0, 0));
    }

    #[test]
    fn nothing_is_known_before_a_reading() {
        let mut clock = OwnClock::new(500_000_000);
        assert_eq!(clock.take(10, 60), unknown(50));
        clock.read(7);
        assert_eq!(clock.take(60, 100), unknown(40));
        clock.read(20_000);
        assert_eq!(clock.take(100, 100_100), off(90_000, 1));
        clock.forget();
        assert_eq!(clock.take(100_100, 100_200), unknown(100));
        // Known from the next time on, and not before.
        clock.begin(false);
        assert_eq!(clock.take(100_200, 100_300), unknown(100));
        assert_eq!(clock.take(100_300, 100_400), off(0, 0));
    }
}
