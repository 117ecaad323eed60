//! What a dead JVM and a dead collector leave.

use std::os::unix::fs::FileExt;

use crate::support::{Seen, ready, session_dir};
use jfathom_plan::MethodId;
use jfathom_testkit::session_writer::{NewSession, SessionWriter, ThreadWriter};
use jfathom_trace::layout as l;
use jfathom_trace::offline::{OfflineOutcome, OfflineSession};
use jfathom_trace::record::Record;
use jfathom_trace::{RingIx, RingPosition};

fn entry(time: u64) -> Record {
    Record::Entry { id: MethodId::new(7).unwrap(), time }
}

fn push(thread: &mut ThreadWriter, times: std::ops::Range<u64>) {
    for time in times {
        assert!(thread.push(entry(time)), "the ring has room");
    }
}

fn times(seen: &Seen, sequence: u64) -> Vec<u64> {
    let records = seen.records.get(&sequence).map(Vec::as_slice).unwrap_or_default();
    let times = records.iter().filter_map(|record| match record {
        Record::Entry { time, .. } => Some(*time),
        _ => None,
    });
    times.collect()
}

/// 64 records a ring, handed back in eights.
fn small() -> NewSession {
    NewSession { ring_bytes: 512, ..NewSession::default() }
}

fn dead(writer: &SessionWriter) -> OfflineSession {
    OfflineSession::open(writer.path()).unwrap().expect("the file was ready")
}

#[test]
fn without_any_collector_all_is_there() {
    let (_parent, dir) = session_dir();
    let (mut writer, _) = ready(&dir, small());
    let mut main = writer.thread("main", 1).unwrap();
    push(&mut main, 0..20);
    let mut other = writer.thread("other", 2).unwrap();
    push(&mut other, 0..63);
    assert!(!other.push(entry(99)), "the ring is full");
    writer.info(l::INFO_VM_NAME, "a VM");
    writer.count(l::HEADER_LOST_RECORDS, 3);
    writer.count_virtual(MethodId::new(5).unwrap(), 2);

    let (file, mut seen) = (dead(&writer), Seen::default());
    assert_eq!(
        file.read(&[], &mut seen).unwrap(),
        OfflineOutcome { records: 85, lost_elsewhere: 0 }
    );
    assert_eq!(times(&seen, 1), (0..20).collect::<Vec<_>>());
    assert_eq!(times(&seen, 2), (0..63).collect::<Vec<_>>());
    assert_eq!((seen.ended, seen.damage), (vec![1, 2], vec![]));
    assert_eq!(file.info().unwrap()[0].text, "a VM");
    assert_eq!(file.virtual_calls().unwrap(), [(MethodId::new(5).unwrap(), 2)]);
    assert_eq!((file.counters().lost_records, file.ended()), (3, false));
}

#[test]
fn a_dead_collector_without_checkpoint_loses_what_it_had_handed_back() {
    let (_parent, dir) = session_dir();
    let (mut writer, mut live) = ready(&dir, small());
    let mut taken = Seen::default();
    let mut main = writer.thread("main", 1).unwrap();
    push(&mut main, 0..20);
    live.drain(&mut taken);
    push(&mut main, 20..60);

    // Twenty-one were taken, sixteen handed back: the other five are read again.
    let mut seen = Seen::default();
    assert_eq!(
        dead(&writer).read(&[], &mut seen).unwrap(),
        OfflineOutcome { records: 45, lost_elsewhere: 0 }
    );
    assert_eq!(times(&seen, 1), (15..60).collect::<Vec<_>>());
    assert_eq!(seen.begun[0].1, 16);
}

#[test]
fn from_a_checkpoint_nothing_is_read_twice_and_losses_are_known() {
    let (_parent, dir) = session_dir();
    let (mut writer, mut live) = ready(&dir, small());
    let mut taken = Seen::default();
    let mut main = writer.thread("main", 1).unwrap();
    push(&mut main, 0..20);
    live.drain(&mut taken);
    let checkpoint = live.positions();
    push(&mut main, 20..23);

    let mut seen = Seen::default();
    assert_eq!(
        dead(&writer).read(&checkpoint, &mut seen).unwrap(),
        OfflineOutcome { records: 3, lost_elsewhere: 0 }
    );
    assert_eq!(times(&seen, 1), [20, 21, 22]);

    live.drain(&mut taken);
    push(&mut main, 23..50);
    live.drain(&mut taken);
    push(&mut main, 50..52);
    // Fifty-one records were taken since and forty-eight handed back, the checkpoint has
    // twenty-one.
    let mut seen = Seen::default();
    assert_eq!(
        dead(&writer).read(&checkpoint, &mut seen).unwrap(),
        OfflineOutcome { records: 5, lost_elsewhere: 0 }
    );
    assert_eq!(times(&seen, 1), (47..52).collect::<Vec<_>>());
    assert_eq!(seen.begun[0].1, 27);
}

#[test]
fn a_ring_that_has_passed_on_loses_its_former_threads() {
    let (_parent, dir) = session_dir();
    let (mut writer, mut live) = ready(&dir, small());
    let mut taken = Seen::default();
    let mut first = writer.thread("first", 1).unwrap();
    push(&mut first, 0..5);
    live.drain(&mut taken);
    let checkpoint = live.positions();
    push(&mut first, 5..10);
    first.end();
    live.drain(&mut taken);
    let mut second = writer.thread("second", 2).unwrap();
    push(&mut second, 0..4);

    let mut seen = Seen::default();
    // Lost: five calls and the end of the first thread.
    assert_eq!(
        dead(&writer).read(&checkpoint, &mut seen).unwrap(),
        OfflineOutcome { records: 5, lost_elsewhere: 6 }
    );
    assert_eq!((seen.begun[0].0.name.as_str(), seen.begun[0].1), ("second", 0));
    assert_eq!(times(&seen, 2), [0, 1, 2, 3]);

    // Without a checkpoint all twelve records of the first thread are lost.
    let mut seen = Seen::default();
    assert_eq!(
        dead(&writer).read(&[], &mut seen).unwrap(),
        OfflineOutcome { records: 5, lost_elsewhere: 12 }
    );
    assert_eq!(times(&seen, 2), [0, 1, 2, 3]);
}

#[test]
fn a_thread_that_the_checkpoint_has_to_its_end_does_not_come_again() {
    let (_parent, dir) = session_dir();
    let (mut writer, mut live) = ready(&dir, small());
    let mut main = writer.thread("main", 1).unwrap();
    push(&mut main, 0..5);
    main.end();
    live.drain(&mut Seen::default());
    let mut seen = Seen::default();
    dead(&writer).read(&live.positions(), &mut seen).unwrap();
    assert_eq!(seen.begun, []);
    // Without the checkpoint its name is all that is left.
    dead(&writer).read(&[], &mut seen).unwrap();
    assert_eq!((seen.begun[0].0.name.as_str(), seen.begun[0].1), ("main", 7));
}

#[test]
fn a_collector_that_dies_while_it_zeroes_loses_only_that() {
    let (_parent, dir) = session_dir();
    let (mut writer, _) = ready(&dir, small());
    let mut main = writer.thread("main", 1).unwrap();
    push(&mut main, 0..20);
    // The ring is the last thing in the file: 512 bytes in a page of their own after the ring
    // header.
    let file = std::fs::OpenOptions::new().write(true).open(writer.path()).unwrap();
    let ring = file.metadata().unwrap().len() - u64::from(l::AREA_ALIGN);
    file.write_all_at(&[0; 24], ring).unwrap();

    let mut seen = Seen::default();
    assert_eq!(
        dead(&writer).read(&[], &mut seen).unwrap(),
        OfflineOutcome { records: 18, lost_elsewhere: 0 }
    );
    assert_eq!((times(&seen, 1), seen.begun[0].1), ((2..20).collect::<Vec<_>>(), 3));
}

#[test]
fn a_full_ring_that_has_wrapped_is_read_from_its_oldest_record() {
    let (_parent, dir) = session_dir();
    let (mut writer, mut live) = ready(&dir, small());
    let mut taken = Seen::default();
    let mut main = writer.thread("main", 1).unwrap();
    push(&mut main, 0..40);
    live.drain(&mut taken);
    let mut time = 40;
    while main.push(entry(time)) {
        time += 1;
    }
    let from = [RingPosition { ring: RingIx(0), sequence: 1, position: 41 }];
    let mut seen = Seen::default();
    let leftover = dead(&writer).read(&from, &mut seen).unwrap();
    assert_eq!(times(&seen, 1), (40..time).collect::<Vec<_>>());
    assert_eq!(leftover, OfflineOutcome { records: time - 40, lost_elsewhere: 0 });
}

#[test]
fn a_jvm_that_died_before_it_was_ready_left_nothing() {
    let (_parent, dir) = session_dir();
    let writer = SessionWriter::create(&dir, small()).unwrap();
    assert!(OfflineSession::open(writer.path()).unwrap().is_none());
    let short = std::fs::OpenOptions::new().write(true).open(writer.path()).unwrap();
    short.set_len(100).unwrap();
    assert!(OfflineSession::open(writer.path()).unwrap().is_none());
}
