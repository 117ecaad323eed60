//! A change of modes under loom: epoch, mode and records in every order of the two sides' steps.
//!
//! Runs with `RUSTFLAGS="--cfg loom" cargo test -p jfathom-trace --test modes_loom`; without that
//! flag there is nothing in here. The thread makes calls as probes do; what it leaves behind is
//! then read by the consumer's rules, and each call must be there once and no frame of the caller
//! be repaired.
#![cfg(loom)]

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use loom::thread;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Entry(u8),
    Exit(u8),
    Mode(u32),
    Counted(u64),
}

const CALLER: u8 = 0;
const DEMOTED: u8 = 1;
const COUNT: u8 = 1;

struct Shared {
    epoch: AtomicU32,
    mode: AtomicU8,
}

/// A thread as the runtime has it.
struct Thread {
    shared: Arc<Shared>,
    /// Order of the probes' load of the mode.
    order: Ordering,
    words: Vec<Word>,
    told: u32,
    pending: u64,
    counter: u64,
}

impl Thread {
    fn mode(&self, id: u8) -> u8 {
        if id == DEMOTED { self.shared.mode.load(self.order) & !FIRST } else { 0 }
    }

    fn record(&mut self, word: Word) {
        let epoch = self.shared.epoch.load(Ordering::Relaxed);
        if epoch != self.told {
            self.words.push(Word::Mode(epoch));
            self.told = epoch;
        }
        if self.pending != 0 {
            self.words.push(Word::Counted(std::mem::take(&mut self.pending)));
        }
        self.words.push(word);
    }

    fn entry(&mut self, id: u8) {
        if self.mode(id) == COUNT {
            self.counter += 1;
            self.pending += 1;
        } else {
            self.record(Word::Entry(id));
        }
    }

    fn exit(&mut self, id: u8) {
        if self.mode(id) != COUNT {
            self.record(Word::Exit(id));
        }
    }
}

/// What the consumer makes of a thread's records.
#[derive(Debug, Default, PartialEq, Eq)]
struct Read {
    entries: [u64; 2],
    exits: [u64; 2],
    demoted: u64,
    late: u64,
    told: u64,
    /// Frames that an exit below has closed, and exits without a frame.
    repaired: u64,
    open: u64,
}

fn read(words: &[Word]) -> Read {
    let mut read = Read::default();
    let mut stack = Vec::new();
    let mut epoch = 0;
    for word in words {
        match *word {
            Word::Mode(told) => epoch = told,
            Word::Counted(calls) => read.told += calls,
            Word::Entry(DEMOTED) if epoch > 0 => read.late += 1,
            Word::Exit(DEMOTED) if epoch > 0 => {}
            Word::Entry(id) => {
                read.entries[usize::from(id)] += 1;
                stack.push(id);
            }
            Word::Exit(id) => match stack.iter().rposition(|open| *open == id) {
                Some(at) => {
                    read.repaired += (stack.len() - at - 1) as u64;
                    read.exits[usize::from(id)] += 1;
                    stack.truncate(at);
                }
                None => read.repaired += 1,
            },
        }
        while epoch > 0 && stack.last() == Some(&DEMOTED) {
            stack.pop();
            read.demoted += 1;
        }
    }
    read.open = stack.len() as u64;
    read
}

/// The flag of the agent, which no record depends on.
const FIRST: u8 = 4;

/// A live session: the agent raises the epoch for a pause and takes its flag away, while the
/// collector demotes. Both write the mode byte, so each must leave the other's bits.
fn live(calls: fn(&mut Thread), truth: [u64; 2]) {
    loom::model(move || {
        let shared = Arc::new(Shared { epoch: AtomicU32::new(0), mode: AtomicU8::new(FIRST) });
        let words = Vec::new();
        let mut it = Thread {
            shared: Arc::clone(&shared),
            order: Ordering::Acquire,
            words,
            told: 0,
            pending: 0,
            counter: 0,
        };
        let producer = thread::spawn(move || {
            calls(&mut it);
            it
        });
        let agents = Arc::clone(&shared);
        let agent = thread::spawn(move || {
            agents.epoch.fetch_add(1, Ordering::AcqRel);
            agents.mode.fetch_and(!FIRST, Ordering::AcqRel);
        });
        // The collector: it has told the consumer of epoch 1 before.
        shared.epoch.fetch_max(1, Ordering::AcqRel);
        let kept = |mode: u8| Some(mode & FIRST | COUNT);
        shared.mode.fetch_update(Ordering::AcqRel, Ordering::Acquire, kept).unwrap();
        agent.join().unwrap();
        let it = producer.join().unwrap();
        assert_eq!(shared.mode.load(Ordering::Acquire), COUNT);
        let read = read(&it.words);
        let [caller, demoted] = truth;
        assert_eq!((read.entries[0], read.exits[0]), (caller, caller), "{:?}", it.words);
        assert_eq!(read.entries[1] + read.late + it.counter, demoted, "{:?}", it.words);
        assert_eq!((read.repaired, read.open, it.pending), (0, 0, 0), "{:?}", it.words);
        assert_eq!(read.told, it.counter);
    });
}

/// `order` is that of the probes' load of the mode.
fn change(order: Ordering, calls: fn(&mut Thread), truth: [u64; 2]) {
    loom::model(move || {
        let shared = Arc::new(Shared { epoch: AtomicU32::new(0), mode: AtomicU8::new(0) });
        let mut it = Thread {
            shared: Arc::clone(&shared),
            order,
            words: Vec::new(),
            told: 0,
            pending: 0,
            counter: 0,
        };
        let producer = thread::spawn(move || {
            calls(&mut it);
            it
        });
        // The collector.
        shared.epoch.store(1, Ordering::Release);
        shared.mode.store(COUNT, Ordering::Release);
        let it = producer.join().unwrap();
        let read = read(&it.words);
        let [caller, demoted] = truth;
        assert_eq!(read.entries[0], caller);
        assert_eq!(read.exits[0], caller, "{:?}", it.words);
        assert_eq!(read.entries[1] + read.late + it.counter, demoted, "{:?}", it.words);
        assert_eq!(read.entries[1], read.exits[1] + read.demoted + (read.open), "{:?}", it.words);
        assert_eq!((read.repaired, read.open, it.pending), (0, 0, 0), "{:?}", it.words);
        assert_eq!(read.told, it.counter);
    });
}

fn two_calls(it: &mut Thread) {
    it.entry(CALLER);
    it.entry(DEMOTED);
    it.exit(DEMOTED);
    it.entry(DEMOTED);
    it.exit(DEMOTED);
    it.exit(CALLER);
}

/// The caller is called by what is demoted, and calls it.
fn nested(it: &mut Thread) {
    it.entry(DEMOTED);
    it.entry(CALLER);
    it.entry(DEMOTED);
    it.exit(DEMOTED);
    it.exit(CALLER);
    it.exit(DEMOTED);
    it.entry(CALLER);
    it.exit(CALLER);
}

#[test]
fn each_call_is_counted_once() {
    change(Ordering::Acquire, two_calls, [1, 2]);
}

#[test]
fn frames_below_the_change_are_closed() {
    change(Ordering::Acquire, nested, [2, 2]);
}

/// Without acquire the epoch may be seen later than the mode: the frame would be closed as a
/// repair.
#[test]
#[should_panic]
fn the_order_is_needed() {
    change(Ordering::Relaxed, two_calls, [1, 2]);
}

fn one_call(it: &mut Thread) {
    it.entry(CALLER);
    it.entry(DEMOTED);
    it.exit(DEMOTED);
    it.exit(CALLER);
}

#[test]
fn agent_and_collector_do_not_disturb_each_other() {
    live(one_call, [1, 1]);
}
