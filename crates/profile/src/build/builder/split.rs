//! How a builder is told when threads had no processor.

use super::off_cpu::{OffCpuSpan, Pending};
use super::{Builder, ThreadHandle, ThreadState};

impl Builder {
    /// Has the times of all threads split from now on into running ones and others. Of a thread
    /// nothing is known until [`Builder::add_off_cpu`] tells something.
    pub fn record_cpu(&mut self) {
        self.has_cpu = true;
        self.forget_switches();
    }

    /// As [`Builder::record_cpu`], by readings of the threads' own clocks, which their records have
    /// ([`Record::Ran`](jfathom_trace::record::Record::Ran)). Nothing else tells it. The times have
    /// so many ticks in a second.
    pub fn record_own_clocks(&mut self, hz: u64) {
        self.own_clock = Some(hz);
        self.record_cpu();
    }

    /// From now on nothing is known of any thread that was known before: nobody tells it any more.
    pub(super) fn forget_switches(&mut self) {
        if self.has_cpu {
            let own_clock = self.own_clock;
            let forget = |state: &mut ThreadState| state.off_cpu = Pending::unwatched(own_clock);
            self.threads.iter_mut().for_each(forget);
            self.virtuals.forget_switches();
        }
    }

    /// Whether times are split.
    pub fn has_cpu(&self) -> bool {
        self.has_cpu
    }

    /// A part of a thread's time, after those that were told before, and before any record that the
    /// thread has written after it is fed. Whatever lies between two of them, it ran.
    pub fn add_off_cpu(&mut self, thread: ThreadHandle, span: OffCpuSpan) {
        let round = self.virtuals.round;
        let state = self.threads.get_mut(thread.0 as usize);
        if let Some(state) = state.filter(|state| self.has_cpu && !state.over) {
            state.off_cpu.add(span, round, state.clock.last);
        }
    }
}
