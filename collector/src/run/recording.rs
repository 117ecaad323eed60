//! The main loop of a recording.

mod status;
mod waiting;

use crate::{
    Error, Event, ExitReason, JavaCommand, LiveOptions, ManifestSource, RecordOptions, Wait,
    attach::{self, AttachError},
    drain::{
        finish::Origin,
        manifests::{ManifestLibrary, Overlap},
        methods_file::LiveMethods,
        modes,
    },
    epoch::millis,
    program::{descendants::Descendants, signals::Signals},
    run::{
        jvm::{Jvm, Slicing},
        recorded::{self, Recorded},
        session_dir::SessionDir,
        session_notes::SessionNotes,
        slice_files::{SharedSliceFiles, SliceFiles},
        subject::RecordedProcess,
    },
};
use jfathom_session::{
    JvmProcess,
    names::{ENV_LIVE_SESSION, ENV_SESSION},
};
use status::StatusTimer;
use std::{
    collections::{BTreeSet, HashSet},
    ffi::OsString,
    path::PathBuf,
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant, SystemTime},
};

/// How long the loop sleeps. A thread that records at full speed fills its ring in a few
/// milliseconds, and it waits if nobody has opened the session file by then.
const TICK: Duration = Duration::from_millis(2);
/// How long it sleeps while all JVMs that it knows have begun to record. A round reads a directory.
const QUIET_TICK: Duration = Duration::from_millis(10);
/// The same where no other JVM can come.
const LONE_TICK: Duration = Duration::from_millis(50);
/// Time between two rounds of the loop's slow steps.
const SLOW_TICK: Duration = Duration::from_millis(100);
/// Time before the user gets a note on roots that are not live.
const ROOTS_PATIENCE: Duration = Duration::from_secs(1);

/// Runs the command once and records it, or records the JVM that runs already.
///
/// # Errors
/// Fails if nothing was recorded.
pub(crate) fn record_session(
    options: &RecordOptions,
    source: &dyn ManifestSource,
    events: &mut dyn FnMut(Event),
    signals: &mut Signals,
    dir: &SessionDir,
) -> Result<Recorded, Error> {
    let mut options = options.clone();
    if let Some(pid) = options.live.as_ref().and_then(LiveOptions::pid) {
        let jvm = JvmProcess::find(pid)?;
        options.command = jvm.command().into_iter().map(OsString::from).collect();
        if attach::warns_of_agents(&jvm) {
            events(Event::Note(
                "JDK 21 and later warn on the program's stderr that an agent was loaded; \
                 -XX:+EnableDynamicAgentLoading among its flags prevents it"
                    .into(),
            ));
        }
    }
    let options = &options;
    SessionNotes::new(options)
        .and_then(|notes| notes.write(dir.path()))
        .map_err(|e| Error::SessionDir { path: dir.path().to_owned(), what: e.to_string() })?;
    let begun = Instant::now();
    let library = ManifestLibrary::new(dir.path(), source, true);
    if options.live.is_none() {
        modes::write(dir.path(), options, &library)?;
    }
    let subject = RecordedProcess::start(options, dir)?;
    let mut recording = Recording::new(options, subject, signals, library, dir, begun);
    let exit = recording.until_all_ended(events);
    // Whatever has ended the recording: nothing of it stays in a JVM that runs on.
    note_companion(recording.subject.end_companion(), events);
    let exit = exit?;
    recorded::recorded(options, dir, recording.into_ended(exit), events)
}

/// Tells the user why JFR could not be ended.
fn note_companion(error: Option<AttachError>, events: &mut dyn FnMut(Event)) {
    if let Some(error) = error {
        events(Event::Note(format!(
            "JFR, which has recorded beside the session, goes on: {error}"
        )));
    }
}

/// A command or a JVM that is being recorded.
struct Recording<'a> {
    options: &'a RecordOptions,
    subject: RecordedProcess,
    signals: &'a mut Signals,
    dir: &'a SessionDir,
    library: ManifestLibrary<'a>,
    /// Paths of the session files of `jvms`.
    known_files: HashSet<PathBuf>,
    jvms: Vec<Jvm>,
    overlap: Option<Overlap>,
    /// Whether a signal has ended the recording: one that came after the command's end, or to the
    /// recording of a JVM that is no child.
    stopped: bool,
    /// Whether a further signal has come: the recording waits for nothing.
    left: bool,
    /// What the command has started.
    descendants: Descendants,
    /// Since when the command has ended and no JVM that has joined runs.
    idle: Option<Instant>,
    /// When the first JVM was there and had loaded the agent.
    joined: Option<Instant>,
    reported: Reported,
    /// The first signal that asks programs to end.
    asked_to_end: Option<u8>,
    begun: Instant,
    started_millis: u64,
    status: StatusTimer,
    /// None if the recording is one profile.
    slices: Option<SharedSliceFiles>,
}

/// Notes shown to the user, so that each is shown once.
#[derive(Clone, Copy, Debug, Default)]
struct Reported {
    /// The recording waits for JVMs after the command's end.
    waiting: bool,
    /// It waits for JVMs to join.
    joining: bool,
    /// Roots whose classes are not loaded.
    roots: bool,
    /// The session directory cannot be read.
    unreadable: bool,
}

/// Times of the loop's slow steps.
#[derive(Default)]
struct Rounds {
    infos: Option<Instant>,
    left_behind: Option<Instant>,
}

/// Whether it is time for what happens each `period`.
fn is_due(last: Option<Instant>, period: Duration) -> bool {
    last.is_none_or(|at| at.elapsed() >= period)
}

impl<'a> Recording<'a> {
    /// A recording that begins with the start of its process.
    fn new(
        options: &'a RecordOptions,
        subject: RecordedProcess,
        signals: &'a mut Signals,
        library: ManifestLibrary<'a>,
        dir: &'a SessionDir,
        begun: Instant,
    ) -> Self {
        let variable = if options.live.is_some() { ENV_LIVE_SESSION } else { ENV_SESSION };
        Self {
            descendants: Descendants::new(variable, dir.path()),
            idle: None,
            options,
            subject,
            signals,
            dir,
            library,
            known_files: HashSet::new(),
            jvms: Vec::new(),
            overlap: None,
            stopped: false,
            left: false,
            joined: None,
            reported: Reported::default(),
            asked_to_end: None,
            begun,
            started_millis: millis(SystemTime::now()),
            status: StatusTimer::new(begun),
            slices: options.slices.clone().map(|slices| {
                Arc::new(Mutex::new(SliceFiles::new(slices, options.force, dir.path())))
            }),
        }
    }

    fn into_ended(self, exit: ExitReason) -> recorded::Ended {
        let Self { jvms, overlap, asked_to_end, begun, slices, .. } = self;
        recorded::Ended { exit, asked_to_end, jvms, overlap, elapsed: begun.elapsed(), slices }
    }

    /// Records until the process has ended, and all JVMs with it that the options wait for.
    ///
    /// # Errors
    /// Fails if the agent cannot be loaded or begins no session, or if the command cannot be waited
    /// for.
    fn until_all_ended(&mut self, events: &mut dyn FnMut(Event)) -> Result<ExitReason, Error> {
        let mut rounds = Rounds::default();
        loop {
            self.pass_signals(events);
            // Polled before the directory is read: a JVM that ended before the command has its file
            // there by then.
            let exit = self.subject.poll(!self.jvms.is_empty() && self.all_done(), self.dir)?;
            self.end_live(exit.is_some(), events);
            let is_idle = exit.is_some() && self.all_done();
            self.idle = is_idle.then(|| self.idle.unwrap_or_else(Instant::now));
            let is_last_look = is_idle && is_due(rounds.left_behind, SLOW_TICK);
            // The same for JVMs that the command has left behind: first they are looked for, then
            // the directory is read.
            let others = if is_last_look { self.left_behind() } else { Vec::new() };
            self.scan(events);
            self.poll(events);
            self.end_companion(events);
            if is_due(rounds.infos, SLOW_TICK) {
                rounds.infos = Some(Instant::now());
                self.poll_infos(events);
            }
            if let Some(exit) = exit {
                if !self.is_patient() && self.options.live.is_none() {
                    self.jvms.iter().for_each(Jvm::stop);
                }
                if is_last_look {
                    if self.all_done() && (others.is_empty() || self.is_wait_over()) {
                        self.report_unjoined(&others, events);
                        return Ok(exit);
                    }
                    rounds.left_behind = Some(Instant::now());
                }
                self.report_waiting(exit, events);
                self.report_joining(exit, &others, events);
            }
            let status = self.status.next(self.begun, &self.jvms);
            status.into_iter().for_each(|status| events(Event::Status(status)));
            thread::sleep(self.tick());
        }
    }

    fn tick(&self) -> Duration {
        let is_quiet = match self.jvms.is_empty() {
            true => self.idle.is_some(),
            false => !self.jvms.iter().any(Jvm::is_starting),
        };
        match is_quiet {
            true if self.subject.process().is_some() => LONE_TICK,
            true => QUIET_TICK,
            false => TICK,
        }
    }

    /// Passes signals on to the command. After its end a signal that asks to end is for the
    /// recording.
    fn pass_signals(&mut self, events: &mut dyn FnMut(Event)) {
        for signal in self.signals.arrived() {
            if signal.is_termination() {
                self.asked_to_end.get_or_insert(signal.number as u8);
            }
            if self.subject.pass_on(signal) || !signal.is_termination() {
                continue;
            }
            if !self.stopped {
                self.stopped = true;
                events(Event::Note(match &self.options.live {
                    Some(_) => "the classes get their original code back; \
                                a further signal ends the recording at once"
                        .into(),
                    None if self.jvms.iter().any(Jvm::is_running) => {
                        "recording ended by a signal; JVMs that still run go on unrecorded".into()
                    }
                    None => "recording ended by a signal".into(),
                }));
            } else if self.options.live.is_some() && !self.left {
                self.left = true;
                events(Event::Note(
                    "not waited for; the agent goes on to restore the classes by itself".into(),
                ));
            }
        }
    }

    /// Looks for new session files. If the directory cannot be read any more, the recording
    /// continues with those that are open: what was recorded matters more than JVMs that may still
    /// come.
    fn scan(&mut self, events: &mut dyn FnMut(Event)) {
        let entries = match self.dir.entries() {
            Ok(entries) => entries,
            Err(error) => {
                if !std::mem::replace(&mut self.reported.unreadable, true) {
                    events(Event::Note(format!(
                        "JVMs that start from now on are not recorded: {error}"
                    )));
                }
                return;
            }
        };
        for entry in entries {
            if self.known_files.insert(entry.path.clone()) {
                let (process, begun) = (self.subject.process(), self.begun);
                self.jvms.push(Jvm::new(entry, process, self.options, begun, self.slicing()));
            }
        }
    }

    fn slicing(&self) -> Option<Slicing> {
        let every = self.options.slices.as_ref()?.every;
        let files = Arc::clone(self.slices.as_ref()?);
        Some(Slicing { every, recording: self.started_millis, files })
    }

    /// Does what is due for each JVM.
    fn poll(&mut self, events: &mut dyn FnMut(Event)) {
        let Self { options, begun, started_millis, jvms, library, dir, .. } = self;
        let origin = || Origin {
            tool: options.tool.clone(),
            command: options
                .command
                .iter()
                .map(|word| word.to_string_lossy().into_owned())
                .collect(),
            labels: options.labels.clone(),
            started_millis: *started_millis,
            duration_millis: begun.elapsed().as_millis() as u64,
            clock_failure: dir.clock_failure().map(str::to_owned),
            ..Origin::default()
        };
        let mut overlaps = Vec::new();
        // Behind a script, one of several: a note must say of which JVM it is.
        let names_jvm = jvms.len() > 1
            || options.command.first().is_some_and(|command| !JavaCommand::is_java(command));
        for jvm in jvms.iter_mut() {
            let pid = jvm.entry.jvm.pid;
            let mut note = |note: String| {
                events(Event::Note(match names_jvm && !note.starts_with("JVM ") {
                    true => format!("JVM {pid}: {note}"),
                    false => note,
                }))
            };
            match jvm.poll(&origin, options, library, &mut note) {
                Ok(overlap) => overlaps.extend(overlap),
                Err(e) => {
                    let (pid, path) = (jvm.entry.jvm.pid, &jvm.entry.path);
                    // The runtime takes it away if it cannot allocate what a session needs.
                    events(Event::Note(match path.exists() {
                        true => format!("JVM {pid} is not recorded: {e}"),
                        false => format!(
                            "JVM {pid} is not recorded: it had no room for {}",
                            path.display()
                        ),
                    }))
                }
            }
        }
        jvms.iter_mut()
            .flat_map(|jvm| jvm.live_roots.drain(..))
            .for_each(|root| events(Event::Live(root)));
        self.end_on_overlap(overlaps, events);
    }

    /// Ends what JFR records in a JVM that runs on, once its session has ended.
    fn end_companion(&mut self, events: &mut dyn FnMut(Event)) {
        // Those of a command write their files when they end.
        if self.subject.process().is_none() || !self.jvms.iter().any(Jvm::awaits_companion) {
            return;
        }
        note_companion(self.subject.end_companion(), events);
        self.jvms.iter_mut().for_each(Jvm::end_companion);
    }

    /// Reads what the JVMs have written about themselves.
    fn poll_infos(&mut self, events: &mut dyn FnMut(Event)) {
        let Self { jvms, library, options, .. } = self;
        let poll = |jvm: &mut Jvm| {
            jvm.poll_info(options, library, &mut |note| events(Event::Note(note))).err()
        };
        let overlaps = jvms.iter_mut().filter_map(poll).collect();
        self.end_on_overlap(overlaps, events);
    }

    /// Ends the recording if ids mean two methods: no number in it could be trusted.
    fn end_on_overlap(&mut self, overlaps: Vec<Overlap>, events: &mut dyn FnMut(Event)) {
        for overlap in overlaps {
            if self.overlap.is_none() {
                events(Event::Note(format!(
                    "recording ended: {} and {} give the same ids to different methods; the command goes on",
                    overlap.first, overlap.second
                )));
                self.overlap = Some(overlap);
            }
        }
        if self.overlap.is_some() {
            self.jvms.iter().for_each(Jvm::stop);
        }
    }

    /// Ends a live session when it is time, and reports which roots it waits for.
    fn end_live(&mut self, command_ended: bool, events: &mut dyn FnMut(Event)) {
        if self.options.live.is_none() {
            return;
        }
        if !self.jvms.is_empty() && !self.subject.is_loading() {
            self.joined.get_or_insert_with(Instant::now);
        }
        let unwanted = command_ended && self.options.wait == Wait::NONE;
        if self.is_duration_over() || unwanted || self.stopped || self.overlap.is_some() {
            self.jvms.iter_mut().for_each(Jvm::restore);
        }
        if self.left {
            self.jvms.iter().for_each(Jvm::stop);
        }
        let is_time = self.joined.is_some_and(|joined| joined.elapsed() >= ROOTS_PATIENCE);
        if is_time && !std::mem::replace(&mut self.reported.roots, true) {
            let waiting =
                self.jvms.iter().filter_map(Jvm::live).flat_map(LiveMethods::waiting_roots);
            let waiting: BTreeSet<&str> = waiting.collect();
            if !waiting.is_empty() {
                let names = Vec::from_iter(waiting).join(", ");
                events(Event::Waiting(names));
            }
        }
    }

    fn all_done(&self) -> bool {
        self.jvms.iter().all(Jvm::is_done)
    }
}
