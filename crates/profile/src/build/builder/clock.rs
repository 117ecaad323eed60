//! The time of one thread, as its records tell it.

use jfathom_trace::layout as l;
use jfathom_trace::record::TIME_MASK;
use serde::{Deserialize, Serialize};

use crate::{Quality, Ticks};

/// [`Clock::last`] before the first record, and after a gap.
pub(super) const NO_TIME: u64 = u64::MAX;

/// What the times of a thread's further records depend on.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Clock {
    /// Time of the last record, plus the excluded time after it. No earlier time counts.
    pub last: u64,
    /// [`Self::last`] after the latest ADJUST record; zero without one. While both are equal, the
    /// excluded time lasts, and times of records may lie before it.
    pub owed_until: u64,
    /// Time of the last record, if [`Self::last`] has excluded time in it.
    pub real: u64,
    /// High bits of the following times, shifted into place.
    pub high: u64,
    /// Whether records were lost since `high` was set.
    pub is_high_stale: bool,
    /// Time of the last record before a gap, until the first record after it.
    pub gap_since: Option<u64>,
    /// Excluded time in ticks.
    pub excluded: u64,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            last: NO_TIME,
            owed_until: 0,
            real: 0,
            high: 0,
            is_high_stale: false,
            gap_since: None,
            excluded: 0,
        }
    }
}

impl Clock {
    /// Time of the program, as of the last record.
    pub fn now(&self) -> u64 {
        self.last.wrapping_sub(self.excluded)
    }

    /// The time that a record has told, where [`Self::last`] became `last` by it: earlier than that
    /// if the thread has learned late of a pause.
    pub fn told(&self, last: u64) -> u64 {
        if last == self.owed_until { self.real } else { last }
    }

    /// Marks missing records.
    pub fn gap(&mut self) {
        self.is_high_stale = true;
        if self.last != NO_TIME {
            self.gap_since = Some(self.last);
            self.last = NO_TIME;
        }
    }

    /// Sets the high bits. They begin the next window of times, or a later one. Returns by how much
    /// the times since a gap move, if they had the wrong high bits.
    pub fn set_high(&mut self, high: u32, later: bool) -> u64 {
        let new = u64::from(high) << l::TIME_BITS;
        let mut moved = 0;
        if self.is_high_stale && later && self.last != NO_TIME && new > 0 {
            // The times since the gap have lost their high bits. The window before the new one is
            // the latest that they can be of.
            let last = (new - (1 << l::TIME_BITS)) | (self.last & TIME_MASK);
            moved = last.wrapping_sub(self.last);
            self.last = last;
        }
        self.is_high_stale = false;
        self.high = new;
        moved
    }

    /// Excludes `ticks` from the time until the next record, and the rest from later times: a
    /// thread may learn late of a pause.
    pub fn exclude(&mut self, ticks: u64) {
        self.excluded = self.excluded.saturating_add(ticks);
        if self.last != NO_TIME && ticks > 0 {
            if self.last != self.owed_until {
                self.real = self.last;
            }
            self.last = self.last.saturating_add(ticks).min(NO_TIME - 1);
            self.owed_until = self.last;
        }
    }

    /// The thread was parked for `ticks` since its last record: so much of the time until the next
    /// record has passed for certain. Returns them, or zero if it is not known since when.
    pub fn park(&mut self, ticks: u64) -> u64 {
        if self.last == NO_TIME || ticks == 0 {
            return 0;
        }
        if self.last != self.owed_until {
            self.real = self.last;
        }
        let before = self.last;
        self.last = before.saturating_add(ticks).min(NO_TIME - 1);
        self.owed_until = self.last;
        self.last - before
    }

    /// Handles a time before `last`: the first time, the first one after a gap, one in excluded
    /// time, or one that runs backwards. Returns the new `last`.
    #[cold]
    pub fn irregular(&mut self, last: u64, time: u64, quality: &mut Quality) -> u64 {
        if last == NO_TIME {
            if let Some(since) = self.gap_since.take() {
                quality.gap_ticks += Ticks(time.saturating_sub(since));
            }
            return time;
        }
        if last == self.owed_until && time >= self.real {
            self.real = time;
            return last;
        }
        quality.backward_times += 1;
        last
    }
}
