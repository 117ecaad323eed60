//! Counters of counted methods: live, when rings pass on, and from what a dead JVM left.

use std::collections::BTreeMap;

use crate::support::{ready, session_dir};
use jfathom_plan::{IdRange, MethodId};
use jfathom_testkit::session_writer::NewSession;
use jfathom_trace::layout as l;
use jfathom_trace::offline::OfflineSession;
use jfathom_trace::record::Record;
use jfathom_trace::{Counter, RingIx, Sink, ThreadInfo, TraceError};

fn id(value: u32) -> MethodId {
    MethodId::new(value).unwrap()
}

/// Counts by thread number.
#[derive(Default)]
struct Counted {
    by_thread: BTreeMap<u64, BTreeMap<u32, u64>>,
    owners: BTreeMap<RingIx, u64>,
    ended: Vec<u64>,
}

impl Sink for Counted {
    fn begin(&mut self, ring: RingIx, thread: &ThreadInfo, _: u64) {
        self.owners.insert(ring, thread.sequence);
    }

    fn records(&mut self, _: RingIx, _: &[u64]) {}

    fn counted(&mut self, ring: RingIx, counters: &[(MethodId, Counter)]) {
        let thread = self.owners[&ring];
        assert!(!self.ended.contains(&thread), "before the end");
        let counts = counters.iter().map(|(id, counter)| (id.get(), counter.calls())).collect();
        assert_eq!(self.by_thread.insert(thread, counts), None, "once");
    }

    fn end(&mut self, ring: RingIx) {
        self.ended.extend(self.owners.remove(&ring));
    }

    fn damaged(&mut self, _: RingIx, error: TraceError) {
        panic!("{error}");
    }
}

fn session() -> NewSession {
    NewSession { ids: IdRange { start: 0, len: 4096 }, ..NewSession::default() }
}

#[test]
fn counts_arrive_when_a_thread_ends_and_begin_anew_with_the_next() {
    let (_parent, dir) = session_dir();
    let (mut writer, mut file) = ready(&dir, session());
    let mut sink = Counted::default();
    for round in 1..=3 {
        let first = writer.thread("first", 1).unwrap();
        let second = writer.thread("second", 2).unwrap();
        // Three chunks for each: more than one block.
        for method in [0, 511, 512, 4095] {
            writer.count_call(&first, id(method), round).unwrap();
            writer.count_call(&first, id(method), round).unwrap();
        }
        writer.count_call(&second, id(512), 9).unwrap();
        file.drain(&mut sink);
        assert_eq!(file.counts(RingIx(1)), [(id(512), Counter::new(9, 0))]);
        first.end();
        second.end();
        file.drain(&mut sink);
        let expected = [0, 511, 512, 4095].map(|method| (method, 2 * round));
        assert_eq!(sink.by_thread[&(2 * round - 1)], BTreeMap::from(expected));
        assert_eq!(sink.by_thread[&(2 * round)], BTreeMap::from([(512, 9)]));
    }
    // A thread that counts nothing says nothing.
    let third = writer.thread("third", 3).unwrap();
    third.end();
    file.drain(&mut sink);
    assert_eq!((sink.by_thread.len(), sink.ended.len()), (6, 7));
}

#[test]
fn a_dead_jvms_counters_are_read() {
    let (_parent, dir) = session_dir();
    let (mut writer, file) = ready(&dir, session());
    let mut alive = writer.thread("alive", 1).unwrap();
    let ended = writer.thread("ended", 2).unwrap();
    alive.push(Record::Entry { id: id(1), time: 0 });
    writer.count_call(&alive, id(700), 5).unwrap();
    writer.count_call(&ended, id(3), 1).unwrap();
    ended.end();
    assert!(file.set_mode(id(700), l::MODE_COUNT as u8));
    let dead = OfflineSession::open(writer.path()).unwrap().unwrap();
    let mut sink = Counted::default();
    dead.read(&[], &mut sink).unwrap();
    let expected = [(1, BTreeMap::from([(700, 5)])), (2, BTreeMap::from([(3, 1)]))];
    assert_eq!(sink.by_thread, BTreeMap::from(expected));
    let modes = dead.modes().unwrap();
    assert_eq!((modes.len(), modes[700]), (4096, l::MODE_COUNT as u8));
    assert_eq!(
        (file.mode(id(700)), file.mode(id(699)), file.mode(id(4096))),
        (Some(1), Some(0), None)
    );
}
