//! One JVM of a recording, seen from the recording's main thread.

mod draining;
mod ending;
mod info;
mod slicing;

use crate::{
    RecordOptions, RootEvent,
    drain::{
        consumer::Drained,
        finish::Origin,
        manifests::{JvmManifests, ManifestLibrary, Overlap},
        methods_file::MethodsFile,
        modes::InitialModes,
        progress::Progress,
        slices::Cut,
    },
    run::slice_writer::SliceWriter,
};
use jfathom_plan::ProbeRules;
use jfathom_profile::{Limits, Profile};
use jfathom_session::{JvmFile, Metrics, Process};
use jfathom_trace::{OpenOutcome, SessionEntry, SessionFile, TraceError};
pub(crate) use slicing::Slicing;
use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::Ordering,
        mpsc::{Receiver, Sender},
    },
    thread::JoinHandle,
    time::Instant,
};

/// A JVM that has made its session file.
pub(crate) struct Jvm {
    pub entry: SessionEntry,
    /// None if the process had ended before it was first looked for.
    process: Option<Process>,
    state: State,
    manifests: JvmManifests,
    /// Info entries that were read.
    infos: usize,
    progress: Arc<Progress>,
    /// To the draining thread: the modes of the manifests that the JVM has named.
    known: Option<Sender<InitialModes>>,
    /// None without a live session.
    methods: Option<MethodsFile>,
    /// What it could use at most when it began to be recorded.
    limits: Limits,
    /// Whether the agent is to restore the classes.
    restoring: bool,
    /// When the recording began.
    begun: Instant,
    /// Whether something that it recorded could not be read.
    is_lost: bool,
    /// Whether the user was told that no thread can be started.
    has_noted_thread: bool,
    /// Roots that have become live and were not reported.
    pub live_roots: Vec<RootEvent>,
    /// From the draining thread: slices that have ended.
    cuts: Option<Receiver<Cut>>,
    /// None if the recording is one profile.
    slicing: Option<Slicing>,
    /// None before the first slice has ended.
    writer: Option<SliceWriter>,
    /// Whether the user was told that slices take too long to write.
    has_noted_late: bool,
    /// Whether the user was told which switches cannot be watched.
    has_noted_switches: bool,
    /// Where JFR leaves its file; none if it does not record.
    companion: Option<PathBuf>,
    /// Whether stacks are sampled.
    has_samples: bool,
    /// Whether the file is there though the process runs on.
    has_companion: bool,
    /// What is recorded beside calls and times.
    metrics: Metrics,
    /// What the probes of methods do.
    rules: ProbeRules,
}

enum State {
    /// Its file is not ready.
    Starting,
    /// A thread of its own drains it. The mapping is for the heartbeat and for what the JVM writes
    /// about itself.
    Draining(Box<SessionFile>, JoinHandle<Drained>),
    /// It has ended, and what it wrote last is not read.
    Drained(Box<Drained>),
    /// A thread of its own makes the profile.
    Finishing(JoinHandle<Option<Profile>>),
    /// Nothing more comes. None if it died before its file was ready, or if the file cannot be
    /// read.
    Done(Option<Box<Profile>>),
}

impl Jvm {
    /// A JVM with a session file. `process` is its process if that is known: a container has pids
    /// of its own.
    pub(crate) fn new(
        entry: SessionEntry,
        process: Option<Process>,
        options: &RecordOptions,
        begun: Instant,
        slicing: Option<Slicing>,
    ) -> Self {
        let process = process.or_else(|| Process::of_jvm(entry.jvm));
        let methods =
            options.live.as_ref().map(|_| MethodsFile::new(JvmFile::Methods.beside(&entry.path)));
        let directory = entry.path.parent().map(Path::to_owned);
        let companion = directory.filter(|_| !options.jfr.is_empty() && !options.roots_only);
        Self {
            entry,
            process,
            state: State::Starting,
            manifests: JvmManifests::default(),
            infos: 0,
            progress: Arc::default(),
            known: None,
            methods,
            limits: Limits::default(),
            restoring: false,
            begun,
            is_lost: false,
            has_noted_thread: false,
            live_roots: Vec::new(),
            cuts: None,
            slicing,
            writer: None,
            has_noted_late: false,
            has_noted_switches: false,
            companion,
            has_samples: options.jfr.has_stack_samples(),
            has_companion: false,
            metrics: options.metrics,
            rules: options.count.rules.clone(),
        }
    }

    /// Whether nothing more comes, and its slices are written.
    pub(crate) fn is_done(&self) -> bool {
        matches!(self.state, State::Done(_))
            && self.writer.as_ref().is_none_or(SliceWriter::is_finished)
    }

    /// Whether its session file is not ready.
    pub(crate) fn is_starting(&self) -> bool {
        matches!(self.state, State::Starting)
    }

    /// Whether it has not ended, as far as is known.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self.state, State::Starting | State::Draining(..))
            && self.process.is_some_and(Process::is_alive)
    }

    /// Whether this very process is its own.
    pub(crate) fn is_process(&self, process: Process) -> bool {
        self.process == Some(process)
    }

    pub(crate) fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Whether its records could not be read, so that it has no profile though it may have
    /// recorded.
    pub(crate) fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Its profile, once it is done.
    pub(crate) fn into_profile(self) -> Option<Profile> {
        match self.state {
            State::Done(profile) => profile.map(|profile| *profile),
            _ => None,
        }
    }

    /// Does what is due: opens the file once it is ready, raises the heartbeat, reads what the JVM
    /// writes about itself, and has its profile made at its end.
    ///
    /// # Errors
    /// Fails if its file cannot be read; the JVM is done then.
    pub(crate) fn poll(
        &mut self,
        origin: &dyn Fn() -> Origin,
        options: &RecordOptions,
        library: &mut ManifestLibrary,
        note: &mut dyn FnMut(String),
    ) -> Result<Option<Overlap>, TraceError> {
        self.note_slices(note);
        let limits = self.limits;
        let origin = &|| Origin { limits, ..origin() };
        // Whether it has ended, then the cuts: none comes later. Both before anything else is read:
        // who has called a method has named it before.
        let has_ended = matches!(&self.state, State::Draining(_, thread) if thread.is_finished());
        let cuts: Vec<Cut> = self.cuts.iter().flat_map(Receiver::try_iter).collect();
        let result = match std::mem::replace(&mut self.state, State::Done(None)) {
            State::Starting => self.poll_starting(options, library, note),
            State::Draining(file, thread) => {
                self.poll_methods_file(options, note);
                let overlap = self.write_slices(cuts, &file, origin, options, library, note);
                self.poll_draining(file, thread, has_ended);
                Ok(overlap)
            }
            drained @ State::Drained(_) if self.is_companion_open() => {
                self.state = drained;
                Ok(None)
            }
            State::Drained(drained) => {
                let file = &drained.file;
                let first = self.write_slices(cuts, file, origin, options, library, note);
                let last = self.end(drained, origin(), options, library, note);
                Ok(first.or(last))
            }
            State::Finishing(thread) => {
                self.poll_finishing(thread);
                Ok(None)
            }
            done @ State::Done(_) => {
                self.state = done;
                Ok(None)
            }
        };
        self.is_lost |= result.is_err();
        if let Some(writer) = &mut self.writer
            && matches!(self.state, State::Finishing(_) | State::Done(_))
        {
            writer.close();
        }
        result
    }

    /// Opens the file if it is ready.
    fn poll_starting(
        &mut self,
        options: &RecordOptions,
        library: &mut ManifestLibrary,
        note: &mut dyn FnMut(String),
    ) -> Result<Option<Overlap>, TraceError> {
        // Asked before the file is opened: the file of a dead JVM does not change any more.
        let is_dead = !self.process.is_some_and(Process::is_alive);
        let is_stopped = self.progress.stop.load(Ordering::Relaxed);
        let opened = match SessionFile::open(&self.entry.path) {
            // A JVM that cannot record writes why, and then removes its file.
            Err(_) if JvmFile::Failure.beside(&self.entry.path).exists() => return Ok(None),
            opened => opened?,
        };
        match opened {
            OpenOutcome::Starting if is_dead || is_stopped => Ok(None),
            OpenOutcome::Starting => {
                self.state = State::Starting;
                Ok(None)
            }
            OpenOutcome::Ready(file) => {
                if !self.start(file, options, note)? {
                    self.state = State::Starting;
                    return Ok(None);
                }
                // At once: what is to be counted is timed until the drainer knows of it.
                self.poll_methods_file(options, note);
                let overlap = self.poll_info(options, library, note).err();
                self.send_unnamed(options, library);
                Ok(overlap)
            }
        }
    }

    /// Asks the agent to restore the classes; the recording ends when it has.
    pub(crate) fn restore(&mut self) {
        self.restoring = true;
    }

    /// Ends its recording though the JVM may run on.
    pub(crate) fn stop(&self) {
        self.progress.stop.store(true, Ordering::Release);
    }
}
