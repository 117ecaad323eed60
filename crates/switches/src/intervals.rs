//! From switches to the intervals in which threads had no processor.

use crate::record::{Switch, Turn};
use crate::{Nanos, Tid};
use std::collections::HashMap;

/// Two equal switches of a thread within this time are one that was told twice: a thread that was
/// started while events were opened may have two on a processor.
const TWICE: u64 = 1_000;

/// What a thread did in an interval, as far as it did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OffCpu {
    /// It would have gone on, and waited for a processor.
    Preempted,
    /// It waited for something, and then for a processor.
    Blocked,
    /// It is not known: it was not watched, or a switch is missing.
    Unknown,
}

/// A part of a thread's time in which it had no processor, or in which that is not known. Whatever
/// lies between two of them, it ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interval {
    /// The thread.
    pub tid: Tid,
    /// Its begin.
    pub start: Nanos,
    /// Its end, not before its begin.
    pub end: Nanos,
    /// What the thread did.
    pub state: OffCpu,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// Watched since then, and no switch was seen.
    Opened(Nanos),
    /// On a processor since then.
    On(Nanos),
    /// Without one since then.
    Off(Nanos, OffCpu),
}

/// What each thread does at the moment.
#[derive(Debug, Default)]
pub(crate) struct Threads(HashMap<Tid, State>);

impl Threads {
    /// A thread is watched from now on. Before it was not.
    pub(crate) fn open(&mut self, tid: Tid, now: Nanos) -> Interval {
        self.0.entry(tid).or_insert(State::Opened(now));
        Interval { tid, start: Nanos(0), end: now, state: OffCpu::Unknown }
    }

    /// Number of threads.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Forgets threads that are not of the process any more. An id may come again.
    pub(crate) fn retain(&mut self, is_there: impl Fn(Tid) -> bool) {
        self.0.retain(|tid, _| is_there(*tid));
    }

    /// A switch, in the order of their times by thread.
    pub(crate) fn switch(&mut self, switch: &Switch) -> Option<Interval> {
        let Switch { tid, time, turn, .. } = *switch;
        let next = match turn {
            Turn::In => State::On(time),
            Turn::Preempted => State::Off(time, OffCpu::Preempted),
            Turn::Blocked => State::Off(time, OffCpu::Blocked),
        };
        let (start, state) = match (self.0.get(&tid).copied(), turn == Turn::In) {
            (None, _) => (Nanos(0), OffCpu::Unknown),
            (Some(State::Opened(since)), true) => (since, OffCpu::Unknown),
            (Some(State::Off(since, state)), true) => (since, state),
            (Some(State::On(since)), true) | (Some(State::Off(since, _)), false) => {
                if time.0.saturating_sub(since.0) < TWICE {
                    return None;
                }
                (since, OffCpu::Unknown)
            }
            (Some(State::On(_) | State::Opened(_)), false) => {
                self.0.insert(tid, next);
                return None;
            }
        };
        self.0.insert(tid, next);
        Some(Interval { tid, start, end: time.max(start), state })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TID: Tid = Tid(5);

    fn of(threads: &mut Threads, turns: &[(u64, Turn)]) -> Vec<(u64, u64, OffCpu)> {
        let switch = |(time, turn): &(u64, Turn)| Switch {
            time: Nanos(*time),
            tid: TID,
            pid: 1,
            turn: *turn,
        };
        let intervals = turns.iter().filter_map(|turn| threads.switch(&switch(turn)));
        intervals.map(|of| (of.start.0, of.end.0, of.state)).collect()
    }

    #[test]
    fn a_thread_that_is_watched_from_its_begin() {
        use {OffCpu::*, Turn::*};
        let turns = [
            (1_000, In),
            (5_000, Turn::Blocked),
            (9_000, In),
            (20_000, Turn::Preempted),
            (30_000, In),
        ];
        let expected = [
            (0, 1_000, Unknown),
            (5_000, 9_000, OffCpu::Blocked),
            (20_000, 30_000, OffCpu::Preempted),
        ];
        assert_eq!(of(&mut Threads::default(), &turns), expected);
    }

    #[test]
    fn a_thread_that_ran_or_waited_when_it_was_opened() {
        use {OffCpu::*, Turn::*};
        let opened = || {
            let mut threads = Threads::default();
            let before = threads.open(TID, Nanos(100));
            assert_eq!((before.start, before.end, before.state), (Nanos(0), Nanos(100), Unknown));
            threads
        };
        assert_eq!(of(&mut opened(), &[(900, In)]), [(100, 900, Unknown)]);
        let ran = of(&mut opened(), &[(900, Turn::Blocked), (950, In)]);
        assert_eq!(ran, [(900, 950, OffCpu::Blocked)]);
    }

    #[test]
    fn a_missing_switch_makes_time_unknown_and_a_repeated_one_does_not() {
        use {OffCpu::*, Turn::*};
        let turns = [(10_000, In), (20_000, In), (20_001, In), (30_000, Turn::Blocked)];
        let more = [(30_001, Turn::Blocked), (50_000, Turn::Preempted), (60_000, In)];
        let expected = [
            (0, 10_000, Unknown),
            (10_000, 20_000, Unknown),
            (30_000, 50_000, Unknown),
            (50_000, 60_000, OffCpu::Preempted),
        ];
        assert_eq!(of(&mut Threads::default(), &[&turns[..], &more[..]].concat()), expected);
    }
}
