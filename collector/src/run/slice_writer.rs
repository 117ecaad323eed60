//! Makes and writes the profiles of one JVM's slices, on a thread of its own: new JVMs are seen and
//! signals are passed on meanwhile.

use crate::{
    RecordOptions,
    drain::progress::Progress,
    run::{
        jvm_profile::{SliceParts, slice_profile},
        slice_files::{SharedSliceFiles, locked},
        write,
    },
};
use jfathom_profile::Profile;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::Ordering,
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
};

/// The writer of one JVM's slices, seen from the recording's main thread.
#[derive(Debug)]
pub(crate) struct SliceWriter {
    work: Arc<Work>,
    /// None without a thread, and when no further slice comes.
    sender: Option<Sender<SliceParts>>,
    thread: Option<JoinHandle<()>>,
    notes: Receiver<String>,
}

#[derive(Debug)]
struct Work {
    pid: u64,
    options: RecordOptions,
    files: SharedSliceFiles,
    progress: Arc<Progress>,
    notes: Sender<String>,
}

impl SliceWriter {
    /// The writer of the slices of JVM `pid`.
    pub(crate) fn new(
        pid: u64,
        options: RecordOptions,
        files: SharedSliceFiles,
        progress: Arc<Progress>,
    ) -> Self {
        let (notes, received) = channel();
        let work = Arc::new(Work { pid, options, files, progress, notes });
        let (sender, parts) = channel::<SliceParts>();
        let thread = thread::Builder::new().spawn({
            let work = Arc::clone(&work);
            move || parts.into_iter().for_each(|parts| work.write(parts))
        });
        let thread = thread.ok();
        let sender = thread.is_some().then_some(sender);
        Self { work, sender, thread, notes: received }
    }

    /// Has a slice written. Where no thread could be started it is written here.
    pub(crate) fn write(&self, parts: SliceParts) {
        let rest = match &self.sender {
            Some(sender) => sender.send(parts).err().map(|unsent| unsent.0),
            None => Some(parts),
        };
        rest.into_iter().for_each(|parts| self.work.write(parts));
    }

    /// No further slice comes.
    pub(crate) fn close(&mut self) {
        self.sender = None;
    }

    /// Whether all is written that came before [`SliceWriter::close`].
    pub(crate) fn is_finished(&self) -> bool {
        self.sender.is_none() && self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// What the user must know, since the last call.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        self.notes.try_iter()
    }
}

impl Work {
    /// A panic loses this slice and nothing else.
    fn write(&self, parts: SliceParts) {
        let made = catch_unwind(AssertUnwindSafe(|| self.make(parts)));
        if made.is_err() {
            self.progress.unwritten.fetch_sub(1, Ordering::AcqRel);
        }
        let add = |profile| locked(&self.files).add(profile, &self.progress);
        let written = made.and_then(|profile| catch_unwind(AssertUnwindSafe(|| add(profile))));
        let notes = written.unwrap_or_else(|_| {
            vec![format!("JVM {}: the profile of a slice could not be made: it is lost", self.pid)]
        });
        self.progress.waiting.fetch_sub(1, Ordering::AcqRel);
        // Nobody asks for them if the recording is given up.
        notes.into_iter().for_each(|note| _ = self.notes.send(note));
    }

    fn make(&self, parts: SliceParts) -> Profile {
        let mut profile = slice_profile(parts);
        write::complete(&self.options, std::slice::from_mut(&mut profile));
        profile
    }
}
