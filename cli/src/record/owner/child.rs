//! The child that records, and what it brings.

use super::super::target::PROFILE_MAX;
use anyhow::{Context, Result};
use rustix::process::{Pid, kill_process};
use signal_hook::{
    consts::{SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2},
    iterator::{SignalsInfo, exfiltrator::WithOrigin},
    low_level::siginfo::Cause,
};
use std::{
    ffi::OsString,
    fs,
    io::{self, Read},
    os::unix::{fs::MetadataExt, process::ExitStatusExt},
    process::{Command, ExitStatus, Stdio},
    thread::{self, JoinHandle},
    time::Duration,
};

/// Signals that go on to the child.
const PASSED_ON: [i32; 7] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM];
/// Variables that name directories of root, which the child's user cannot use.
const OWN_DIRECTORIES: [&str; 2] = ["HOME", "TMPDIR"];
/// Directories in which every user can have files, best first.
const SHARED: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];
/// Time between two looks at what has happened.
const TICK: Duration = Duration::from_millis(30);

/// A child that records.
pub(super) struct Child {
    process: std::process::Child,
    bytes: JoinHandle<io::Result<Vec<u8>>>,
    signals: SignalsInfo<WithOrigin>,
}

/// How a child has ended.
pub(super) struct Ended {
    /// Its exit code, or the signal that has ended it.
    pub(super) code: Result<u8, u8>,
    pub(super) process: u32,
    /// The profile; empty if there is none.
    pub(super) bytes: Vec<u8>,
}

impl Child {
    /// Starts this program anew, for the user with this id.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub(super) fn start(words: &[OsString], uid: u32) -> Result<Self> {
        let ignored = crate::record::on::ignored_signals();
        let taken = PASSED_ON.into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let signals = SignalsInfo::new(taken).context("cannot handle signals")?;
        // By the open file: a newer version may have taken the place of this program's.
        let mut command = Command::new("/proc/self/exe");
        OWN_DIRECTORIES.iter().for_each(|name| _ = command.env_remove(name));
        let mut process = command
            .args(words)
            .env("XDG_CACHE_HOME", cache(uid))
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot start the process that records")?;
        let output = process.stdout.take();
        let bytes = thread::Builder::new().spawn(move || {
            let mut bytes = Vec::new();
            let Some(output) = output else { return Ok(bytes) };
            output.take(PROFILE_MAX + 1).read_to_end(&mut bytes)?;
            match bytes.len() as u64 > PROFILE_MAX {
                true => Err(io::Error::other("it is larger than 4 GiB")),
                false => Ok(bytes),
            }
        });
        let bytes = bytes.context("cannot start a thread")?;
        Ok(Self { process, bytes, signals })
    }

    /// Waits for its end, and passes signals on.
    ///
    /// # Errors
    /// Fails if the system refuses, or if its profile is too large.
    pub(super) fn wait(mut self) -> Result<Ended> {
        let id = self.process.id();
        let status = loop {
            if let Some(status) = self.process.try_wait().context("cannot wait for a process")? {
                break status;
            }
            for origin in self.signals.pending() {
                // The terminal's have come to the child, too, which is of the same process group.
                if origin.cause != Cause::Kernel {
                    pass_on(id, origin.signal);
                }
            }
            thread::sleep(TICK);
        };
        let bytes = self.bytes.join().unwrap_or_else(|_| Err(io::ErrorKind::Other.into()));
        let bytes = bytes.context("cannot read the profile")?;
        Ok(Ended { code: code(status), process: id, bytes })
    }
}

/// Where the child has its cache: by the id outside of user namespaces, as ids of several of these
/// are equal inside.
fn cache(uid: u32) -> String {
    let is_for_all =
        |place: &&&str| fs::metadata(place).is_ok_and(|meta| meta.mode() & 0o1002 == 0o1002);
    let place = SHARED.iter().find(is_for_all).unwrap_or(&SHARED[0]);
    format!("{place}/jfathom-{uid}")
}

fn pass_on(id: u32, signal: i32) {
    let process = i32::try_from(id).ok().and_then(Pid::from_raw);
    if let (Some(process), Some(signal)) =
        (process, rustix::process::Signal::from_named_raw(signal))
    {
        // It may have ended just now.
        let _ended = kill_process(process, signal);
    }
}

/// The exit code, or the signal.
fn code(status: ExitStatus) -> Result<u8, u8> {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ok(u8::try_from(code).unwrap_or(1)),
        (None, signal) => Err(signal.and_then(|signal| u8::try_from(signal).ok()).unwrap_or(0)),
    }
}
