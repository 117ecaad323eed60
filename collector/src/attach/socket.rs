//! The JVM's socket: the JVM opens it, and commands go through it.

use super::{
    AttachError,
    protocol::{self, ANSWER_LIMIT, Answer},
};
use jfathom_files::{Access, Directory};
use jfathom_session::{FindJvmError, JvmProcess};
use rustix::{
    fs::StatVfsMountFlags,
    process::{Pid, Signal, kill_process},
};
use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Read, Write},
    os::{
        fd::AsRawFd,
        unix::{
            fs::{FileTypeExt, MetadataExt},
            net::UnixStream,
        },
    },
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// How long a JVM may take for a command, and how much it may answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// From its start until it handles SIGQUIT.
    pub start: Duration,
    /// To open its socket, which it does at a safepoint.
    pub open: Duration,
    /// Until it answers, and between two parts of an answer.
    pub answer: Duration,
    /// Bytes of the answer; further ones are not read.
    pub bytes: u64,
}

/// Limits of `load`: the agent begins its session before it answers.
pub(super) const LOAD_LIMITS: Limits = Limits {
    start: Duration::from_secs(10),
    open: Duration::from_secs(60),
    answer: Duration::from_secs(300),
    bytes: ANSWER_LIMIT,
};

/// How often the collector looks for the socket.
const TICK: Duration = Duration::from_millis(5);
/// When SIGQUIT is sent again: the JVM may have looked for the file just before it was there.
const REPEAT_PERIOD: Duration = Duration::from_secs(5);

/// Sends a command and reads the answer.
pub(super) fn execute(
    jvm: &JvmProcess,
    command: &str,
    arguments: [&str; 3],
    limits: &Limits,
) -> Result<Answer, AttachError> {
    let request = protocol::request(command, arguments)?;
    let pid = jvm.pid();
    let path = jvm.root(Path::new(&format!("/tmp/.java_pid{}", jvm.inner_pid())));
    let tmp = jvm.directory("/tmp").map_err(|e| AttachError::File(path.clone(), e.to_string()))?;
    let socket = match find(&tmp, &path)? {
        Some(socket) => socket,
        None => open(jvm, &tmp, &path, limits)?,
    };
    exchange(pid, &socket, &request, limits)
}

/// The socket, held, if it is there and this user's own. `path` is where it lies, for people; its
/// name is looked for in `tmp`.
fn find(tmp: &Directory, path: &Path) -> Result<Option<File>, AttachError> {
    let failed = |what: String| AttachError::File(path.to_owned(), what);
    let held = match tmp.hold(path.file_name().unwrap_or_default()) {
        Ok(held) => held,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(failed(e.to_string())),
    };
    let meta = held.metadata().map_err(|e| failed(e.to_string()))?;
    if !meta.file_type().is_socket() {
        return Err(failed("is no socket; who has put it there?".to_owned()));
    }
    if meta.uid() != rustix::process::geteuid().as_raw() || meta.mode() & 0o077 != 0 {
        return Err(failed("is not this user's alone; it is not used".to_owned()));
    }
    Ok(Some(held))
}

/// Asks the JVM to open its socket, and waits for it.
fn open(
    jvm: &JvmProcess,
    tmp: &Directory,
    path: &Path,
    limits: &Limits,
) -> Result<File, AttachError> {
    let pid = jvm.pid();
    // It would try in vain, and never answer.
    if rustix::fs::fstatvfs(tmp).is_ok_and(|at| at.f_flag.contains(StatVfsMountFlags::RDONLY)) {
        let what = "the JVM opens its socket there, and cannot: the file system is read-only";
        return Err(AttachError::File(path.to_owned(), what.to_owned()));
    }
    until(limits.start, || Ok(jvm.handles_quit()))?
        .then_some(())
        .ok_or(AttachError::NoSignal(pid))?;
    let _file = AttachFile::make(jvm)?;
    let mut sent = None::<Instant>;
    let mut socket = None;
    until(limits.open, || {
        socket = find(tmp, path)?;
        if socket.is_some() {
            return Ok(true);
        }
        if sent.is_none_or(|at| at.elapsed() >= REPEAT_PERIOD) {
            sent = Some(Instant::now());
            quit(jvm)?;
        }
        Ok(false)
    })?;
    socket.ok_or(AttachError::Timeout {
        pid,
        what: "opened its socket",
        seconds: limits.open.as_secs(),
    })
}

fn until(
    limit: Duration,
    mut met: impl FnMut() -> Result<bool, AttachError>,
) -> Result<bool, AttachError> {
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

/// Sends SIGQUIT, but never to a process that SIGQUIT would end.
fn quit(jvm: &JvmProcess) -> Result<(), AttachError> {
    let pid = jvm.pid();
    // Fails also if the process has ended and another one has its pid.
    JvmProcess::find(pid)?;
    if !jvm.handles_quit() {
        return Err(AttachError::NoSignal(pid));
    }
    let id = i32::try_from(pid).ok().and_then(Pid::from_raw).ok_or(FindJvmError::NoProcess(pid))?;
    kill_process(id, Signal::QUIT).map_err(|e| AttachError::Socket(pid, e.into()))
}

/// The file that makes a JVM open its socket at SIGQUIT, instead of printing its threads. Removed
/// when it is dropped.
struct AttachFile(Option<(Directory, OsString)>);

impl AttachFile {
    /// Makes the file in the JVM's working directory, or else in its `/tmp`.
    fn make(jvm: &JvmProcess) -> Result<Self, AttachError> {
        let name = OsString::from(format!(".attach_pid{}", jvm.inner_pid()));
        let here = PathBuf::from(format!("/proc/{}/cwd", jvm.pid()));
        let mut problem = None;
        let places = [
            (Directory::open(&here), here.join(&name)),
            (jvm.directory("/tmp"), jvm.root(&Path::new("/tmp").join(&name))),
        ];
        for (directory, path) in places {
            match directory.map(|directory| (directory.create_file(&name, 0o600), directory)) {
                Ok((Ok(_), directory)) => return Ok(Self(Some((directory, name)))),
                // Another one is attaching: the file serves both, and is its own to remove.
                Ok((Err(e), directory))
                    if e.kind() == io::ErrorKind::AlreadyExists && is_own(&directory, &name) =>
                {
                    return Ok(Self(None));
                }
                Ok((Err(e), _)) | Err(e) => problem = Some(AttachError::File(path, e.to_string())),
            }
        }
        Err(problem.unwrap_or(FindJvmError::NoProcess(jvm.pid()).into()))
    }
}

fn is_own(directory: &Directory, name: &OsStr) -> bool {
    directory.open_own(name, Access::Read).is_ok()
}

impl Drop for AttachFile {
    fn drop(&mut self) {
        if let Some((directory, name)) = &self.0 {
            let _ = directory.remove_file(name);
        }
    }
}

fn exchange(
    pid: u32,
    socket: &File,
    request: &[u8],
    limits: &Limits,
) -> Result<Answer, AttachError> {
    let failed = |e: io::Error| match e.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            AttachError::Timeout { pid, what: "answered", seconds: limits.answer.as_secs() }
        }
        _ => AttachError::Socket(pid, e),
    };
    // By its handle: the name may have become another one's.
    let mut stream =
        UnixStream::connect(format!("/proc/self/fd/{}", socket.as_raw_fd())).map_err(failed)?;
    stream.set_read_timeout(Some(limits.answer)).map_err(failed)?;
    stream.set_write_timeout(Some(limits.answer)).map_err(failed)?;
    stream.write_all(request).map_err(failed)?;
    let mut bytes = Vec::new();
    stream.take(limits.bytes).read_to_end(&mut bytes).map_err(failed)?;
    protocol::answer(pid, &bytes)
}

#[cfg(test)]
pub(super) fn exchange_for_tests(path: &Path, request: &[u8]) -> Result<Answer, AttachError> {
    let failed = |e: io::Error| AttachError::File(path.to_owned(), e.to_string());
    let folder = Directory::open(path.parent().unwrap_or(Path::new(""))).map_err(failed)?;
    exchange(7, &find(&folder, path)?.ok_or(FindJvmError::NoProcess(0))?, request, &LOAD_LIMITS)
}
