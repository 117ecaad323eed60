//! The recording's main loop.

use crate::{
    Error, Event, ExitReason, JavaCommand, LiveOptions, LiveTarget, ManifestSource, RecordOptions,
    RecordingSummary, SideOptions, Status, attach,
    drain::Progress,
    epoch::millis,
    finish::Origin,
    java_launcher::{java_version, unfit_for_agents},
    jvm::Jvm,
    manifests::{ManifestLibrary, Overlap},
    methods_file::LiveMethods,
    modes, output, process, recover, runs,
    session_dir::SessionDir,
    signals::Signals,
    subject::RecordedProcess,
    write::{self, Recorded},
};
use jfathom_session::{
    JvmProcess, Process, has_same_files,
    names::{ENV_LIVE_SESSION, ENV_SESSION},
};
use std::{
    collections::{BTreeSet, HashSet},
    ffi::OsString,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant, SystemTime},
};

/// The oldest Java that the runtime's classes run on.
const OLDEST_JAVA: u32 = 11;
/// How long the loop sleeps: a thread that starts to record at full speed fills its ring in a few
/// milliseconds, and it waits when nobody has opened it by then.
const TICK: Duration = Duration::from_millis(2);
/// How often what is slow or for people is looked at.
const SLOW_TICK: Duration = Duration::from_millis(100);
const STATUS_TICK: Duration = Duration::from_millis(250);
/// Roots that are not live after so long are told.
const ROOTS_TICK: Duration = Duration::from_secs(1);

pub(crate) fn run(
    options: &RecordOptions,
    source: &dyn ManifestSource,
    events: &mut dyn FnMut(Event),
) -> Result<RecordingSummary, Error> {
    let dir = match options.live.as_ref().map(|live| live.jvms) {
        // The agent has made it, and leaves it to its recorder, also to one that cannot record.
        Some(LiveTarget::Joined(_)) => Some(session_dir(options)?),
        _ => None,
    };
    let mut signals = match check(options).and_then(|()| taken()) {
        Ok(signals) => signals,
        Err(error) => {
            if let Some(dir) = dir {
                dir.remove();
            }
            return Err(error);
        }
    };
    if options.anchor || options.runs > 1 {
        let outcomes =
            runs::run(&[SideOptions { options, manifests: source }], events, &mut signals)?;
        return outcomes.into_iter().next().ok_or(Error::NoCommand);
    }
    let dir = match dir {
        Some(dir) => dir,
        None => session_dir(options)?,
    };
    let result = in_session(options, source, events, &mut signals, &dir)
        .and_then(|recorded| write::results(options, &dir, recorded, events));
    end_session(dir, options, result.as_ref().err(), events);
    result
}

/// Interleaved runs of two commands.
pub(crate) fn run_interleaved(
    sides: [SideOptions<'_>; 2],
    events: &mut dyn FnMut(Event),
) -> Result<[RecordingSummary; 2], Error> {
    let [base, new] = sides.map(|side| side.options);
    if output::are_one(&base.output, &new.output) {
        return Err(Error::OneOutput(base.output.clone()));
    }
    check(base).and_then(|()| check(new))?;
    let outcomes = runs::run(&sides, events, &mut taken()?)?;
    <[RecordingSummary; 2]>::try_from(outcomes).map_err(|_| Error::NoCommand)
}

/// Holds that there can be a recording.
fn check(options: &RecordOptions) -> Result<(), Error> {
    if !options.per_jvm {
        output::check(&options.output, options.force)?;
    } else {
        output::check(&output::of_jvm(&options.output, 0), true)?;
    }
    if let Some(program) = options.command.first()
        && JavaCommand::is_java(program)
        && let Some(version) = java_version(program, std::env::var_os("PATH").as_deref())
        && version < OLDEST_JAVA
    {
        return Err(Error::JvmTooOld { java: PathBuf::from(program), version });
    }
    if let Some(program) = options.command.first()
        && options.live.is_some()
        && JavaCommand::is_java(program)
        && let Some(why) = unfit_for_agents(program, std::env::var_os("PATH").as_deref())
    {
        return Err(Error::JvmUnfit { java: PathBuf::from(program), why });
    }
    Ok(())
}

fn taken() -> Result<Signals, Error> {
    Signals::take().map_err(|e| Error::System("taking signals", e))
}

/// The directory of a recording that runs its command once.
fn session_dir(options: &RecordOptions) -> Result<SessionDir, Error> {
    let asked = options.session_dir.as_deref();
    match options.live.as_ref().map(|live| live.jvms) {
        Some(LiveTarget::Joined(_)) => SessionDir::adopt(asked.unwrap_or(Path::new(""))),
        Some(LiveTarget::Running(pid)) if asked.is_none() && !has_same_files(pid) => {
            // Whose process it is is asked first: nothing is left in another user's container.
            JvmProcess::find(pid)?;
            SessionDir::inside(pid)
        }
        _ => SessionDir::make(asked),
    }
}

/// Takes a session directory away, unless it is to be kept or has what could not be written.
pub(crate) fn end_session(
    dir: SessionDir,
    options: &RecordOptions,
    error: Option<&Error>,
    events: &mut dyn FnMut(Event),
) {
    let named = match error {
        Some(Error::Output { kept: Some(kept), .. }) => kept == dir.path(),
        _ if options.keep_session => false,
        _ => return dir.remove(),
    };
    let place = dir.path().display().to_string();
    if !named {
        events(Event::Note(format!("session kept in {place}")));
    }
    if let Some(overflow) = dir.keep() {
        events(Event::Note(format!(
            "the session in {place} goes on in {}: delete both",
            overflow.display()
        )));
    }
}

/// Runs the command once and records it.
pub(crate) fn in_session(
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
                "JDK 21 and later warn on the program's stderr that an agent was loaded; -XX:+EnableDynamicAgentLoading among \
                 its flags prevents it"
                    .into(),
            ));
        }
    }
    let options = &options;
    recover::note_origin(dir.path(), &options.tool, &options.command)
        .and_then(|()| recover::note_output(dir.path(), &options.output))
        .map_err(|e| Error::SessionDir { path: dir.path().to_owned(), what: e.to_string() })?;
    let (begun, started) = (Instant::now(), SystemTime::now());
    let library = ManifestLibrary::new(dir.path(), source, true);
    if options.live.is_none() {
        modes::write(dir.path(), options, &library)?;
    }
    let subject = RecordedProcess::start(options, dir)?;
    let mut recording = Recording {
        options,
        subject,
        signals,
        library,
        dir,
        names: HashSet::new(),
        jvms: Vec::new(),
        overlap: None,
        stopped: false,
        left: false,
        joined: None,
        told_waiting: false,
        told_roots: false,
        told_unreadable: false,
        asked_to_end: None,
        begun,
        started_millis: millis(started),
        last_status: (begun, 0),
    };
    let exit = recording.until_all_ended(events)?;
    let Recording { jvms, overlap, asked_to_end, .. } = recording;
    let ended = write::Ended { exit, asked_to_end, jvms, overlap, elapsed: begun.elapsed() };
    write::recorded(options, dir, ended, events)
}

struct Recording<'a> {
    options: &'a RecordOptions,
    subject: RecordedProcess,
    signals: &'a mut Signals,
    dir: &'a SessionDir,
    library: ManifestLibrary<'a>,
    /// Session files that are known.
    names: HashSet<PathBuf>,
    jvms: Vec<Jvm>,
    overlap: Option<Overlap>,
    /// Whether a signal has ended the recording after the command's end, or of a JVM that is no
    /// command's.
    stopped: bool,
    /// Whether a further signal has come: nothing is waited for.
    left: bool,
    /// When the first JVM was there, and had loaded the agent.
    joined: Option<Instant>,
    told_waiting: bool,
    told_roots: bool,
    /// Whether the session directory could not be read.
    told_unreadable: bool,
    /// The first signal that has come and asks programs to end.
    asked_to_end: Option<u8>,
    begun: Instant,
    started_millis: u64,
    /// When the last status was given, and the records until then.
    last_status: (Instant, u64),
}

impl Recording<'_> {
    fn until_all_ended(&mut self, events: &mut dyn FnMut(Event)) -> Result<ExitReason, Error> {
        let mut last_slow = Instant::now();
        let mut last_look = None::<Instant>;
        loop {
            self.pass_signals(events);
            // Asked before the directory is read: a JVM that ended before the command has its file
            // there by then.
            let exit = self.subject.poll(!self.jvms.is_empty() && self.all_done(), self.dir)?;
            self.end_live(exit.is_some(), events);
            let patient = !(self.options.no_wait || self.stopped || self.overlap.is_some());
            // The same again for JVMs that the command has left behind: looked for first, then the
            // directory is read.
            let look = exit.is_some()
                && self.all_done()
                && last_look.is_none_or(|at| at.elapsed() >= SLOW_TICK);
            let others = if look && patient { self.left_behind() } else { Vec::new() };
            self.scan(events);
            self.poll(events);
            if last_slow.elapsed() >= SLOW_TICK {
                last_slow = Instant::now();
                self.poll_methods_files(events);
            }
            if let Some(exit) = exit {
                if !patient && self.options.live.is_none() {
                    self.jvms.iter().for_each(Jvm::stop);
                }
                if look && others.is_empty() && self.all_done() {
                    return Ok(exit);
                }
                if look {
                    last_look = Some(Instant::now());
                }
                self.tell_waiting(exit, &others, events);
            }
            self.status(events);
            thread::sleep(TICK);
        }
    }

    /// Passes signals on to the command. Once it has ended, one that asks to end means the
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
                    Some(_) => {
                        "the classes get their original code back; a further signal ends the recording at once".into()
                    }
                    None if self.jvms.iter().any(Jvm::runs) => {
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

    /// Looks for new session files. Where the directory can no longer be read, those that are open
    /// go on: the command's exit code and what was taken matter more than JVMs that may still
    /// come.
    fn scan(&mut self, events: &mut dyn FnMut(Event)) {
        let entries = match self.dir.entries() {
            Ok(entries) => entries,
            Err(error) => {
                if !std::mem::replace(&mut self.told_unreadable, true) {
                    events(Event::Note(format!(
                        "JVMs that start from now on are not recorded: {error}"
                    )));
                }
                return;
            }
        };
        for entry in entries {
            if self.names.insert(entry.path.clone()) {
                self.jvms.push(Jvm::new(entry, self.subject.process(), self.options, self.begun));
            }
        }
    }

    /// Does what is due for each JVM.
    fn poll(&mut self, events: &mut dyn FnMut(Event)) {
        let Self { options, begun, started_millis, jvms, library, .. } = self;
        let origin = || Origin {
            tool: options.tool.clone(),
            command: options
                .command
                .iter()
                .map(|word| word.to_string_lossy().into_owned())
                .collect(),
            started_millis: *started_millis,
            duration_millis: begun.elapsed().as_millis() as u64,
        };
        let mut overlaps = Vec::new();
        for jvm in jvms.iter_mut() {
            match jvm.poll(&origin, options, library, &mut |note| events(Event::Note(note))) {
                Ok(overlap) => overlaps.extend(overlap),
                Err(e) => {
                    events(Event::Note(format!("JVM {} is not recorded: {e}", jvm.entry.jvm.pid)))
                }
            }
        }
        jvms.iter_mut()
            .flat_map(|jvm| jvm.live_roots.drain(..))
            .for_each(|root| events(Event::Live(root)));
        self.end_for(overlaps, events);
    }

    /// Hears what the JVMs tell about themselves.
    fn poll_methods_files(&mut self, events: &mut dyn FnMut(Event)) {
        let Self { jvms, library, options, .. } = self;
        let listen = |jvm: &mut Jvm| {
            jvm.poll_methods_file(options, library, &mut |note| events(Event::Note(note))).err()
        };
        let overlaps = jvms.iter_mut().filter_map(listen).collect();
        self.end_for(overlaps, events);
    }

    /// Ends the recording if ids mean two methods: no number in it could be trusted.
    fn end_for(&mut self, overlaps: Vec<Overlap>, events: &mut dyn FnMut(Event)) {
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

    /// Ends a live session when it is time, and says what it is waiting for.
    fn end_live(&mut self, ended: bool, events: &mut dyn FnMut(Event)) {
        let Some(live) = &self.options.live else { return };
        if !self.jvms.is_empty() && !self.subject.is_loading() {
            self.joined.get_or_insert_with(Instant::now);
        }
        let over = live
            .duration
            .is_some_and(|limit| self.joined.is_some_and(|joined| joined.elapsed() >= limit));
        // The command has ended: what it has left behind is not waited for where that was asked.
        let unwanted = ended && self.options.no_wait;
        if over || unwanted || self.stopped || self.overlap.is_some() {
            self.jvms.iter_mut().for_each(Jvm::restore);
        }
        if self.left {
            self.jvms.iter().for_each(Jvm::stop);
        }
        if !self.told_roots && self.joined.is_some_and(|joined| joined.elapsed() >= ROOTS_TICK) {
            self.told_roots = true;
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

    /// Processes of the command that still run and are, or may become, JVMs.
    fn left_behind(&self) -> Vec<Process> {
        if self.subject.process().is_some() {
            return Vec::new();
        }
        let variable = if self.options.live.is_some() { ENV_LIVE_SESSION } else { ENV_SESSION };
        let processes = process::with_environment(variable, self.dir.path()).unwrap_or_default();
        // In this order: a copy that executes `java` in between is still found.
        processes.into_iter().filter(|process| process.is_fork() || process.is_jvm()).collect()
    }

    /// Says once what is waited for after the command's end.
    fn tell_waiting(
        &mut self,
        exit: ExitReason,
        others: &[Process],
        events: &mut dyn FnMut(Event),
    ) {
        let running = self
            .jvms
            .iter()
            .filter(|jvm| jvm.runs())
            .map(|jvm| format!("JVM {}", jvm.entry.jvm.pid));
        let others =
            others.iter().map(|process| format!("{} {}", process.program(), process.pid()));
        let names: Vec<String> = running.chain(others).collect();
        if self.told_waiting || names.is_empty() || self.stopped {
            return;
        }
        self.told_waiting = true;
        let what = match self.options.no_wait {
            true => "not waited for".to_owned(),
            false => format!("waiting; {}", self.signals.how_to_end()),
        };
        events(Event::Note(format!(
            "{exit}, but what it has started still runs ({}): {what}",
            names.join(", ")
        )));
    }

    fn status(&mut self, events: &mut dyn FnMut(Event)) {
        let (last, before) = self.last_status;
        let since = last.elapsed();
        if since < STATUS_TICK {
            return;
        }
        let sum = |field: fn(&Progress) -> &AtomicU64| -> u64 {
            self.jvms.iter().map(|jvm| field(jvm.progress()).load(Ordering::Relaxed)).sum()
        };
        let records = sum(|progress| &progress.records);
        self.last_status = (Instant::now(), records);
        events(Event::Status(Status {
            elapsed: self.begun.elapsed(),
            jvms: self.jvms.len(),
            records,
            records_per_second: (records - before) as f64 / since.as_secs_f64(),
            threads: sum(|progress| &progress.threads),
            nodes: sum(|progress| &progress.nodes),
        }));
    }
}
