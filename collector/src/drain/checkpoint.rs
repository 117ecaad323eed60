//! Checkpoints: a collector that is killed loses what it consumed after the last one, and no more.

use jfathom_profile::{BuilderSink, Checkpoint};
use jfathom_session::JvmFile;
use jfathom_trace::SessionFile;
use std::{
    io,
    path::{Path, PathBuf},
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
    path: PathBuf,
    sender: Option<Sender<Checkpoint>>,
    writer: Option<JoinHandle<()>>,
    /// Nanoseconds that writing the last one took; [`BUSY`] while one is being written. The
    /// draining thread sets `BUSY`, the writer a duration.
    cost: Arc<AtomicU64>,
    /// When the last one was taken.
    taken: Instant,
    /// Records consumed by then.
    records: u64,
    /// Whether the last one is of a slice that has ended since.
    is_of_ended_slice: bool,
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
            let path = path.clone();
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
        let taken = Instant::now();
        Self { path, sender, writer, cost, taken, records: 0, is_of_ended_slice: false }
    }

    /// Writes one before anything is consumed, and waits for it. What a killed collector leaves is
    /// known to be a slice by its checkpoint, so that there must be one from then on.
    pub(crate) fn write_first(&self, file: &SessionFile, feeder: &BuilderSink) {
        let _ = write(&self.path, &feeder.builder().checkpoint(file.positions()));
    }

    /// A slice has ended. The next checkpoint does not wait: until it is there, a collector that is
    /// killed leaves the ended slice twice.
    pub(crate) fn end_slice(&mut self) {
        self.is_of_ended_slice = true;
    }

    /// Takes a checkpoint if it is time for one and records were consumed since the last, or if the
    /// last is of another slice.
    pub(crate) fn take_if_due(&mut self, file: &SessionFile, feeder: &BuilderSink) {
        let records = feeder.builder().record_count();
        if !self.is_due(records, self.taken.elapsed()) {
            return;
        }
        let Some(sender) = &self.sender else { return };
        self.cost.store(BUSY, Ordering::Release);
        self.taken = Instant::now();
        self.records = records;
        self.is_of_ended_slice = false;
        let _ = sender.send(feeder.builder().checkpoint(file.positions()));
    }

    /// Whether it is time for one, so long after the last.
    fn is_due(&self, records: u64, waited: Duration) -> bool {
        let cost = self.cost.load(Ordering::Acquire);
        if cost == BUSY || self.is_of_ended_slice {
            return cost != BUSY;
        }
        let pause = Duration::from_nanos(cost).saturating_mul(SHARE).max(PERIOD);
        waited >= pause && records != self.records
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_a_slice_is_due_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut checkpoints = Checkpoints::new(&folder.path().join("1-1.jft"));
        assert!(!checkpoints.is_due(5, Duration::ZERO));
        assert!(checkpoints.is_due(5, PERIOD));
        assert!(!checkpoints.is_due(0, PERIOD));
        checkpoints.cost.store(PERIOD.as_nanos() as u64, Ordering::Release);
        assert!(!checkpoints.is_due(5, PERIOD * 2));
        checkpoints.end_slice();
        assert!(checkpoints.is_due(0, Duration::ZERO));
        // One is being written.
        checkpoints.cost.store(BUSY, Ordering::Release);
        assert!(!checkpoints.is_due(0, PERIOD));
    }
}
