//! Where a thread stands between two feeds.

use std::collections::BTreeMap;

use jfathom_trace::ThreadInfo;
use jfathom_trace::layout as l;
use jfathom_trace::record::TIME_MASK;
use serde::{Deserialize, Serialize};

use crate::{Quality, Ticks};

/// [`ThreadState::last`] of a thread whose next time begins its time.
pub(super) const NO_TIME: u64 = u64::MAX;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ThreadState {
    pub sequence: u64,
    pub thread_id: u64,
    pub name: String,
    /// Its node.
    pub root: u32,
    /// Top of the simulated stack; the root when it is empty.
    pub current: u32,
    /// What was the top when the last gap came, or the root: an exit without its entry belongs
    /// above, or at the bottom.
    pub floor: u32,
    /// Time of the last record, plus what is to be taken out of the time from there on: no time
    /// before this one counts.
    pub last: u64,
    /// [`Self::last`] as the latest adjustment left it; zero without one. As long as it stands
    /// there, what is taken out has not come to its end, and times may lie before it.
    pub owed_until: u64,
    /// Time of the last record, where [`Self::last`] is that of an adjustment.
    pub real: u64,
    /// High bits of the times to come, in place.
    pub high: u64,
    /// Whether records were lost since `high` was told, so that it may be out of date.
    pub high_doubtful: bool,
    /// Time of the last record before a gap, if the next record is the first after it.
    pub gap_since: Option<u64>,
    /// Whether its end was seen in its records.
    pub ended: bool,
    /// Whether nothing more will come.
    pub over: bool,
    /// Ticks taken out.
    pub adjusted: u64,
    /// Up to which epoch it has taken over which methods are demoted.
    pub epoch: u32,
    /// Its counters, by method id.
    pub counts: BTreeMap<u32, u64>,
    /// Entries of demoted methods that came all the same, by method id; not among the counters.
    pub late: BTreeMap<u32, u64>,
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
            high_doubtful: false,
            gap_since: None,
            ended: false,
            over: false,
            adjusted: 0,
            epoch: 0,
            counts: BTreeMap::new(),
            late: BTreeMap::new(),
        }
    }

    /// Records are missing here.
    pub fn gap(&mut self) {
        self.high_doubtful = true;
        self.floor = self.current;
        if self.last != NO_TIME {
            self.gap_since = Some(self.last);
            self.last = NO_TIME;
        }
    }

    /// Takes in new high bits, which begin the next window of time or a later one.
    pub fn set_high(&mut self, high: u32, later: bool) {
        let new = u64::from(high) << l::TIME_BITS;
        if self.high_doubtful && later && self.last != NO_TIME && new > 0 {
            // The times since the gap were of an unknown window: of the one before the new, as far
            // as can be known.
            self.last = (new - (1 << l::TIME_BITS)) | (self.last & TIME_MASK);
        }
        self.high_doubtful = false;
        self.high = new;
    }

    /// An entry of a demoted method: a counted call.
    #[cold]
    pub fn count_late(&mut self, id: u32) {
        *self.late.entry(id).or_default() += 1;
    }

    /// All its counted calls by method id.
    pub fn counted(&self) -> BTreeMap<u32, u64> {
        let mut all = self.counts.clone();
        for (id, calls) in &self.late {
            let sum = all.entry(*id).or_default();
            *sum = sum.saturating_add(*calls);
        }
        all
    }

    /// Takes `ticks` out of the time until the next record, and what is longer than that time out
    /// of the times after it: a thread may learn late that all were held up.
    pub fn adjust(&mut self, ticks: u64) {
        self.adjusted = self.adjusted.saturating_add(ticks);
        if self.last != NO_TIME && ticks > 0 {
            if self.last != self.owed_until {
                self.real = self.last;
            }
            self.last = self.last.saturating_add(ticks).min(NO_TIME - 1);
            self.owed_until = self.last;
        }
    }

    /// A time that is not after `last`: the first of all, the first after a gap, or one that runs
    /// backwards. Returns the time to go on from.
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
