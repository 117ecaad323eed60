//! The mode bytes of methods, in the session file.

use super::session_file::SessionFile;
use jfathom_plan::MethodId;
use jfathom_trace::{ReadingMethods, StackIntervalIx, layout as l};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU8, Ordering};

/// The bit of a mode byte that is the first-call trigger.
const FIRST_CALL: u8 = l::MODE_FIRST_CALL as u8;
const MASK: u8 = l::MODE_MASK as u8;
const COUNT: u8 = l::MODE_COUNT as u8;

impl SessionFile {
    fn mode(&self, id: MethodId) -> Option<&'static AtomicU8> {
        let header = |offset| Some(self.word32(offset)?.load(Ordering::Relaxed));
        let index = id.get().checked_sub(header(l::HEADER_ID_FIRST)?)?;
        if index >= header(l::HEADER_ID_COUNT)? {
            return None;
        }
        let modes = self.word64(l::HEADER_MODES_OFFSET)?.load(Ordering::Relaxed);
        self.range().u8(modes.checked_add(u64::from(index))?)
    }

    /// Whether the method's next call is its first, and has to report to the agent.
    pub fn has_first_call_trigger(&self, id: MethodId) -> bool {
        self.mode(id).is_some_and(|mode| mode.load(Ordering::Acquire) & FIRST_CALL != 0)
    }

    pub fn set_first_call_trigger(&self, id: MethodId) {
        if let Some(mode) = self.mode(id) {
            mode.fetch_or(FIRST_CALL, Ordering::AcqRel);
        }
    }

    pub fn clear_first_call_trigger(&self, id: MethodId) {
        if let Some(mode) = self.mode(id) {
            mode.fetch_and(!FIRST_CALL, Ordering::AcqRel);
        }
    }

    /// Has the method's calls counted, and leaves its trigger as it is.
    pub fn set_counted(&self, id: MethodId) {
        if let Some(mode) = self.mode(id) {
            let counted = |old: u8| Some(old & !MASK | COUNT);
            let _ = mode.fetch_update(Ordering::AcqRel, Ordering::Acquire, counted);
        }
    }

    /// Has the stacks of some of the method's calls walked: at the interval at this place of the
    /// table. The method is not off.
    pub fn set_stack_walks(&self, id: MethodId, interval: StackIntervalIx) {
        if let Some(mode) = self.mode(id) {
            mode.fetch_or(interval.mode_bits(), Ordering::AcqRel);
        }
    }

    /// Has the method's calls read what their thread has allocated, if not all calls do.
    pub fn set_reading(&self, id: MethodId) {
        let first = self.word32(l::HEADER_ID_FIRST).map(|word| word.load(Ordering::Relaxed));
        let ids = self.word32(l::HEADER_ID_COUNT).map(|word| word.load(Ordering::Relaxed));
        let (Some(first), Some(ids)) = (first, ids) else { return };
        let Some((offset, bit)) = ReadingMethods::word(first, id) else { return };
        let table = self.word64(l::HEADER_READING_OFFSET).map(|word| word.load(Ordering::Relaxed));
        let is_known = id.get() - first < ids;
        let Some(table) = table.filter(|table| *table != 0 && is_known) else { return };
        let word = table.checked_add(offset).and_then(|at| self.range().u32(at));
        if let Some(word) = word {
            word.fetch_or(bit, Ordering::AcqRel);
        }
    }

    /// Writes the table of intervals to which modes refer. Before a mode does.
    pub fn set_stack_intervals(&self, intervals: &[NonZeroU32]) {
        for (place, interval) in intervals.iter().enumerate() {
            let word = StackIntervalIx::new(place).and_then(|place| self.word32(place.offset()));
            if let Some(word) = word {
                word.store(interval.get(), Ordering::Release);
            }
        }
    }
}
