//! Checkpoints: a collector that is killed loses what it consumed after the last one, and no more.

use jfathom_profile::{BuilderSink, Checkpoint};
use jfathom_session::JvmFile;
use jfathom_trace::SessionFile;
use std::{
    io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
        mpsc::{Sender, channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Time between two checkpoints, at least. A page that follows a recording is behind by this time
/// and the quarter of a second between two of its questions.
const PERIOD: Duration = Duration::from_millis(500);
/// The time between two checkpoints is at least this many times the time to write one.
const SHARE: u32 = 30;

/// The checkpoints of one JVM. A thread of their own writes them, so that draining stops only for a
/// copy.
#[derive(Debug)]
pub(crate) struct Checkpoints {
    sender: Option<Sender<Checkpoint>>,
    writer: Option<JoinHandle<()>>,
    /// Nanoseconds that writing the last one took; [`BUSY`] while one is being written. The
    /// draining thread sets `BUSY`, the writer a duration.
    cost: Arc<AtomicU64>,
    /// When the last one was taken.
    taken: Instant,
    /// Records consumed by then.
    records: u64,
}

const BUSY: u64 = u64::MAX;

impl Checkpoints {
    /// Begins the checkpoints of the JVM that has this session file.
    pub(crate) fn new(session_file: &Path) -> Self {
        let path = JvmFile::Checkpoint.beside(session_file);
        let cost = Arc::new(AtomicU64::new(0));
        let (sender, receiver) = channel();
        // Without a thread there are no checkpoints: nobody receives them.
        let writer = thread::Builder::new().spawn({
            let cost = Arc::clone(&cost);
            move || {
                for checkpoint in receiver {
                    let begun = Instant::now();
                    // A missing checkpoint matters only if the collector is killed.
                    let _ = write(&path, &checkpoint);
                    drop(checkpoint);
                    cost.store(
                        begun.elapsed().as_nanos().min(u128::from(BUSY - 1)) as u64,
                        Ordering::Release,
                    );
                }
            }
        });
        let writer = writer.ok();
        let sender = writer.is_some().then_some(sender);
        Self { sender, writer, cost, taken: Instant::now(), records: 0 }
    }

    /// Takes a checkpoint if it is time for one and records were consumed since the last.
    pub(crate) fn take_if_due(&mut self, file: &SessionFile, feeder: &BuilderSink) {
        let Some(sender) = &self.sender else { return };
        let waited = self.taken.elapsed();
        if waited < PERIOD || feeder.builder().record_count() == self.records {
            return;
        }
        let cost = self.cost.load(Ordering::Acquire);
        if cost == BUSY || waited < Duration::from_nanos(cost).saturating_mul(SHARE) {
            return;
        }
        self.cost.store(BUSY, Ordering::Release);
        self.taken = Instant::now();
        self.records = feeder.builder().record_count();
        let _ = sender.send(feeder.builder().checkpoint(file.positions()));
    }
}

impl Drop for Checkpoints {
    /// Waits for the one that is being written: the file does not change afterwards.
    fn drop(&mut self) {
        drop(self.sender.take());
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

fn write(path: &Path, checkpoint: &Checkpoint) -> io::Result<()> {
    jfathom_files::replace(path, 0o600, |file| checkpoint.write(file).map_err(io::Error::from))
}
