//! State of one thread between two feeds.

use jfathom_plan::MethodId;
use jfathom_trace::layout as l;
use jfathom_trace::record::{Record, TIME_MASK};
use jfathom_trace::{Counter, ThreadInfo};
use serde::{Deserialize, Serialize};

use super::latencies::Open;
use crate::{Quality, Ticks};

/// [`ThreadState::last`] before the first record, and after a gap.
pub(super) const NO_TIME: u64 = u64::MAX;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ThreadState {
    pub sequence: u64,
    pub thread_id: u64,
    pub name: String,
    /// The thread's node.
    pub root: u32,
    /// Top of the simulated stack; the root if the stack is empty.
    pub current: u32,
    /// Top of the stack at the last gap, or the root. An exit without an entry closes frames down
    /// to this one.
    pub floor: u32,
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
    /// Whether its records have its end.
    pub ended: bool,
    /// Whether no more records will come.
    pub over: bool,
    /// Excluded time in ticks.
    pub excluded: u64,
    /// The last epoch that the thread has seen.
    pub epoch: u32,
    /// The last record; zero without one.
    pub last_word: u64,
    /// COUNTED and COUNTED_PAIR records so far.
    pub count_records: u64,
    /// Records so far.
    pub records: u64,
    /// The frames from above the root to the current node, one for each: when they were entered.
    pub open: Vec<Open>,
}

impl ThreadState {
    pub fn new(info: &ThreadInfo, root: u32) -> Self {
        Self {
            sequence: info.sequence,
            thread_id: info.thread_id,
            name: info.name.clone(),
            root,
            current: root,
            floor: root,
            last: NO_TIME,
            owed_until: 0,
            real: 0,
            high: 0,
            is_high_stale: false,
            gap_since: None,
            ended: false,
            over: false,
            excluded: 0,
            epoch: 0,
            last_word: 0,
            count_records: 0,
            records: 0,
            open: Vec::new(),
        }
    }

    /// The present, as of the last record: time of the program, and records.
    pub fn now(&self) -> Open {
        Open { time: self.last.wrapping_sub(self.excluded), records: self.records }
    }

    /// Marks missing records.
    pub fn gap(&mut self) {
        self.is_high_stale = true;
        self.floor = self.current;
        // How long these calls take cannot be known any more.
        self.open.iter_mut().for_each(|open| open.time = Open::UNKNOWN);
        if self.last != NO_TIME {
            self.gap_since = Some(self.last);
            self.last = NO_TIME;
        }
    }

    /// Sets the high bits. They begin the next window of times, or a later one.
    pub fn set_high(&mut self, high: u32, later: bool) {
        let new = u64::from(high) << l::TIME_BITS;
        if self.is_high_stale && later && self.last != NO_TIME && new > 0 {
            // The times since the gap have lost their high bits. The window before the new one is
            // the latest that they can be of.
            let last = (new - (1 << l::TIME_BITS)) | (self.last & TIME_MASK);
            let moved = last.wrapping_sub(self.last);
            for open in self.open.iter_mut().filter(|open| open.time != Open::UNKNOWN) {
                open.time = open.time.wrapping_add(moved);
            }
            self.last = last;
        }
        self.is_high_stale = false;
        self.high = new;
    }

    /// Whether the thread's last record has the calls of the counter: the JVM was killed after it
    /// wrote the record, and before it set the counter to zero.
    pub fn has_record(&self, id: MethodId, counter: Counter) -> bool {
        let named = match Record::decode(self.last_word) {
            Some(Record::Counted { id: named, .. }) => named == id,
            Some(Record::CountedPair { methods }) => methods.iter().any(|(named, _)| *named == id),
            _ => false,
        };
        named && counter.record() != self.count_records & Counter::RECORDS_MASK
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
