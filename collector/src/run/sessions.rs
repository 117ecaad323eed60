//! The sessions of running JVMs.

use crate::{Error, attach::AttachError, run::recover};
use jfathom_files::Directory;
use jfathom_session::{
    FindJvmError, JvmProcess, Process,
    names::{FILE_PREFIX, FILE_SUFFIX},
};
use jfathom_trace::{LiveState, OpenOutcome, SessionFile};
use std::{
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// A session that a JVM has open.
#[derive(Debug)]
pub struct RunningSession {
    /// The session directory, for people.
    dir: PathBuf,
    /// A path that leads there while this value lives.
    held_dir: PathBuf,
    file: Box<SessionFile>,
    /// Holds the directory open where it is a container's: `held_dir` leads through it.
    _held: Option<Directory>,
}

/// How far a live session is.
pub use jfathom_trace::LiveState as SessionState;

impl RunningSession {
    /// The session of a JVM; none if it has none.
    ///
    /// # Errors
    /// Fails if its file cannot be read, as that of another version.
    pub fn of(jvm: &JvmProcess) -> Result<Option<Self>, Error> {
        for path in jvm.mapped_files(FILE_PREFIX, FILE_SUFFIX) {
            let reached = jvm.reach(&path);
            let failed = |what: String| Error::Session { path: reached.clone(), what, exit: None };
            let (held_dir, held) = match jvm.has_same_files() {
                true => (path.parent().unwrap_or(Path::new("/")).to_owned(), None),
                // No link of the container may lead out of it.
                false => {
                    let held = jvm
                        .directory(path.parent().unwrap_or(Path::new("/")))
                        .map_err(|e| failed(e.to_string()))?;
                    (held.path_by_handle(), Some(held))
                }
            };
            match SessionFile::open(&held_dir.join(path.file_name().unwrap_or_default())) {
                Ok(OpenOutcome::Ready(file)) => {
                    return Ok(Some(Self {
                        dir: reached.parent().unwrap_or(Path::new("/")).to_owned(),
                        held_dir,
                        file,
                        _held: held,
                    }));
                }
                Ok(OpenOutcome::Starting) => {}
                Err(e) => return Err(failed(e.to_string())),
            }
        }
        Ok(None)
    }

    /// The session of the JVM with this process id.
    ///
    /// # Errors
    /// Fails if there is no such JVM of this user, if it has no session, or as [`Self::of`] does.
    pub fn find(pid: u32) -> Result<Self, Error> {
        Self::of(&JvmProcess::find(pid)?)?.ok_or_else(|| {
            let hint = "`jfathom ps` lists the JVMs and their collectors";
            Error::Refused(format!("JVM {pid} is not being recorded; {hint}"))
        })
    }

    /// The session directory, for people.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// A path that leads to the session directory while this value lives, whatever the JVM's
    /// container does to its own.
    pub fn held_dir(&self) -> &Path {
        &self.held_dir
    }

    /// The state of a live session; [`SessionState::None`] if the classes were rewritten ahead of
    /// time.
    pub fn state(&self) -> SessionState {
        self.file.live_state()
    }

    /// The process id of its collector, if it has one.
    pub fn collector(&self) -> Option<u32> {
        self.file.collector()
    }

    /// Where its profile will be; none if that is not known.
    pub fn output(&self) -> Option<PathBuf> {
        recover::output_of(&self.held_dir)
    }
}

/// How long the agent may take to restore the classes.
const RESTORE_TIMEOUT: Duration = Duration::from_secs(120);
/// How often the state is read.
const TICK: Duration = Duration::from_millis(10);

/// Ends the live session of a JVM: the agent restores the classes, and the collector writes the
/// profile. Returns when the classes are restored, with the path of the profile if that is known.
///
/// # Errors
/// Fails if there is no such JVM of this user, if it has no live session, or if the agent does not
/// restore the classes in time.
pub fn stop(pid: u32) -> Result<Option<PathBuf>, Error> {
    let session = RunningSession::find(pid)?;
    if session.state() == LiveState::None {
        return Err(Error::Refused(format!(
            "JVM {pid} runs classes that were rewritten ahead of time: they stay, and the recording \
             ends with its collector"
        )));
    }
    let output = session.output();
    let process = Process::find(pid).ok_or(FindJvmError::NoProcess(pid))?;
    session.file.request_restore();
    let begun = Instant::now();
    while session.state() != LiveState::Restored && process.is_alive() {
        if begun.elapsed() >= RESTORE_TIMEOUT {
            let seconds = RESTORE_TIMEOUT.as_secs();
            return Err(Error::Attach(AttachError::Timeout {
                pid,
                what: "restored its classes",
                seconds,
            }));
        }
        thread::sleep(TICK);
    }
    Ok(output)
}
