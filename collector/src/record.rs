//! The recording's main loop.

use crate::{
    Error, Event, Exit, JavaCommand, ManifestSource, Outcome, RecordOptions, Status,
    command::Running,
    drain::Progress,
    finish::Origin,
    java_command::java_version,
    jvm::Jvm,
    manifests::{Library, Overlap},
    modes, output,
    process::{self, Process},
    recover::{self, millis},
    runs,
    session_dir::SessionDir,
    signals::Signals,
    write::{self, Recorded},
};
use jfathom_runtime_java::env;
use std::{
    collections::HashSet,
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant, SystemTime},
};

/// The oldest Java that the runtime's classes run on.
const OLDEST_JAVA: u32 = 11;
/// How long the loop sleeps: a thread that starts to record at full speed fills its ring in a few milliseconds, and it
/// waits when nobody has opened it by then.
const TICK: Duration = Duration::from_millis(2);
/// How often what is slow or for people is looked at.
const SLOW_TICK: Duration = Duration::from_millis(100);
const STATUS_TICK: Duration = Duration::from_millis(250);

pub(crate) fn run(
    options: &RecordOptions,
    source: &dyn ManifestSource,
    events: &mut dyn FnMut(Event),
) -> Result<Outcome, Error> {
    let program = options.command.first().ok_or(Error::NoCommand)?;
    if !options.per_jvm {
        output::check(&options.output, options.force)?;
    } else {
        output::check(&output::of_jvm(&options.output, 0), true)?;
    }
    if JavaCommand::is_java(program)
        && let Some(version) = java_version(program, std::env::var_os("PATH").as_deref())
        && version < OLDEST_JAVA
    {
        return Err(Error::JvmTooOld { java: PathBuf::from(program), version });
    }
    let mut signals = Signals::take().map_err(|e| Error::System("taking signals", e))?;
    if options.anchor || options.runs > 1 {
        return runs::run(options, source, events, &mut signals);
    }
    let dir = SessionDir::make(options.session_dir.as_deref())?;
    let result = in_session(options, source, events, &mut signals, &dir)
        .and_then(|recorded| write::results(options, &dir, recorded, events));
    end_session(dir, options, result.as_ref().err(), events);
    result
}

/// Takes a session directory away, unless it is to be kept or has what could not be written.
pub(crate) fn end_session(
    dir: SessionDir,
    options: &RecordOptions,
    error: Option<&Error>,
    events: &mut dyn FnMut(Event),
) {
    match error {
        Some(Error::Output { kept: Some(_), .. }) => {}
        _ if options.keep_session => events(Event::Note(format!("session kept in {}", dir.path().display()))),
        _ => dir.remove(),
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
    recover::note_origin(dir.path(), &options.tool, &options.command)
        .map_err(|e| Error::SessionDir { path: dir.path().to_owned(), what: e.to_string() })?;
    let (begun, started) = (Instant::now(), SystemTime::now());
    let library = Library::new(dir.path(), source, true);
    modes::write(dir.path(), options, &library)?;
    let running = Running::start(options, dir.path())?;
    let mut recording = Recording {
        options,
        running,
        signals,
        library,
        dir,
        names: HashSet::new(),
        jvms: Vec::new(),
        overlap: None,
        stopped: false,
        told_waiting: false,
        asked_to_end: false,
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
    running: Running,
    signals: &'a mut Signals,
    dir: &'a SessionDir,
    library: Library<'a>,
    /// Session files that are known.
    names: HashSet<PathBuf>,
    jvms: Vec<Jvm>,
    overlap: Option<Overlap>,
    /// Whether a signal has ended the recording after the command's end.
    stopped: bool,
    told_waiting: bool,
    /// Whether a signal has come that asks programs to end.
    asked_to_end: bool,
    begun: Instant,
    started_millis: u64,
    /// When the last status was given, and the records until then.
    last_status: (Instant, u64),
}

impl Recording<'_> {
    fn until_all_ended(&mut self, events: &mut dyn FnMut(Event)) -> Result<Exit, Error> {
        let mut last_slow = Instant::now();
        let mut last_look = None::<Instant>;
        loop {
            self.pass_signals(events);
            // Asked before the directory is read: a JVM that ended before the command has its file there by then.
            let exit = self.running.poll()?;
            let patient = !(self.options.no_wait || self.stopped || self.overlap.is_some());
            // The same again for JVMs that the command has left behind: looked for first, then the directory is read.
            let look = exit.is_some() && self.all_done() && last_look.is_none_or(|at| at.elapsed() >= SLOW_TICK);
            let others = if look && patient { self.left_behind() } else { Vec::new() };
            self.scan()?;
            self.tend(events);
            if last_slow.elapsed() >= SLOW_TICK {
                last_slow = Instant::now();
                self.listen(events);
            }
            if let Some(exit) = exit {
                if !patient {
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

    /// Passes signals on to the command. Once it has ended, one that asks to end means the recording.
    fn pass_signals(&mut self, events: &mut dyn FnMut(Event)) {
        for signal in self.signals.arrived() {
            self.asked_to_end |= signal.asks_to_end();
            if !self.running.has_ended() {
                self.running.pass_on(signal);
            } else if signal.asks_to_end() && !self.stopped {
                self.stopped = true;
                events(Event::Note("recording ended by a signal; JVMs that still run go on unrecorded".into()));
            }
        }
    }

    /// Looks for new session files.
    fn scan(&mut self) -> Result<(), Error> {
        for entry in self.dir.entries()? {
            if self.names.insert(entry.path.clone()) {
                self.jvms.push(Jvm::new(entry));
            }
        }
        Ok(())
    }

    /// Does what is due for each JVM.
    fn tend(&mut self, events: &mut dyn FnMut(Event)) {
        let Self { options, begun, started_millis, jvms, library, .. } = self;
        let origin = || Origin {
            tool: options.tool.clone(),
            command: options.command.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            started_millis: *started_millis,
            duration_millis: begun.elapsed().as_millis() as u64,
        };
        let mut overlaps = Vec::new();
        for jvm in jvms {
            match jvm.tend(&origin, options, library, &mut |note| events(Event::Note(note))) {
                Ok(overlap) => overlaps.extend(overlap),
                Err(e) => events(Event::Note(format!("JVM {} is not recorded: {e}", jvm.entry.pid))),
            }
        }
        self.end_for(overlaps, events);
    }

    /// Hears what the JVMs tell about themselves.
    fn listen(&mut self, events: &mut dyn FnMut(Event)) {
        let Self { jvms, library, options, .. } = self;
        let listen = |jvm: &mut Jvm| jvm.listen(options, library, &mut |note| events(Event::Note(note))).err();
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

    fn all_done(&self) -> bool {
        self.jvms.iter().all(Jvm::is_done)
    }

    /// Processes of the command that still run and are, or may become, JVMs.
    fn left_behind(&self) -> Vec<Process> {
        let processes = process::with_environment(env::SESSION, self.dir.path()).unwrap_or_default();
        processes.into_iter().filter(|process| process.is_jvm() || process.is_fork()).collect()
    }

    /// Says once what is waited for after the command's end.
    fn tell_waiting(&mut self, exit: Exit, others: &[Process], events: &mut dyn FnMut(Event)) {
        let running = self.jvms.iter().filter(|jvm| jvm.runs()).map(|jvm| format!("JVM {}", jvm.entry.pid));
        let others = others.iter().map(|process| format!("{} {}", process.program(), process.pid()));
        let names: Vec<String> = running.chain(others).collect();
        if self.told_waiting || names.is_empty() || self.stopped {
            return;
        }
        self.told_waiting = true;
        let what = if self.options.no_wait { "not waited for" } else { "waiting; Ctrl-C ends the recording" };
        events(Event::Note(format!("{exit}, but what it has started still runs ({}): {what}", names.join(", "))));
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
