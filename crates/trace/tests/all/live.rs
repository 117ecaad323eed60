//! A live session file, written from Rust the way the JVM writes it.

use std::os::unix::fs::PermissionsExt;
use std::thread;

use crate::support::{Seen, open_ready, ready, session_dir};
use jfathom_plan::{IdRange, MethodId};
use jfathom_testkit::session_writer::{NewSession, SessionWriter};
use jfathom_trace::layout as l;
use jfathom_trace::record::Record;
use jfathom_trace::{
    LossCounters, OpenOutcome, RingIx, RingPosition, SessionDir, SessionFile, StackIntervalIx,
    TraceErrorKind,
};

fn id(value: u32) -> MethodId {
    MethodId::new(value).unwrap()
}

#[test]
fn header_info_tables_and_counters_arrive() {
    let (_parent, dir) = session_dir();
    let ids = IdRange { start: 100, len: 3 };
    let writer =
        SessionWriter::create(&dir, NewSession { pid: 77, ids, ..NewSession::default() }).unwrap();
    assert!(matches!(SessionFile::open(writer.path()).unwrap(), OpenOutcome::Starting));
    writer.ready();
    let file = open_ready(&writer);
    assert_eq!((file.header().pid, file.header().ids), (77, ids));

    assert!(writer.info(l::INFO_JAVA_VERSION, "17.0.9"));
    assert!(writer.info(l::INFO_FLAGS, "-Xß"));
    let texts: Vec<_> = file.info().into_iter().map(|entry| (entry.kind, entry.text)).collect();
    assert_eq!(
        texts,
        [(l::INFO_JAVA_VERSION, "17.0.9".to_owned()), (l::INFO_FLAGS, "-Xß".to_owned())]
    );
    assert!(!writer.info(l::INFO_NOTICE, &"x".repeat(l::INFO_DEFAULT_BYTES as usize)));

    writer.count_virtual(id(102), 5);
    writer.count(l::HEADER_LOST_RECORDS, 9);
    assert_eq!(file.virtual_calls(), [(id(102), 5)]);
    assert_eq!(
        file.counters(),
        LossCounters { lost_records: 9, virtual_calls: 5, ..LossCounters::default() }
    );

    assert!(file.set_mode(id(101), l::MODE_OFF as u8));
    assert!(!file.set_mode(id(103), 0) && !file.set_mode(id(99), 0));
    let modes = [99, 100, 101, 102, 103].map(|value| writer.mode(id(value)));
    assert_eq!(modes, [None, Some(0), Some(2), Some(0), None]);

    // A method that is off has no stacks walked. The flag stays where a mode changes.
    let interval = StackIntervalIx::new(15).unwrap();
    assert!(!file.set_stack_walks(id(101), interval) && !file.set_stack_walks(id(99), interval));
    assert!(file.set_stack_walks(id(100), interval));
    assert!(file.set_mode(id(100), l::MODE_COUNT as u8));
    let walked = interval.mode_bits() | l::MODE_COUNT as u8;
    let modes = [100, 101, 102].map(|value| writer.mode(id(value)));
    assert_eq!(modes, [Some(walked), Some(2), Some(0)]);
    assert_eq!((file.mode(id(100)), file.modes()), (Some(1), vec![1, 2, 0]));

    file.attach(4711);
    let (state, heartbeat) = writer.collector();
    file.heartbeat();
    assert_eq!((state, writer.collector().1), (l::COLLECTOR_ATTACHED, heartbeat + 1));
    file.detach();
    assert_eq!(writer.collector().0, l::COLLECTOR_GONE);
    assert!(!file.ended());
    writer.end();
    assert!(file.ended());
}

#[test]
fn entries_of_a_directory_are_the_session_files() {
    let (_parent, dir) = session_dir();
    for (pid, jvm_start_millis) in [(9, 2000), (8, 3000), (7, 1000)] {
        SessionWriter::create(&dir, NewSession { pid, jvm_start_millis, ..NewSession::default() })
            .unwrap();
    }
    std::fs::write(dir.path().join("jvm-x-1.jft"), "").unwrap();
    std::fs::write(dir.path().join("checkpoint"), "").unwrap();
    let pids: Vec<_> = dir.entries().unwrap().into_iter().map(|entry| entry.jvm.pid).collect();
    assert_eq!(pids, [7, 9, 8]);
    // The file is the JVM's own: a second one of that name is refused.
    let again = NewSession { pid: 9, jvm_start_millis: 2000, ..NewSession::default() };
    assert!(SessionWriter::create(&dir, again).is_err());
}

#[test]
fn threads_begin_and_end_and_rings_are_used_again() {
    let (_parent, dir) = session_dir();
    let (mut writer, mut file) = ready(&dir, NewSession::default());
    let mut seen = Seen::default();
    for round in 0..3_u64 {
        let mut main = writer.thread("main", 1).unwrap();
        let worker = writer.thread(&format!("worker {round}"), 20 + round).unwrap();
        main.push_timed(10, |time| Record::Entry { id: id(1), time });
        file.drain(&mut seen);
        main.push_timed(20, |time| Record::Return { id: id(1), time });
        worker.end();
        main.end();
        file.drain(&mut seen);
    }
    assert_eq!(seen.ended.len(), 6);
    assert_eq!(file.positions().len(), 2, "two rings serve six threads");
    let names: Vec<_> = seen.begun.iter().map(|(thread, _)| thread.name.as_str()).collect();
    assert_eq!(names, ["main", "worker 0", "main", "worker 1", "main", "worker 2"]);
    assert!(seen.begun.iter().all(|(_, lost)| *lost == 0));
    for sequence in [1, 3, 5] {
        let start = Record::ThreadStart { high: 0, sequence: sequence as u32 };
        let call = [Record::Entry { id: id(1), time: 10 }, Record::Return { id: id(1), time: 20 }];
        assert_eq!(seen.records[&sequence], [&[start][..], &call, &[Record::ThreadEnd]].concat());
    }
}

#[test]
fn a_dead_jvm_gives_what_it_had_committed() {
    let (_parent, dir) = session_dir();
    let (mut writer, mut file) = ready(&dir, NewSession::default());
    let mut main = writer.thread("main", 1).unwrap();
    main.push_timed(10, |time| Record::Entry { id: id(1), time });
    drop((main, writer));
    let mut seen = Seen::default();
    assert_eq!(file.drain(&mut seen), 2);
    assert_eq!((seen.ended.len(), file.drain_offline(&mut seen)), (0, 0));
    assert_eq!(seen.ended, [1]);
    assert_eq!(file.positions(), [RingPosition { ring: RingIx(0), sequence: 1, position: 2 }]);
}

#[test]
fn times_beyond_the_bits_of_a_record_are_announced() {
    let (_parent, dir) = session_dir();
    let (mut writer, mut file) = ready(&dir, NewSession::default());
    let mut main = writer.thread("main", 1).unwrap();
    main.push_timed(5, |time| Record::Entry { id: id(1), time });
    main.push_timed((3 << l::TIME_BITS) + 6, |time| Record::Return { id: id(1), time });
    let mut seen = Seen::default();
    file.drain(&mut seen);
    let records = &seen.records[&1][1..];
    let last = [Record::TimeHigh { high: 3 }, Record::Return { id: id(1), time: 6 }];
    assert_eq!(records, [&[Record::Entry { id: id(1), time: 5 }][..], &last].concat());
}

/// Several threads, rings of 64 records, a consumer that is slower than they: nothing lost, nothing
/// invented, in order.
#[test]
fn stress() {
    const RECORDS: u64 = 100_000;
    const THREADS: u64 = 4;
    let (_parent, dir) = session_dir();
    let session = NewSession { ring_bytes: u64::from(l::RING_BYTES_MIN), ..NewSession::default() };
    let (mut writer, mut file) = ready(&dir, session);
    let producers: Vec<_> = (0..THREADS)
        .map(|n| {
            let mut thread = writer.thread(&format!("producer {n}"), n).unwrap();
            thread::spawn(move || {
                for time in 0..RECORDS {
                    thread.push_blocking(Record::Entry { id: id(n as u32), time });
                }
                thread.end();
            })
        })
        .collect();
    let mut seen = Seen::default();
    while seen.ended.len() < THREADS as usize {
        if file.drain(&mut seen) == 0 {
            thread::yield_now();
        }
    }
    for producer in producers {
        producer.join().unwrap();
    }
    for n in 0..THREADS {
        let records = &seen.records[&(n + 1)];
        assert_eq!(records.len() as u64, RECORDS + 2);
        let expected = (0..RECORDS).map(|time| Record::Entry { id: id(n as u32), time });
        assert!(records[1..].iter().copied().zip(expected).all(|(a, b)| a == b));
    }
}

#[test]
fn what_others_may_use_is_refused() {
    let (parent, dir) = session_dir();
    let (writer, _file) = ready(&dir, NewSession::default());
    let mode = |path: &std::path::Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    let problem = |path: &std::path::Path| {
        SessionFile::open(path).err().map(|error| format!("{:?}", error.problem()))
    };

    mode(writer.path(), 0o640);
    assert_eq!(problem(writer.path()), Some("Permissions { mode: 416 }".to_owned()));
    mode(writer.path(), 0o600);
    assert_eq!(problem(writer.path()), None);

    let link = dir.path().join("jvm-5-5.jft");
    std::os::unix::fs::symlink(writer.path(), &link).unwrap();
    assert_eq!(problem(&link), Some("WrongKind".to_owned()));
    assert_eq!(problem(dir.path()), Some("WrongKind".to_owned()));

    mode(dir.path(), 0o755);
    assert!(matches!(
        SessionDir::open(dir.path()).unwrap_err().problem(),
        TraceErrorKind::Permissions { mode: 0o755 }
    ));
    mode(dir.path(), 0o700);
    assert!(matches!(
        SessionDir::open(&parent.path().join("none")).unwrap_err().problem(),
        TraceErrorKind::Io { .. }
    ));
    assert!(matches!(
        SessionDir::create(dir.path()).unwrap_err().problem(),
        TraceErrorKind::Io { .. }
    ));
}
