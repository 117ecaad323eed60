//! Records of the kernel's rings (`linux/perf_event.h`, `enum perf_event_type`). Each is a number
//! of 64-bit words; its first has type, flags and size.

use crate::{Nanos, Tid};

const TYPE_LOST: u64 = 2;
const TYPE_SWITCH: u64 = 14;
const MISC_SWITCH_OUT: u64 = 1 << 13;
/// Linux 4.17. Before, no switch is told to be a preemption.
const MISC_SWITCH_OUT_PREEMPT: u64 = 1 << 14;

/// What a record says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Record {
    /// A thread left its processor, or came to one.
    Switch(Switch),
    /// The ring was full: so many records are missing.
    Lost(u64),
}

/// One switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Switch {
    pub time: Nanos,
    pub tid: Tid,
    pub pid: u32,
    pub turn: Turn,
}

/// Which way a switch goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Turn {
    /// To a processor.
    In,
    /// Away from it, though the thread would have gone on.
    Preempted,
    /// Away from it, to wait.
    Blocked,
}

/// Reads the records of a ring. Those of other types are left out. False if the words end in the
/// middle of a record, or if one has no size: nothing behind it can be read.
pub(crate) fn read(mut words: &[u64], mut sink: impl FnMut(Record)) -> bool {
    while let Some(head) = words.first() {
        let (kind, misc, size) = (head & 0xffff_ffff, head >> 32 & 0xffff, (head >> 48) as usize);
        if size == 0 || !size.is_multiple_of(8) {
            return false;
        }
        let Some((record, rest)) = words.split_at_checked(size / 8) else { return false };
        match (kind, record) {
            (TYPE_SWITCH, [_, ids, time, ..]) => {
                let turn = match (misc & MISC_SWITCH_OUT != 0, misc & MISC_SWITCH_OUT_PREEMPT != 0)
                {
                    (false, _) => Turn::In,
                    (true, true) => Turn::Preempted,
                    (true, false) => Turn::Blocked,
                };
                let (pid, tid) = (*ids as u32, Tid((ids >> 32) as u32));
                sink(Record::Switch(Switch { time: Nanos(*time), tid, pid, turn }));
            }
            (TYPE_LOST, [_, _, lost, ..]) => sink(Record::Lost(*lost)),
            _ => {}
        }
        words = rest;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(kind: u64, misc: u64, words: u64) -> u64 {
        kind | misc << 32 | (words * 8) << 48
    }

    fn all(words: &[u64]) -> (Vec<Record>, bool) {
        let mut records = Vec::new();
        let is_whole = read(words, |record| records.push(record));
        (records, is_whole)
    }

    #[test]
    fn switches_and_losses_are_read() {
        let ids = 7 | 9 << 32;
        let words = [
            vec![head(14, 0, 3), ids, 100],
            vec![head(14, 1 << 13, 3), ids, 200],
            vec![head(3, 0, 2), 5],
            vec![head(14, 3 << 13, 3), ids, 300],
            vec![head(2, 0, 5), 1, 42, ids, 400],
        ];
        let switch =
            |time, turn| Record::Switch(Switch { time: Nanos(time), tid: Tid(9), pid: 7, turn });
        let expected = vec![
            switch(100, Turn::In),
            switch(200, Turn::Blocked),
            switch(300, Turn::Preempted),
            Record::Lost(42),
        ];
        assert_eq!(all(&words.concat()), (expected, true));
    }

    #[test]
    fn no_words_are_a_panic() {
        for words in [
            vec![0],
            vec![head(14, 0, 3)],
            vec![head(14, 0, 1), head(14, 0, 2), 1, 0],
            vec![head(2, 0, 2), 1],
            vec![u64::MAX; 9],
            vec![14 | 7 << 48, 1, 2],
        ] {
            let (records, _) = all(&words);
            assert_eq!(records, []);
        }
        assert_eq!(all(&[]), (Vec::new(), true));
    }
}
