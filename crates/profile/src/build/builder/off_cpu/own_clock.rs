//! Times without a processor, by readings of a thread's own CPU clock.
//!
//! The clock is read only where a thread had no record for a while. Between two readings it is
//! known for how long the thread did not run. That belongs to the frame that was on top before the
//! second one: before, records followed each other too fast for a wait. What is longer than that
//! frame's time is in no frame.

use crate::{OWN_CLOCK_ERROR_NANOS, OffCpu, Ticks};

/// So many ns less than the time a clock may show though the thread ran. A wait that is found may
/// be off by as many, and a reading takes no more of the processor.
const SLACK_NANOS: u64 = 2_000;
/// The rate of the times is known to one part in so many.
const RATE_PARTS: u64 = 4096;

/// What is known of a thread's CPU clock.
#[derive(Clone, Debug)]
pub(in crate::build::builder) struct OwnClock {
    /// Ticks of the times per second.
    hz: u64,
    /// Time of the record after the last reading; none while nothing is known.
    since: Option<u64>,
    /// Ticks between that reading and `since`, in which the thread ran.
    lag: u64,
    /// Ticks that were taken out of the time since then.
    excluded: u64,
    /// The thread's first time is yet to come: it is known from then on.
    begins: bool,
    /// A reading just before the next time.
    reading: Option<Reading>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Reading {
    /// For how long the thread has run since the last one.
    nanos: u64,
    /// How many ticks it took; none before its record says so.
    took: Option<u64>,
}

impl OwnClock {
    /// Nothing is known. `hz` is how many ticks the times have in a second.
    pub fn new(hz: u64) -> Self {
        Self { hz, since: None, lag: 0, excluded: 0, begins: false, reading: None }
    }

    /// Whether the next time has something to take.
    pub fn has_more(&self) -> bool {
        self.reading.is_some() || self.since.is_none()
    }

    /// The clock is known from the next time on.
    pub fn begin(&mut self, is_first_time: bool) {
        let reading = (!is_first_time).then(Reading::default);
        *self = Self { begins: is_first_time, reading, ..Self::new(self.hz) };
    }

    /// Before the next time the clock says for how many ns the thread has run since the last
    /// reading.
    pub fn read(&mut self, nanos: u64) {
        // The record that an earlier reading was made for may be lost.
        let before = self.reading.unwrap_or_default().nanos;
        self.reading = Some(Reading { nanos: before.saturating_add(nanos), took: None });
    }

    /// Ticks before the next time are no time of the thread. Just after a reading they are what
    /// that took.
    pub fn exclude(&mut self, ticks: u64) {
        self.excluded = self.excluded.saturating_add(ticks);
        if let Some(reading) = &mut self.reading {
            reading.took.get_or_insert(ticks);
        }
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
        let reading = self.reading.take();
        let Some(since) = self.since else {
            if let Some(reading) = reading {
                self.start_at(to, reading);
            }
            return OffCpu { unknown: Ticks(length), ..OffCpu::default() };
        };
        let Some(reading) = reading else { return OffCpu::default() };
        // From one reading to the other: both clocks then have run for as long.
        let time = to.saturating_sub(since).saturating_sub(self.excluded).saturating_add(self.lag);
        self.start_at(to, reading);
        let off = time.saturating_sub(self.ticks(reading.nanos));
        let (slack, rate_error) = (self.ticks(SLACK_NANOS), time / RATE_PARTS);
        let is_wait = off > slack.saturating_add(rate_error);
        let placed = if is_wait { off.min(length) } else { 0 };
        // What is in no frame, may be no wait at all, or is known no better.
        let doubt = (off - placed).saturating_add(rate_error).saturating_add(if is_wait {
            slack
        } else {
            0
        });
        OffCpu {
            blocked: Ticks(placed),
            switches: doubt.div_ceil(self.ticks(OWN_CLOCK_ERROR_NANOS).max(1)),
            ..OffCpu::default()
        }
    }

    /// The clock was read before a record of this time.
    fn start_at(&mut self, time: u64, reading: Reading) {
        (self.since, self.excluded) = (Some(time), 0);
        // A thread that lost its processor in the reading ran for less of it.
        self.lag = reading.took.unwrap_or(0).min(self.ticks(SLACK_NANOS));
    }

    fn ticks(&self, nanos: u64) -> u64 {
        let ticks = u128::from(nanos) * u128::from(self.hz) / 1_000_000_000;
        u64::try_from(ticks).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With a bar of `doubt` ns.
    fn off(blocked: u64, doubt: u64) -> OffCpu {
        let switches = doubt.div_ceil(OWN_CLOCK_ERROR_NANOS);
        OffCpu { blocked: Ticks(blocked), switches, ..OffCpu::default() }
    }

    fn unknown(ticks: u64) -> OffCpu {
        OffCpu { unknown: Ticks(ticks), ..OffCpu::default() }
    }

    /// A clock that is known since the thread's first record, at 1,000.
    fn known() -> OwnClock {
        let mut clock = OwnClock::new(1_000_000_000);
        clock.begin(true);
        assert!(clock.has_more());
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
        assert_eq!(clock.take(1_500, 105_000), off(99_000, 2_000 + 104_000 / 4096));
        // From there on the clock is read anew.
        clock.read(20_000);
        assert_eq!(clock.take(105_000, 125_000), off(0, 20_000 / 4096));
    }

    #[test]
    fn what_is_excluded_is_no_wait() {
        let mut clock = known();
        clock.exclude(90_000);
        clock.read(5_000);
        assert_eq!(clock.take(91_500, 105_000), off(9_000, 2_000 + 14_000 / 4096));
    }

    #[test]
    fn the_end_of_a_reading_is_in_the_next_window() {
        let mut clock = known();
        clock.read(100_000);
        clock.exclude(600);
        clock.exclude(70_000);
        assert_eq!(clock.take(71_600, 171_600), off(0, 100_000 / 4096));
        // 20,000 without the readings. Of both a part ran, together as much as one takes.
        clock.read(20_600);
        clock.exclude(600);
        assert_eq!(clock.take(172_200, 192_200), off(0, 20_600 / 4096));
        // A reading that waits has no more than a reading's part.
        clock.read(20_600);
        clock.exclude(5_000_000);
        assert_eq!(clock.take(5_192_200, 5_212_200), off(0, 20_600 / 4096));
        clock.read(22_000);
        clock.exclude(600);
        assert_eq!(clock.take(5_212_800, 5_232_800), off(0, 22_000 / 4096));
    }

    #[test]
    fn a_wait_is_not_longer_than_the_time_that_it_belongs_to() {
        let mut clock = known();
        clock.read(10_000);
        // 40,000 did not run, and the last frame has 15,000 of them at most.
        assert_eq!(clock.take(36_000, 51_000), off(15_000, 25_000 + 2_000 + 50_000 / 4096));
    }

    #[test]
    fn a_reading_whose_record_is_lost_counts_for_the_next_one() {
        let mut clock = known();
        clock.read(30_000);
        clock.read(40_000);
        assert_eq!(clock.take(1_500, 101_000), off(30_000, 2_000 + 100_000 / 4096));
    }

    #[test]
    fn a_short_lag_is_a_doubt_and_no_wait() {
        let mut clock = known();
        clock.read(98_500);
        assert_eq!(clock.take(1_500, 101_000), off(0, 1_500 + 100_000 / 4096));
        clock.read(200_000);
        assert_eq!(clock.take(101_000, 201_000), off(0, 100_000 / 4096));
    }

    #[test]
    fn nothing_is_known_before_a_reading() {
        let mut clock = OwnClock::new(500_000_000);
        assert_eq!(clock.take(10, 60), unknown(50));
        clock.read(7);
        assert_eq!(clock.take(60, 100), unknown(40));
        clock.read(20_000);
        let waited = clock.take(100, 100_100);
        // 2,000 ns are 1,000 ticks, and 100 ns are 50.
        assert_eq!(
            (waited.blocked, waited.switches),
            (Ticks(90_000), (1_000 + 24_u64).div_ceil(50))
        );
        clock.forget();
        assert_eq!(clock.take(100_100, 100_200), unknown(100));
        // Known from the next time on, and not before.
        clock.begin(false);
        assert_eq!(clock.take(100_200, 100_300), unknown(100));
        assert_eq!(clock.take(100_300, 100_400), off(0, 0));
    }
}
