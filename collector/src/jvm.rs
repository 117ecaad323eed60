//! One JVM of a recording, seen from the recording's main thread.

mod profile;
mod slicing;

use crate::{
    RecordOptions, RootEvent, companion,
    cpu::CpuWatch,
    demote::Demoter,
    drain::{Drained, Job, Judges},
    finish::Origin,
    manifests::{JvmManifests, ManifestLibrary, Overlap},
    memory,
    methods_file::{LiveEvent, LiveMethods, MethodsFile, MethodsFileUpdate, initial_modes},
    modes::InitialModes,
    progress::Progress,
    slice_writer::SliceWriter,
    slices::{Cut, Cutter},
    thread_events::timeline_from,
    uncount::Uncounter,
};
use jfathom_plan::ProbeRules;
use jfathom_profile::{Limits, Profile};
use jfathom_session::{JvmFile, Metrics, Process};
use jfathom_trace::{InfoEntry, OpenOutcome, SessionEntry, SessionFile, TraceError, layout};
use profile::{Beside, make_profile};
pub(crate) use profile::{SliceParts, slice_profile, write_profile};
pub(crate) use slicing::Slicing;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::Ordering,
        mpsc::{Receiver, Sender, channel},
    },
    thread::{self, JoinHandle},
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

/// A job, the way to tell it of manifests, and the slices that it ends.
type NewJob = (Job, Sender<InitialModes>, Option<Receiver<Cut>>);

/// What a profile is made of.
struct Parts {
    drained: Box<Drained>,
    origin: Origin,
    manifests: JvmManifests,
    live: Option<LiveMethods>,
    companion: Option<PathBuf>,
    has_samples: bool,
    metrics: Metrics,
    rules: ProbeRules,
}

impl Parts {
    /// The profile, for whoever takes the parts first.
    fn profile(parts: &Mutex<Option<Self>>) -> Option<Profile> {
        let parts = parts.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Self { drained, origin, manifests, live, companion, has_samples, metrics, rules } =
            parts?;
        let pid = drained.file.header().pid;
        let beside = companion.map(|dir| Beside {
            recording: companion::read(&dir, pid),
            has_samples,
            metrics,
            rules,
        });
        Some(make_profile(*drained, origin, &manifests, live.as_ref(), beside))
    }
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

    /// Whether its session has ended, and JFR has not written its file: a JVM of a command does so
    /// when it ends.
    pub(crate) fn awaits_companion(&self) -> bool {
        matches!(self.state, State::Drained(_)) && self.is_companion_open()
    }

    /// The file of JFR is there, or never will be.
    pub(crate) fn end_companion(&mut self) {
        self.has_companion = true;
    }

    fn is_companion_open(&self) -> bool {
        self.companion.is_some()
            && !self.has_companion
            && !self.progress.stop.load(Ordering::Relaxed)
            && self.process.is_some_and(Process::is_alive)
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

    /// Raises the heartbeat, and looks whether the draining thread has ended.
    fn poll_draining(
        &mut self,
        file: Box<SessionFile>,
        thread: JoinHandle<Drained>,
        has_ended: bool,
    ) {
        file.heartbeat();
        if self.restoring {
            file.request_restore();
        }
        if !has_ended {
            self.state = State::Draining(file, thread);
            return;
        }
        // A panic of the draining thread ends its JVM's recording and no other.
        match thread.join() {
            Ok(drained) => self.state = State::Drained(Box::new(drained)),
            Err(_) => self.is_lost = true,
        }
    }

    /// Reads what the JVM has written last, and has its profile made.
    fn end(
        &mut self,
        drained: Box<Drained>,
        origin: Origin,
        options: &RecordOptions,
        library: &mut ManifestLibrary,
        note: &mut dyn FnMut(String),
    ) -> Option<Overlap> {
        self.poll_methods_file(options, note);
        let overlap = self.add_manifests(&drained.file.info(), options, library, note).err();
        for seen in &options.manifests {
            self.manifests.add_unnamed(seen, library, note);
        }
        let manifests = std::mem::take(&mut self.manifests);
        let live = self.methods.as_ref().map(|file| file.methods().clone());
        // Where no thread can be started the profile is made here. New JVMs are seen later then.
        let companion = self.companion.clone();
        let (has_samples, metrics) = (self.has_samples, self.metrics);
        let rules = self.rules.clone();
        let parts =
            Parts { drained, origin, manifests, live, companion, has_samples, metrics, rules };
        let parts = Arc::new(Mutex::new(Some(parts)));
        let given = Arc::clone(&parts);
        self.state = match thread::Builder::new().spawn(move || Parts::profile(&given)) {
            Ok(thread) => State::Finishing(thread),
            Err(_) => {
                // A panic ends this JVM's recording and no other, as on a thread of its own.
                let made = catch_unwind(AssertUnwindSafe(|| Parts::profile(&parts)));
                let profile = made.ok().flatten();
                self.is_lost |= profile.is_none();
                State::Done(profile.map(Box::new))
            }
        };
        overlap
    }

    /// Takes the profile if it is made.
    fn poll_finishing(&mut self, thread: JoinHandle<Option<Profile>>) {
        if !thread.is_finished() {
            self.state = State::Finishing(thread);
            return;
        }
        let profile = thread.join().ok().flatten();
        self.is_lost |= profile.is_none();
        self.state = State::Done(profile.map(Box::new));
    }

    /// Starts to drain the file; false to try again. Where no thread can be started, what a JVM has
    /// left is drained here. One that runs is told of no collector, and waits for none.
    fn start(
        &mut self,
        file: Box<SessionFile>,
        options: &RecordOptions,
        note: &mut dyn FnMut(String),
    ) -> Result<bool, TraceError> {
        let is_over = !self.process.is_some_and(Process::is_alive)
            || self.progress.stop.load(Ordering::Relaxed);
        let limits = self.process.map(Process::limits).unwrap_or_default();
        self.limits = Limits { milli_cpus: limits.milli_cpus, memory_bytes: limits.memory_bytes };
        let Some((job, known, cuts)) = self.job(options, note)? else { return Ok(false) };
        match job.start() {
            Ok(thread) => {
                self.known = Some(known);
                self.cuts = cuts;
                self.state = State::Draining(file, thread);
                Ok(true)
            }
            Err(_) if is_over => {
                let Some((job, ..)) = self.job(options, note)? else { return Ok(false) };
                self.state = State::Drained(Box::new(job.run()));
                Ok(true)
            }
            Err(error) => {
                if !std::mem::replace(&mut self.has_noted_thread, true) {
                    note(format!(
                        "no thread can be started to read what a JVM records ({error}); tried again \
                         until there can be one"
                    ));
                }
                Ok(false)
            }
        }
    }

    /// What there is to drain, the way to tell of manifests, and that of slices; none if the file
    /// is not ready.
    fn job(
        &mut self,
        options: &RecordOptions,
        note: &mut dyn FnMut(String),
    ) -> Result<Option<NewJob>, TraceError> {
        let OpenOutcome::Ready(file) = SessionFile::open(&self.entry.path)? else {
            return Ok(None);
        };
        let (sender, manifests) = channel();
        let cutter = |slicing: &Slicing| {
            Cutter::new(slicing.every, slicing.recording, Arc::clone(&self.progress))
        };
        let (cutter, cuts) = self.slicing.as_ref().map(cutter).unzip();
        let judges = Judges {
            demoter: Demoter::new(options.budget, self.process),
            uncounter: (options.live.is_some() && options.allow_uncounted).then(Uncounter::default),
        };
        let metrics = options.metrics;
        let cpu = if file.header().has_thread_clock || metrics.cpu && metrics.thread_clock {
            Some(CpuWatch::of_own_clocks(file.header()))
        } else {
            metrics.cpu.then(|| self.watch_switches(&file, note))
        };
        let job = Job {
            file,
            path: self.entry.path.clone(),
            process: self.process,
            progress: Arc::clone(&self.progress),
            judges,
            manifests,
            cutter,
            slowest: options.slowest,
            max_memory: options.max_memory.or_else(memory::default_bound),
            timeline_from: self
                .companion
                .as_ref()
                .and_then(|_| timeline_from(metrics, self.has_samples)),
            cpu,
        };
        Ok(Some((job, sender, cuts)))
    }

    /// Watches when its threads run. The user hears of what cannot be watched, once.
    fn watch_switches(&mut self, file: &SessionFile, note: &mut dyn FnMut(String)) -> CpuWatch {
        let (cpu, error) = CpuWatch::start(self.process, file.header());
        let what = match (&error, cpu.missed()) {
            (Some(error), _) => Some(format!("it is not known when its threads run: {error}")),
            (None, Some((threads, error))) => {
                Some(format!("of {threads} of its threads it is not known when they run: {error}"))
            }
            (None, None) => None,
        };
        if let Some(what) = what
            && !std::mem::replace(&mut self.has_noted_switches, true)
        {
            note(format!("JVM {}: {what}", self.entry.jvm.pid));
        }
        cpu
    }

    /// Sends the draining thread the manifests of the program that the JVM has not named.
    fn send_unnamed(&self, options: &RecordOptions, library: &ManifestLibrary) {
        let Some(sender) = &self.known else { return };
        let named = |ids| self.manifests.seen().iter().any(|seen| seen.ids.overlaps(ids));
        for manifest in options
            .manifests
            .iter()
            .filter(|seen| !named(seen.ids))
            .filter_map(|seen| library.peek(seen))
        {
            let modes = InitialModes::from_manifest(&manifest, &options.count, &options.latency);
            let _ = sender.send(modes);
        }
    }

    /// Reads what the JVM has written about itself since the last call: manifests, and sentences
    /// for the user.
    ///
    /// # Errors
    /// Fails if two manifests give the same ids to different methods.
    pub(crate) fn poll_info(
        &mut self,
        options: &RecordOptions,
        library: &mut ManifestLibrary,
        note: &mut dyn FnMut(String),
    ) -> Result<(), Overlap> {
        let State::Draining(file, _) = &self.state else { return Ok(()) };
        let infos = file.info();
        self.add_manifests(&infos, options, library, note)
    }

    fn add_manifests(
        &mut self,
        infos: &[InfoEntry],
        options: &RecordOptions,
        library: &mut ManifestLibrary,
        note: &mut dyn FnMut(String),
    ) -> Result<(), Overlap> {
        let new = infos.get(self.infos..).unwrap_or_default();
        self.infos = infos.len().max(self.infos);
        let mut result = Ok(());
        for info in new {
            if let Some(seen) = info.manifest() {
                let named = self.manifests.manifests().count();
                let added = self.manifests.add(seen, library, note);
                if let Some(manifest) = self.manifests.manifests().nth(named)
                    && let Some(sender) = &self.known
                {
                    // A drainer that is gone needs nothing more.
                    let modes =
                        InitialModes::from_manifest(manifest, &options.count, &options.latency);
                    let _ = sender.send(modes);
                }
                result = result.and(added);
            } else if info.kind == layout::INFO_NOTICE {
                note(format!("JVM {}: {}", self.entry.jvm.pid, info.text));
            }
        }
        result
    }

    /// Reads which methods the agent of a live session has instrumented since the last call.
    fn poll_methods_file(&mut self, options: &RecordOptions, note: &mut dyn FnMut(String)) {
        let Some(file) = &mut self.methods else { return };
        let MethodsFileUpdate { news, classes } = file.read_update();
        if let Some(sender) = self.known.as_ref().filter(|_| !classes.is_empty()) {
            for modes in initial_modes(&classes, &options.count, &options.latency) {
                // A drainer that is gone needs nothing more.
                let _ = sender.send(modes);
            }
        }
        for news in news {
            match news {
                // True of all roots at first; those that stay so are reported later.
                LiveEvent::Waiting(_) => {}
                LiveEvent::Live(root) => self.live_roots.push(RootEvent {
                    root: root.method.unwrap_or(root.selector),
                    after: self.begun.elapsed(),
                }),
                LiveEvent::Note(text) => note(text),
            }
        }
    }

    /// The content of its agent's methods file; none without a live session.
    pub(crate) fn live(&self) -> Option<&LiveMethods> {
        self.methods.as_ref().map(MethodsFile::methods)
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
