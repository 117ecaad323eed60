//! Methods whose modes change while threads run: each call is counted once.

use std::collections::BTreeMap;

use jfathom_profile::{Builder, Checkpoint, Demotion, Metric, Mode, Profile, Quality};
use jfathom_testkit::{Random, profiles::*, records::*, tree_text::*};
use jfathom_trace::Counter;
use jfathom_trace::record::Record;

const START: Record = Record::ThreadStart { high: 0, sequence: 1 };
const DEMOTION: Demotion =
    Demotion { calls: 100, millis: 7, self_nanos: -0.5, ..Demotion::UNKNOWN };

/// Entries, returns, throws, inferred, open, counted of method `value`.
fn counts(profile: &Profile, value: u32) -> [u64; 6] {
    let m =
        profile.methods.iter().find(|method| method.id == id(value)).expect("the method was met");
    [m.entries, m.returns, m.throws, m.inferred, m.open, m.counted]
}

#[test]
fn counted_calls_go_to_the_node_on_top() {
    let counted = |method, calls| Record::Counted { id: id(method), calls };
    let pair = |one, other| Record::CountedPair { methods: [(id(1), one), (id(5), other)] };
    let mut builder = Builder::new();
    let main = builder.thread(&info(1, "main"));
    let records = [
        START,
        e(0, 0),
        counted(5, 3),
        e(1, 10),
        counted(5, 1 << 33),
        r(1, 20),
        pair(7, 5),
        counted(6, 1),
        r(0, 30),
    ];
    feed(&mut builder, main, &records);
    let p = profile(&builder);
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
        .map(|node| (p.tree.counted_callees(node), p.tree.number(Metric::CountRecords, node)))
        .collect();
    assert_eq!(found, [(0, 0), (16, 3), (1 << 33, 1), (0, 0), (0, 0), (0, 0)]);
    let calls = (1 << 33) + 8;
    assert_eq!((counts(&p, 5), p.quality.unknown_records), ([0, 0, 0, 0, 0, calls], 0));
    let mut builder = Builder::new();
    builder.set_mode(id(5), Mode::Count);
    let main = builder.thread(&info(1, "main"));
    builder.add_counters(main, &[(id(5), Counter::new(2, 0)), (id(6), Counter::new(0, 0))]);
    let modes: Vec<_> =
        profile(&builder).methods.iter().map(|method| (method.id, method.mode)).collect();
    assert_eq!(modes, [(id(5), Mode::Count)]);
}

#[test]
fn the_last_change_of_a_mode_is_in_the_method_table() {
    let mut builder = Builder::new();
    let main = builder.thread(&info(1, "main"));
    // Timed, counted and timed again.
    let counted = Record::Counted { id: id(2), calls: 4 };
    feed(&mut builder, main, &[START, e(1, 0), e(2, 5), r(2, 9), counted, e(2, 11)]);
    let found = |builder: &Builder| {
        let profile = profile(builder);
        let method = profile.methods.iter().find(|method| method.id == id(2)).unwrap();
        (counts(&profile, 2), method.mode, method.demotion)
    };
    let counts = [2, 1, 0, 0, 1, 4];
    builder.demote(id(2), DEMOTION);
    builder.demote_unannounced([id(2)], Demotion::UNKNOWN);
    assert_eq!(found(&builder), (counts, Mode::Count, Some(DEMOTION)));
    builder.promote(id(2));
    assert_eq!(found(&builder), (counts, Mode::Time, None));
    builder.demote_unannounced([id(2)], Demotion::UNKNOWN);
    assert_eq!(found(&builder), (counts, Mode::Count, Some(Demotion::UNKNOWN)));
}

/// A thread of the storm as its JVM sees it.
#[derive(Default)]
struct Thread {
    counters: BTreeMap<u32, u64>,
    count_records: u64,
    /// Its real stack: the methods, and whether the call is timed.
    stack: Vec<(u32, bool)>,
    time: u64,
    records: Vec<Record>,
    calls: BTreeMap<u32, u64>,
}

impl Thread {
    /// Before a timed record: what the counters hold.
    fn record_counts(&mut self) {
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

    fn enter(&mut self, method: u32, is_timed: bool) {
        *self.calls.entry(method).or_default() += 1;
        self.stack.push((method, is_timed));
        if is_timed {
            self.record_counts();
            self.records.push(e(method, self.time));
        } else {
            *self.counters.entry(method).or_default() += 1;
        }
    }

    fn leave(&mut self, random: &mut Random) {
        let Some((method, is_timed)) = self.stack.pop() else { return };
        let by_exception = random.below(5) == 0;
        if is_timed {
            self.record_counts();
            self.records.push(if by_exception {
                x(method, self.time)
            } else {
                r(method, self.time)
            });
        }
        let catcher = self.stack.last().copied().filter(|_| by_exception && random.below(2) == 0);
        if let Some((method, true)) = catcher {
            self.record_counts();
            self.records.push(c(method, self.time & !63));
        }
    }
}

#[test]
fn in_a_storm_of_modes_each_call_is_counted_once() {
    const METHODS: u64 = 9;
    for seed in 1..=400 {
        let mut random = Random(seed * 0x1234_5679);
        let mut builder = Builder::new();
        let mut threads: Vec<Thread> = (0..3).map(|_| Thread::default()).collect();
        let handles: Vec<_> = (1..=3).map(|number| builder.thread(&info(number, "t"))).collect();
        let mut is_timed = [true; METHODS as usize + 1];
        for step in 0..600 {
            if random.below(20) == 0 {
                let method = 1 + random.below(METHODS) as u32;
                let is_timed = &mut is_timed[method as usize];
                *is_timed = !*is_timed;
                match *is_timed {
                    true => builder.promote(id(method)),
                    false => builder.demote(id(method), DEMOTION),
                }
            }
            let at = random.below(3) as usize;
            let thread = &mut threads[at];
            let method = match thread.stack.len() as u64 {
                0 => Some(0),
                depth if random.below(20) > depth => Some(1 + random.below(METHODS) as u32),
                _ => None,
            };
            match method {
                Some(method) => thread.enter(method, is_timed[method as usize]),
                None => thread.leave(&mut random),
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
        let Quality { unmatched_exits, inferred_exits, unmatched_catches, .. } = p.quality;
        assert_eq!((unmatched_exits, inferred_exits, unmatched_catches), (0, 0, 0), "seed {seed}");
        let again = {
            let mut file = Vec::new();
            p.write(&mut file).unwrap();
            Profile::read(&mut &file[..]).unwrap()
        };
        assert_eq!(again, p);
    }
}
