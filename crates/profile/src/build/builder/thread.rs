//! State of one thread between two feeds, and of a call that has not ended.

use jfathom_plan::MethodId;
use jfathom_trace::record::Record;
use jfathom_trace::{Counter, ThreadInfo};
use serde::{Deserialize, Serialize};

use super::call_log::Exclusions;
use super::clock::Clock;
use super::off_cpu::Pending;
use super::slowest::log::Log;
use crate::build::tree_builder::{Moved, NONE};

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
    pub clock: Clock,
    /// Whether its records have its end.
    pub ended: bool,
    /// Whether no more records will come.
    pub over: bool,
    /// How much of the excluded time was in earlier slices.
    pub excluded_before: u64,
    /// The last record; zero without one.
    pub last_word: u64,
    /// COUNTED and COUNTED_PAIR records so far.
    pub count_records: u64,
    /// Records so far.
    pub records: u64,
    /// The last record of a caught exception's class: its place among the thread's records, and
    /// the class. None after the catch.
    pub caught_class: Option<(u64, u32)>,
    /// The frames from above the root to the current node, one for each: when they were entered.
    pub open: Vec<Open>,
    /// Its records since its outermost open call, if slow calls are kept. A checkpoint is without
    /// them: calls that are open then are never kept.
    #[serde(skip)]
    pub log: Log,
    /// When it did not run since its last record. A checkpoint is without them.
    #[serde(skip)]
    pub off_cpu: Pending,
    /// For a timeline: what was excluded before the calls that are open.
    #[serde(skip)]
    pub exclusions: Exclusions,
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
            clock: Clock::default(),
            ended: false,
            over: false,
            excluded_before: 0,
            last_word: 0,
            count_records: 0,
            records: 0,
            caught_class: None,
            open: Vec::new(),
            log: Log::default(),
            off_cpu: Pending::default(),
            exclusions: Exclusions::default(),
        }
    }

    /// The present, as of the last record: time of the program, and records.
    pub fn now(&self) -> Open {
        Open {
            time: self.clock.now(),
            records: self.records,
            has_counted: false,
            is_flushed: true,
            flush_node: NONE,
        }
    }

    /// A flushed call that begins now is on top of the stack: that of the present node.
    pub fn open_flushed(&mut self) {
        let now = Open { flush_node: self.current, ..self.now() };
        self.open.push(now);
    }

    /// The node of the innermost flushed call: counted records belong to it.
    #[inline]
    pub fn flush_node(&self) -> u32 {
        self.open.last().map_or(self.root, |open| open.flush_node)
    }

    /// When an open call of it began, by the clock: with excluded time.
    pub fn began(&self, open: Open) -> u64 {
        let excluded = self.exclusions.at(open.records, self.clock.excluded);
        open.time.saturating_add(excluded)
    }

    /// Time was excluded with its present record, and `before` until then.
    pub fn excluded_since(&mut self, before: u64) {
        let innermost = self.open.last().map(|open| open.records);
        self.exclusions.add(self.records, before, self.clock.excluded, innermost);
    }

    /// By its record `record`, an entry, the clock's last time became `last`, which may be later
    /// than the record's own: it lies in a pause of which the thread has learned late.
    pub fn entered_late(&mut self, record: u64, last: u64) {
        let ahead = last.saturating_sub(self.clock.told(last));
        if ahead > 0 {
            let innermost = self.open.last().map(|open| open.records);
            let ticks = self.clock.excluded.saturating_sub(ahead);
            self.exclusions.add_late(record, ticks, innermost);
        }
    }

    /// Marks missing records.
    pub fn gap(&mut self) {
        self.clock.gap();
        self.floor = self.current;
        self.caught_class = None;
        if let Some(own) = self.off_cpu.own_clock() {
            own.forget();
        }
        // How long these calls take cannot be known any more.
        self.open.iter_mut().for_each(|open| open.time = Open::UNKNOWN);
    }

    /// The class of the exception that the present record has caught; none if the records right
    /// before it say none. A record of the time's high bits may be between.
    pub fn take_caught_class(&mut self) -> Option<u32> {
        let (at, class) = self.caught_class.take()?;
        (self.records.saturating_sub(at) <= 2).then_some(class)
    }

    /// Calls may have been counted in the innermost open call, or around it since the last flush.
    #[inline]
    pub fn count_in_open(&mut self) {
        for open in self.open.iter_mut().rev() {
            // What is around it is marked, too, then.
            if std::mem::replace(&mut open.has_counted, true) || open.is_flushed {
                return;
            }
        }
    }

    /// Whether calls may have been counted in the innermost open call.
    #[inline]
    pub fn has_counted(&self) -> bool {
        self.open.last().is_some_and(|open| open.has_counted)
    }

    /// Finds its nodes where they are after a fold.
    pub fn follow(&mut self, moved: &Moved) {
        for node in [&mut self.root, &mut self.current, &mut self.floor] {
            *node = moved.to(*node);
        }
        self.open.iter_mut().for_each(|open| open.flush_node = moved.to(open.flush_node));
    }

    /// As [`Clock::set_high`], with the calls that are open.
    pub fn set_high(&mut self, high: u32, later: bool) {
        let moved = self.clock.set_high(high, later);
        if moved != 0 {
            if let Some(own) = self.off_cpu.own_clock() {
                own.forget();
            }
            for open in self.open.iter_mut().filter(|open| open.time != Open::UNKNOWN) {
                open.time = open.time.wrapping_add(moved);
            }
        }
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
}

/// When a call was entered.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Open {
    /// The thread's time without excluded time; [`Open::UNKNOWN`] if records are missing since.
    pub time: u64,
    /// The thread's records before it.
    pub records: u64,
    /// Whether calls may have been counted in it. They may be open, too.
    pub has_counted: bool,
    /// Whether counted records were written at its entry, and will be at its exit.
    pub is_flushed: bool,
    /// The node of the innermost flushed call while it is on top of the stack: mostly its own.
    /// Counted records belong to that one.
    pub flush_node: u32,
}

impl Open {
    pub const UNKNOWN: u64 = u64::MAX;

    /// The entry of a call that was not seen.
    pub const NEVER: Self = Self {
        time: Self::UNKNOWN,
        records: 0,
        has_counted: true,
        is_flushed: true,
        flush_node: NONE,
    };
}
