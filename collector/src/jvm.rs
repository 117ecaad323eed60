//! One JVM of a recording, seen from the recording's main thread.

use crate::{
    RecordOptions, RootEvent,
    checkpoint::Checkpoints,
    demote::Demoter,
    drain::{self, Drained, Progress},
    finish::{self, Origin, ProfileInputs},
    manifests::{JvmManifests, ManifestLibrary, Overlap},
    methods_file::{self, LiveEvent, LiveMethods, MethodsFile, MethodsFileUpdate},
    modes::InitialModes,
};
use jfathom_profile::{FileError, Profile};
use jfathom_session::{JvmFile, Process};
use jfathom_trace::{
    OpenOutcome, SessionEntry, SessionFile, TraceError, layout, offline::OfflineSession,
    overflow_of,
};
use std::{
    fs, io,
    sync::{
        Arc,
        atomic::Ordering,
        mpsc::{Sender, channel},
    },
    thread::{self, JoinHandle},
    time::Instant,
};

/// A JVM that has made its session file.
pub(crate) struct Jvm {
    pub entry: SessionEntry,
    /// None where the process had ended before it was first looked for.
    process: Option<Process>,
    state: State,
    manifests: JvmManifests,
    /// How many info entries were looked at.
    infos: usize,
    progress: Arc<Progress>,
    /// To the draining thread: what the manifests say that the JVM has named.
    known: Option<Sender<InitialModes>>,
    /// In a live session.
    methods: Option<MethodsFile>,
    /// Whether its classes are to get their original code back.
    restoring: bool,
    /// When the recording began.
    begun: Instant,
    /// Whether it has recorded something that could not be read.
    is_lost: bool,
    /// Roots that have become live and were not told.
    pub live_roots: Vec<RootEvent>,
}

enum State {
    /// Its file is not ready.
    Starting,
    /// A thread of its own drains it; the mapping is for the heartbeat and what the JVM tells about
    /// itself.
    Draining(Box<SessionFile>, JoinHandle<Drained>),
    /// It has ended, and what it told last is not heard.
    Drained(Box<Drained>),
    /// A thread of its own makes the profile.
    Finishing(JoinHandle<Profile>),
    /// Nothing more comes; none where it died before its file was ready, or where the file cannot
    /// be read.
    Done(Option<Box<Profile>>),
}

impl Jvm {
    /// A JVM with a session file. `process` is its process where that is known from elsewhere: a
    /// container has pids of its own.
    pub(crate) fn new(
        entry: SessionEntry,
        process: Option<Process>,
        options: &RecordOptions,
        begun: Instant,
    ) -> Self {
        let process = process.or_else(|| u32::try_from(entry.jvm.pid).ok().and_then(Process::find));
        let methods =
            options.live.as_ref().map(|_| MethodsFile::new(JvmFile::Methods.beside(&entry.path)));
        Self {
            entry,
            process,
            state: State::Starting,
            manifests: JvmManifests::default(),
            infos: 0,
            progress: Arc::default(),
            known: None,
            methods,
            restoring: false,
            begun,
            is_lost: false,
            live_roots: Vec::new(),
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        matches!(self.state, State::Done(_))
    }

    /// Whether it has not ended, as far as is known.
    pub(crate) fn runs(&self) -> bool {
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

    /// Does what is due: opens the file once it is ready, keeps the heartbeat up, hears the JVM out
    /// when it has ended, and has its profile made.
    ///
    /// # Errors
    /// Where its file cannot be read; the JVM is done then.
    pub(crate) fn poll(
        &mut self,
        origin: &dyn Fn() -> Origin,
        options: &RecordOptions,
        library: &mut ManifestLibrary,
        note: &mut dyn FnMut(String),
    ) -> Result<Option<Overlap>, TraceError> {
        let tended = self.take_step(origin, options, library, note);
        self.is_lost |= tended.is_err();
        tended
    }

    fn take_step(
        &mut self,
        origin: &dyn Fn() -> Origin,
        options: &RecordOptions,
        library: &mut ManifestLibrary,
        note: &mut dyn FnMut(String),
    ) -> Result<Option<Overlap>, TraceError> {
        match std::mem::replace(&mut self.state, State::Done(None)) {
            State::Starting => {
                // Asked before the file is opened: a dead JVM's file does not change any more.
                let dead = !self.process.is_some_and(Process::is_alive);
                let stopped = self.progress.stop.load(Ordering::Relaxed);
                match SessionFile::open(&self.entry.path)? {
                    OpenOutcome::Starting if dead || stopped => {}
                    OpenOutcome::Starting => self.state = State::Starting,
                    OpenOutcome::Ready(file) => {
                        self.start(file, options)?;
                        // At once: what is to be counted is timed until the drainer knows of it.
                        self.listen_to_agent(options, note);
                        let overlap = self.poll_methods_file(options, library, note).err();
                        self.tell_unnamed(options, library);
                        return Ok(overlap);
                    }
                }
            }
            State::Draining(file, thread) => {
                file.heartbeat();
                if self.restoring {
                    file.request_restore();
                }
                self.state = match thread.is_finished() {
                    // A panic of the draining thread ends its JVM's recording and no other.
                    true => thread.join().map_or_else(
                        |_| {
                            self.is_lost = true;
                            State::Done(None)
                        },
                        |drained| State::Drained(Box::new(drained)),
                    ),
                    false => State::Draining(file, thread),
                };
                self.listen_to_agent(options, note);
            }
            State::Drained(drained) => {
                self.state = State::Drained(drained);
                self.listen_to_agent(options, note);
                let overlap = self.poll_methods_file(options, library, note).err();
                options
                    .manifests
                    .iter()
                    .for_each(|seen| self.manifests.add_unnamed(seen, library, note));
                if let State::Drained(drained) =
                    std::mem::replace(&mut self.state, State::Done(None))
                {
                    self.finish(drained, origin());
                }
                return Ok(overlap);
            }
            State::Finishing(thread) => {
                self.state = match thread.is_finished() {
                    true => {
                        let profile = thread.join().ok();
                        self.is_lost |= profile.is_none();
                        State::Done(profile.map(Box::new))
                    }
                    false => State::Finishing(thread),
                };
            }
            done @ State::Done(_) => self.state = done,
        }
        Ok(None)
    }

    fn start(&mut self, file: Box<SessionFile>, options: &RecordOptions) -> Result<(), TraceError> {
        let OpenOutcome::Ready(drained) = SessionFile::open(&self.entry.path)? else {
            return Ok(());
        };
        file.attach(std::process::id());
        let checkpoints = Checkpoints::new(&self.entry.path);
        let (sender, receiver) = channel();
        let demoter = Demoter::new(options.demote);
        let progress = Arc::clone(&self.progress);
        let thread = drain::start(drained, self.process, progress, checkpoints, demoter, receiver);
        self.known = Some(sender);
        self.state = State::Draining(file, thread);
        Ok(())
    }

    fn finish(&mut self, drained: Box<Drained>, origin: Origin) {
        let manifests = std::mem::take(&mut self.manifests);
        let live = self.methods.as_ref().map(|file| file.methods().clone());
        self.state = State::Finishing(thread::spawn(move || {
            make_profile(*drained, origin, &manifests, live.as_ref())
        }));
    }

    /// Tells the draining thread what the program's manifests say that the JVM cannot see.
    fn tell_unnamed(&self, options: &RecordOptions, library: &ManifestLibrary) {
        let Some(sender) = &self.known else { return };
        let named = |ids| self.manifests.seen().iter().any(|seen| seen.ids.overlaps(ids));
        for manifest in options
            .manifests
            .iter()
            .filter(|seen| !named(seen.ids))
            .filter_map(|seen| library.peek(seen))
        {
            let _ = sender.send(InitialModes::of(&manifest, &options.count));
        }
    }

    /// Takes in what the JVM has told about itself since the last call: manifests, and sentences
    /// for the user.
    pub(crate) fn poll_methods_file(
        &mut self,
        options: &RecordOptions,
        library: &mut ManifestLibrary,
        note: &mut dyn FnMut(String),
    ) -> Result<(), Overlap> {
        let infos = match &self.state {
            State::Draining(file, _) => file.info(),
            State::Drained(drained) => drained.file.info(),
            _ => return Ok(()),
        };
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
                    let _ = sender.send(InitialModes::of(manifest, &options.count));
                }
                result = result.and(added);
            } else if info.kind == layout::INFO_NOTICE {
                note(format!("JVM {}: {}", self.entry.jvm.pid, info.text));
            }
        }
        result
    }

    /// Takes in which methods the agent of a live session has instrumented since the last call.
    fn listen_to_agent(&mut self, options: &RecordOptions, note: &mut dyn FnMut(String)) {
        let Some(file) = &mut self.methods else { return };
        let MethodsFileUpdate { news, classes } = file.read_update();
        if let Some(sender) = self.known.as_ref().filter(|_| !classes.is_empty()) {
            for known in methods_file::known(&classes, &options.count) {
                // A drainer that is gone needs nothing more.
                let _ = sender.send(known);
            }
        }
        for news in news {
            match news {
                // Of all roots for a moment; those that stay so are told later.
                LiveEvent::Waiting(_) => {}
                LiveEvent::Live(root) => self.live_roots.push(RootEvent {
                    root: root.method.unwrap_or(root.selector),
                    after: self.begun.elapsed(),
                }),
                LiveEvent::Note(text) => note(text),
            }
        }
    }

    /// What its agent has told, in a live session.
    pub(crate) fn live(&self) -> Option<&LiveMethods> {
        self.methods.as_ref().map(MethodsFile::methods)
    }

    /// Asks the agent to give the classes their original code back; the recording ends when it has.
    pub(crate) fn restore(&mut self) {
        self.restoring = true;
    }

    /// Ends its recording though the JVM may run on.
    pub(crate) fn stop(&self) {
        self.progress.stop.store(true, Ordering::Release);
    }
}

/// Makes the profile and puts it into the session directory in the place of what it was made of: a
/// file in memory is given back long before the recording ends, and a recorder that is killed loses
/// nothing of a JVM that has ended.
fn make_profile(
    drained: Drained,
    origin: Origin,
    manifests: &JvmManifests,
    live: Option<&LiveMethods>,
) -> Profile {
    let Drained { file, feeder, stopped } = drained;
    let (info, virtual_calls) = (file.info(), file.virtual_calls());
    // At its end a JVM knows its clock's rate better than at its start.
    let dead = OfflineSession::open(file.path()).ok().flatten();
    let facts = ProfileInputs {
        header: dead.as_ref().map_or(file.header(), OfflineSession::header),
        info: &info,
        counters: file.counters(),
        virtual_calls: &virtual_calls,
        clean_end: file.ended(),
        stopped,
        goes_on: false,
        live,
    };
    let profile = finish::profile(origin, &facts, manifests, feeder.into_builder());
    let path = file.path();
    let finished = JvmFile::Profile.beside(path);
    let saved = jfathom_files::replace(&finished, 0o600, |file| write_profile(&profile, file));
    if saved.is_ok() && !stopped {
        if let Some(overflow) = overflow_of(path) {
            let _ = fs::remove_file(overflow);
        }
        let _ = fs::remove_file(path);
        let _ = fs::remove_file(JvmFile::Checkpoint.beside(path));
        // The methods file is small, and stays as long as the directory does: what a live session
        // did can be read there.
    }
    profile
}

/// Writes a profile as a `.jfp` file.
pub(crate) fn write_profile(profile: &Profile, out: &mut dyn io::Write) -> io::Result<()> {
    profile.write(out).map_err(|e| match e {
        FileError::Io(e) => e,
        other => io::Error::other(other.to_string()),
    })
}
