//! What the tests of session files share.

use std::collections::BTreeMap;

use jfathom_testkit::session_writer::{NewSession, SessionWriter};
use jfathom_trace::record::Record;
use jfathom_trace::{OpenOutcome, RingIx, SessionDir, SessionFile, Sink, ThreadInfo, TraceError};

/// What a test's sink saw.
#[derive(Default)]
pub struct Seen {
    /// Records of each thread, by its number.
    pub records: BTreeMap<u64, Vec<Record>>,
    /// `begin` calls: thread and lost records.
    pub begun: Vec<(ThreadInfo, u64)>,
    /// Numbers of ended threads.
    pub ended: Vec<u64>,
    /// Complaints.
    pub damage: Vec<String>,
    /// Who has each ring.
    owners: BTreeMap<RingIx, u64>,
}

impl Sink for Seen {
    fn begin(&mut self, ring: RingIx, thread: &ThreadInfo, lost: u64) {
        assert_eq!(
            self.owners.insert(ring, thread.sequence),
            None,
            "a ring has one thread at a time"
        );
        self.begun.push((thread.clone(), lost));
    }

    fn records(&mut self, ring: RingIx, words: &[u64]) {
        let records = self.records.entry(self.owners[&ring]).or_default();
        records.extend(
            words
                .iter()
                .map(|word| Record::decode(*word).expect("free slots are never handed out")),
        );
    }

    fn end(&mut self, ring: RingIx) {
        self.ended.push(self.owners.remove(&ring).expect("end follows begin"));
    }

    fn damaged(&mut self, ring: RingIx, error: TraceError) {
        assert!(!self.owners.contains_key(&ring), "no damage in the middle of a thread");
        self.damage.push(error.to_string());
    }
}

/// A session directory that goes away with the test.
pub fn session_dir() -> (tempfile::TempDir, SessionDir) {
    let parent = tempfile::tempdir().unwrap();
    let dir = SessionDir::create(&parent.path().join("session")).unwrap();
    (parent, dir)
}

/// A ready session file with its writer.
pub fn ready(dir: &SessionDir, session: NewSession) -> (SessionWriter, SessionFile) {
    let writer = SessionWriter::create(dir, session).unwrap();
    writer.ready();
    let file = open_ready(&writer);
    (writer, file)
}

/// The reading side of a ready file.
pub fn open_ready(writer: &SessionWriter) -> SessionFile {
    match SessionFile::open(writer.path()).unwrap() {
        OpenOutcome::Ready(file) => *file,
        OpenOutcome::Starting => panic!("the file is ready"),
    }
}
