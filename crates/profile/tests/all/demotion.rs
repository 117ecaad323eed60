//! Methods that change from timed to counted while threads run: each call is counted once.

use std::collections::BTreeMap;

use jfathom_profile::{Builder, Checkpoint, Demotion, Mode, Profile};
use jfathom_testkit::{Random, profiles::*, records::*, tree_text::*};
use jfathom_trace::Counter;
use jfathom_trace::record::Record;

const START: Record = Record::ThreadStart { high: 0, sequence: 1 };
const DEMOTION: Demotion =
    Demotion { calls: 100, millis: 7, self_nanos: -0.5, ..Demotion::UNKNOWN };

/// Entries, returns, throws, inferred, demoted, open, counted of method `value`.
fn counts(profile: &Profile, value: u32) -> [u64; 7] {
    let m =
        profile.methods.iter().find(|method| method.id == id(value)).expect("the method was met");
    [m.entries, m.returns, m.throws, m.inferred, m.demoted, m.open, m.counted]
}

/// Method 2 and 3 are demoted in epochs 1 and 2.
fn builder() -> Builder {
    let mut builder = Builder::new();
    builder.thread(&info(1, "main"));
    builder.demote(1, id(2), DEMOTION);
    builder.demote(2, id(3), DEMOTION);
    builder
}

fn main_thread(records: &[Record], counters: &[(u32, u64)]) -> Profile {
    let mut builder = builder();
    let main = Builder::new().thread(&info(1, "main"));
    feed(&mut builder, main, records);
    let counters: Vec<_> =
        counters.iter().map(|(method, calls)| (id(*method), Counter::new(*calls, 0))).collect();
    builder.add_counters(main, &counters);
    profile(&builder)
}

#[test]
fn open_frames_of_a_demoted_method_close_when_they_are_on_top() {
    let mode = |epoch| Record::Mode { epoch };
    // 2 is open below 1 when it is demoted: it closes when 1 has returned; its time from then on is
    // the caller's.
    let p = main_thread(
        &[START, e(0, 0), e(2, 10), e(1, 20), mode(1), r(1, 30), e(1, 40), r(1, 45), r(0, 100)],
        &[],
    );
    assert_tree(
        &p,
        "
         main 1 0 100
           m0 1 75 100
             m2 1 10 20
               m1 1 10 10
             m1 1 5 5",
    );
    assert_eq!(counts(&p, 2), [1, 0, 0, 0, 1, 0, 0]);
    assert!(p.quality.is_clean());
    assert_eq!(
        p.methods.iter().find(|method| method.id == id(2)).unwrap().demotion,
        Some(DEMOTION)
    );
    // On top already, several deep.
    let p = main_thread(&[START, e(0, 0), e(2, 10), e(2, 20), e(3, 30), mode(2), r(0, 100)], &[]);
    assert_tree(
        &p,
        "
         main 1 0 100
           m0 1 80 100
             m2 1 10 20
               m2 1 10 10
                 m3 1 0 0",
    );
    assert_eq!((counts(&p, 2), counts(&p, 3)), ([2, 0, 0, 0, 2, 0, 0], [1, 0, 0, 0, 1, 0, 0]));
    // Epoch 1 does not concern method 3, and an inferred exit closes what is demoted as such.
    let p = main_thread(
        &[START, e(0, 0), e(3, 10), e(2, 20), e(1, 30), mode(1), r(3, 40), r(0, 50)],
        &[],
    );
    assert_eq!((counts(&p, 1), counts(&p, 2)), ([1, 0, 0, 1, 0, 0, 0], [1, 0, 0, 0, 1, 0, 0]));
    assert_eq!(counts(&p, 3), [1, 1, 0, 0, 0, 0, 0]);
}

#[test]
fn what_still_comes_of_a_demoted_method_is_counted_or_passed_over() {
    let p = main_thread(
        &[
            START,
            e(0, 0),
            Record::Mode { epoch: 1 },
            e(2, 10),
            e(1, 15),
            r(1, 18),
            c(2, 20),
            x(2, 22),
            r(0, 30),
        ],
        &[(2, 5)],
    );
    assert_tree(
        &p,
        "
         main 1 0 30
           m0 1 27 30
             m1 1 3 3
             m2 +1 0 0
           m2 +5 0 0",
    );
    assert_eq!(counts(&p, 2), [0, 0, 0, 0, 0, 0, 6]);
    assert!(p.quality.is_clean());
}

#[test]
fn counted_calls_go_to_the_node_on_top() {
    let counted = |method, calls| Record::Counted { id: id(method), calls };
    let pair = |one, other| Record::CountedPair { methods: [(id(1), one), (id(5), other)] };
    let p = main_thread(
        &[
            START,
            e(0, 0),
            counted(5, 3),
            e(1, 10),
            counted(5, 1 << 33),
            r(1, 20),
            pair(7, 5),
            counted(6, 1),
            r(0, 30),
        ],
        &[],
    );
    assert_tree(
        &p,
        "
         main 1 0 30
           m0 1 20 30
             m1 1+7 10 10
               m5 +8589934592 0 0
             m5 +8 0 0
             m6 +1 0 0",
    );
    let found: Vec<_> = p
        .tree
        .nodes()
        .map(|node| (p.tree.counted_callees(node), p.tree.count_records(node)))
        .collect();
    assert_eq!(found, [(0, 0), (16, 3), (1 << 33, 1), (0, 0), (0, 0), (0, 0)]);
    let calls = (1 << 33) + 8;
    assert_eq!((counts(&p, 5), p.quality.unknown_records), ([0, 0, 0, 0, 0, 0, calls], 0));
    let mut builder = Builder::new();
    builder.set_mode(id(5), Mode::Count);
    let main = builder.thread(&info(1, "main"));
    builder.add_counters(main, &[(id(5), Counter::new(2, 0)), (id(6), Counter::new(0, 0))]);
    let modes: Vec<_> =
        profile(&builder).methods.iter().map(|method| (method.id, method.mode)).collect();
    assert_eq!(modes, [(id(5), Mode::Count)]);
}

/// A thread of the storm as its JVM sees it.
#[derive(Default)]
struct Thread {
    /// Whether the thread sees the mode of a method as counted.
    sees: BTreeMap<u32, bool>,
    /// The epoch that it sees, and that of its last record.
    epoch: u32,
    recorded_epoch: u32,
    counters: BTreeMap<u32, u64>,
    count_records: u64,
    /// Its real stack.
    stack: Vec<u32>,
    time: u64,
    records: Vec<Record>,
    calls: BTreeMap<u32, u64>,
}

impl Thread {
    /// Before a timed record: a new epoch, and what the counters hold.
    fn record_counts(&mut self) {
        if self.epoch != self.recorded_epoch {
            self.recorded_epoch = self.epoch;
            self.records.push(Record::Mode { epoch: self.epoch.into() });
        }
        let mut counters = std::mem::take(&mut self.counters).into_iter().peekable();
        while let Some((method, calls)) = counters.next() {
            let few = |calls: u64| calls < 64;
            let other = counters.next_if(|(_, other)| few(calls) && few(*other));
            self.records.push(match other {
                Some((other, others)) => {
                    Record::CountedPair { methods: [(id(method), calls), (id(other), others)] }
                }
                None => Record::Counted { id: id(method), calls },
            });
            self.count_records += 1;
        }
        self.time += 3;
    }

    fn counted(&self, method: u32) -> bool {
        self.sees.get(&method).copied().unwrap_or(false)
    }

    fn enter(&mut self, method: u32) {
        *self.calls.entry(method).or_default() += 1;
        self.stack.push(method);
        if self.counted(method) {
            *self.counters.entry(method).or_default() += 1;
        } else {
            self.record_counts();
            self.records.push(e(method, self.time));
        }
    }

    fn leave(&mut self, random: &mut Random) {
        let Some(method) = self.stack.pop() else { return };
        let by_exception = random.below(5) == 0;
        if !self.counted(method) {
            self.record_counts();
            self.records.push(if by_exception {
                x(method, self.time)
            } else {
                r(method, self.time)
            });
        }
        let catcher = self.stack.last().copied().filter(|_| by_exception && random.below(2) == 0);
        if let Some(method) = catcher.filter(|method| !self.counted(*method)) {
            self.record_counts();
            self.records.push(c(method, self.time & !63));
        }
    }
}

#[test]
fn in_a_storm_of_demotions_each_call_is_counted_once() {
    const METHODS: u64 = 9;
    for seed in 1..=400 {
        let mut random = Random(seed * 0x1234_5679);
        let mut builder = Builder::new();
        let mut threads: Vec<Thread> = (0..3).map(|_| Thread::default()).collect();
        let handles: Vec<_> = (1..=3).map(|number| builder.thread(&info(number, "t"))).collect();
        let (mut epoch, mut since) = (0, BTreeMap::new());
        for step in 0..600 {
            if random.below(60) == 0 {
                // The epoch first, then the modes: in this order each thread comes to see them.
                epoch += 1;
                for _ in 0..=random.below(2) {
                    let method = 1 + random.below(METHODS) as u32;
                    since.entry(method).or_insert(epoch);
                    builder.demote(epoch, id(method), DEMOTION);
                }
            }
            let at = random.below(3) as usize;
            let thread = &mut threads[at];
            for (method, since) in &since {
                if random.below(6) == 0 {
                    thread.sees.insert(*method, true);
                    thread.epoch = thread.epoch.max(*since);
                }
            }
            if random.below(8) == 0 {
                thread.epoch = epoch;
            }
            match thread.stack.len() as u64 {
                0 => thread.enter(0),
                depth if random.below(20) > depth => thread.enter(1 + random.below(METHODS) as u32),
                _ => thread.leave(&mut random),
            }
            if step % 97 == 0 {
                let words = words(&std::mem::take(&mut thread.records));
                builder.feed(handles[at], &words);
                let mut file = Vec::new();
                builder.checkpoint(Vec::new()).write(&mut file).unwrap();
                builder = Checkpoint::read(&mut &file[..]).unwrap().builder;
            }
        }
        // Some threads come to their end, others are killed with calls in their counters; some of
        // these after the calls were recorded, and before the counters were zero.
        for (thread, handle) in threads.iter_mut().zip(&handles) {
            if random.below(2) == 0 {
                while !thread.stack.is_empty() {
                    thread.leave(&mut random);
                }
                thread.record_counts();
                thread.records.push(Record::ThreadEnd);
            }
            let mut counters = thread.counters.clone();
            let record = thread.count_records;
            if !counters.is_empty() && random.below(2) == 0 {
                let (method, calls) = counters.pop_first().unwrap();
                thread.records.push(Record::Counted { id: id(method), calls });
                counters.insert(method, calls);
            }
            builder.feed(*handle, &words(&thread.records));
            let counters: Vec<_> = counters
                .into_iter()
                .map(|(method, calls)| (id(method), Counter::new(calls, record)))
                .collect();
            builder.add_counters(*handle, &counters);
            builder.end_thread(*handle);
        }
        let p = profile(&builder);
        let mut truth: BTreeMap<u32, u64> = BTreeMap::new();
        for (method, calls) in threads.iter().flat_map(|thread| &thread.calls) {
            *truth.entry(*method).or_default() += calls;
        }
        let found: BTreeMap<u32, u64> =
            p.methods.iter().map(|method| (method.id.get(), method.calls())).collect();
        assert_eq!(found, truth, "seed {seed}");
        assert_eq!(p.quality.unmatched_exits, 0, "seed {seed}");
        let again = {
            let mut file = Vec::new();
            p.write(&mut file).unwrap();
            Profile::read(&mut &file[..]).unwrap()
        };
        assert_eq!(again, p);
    }
}
