//! From a session file to a profile, across the death of a collector.

use jfathom_profile::{BuilderSink, Checkpoint};
use jfathom_testkit::session_writer::{NewSession, SessionWriter, ThreadWriter};
use jfathom_testkit::{profiles::*, records::*, tree_text::*};
use jfathom_trace::layout as l;
use jfathom_trace::offline::OfflineSession;
use jfathom_trace::record::Record;
use jfathom_trace::{OpenOutcome, SessionDir, SessionFile};

fn push(thread: &mut ThreadWriter, records: &[Record]) {
    for record in records {
        assert!(thread.push(*record), "the ring has room");
    }
}

fn session() -> (tempfile::TempDir, SessionWriter, SessionFile) {
    let parent = tempfile::tempdir().unwrap();
    let dir = SessionDir::create(&parent.path().join("session")).unwrap();
    let writer =
        SessionWriter::create(&dir, NewSession { ring_bytes: 512, ..NewSession::default() })
            .unwrap();
    writer.ready();
    let OpenOutcome::Ready(file) = SessionFile::open(writer.path()).unwrap() else {
        panic!("it is ready")
    };
    (parent, writer, *file)
}

const FIRST: [fn() -> Record; 4] = [|| e(1, 10), || e(2, 20), || r(2, 30), || e(3, 40)];

fn first() -> Vec<Record> {
    FIRST.iter().map(|record| record()).collect()
}

#[test]
fn a_killed_collector_loses_what_came_after_its_checkpoint_and_says_how_much() {
    let (_parent, mut writer, mut file) = session();
    let mut main = writer.thread("main", 1).unwrap();
    let mut sink = BuilderSink::new();
    push(&mut main, &first());
    file.drain(&mut sink);
    let mut checkpoint = Vec::new();
    sink.builder().checkpoint(file.positions()).write(&mut checkpoint).unwrap();

    // Taken after the checkpoint, and handed back: sixteen records or more are gone.
    for round in 0..10 {
        push(&mut main, &[e(4, 50 + round * 2), r(4, 51 + round * 2)]);
    }
    file.drain(&mut sink);
    push(&mut main, &[e(5, 100), r(5, 105), r(3, 110), r(1, 120)]);
    let mut late = writer.thread("late", 2).unwrap();
    push(&mut late, &[e(6, 200), r(6, 207)]);

    let (mut sink, positions) =
        BuilderSink::resume(Checkpoint::read(&mut &checkpoint[..]).unwrap());
    let dead = OfflineSession::open(writer.path()).unwrap().unwrap();
    let leftover = dead.read(&positions, &mut sink).unwrap();
    assert_eq!(leftover.lost_elsewhere, 0);
    let p = profile(sink.builder());
    // Before the checkpoint: five of 25 records. Handed back: 24.
    assert_eq!(p.quality.lost_with_collector, 19);
    assert_tree(
        &p,
        "
         main 1 0 81
           m1 1 30 81
             m2 1 10 10
             m3 1 36 41
               m5 1 5 5
         late 1 0 7
           m6 1 7 7",
    );
    // The first record after the gap is of 69, the last before it of 40.
    assert_eq!(p.quality.gap_ticks.0, 29);
    assert_eq!(p.threads.len(), 2, "the thread goes on and is no new one");
}

#[test]
fn a_checkpoint_at_the_right_moment_loses_nothing() {
    let (_parent, mut writer, mut file) = session();
    let mut main = writer.thread("main", 1).unwrap();
    let mut sink = BuilderSink::new();
    push(&mut main, &first());
    file.drain(&mut sink);
    let mut checkpoint = Vec::new();
    sink.builder().checkpoint(file.positions()).write(&mut checkpoint).unwrap();
    push(&mut main, &[r(3, 50), r(1, 60)]);
    main.end();

    let (mut resumed, positions) =
        BuilderSink::resume(Checkpoint::read(&mut &checkpoint[..]).unwrap());
    OfflineSession::open(writer.path()).unwrap().unwrap().read(&positions, &mut resumed).unwrap();
    file.drain(&mut sink);
    assert_eq!(profile(resumed.builder()), profile(sink.builder()));
    assert!(profile(resumed.builder()).quality.is_clean());
}

#[test]
fn a_ring_that_cannot_be_read_is_counted() {
    let (_parent, mut writer, mut file) = session();
    let _main = writer.thread("main", 1).unwrap();
    let len = std::fs::metadata(writer.path()).unwrap().len();
    let out = std::fs::OpenOptions::new().write(true).open(writer.path()).unwrap();
    out.set_len(len - u64::from(l::AREA_ALIGN)).unwrap();
    let mut sink = BuilderSink::new();
    file.drain(&mut sink);
    assert_eq!(sink.damage().len(), 1);
    assert_eq!(profile(sink.builder()).quality.damaged_rings, 1);
}
