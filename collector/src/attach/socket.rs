//! The JVM's socket: asked for, opened, spoken through.

use super::{
    AttachError, Target,
    protocol::{self, ANSWER_LIMIT, Answer},
};
use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs::{self, OpenOptions},
    io::{self, Read, Write},
    os::unix::{
        fs::{FileTypeExt, MetadataExt, OpenOptionsExt},
        net::UnixStream,
    },
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// How long a JVM may take to open its socket: it does so at a safepoint.
const OPENING: Duration = Duration::from_secs(60);
/// How long a JVM may take for an answer: the agent begins its session before that.
const ANSWERING: Duration = Duration::from_secs(300);
/// How long a JVM may take to handle SIGQUIT after its start.
const CATCHING: Duration = Duration::from_secs(10);
/// How often the socket is looked for.
const TICK: Duration = Duration::from_millis(5);
/// SIGQUIT is sent again after so long: the JVM may have looked for the file just before it was there.
const AGAIN: Duration = Duration::from_secs(5);

/// Sends a command and reads the answer.
pub(super) fn execute(target: &Target, command: &str, arguments: [&str; 3]) -> Result<Answer, AttachError> {
    let request = protocol::request(command, arguments)?;
    let pid = target.pid();
    let path = target.root(Path::new(&format!("/tmp/.java_pid{}", target.inner_pid())));
    if !is_socket(&path)? {
        open(target, &path)?;
    }
    exchange(pid, &path, &request)
}

/// Whether the socket is there, and this user's own.
fn is_socket(path: &Path) -> Result<bool, AttachError> {
    let meta = match fs::symlink_metadata(path) {
        Ok(meta) => meta,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(e) => return Err(AttachError::File(path.to_owned(), e.to_string())),
    };
    if !meta.file_type().is_socket() {
        return Err(AttachError::File(path.to_owned(), "is no socket; who has put it there?".to_owned()));
    }
    if meta.uid() != rustix::process::geteuid().as_raw() || meta.mode() & 0o077 != 0 {
        return Err(AttachError::File(path.to_owned(), "is not this user's alone; it is not used".to_owned()));
    }
    Ok(true)
}

/// Asks the JVM to open its socket, and waits for it.
fn open(target: &Target, socket: &Path) -> Result<(), AttachError> {
    let pid = target.pid();
    until(CATCHING, || Ok(target.catches_quit()))?.then_some(()).ok_or(AttachError::NoSignal(pid))?;
    let _file = AttachFile::make(target)?;
    let mut sent = None::<Instant>;
    let there = until(OPENING, || {
        if is_socket(socket)? {
            return Ok(true);
        }
        if sent.is_none_or(|at| at.elapsed() >= AGAIN) {
            sent = Some(Instant::now());
            quit(target)?;
        }
        Ok(false)
    })?;
    match there {
        true => Ok(()),
        false => Err(AttachError::Timeout { pid, what: "opened its socket", seconds: OPENING.as_secs() }),
    }
}

fn until(limit: Duration, mut met: impl FnMut() -> Result<bool, AttachError>) -> Result<bool, AttachError> {
    let begun = Instant::now();
    loop {
        if met()? {
            return Ok(true);
        }
        if begun.elapsed() >= limit {
            return Ok(false);
        }
        thread::sleep(TICK);
    }
}

/// Sends SIGQUIT, but never to a process that would end of it.
fn quit(target: &Target) -> Result<(), AttachError> {
    let pid = target.pid();
    // A process that has ended, and whose pid another one has by now, is found out by this as well.
    Target::find(pid)?;
    if !target.catches_quit() {
        return Err(AttachError::NoSignal(pid));
    }
    let id = i32::try_from(pid).ok().and_then(Pid::from_raw).ok_or(AttachError::NoProcess(pid))?;
    kill_process(id, Signal::QUIT).map_err(|e| AttachError::Socket(pid, e.into()))
}

/// The file by which a JVM knows that SIGQUIT means its socket and not a list of its threads. Removed in the end.
struct AttachFile(Option<PathBuf>);

impl AttachFile {
    /// Makes it in the JVM's working directory, or else in its `/tmp`.
    fn make(target: &Target) -> Result<Self, AttachError> {
        let name = format!(".attach_pid{}", target.inner_pid());
        let here = PathBuf::from(format!("/proc/{}/cwd", target.pid())).join(&name);
        let mut trouble = None;
        for path in [here, target.root(&Path::new("/tmp").join(&name))] {
            match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
                Ok(_) => return Ok(Self(Some(path))),
                // Another one is attaching: the file serves both, and is its own to remove.
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists && is_own(&path) => return Ok(Self(None)),
                Err(e) => trouble = Some(AttachError::File(path, e.to_string())),
            }
        }
        Err(trouble.unwrap_or(AttachError::NoProcess(target.pid())))
    }
}

fn is_own(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file() && meta.uid() == rustix::process::geteuid().as_raw())
}

impl Drop for AttachFile {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = fs::remove_file(path);
        }
    }
}

fn exchange(pid: u32, path: &Path, request: &[u8]) -> Result<Answer, AttachError> {
    let failed = |e: io::Error| match e.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            AttachError::Timeout { pid, what: "answered", seconds: ANSWERING.as_secs() }
        }
        _ => AttachError::Socket(pid, e),
    };
    let mut stream = UnixStream::connect(path).map_err(failed)?;
    stream.set_read_timeout(Some(ANSWERING)).map_err(failed)?;
    stream.set_write_timeout(Some(ANSWERING)).map_err(failed)?;
    stream.write_all(request).map_err(failed)?;
    let mut bytes = Vec::new();
    stream.take(ANSWER_LIMIT).read_to_end(&mut bytes).map_err(failed)?;
    protocol::answer(pid, &bytes)
}

#[cfg(test)]
pub(super) fn exchange_for_tests(path: &Path, request: &[u8]) -> Result<Answer, AttachError> {
    is_socket(path)?.then_some(()).ok_or(AttachError::NoProcess(0))?;
    exchange(7, path, request)
}
