//! Excluded time within slow calls: how their times follow from those of the session's clock.

use std::collections::HashMap;

use crate::Ticks;

/// Where the time of one call runs behind the clock. All times are ticks since its begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExcludedTimes {
    /// The clock's times of records before which time was excluded, and all that was excluded until
    /// then. Both ascend.
    steps: Vec<(u64, u64)>,
}

impl ExcludedTimes {
    /// How many records there are before which time was excluded.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// A record had this time by the clock, and `program` without excluded time.
    pub fn told(&mut self, clock: u64, program: u64) {
        let excluded = clock.saturating_sub(program);
        let (last, before) = self.steps.last().copied().unwrap_or_default();
        if excluded > before && clock >= last {
            self.steps.push((clock, excluded));
        }
    }

    /// All that was excluded.
    fn all(&self) -> u64 {
        self.steps.last().map_or(0, |(_, excluded)| *excluded)
    }

    /// A time of the clock without excluded time. Where a thread waits for room for a record, it
    /// does so right before: of the time between two records the last part is the excluded one.
    fn program(&self, clock: u64) -> u64 {
        let next = self.steps.partition_point(|(at, _)| *at <= clock);
        let before = next.checked_sub(1).and_then(|at| self.steps.get(at));
        let time = clock - before.map_or(0, |(_, excluded)| *excluded).min(clock);
        let bound = self.steps.get(next).map(|(at, excluded)| at.saturating_sub(*excluded));
        bound.map_or(time, |bound| time.min(bound))
    }
}

/// The excluded time within the slowest calls of a builder: their spans are without it, and events
/// have times of the clock.
#[derive(Clone, Debug, Default)]
pub struct SlowCallClocks {
    /// By the thread's id in the JVM and the call's begin.
    calls: HashMap<(u64, Ticks), ExcludedTimes>,
}

impl SlowCallClocks {
    pub(crate) fn new(calls: impl IntoIterator<Item = ((u64, Ticks), ExcludedTimes)>) -> Self {
        Self { calls: calls.into_iter().collect() }
    }

    /// The clock of the call of a thread that began then.
    pub(crate) fn of(&self, thread: u64, began: Ticks) -> SlowCallClock<'_> {
        SlowCallClock { began, excluded: self.calls.get(&(thread, began)) }
    }
}

/// The clock of one call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlowCallClock<'a> {
    began: Ticks,
    /// None if no time was excluded.
    excluded: Option<&'a ExcludedTimes>,
}

impl SlowCallClock<'_> {
    /// When a call of this duration ended, by the session's clock.
    pub fn end(self, duration: Ticks) -> Ticks {
        let excluded = self.excluded.map_or(0, ExcludedTimes::all);
        Ticks(self.began.0.saturating_add(duration.0).saturating_add(excluded))
    }

    /// A moment of the session's clock without the time that was excluded since the call's begin.
    pub fn program(self, moment: Ticks) -> Ticks {
        let after = moment.0.saturating_sub(self.began.0);
        let after = self.excluded.map_or(after, |excluded| excluded.program(after));
        Ticks(self.began.0.saturating_add(after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excluded_time_is_taken_out_where_it_was() {
        let mut excluded = ExcludedTimes::default();
        // 100 of the time between 20 and 150, then 5 before 200.
        for (clock, program) in [(10, 10), (20, 20), (150, 50), (160, 60), (200, 95)] {
            excluded.told(clock, program);
        }
        assert_eq!((excluded.len(), excluded.all()), (2, 105));
        let times = [0, 20, 49, 50, 60, 149, 150, 155, 194, 195, 199, 200, 250];
        let expected = [0, 20, 49, 50, 50, 50, 50, 55, 94, 95, 95, 95, 145];
        assert_eq!(times.map(|time| excluded.program(time)), expected);
        let clocks = SlowCallClocks::new([((7, Ticks(1_000)), excluded)]);
        let of = |thread| clocks.of(thread, Ticks(1_000));
        assert_eq!((of(7).end(Ticks(95)), of(8).end(Ticks(95))), (Ticks(1_200), Ticks(1_095)));
        assert_eq!(of(7).program(Ticks(1_155)), Ticks(1_055));
        assert_eq!(of(8).program(Ticks(1_155)), Ticks(1_155));
    }
}
