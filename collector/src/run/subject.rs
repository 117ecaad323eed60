//! The process that is recorded: a command that the collector runs, or a JVM that runs already.

use crate::{
    Error, ExitReason, LiveOptions, LiveTarget, RecordOptions,
    attach::{self, AttachError},
    jfr::companion::{self, RunningCompanion},
    program::{command::Running, signals::ReceivedSignals},
    run::session_dir::SessionDir,
};
use jfathom_session::{FindJvmError, JvmProcess, Process};
use std::thread::{self, JoinHandle};

pub(crate) enum RecordedProcess {
    Command(Running),
    /// A JVM that is no child of this process, and gets no signals from it.
    Jvm(RunningJvm),
}

/// A JVM that runs already.
pub(crate) struct RunningJvm {
    process: Process,
    /// Loads the agent. On a thread of its own: the JVM's threads may record before the agent is
    /// loaded, and wait until someone consumes their records.
    loading: Option<JoinHandle<Result<Option<RunningCompanion>, AttachError>>>,
    /// What JFR records beside the session.
    companion: Option<RunningCompanion>,
}

impl RecordedProcess {
    /// Starts the command, or begins to load the agent.
    pub(crate) fn start(options: &RecordOptions, dir: &SessionDir) -> Result<Self, Error> {
        match &options.live {
            Some(live @ LiveOptions { jvms: LiveTarget::Running(pid), .. }) => {
                attach(*pid, live, options, dir).map(Self::Jvm)
            }
            Some(LiveOptions { jvms: LiveTarget::Joined(pid), .. }) => {
                let process = Process::find(*pid).ok_or(FindJvmError::NoProcess(*pid))?;
                Ok(Self::Jvm(RunningJvm { process, loading: None, companion: None }))
            }
            _ => Running::start(options, dir.path()).map(Self::Command),
        }
    }

    /// How it has ended; none if it has not. For the recording, a JVM that runs on has ended when
    /// all its classes are restored (`all_done`).
    ///
    /// # Errors
    /// Fails if the agent cannot be loaded or begins no session, or if the command cannot be waited
    /// for.
    pub(crate) fn poll(
        &mut self,
        all_done: bool,
        dir: &SessionDir,
    ) -> Result<Option<ExitReason>, Error> {
        let jvm = match self {
            Self::Command(running) => return running.poll(),
            Self::Jvm(jvm) => jvm,
        };
        let alive = jvm.process.is_alive();
        if let Some(loading) = jvm.loading.take_if(|loading| loading.is_finished() || !alive) {
            match loading.join().unwrap_or(Err(FindJvmError::NoProcess(jvm.process.pid()).into())) {
                Ok(companion) => jvm.companion = companion,
                Err(error @ AttachError::Agent { .. }) => {
                    let reasons = dir.failures();
                    return Err(if reasons.is_empty() {
                        Error::Attach(error)
                    } else {
                        Error::Refused(reasons.join("; "))
                    });
                }
                Err(error) => return Err(Error::Attach(error)),
            }
        }
        Ok(match alive {
            false => Some(ExitReason::Jvm),
            true => (all_done && jvm.loading.is_none()).then_some(ExitReason::Restored),
        })
    }

    /// Ends what JFR records in a JVM that runs on. An error says why its file may be missing.
    pub(crate) fn end_companion(&mut self) -> Option<AttachError> {
        let Self::Jvm(jvm) = self else { return None };
        let companion = jvm.companion.take()?;
        // A JVM that ends writes the file by itself.
        companion.end().err().filter(|_| jvm.process.is_alive())
    }

    /// Whether the JVM is loading the agent.
    pub(crate) fn is_loading(&self) -> bool {
        matches!(self, Self::Jvm(RunningJvm { loading: Some(_), .. }))
    }

    /// The process of a JVM that runs already; none for a command.
    pub(crate) fn process(&self) -> Option<Process> {
        match self {
            Self::Command(_) => None,
            Self::Jvm(jvm) => Some(jvm.process),
        }
    }

    /// Passes a signal on to the command. Returns false if there is no command that runs.
    pub(crate) fn pass_on(&self, signal: ReceivedSignals) -> bool {
        match self {
            Self::Command(running) if !running.has_ended() => {
                running.pass_on(signal);
                true
            }
            _ => false,
        }
    }
}

fn attach(
    pid: u32,
    live: &LiveOptions,
    recording: &RecordOptions,
    dir: &SessionDir,
) -> Result<RunningJvm, Error> {
    let jvm = JvmProcess::find(pid)?;
    attach::check(&jvm)?;
    let process = Process::find(pid).ok_or(FindJvmError::NoProcess(pid))?;
    let library = attach::visible_library(&jvm, &live.library)?;
    let options = live.options_of(recording.roots_only).hand_over(dir.inner_path(), dir.path());
    let options = options
        .map_err(|e| Error::SessionDir { path: dir.path().to_owned(), what: e.to_string() })?;
    let beside =
        (!recording.jfr.is_empty() && !recording.roots_only).then(|| dir.inner_path().to_owned());
    if beside.is_some() {
        companion::write_settings(&recording.jfr, dir.path())?;
    }
    // JFR first: the session's begin is to be in its recording.
    let load = move || {
        let companion = beside.map(|dir| RunningCompanion::begin(&jvm, &dir)).transpose()?;
        match attach::load_agent(&jvm, library.path(), &options) {
            Ok(()) => Ok(companion),
            Err(error) => {
                // The first error is the one that matters.
                _ = companion.map(RunningCompanion::end);
                Err(error)
            }
        }
    };
    let loading = thread::Builder::new()
        .spawn(load)
        .map_err(|error| Error::System("starting a thread", error))?;
    Ok(RunningJvm { process, loading: Some(loading), companion: None })
}
