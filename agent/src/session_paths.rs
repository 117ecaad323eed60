//! Where a session's files are, and what they are called.

use jfathom_trace::layout::{FILE_PREFIX, FILE_SUFFIX, METHODS_SUFFIX};
use jfathom_trace::{SessionDir, file_name, overflow_dir, overflow_of};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What `times` in /proc count in, on every Linux that runs Java.
const TICKS_PER_SECOND: u64 = 100;
/// `starttime` in /proc/PID/stat, see proc(5).
const START_TIME: usize = 22;
/// In place of [`FILE_SUFFIX`]: why there is no session.
const FAILED_SUFFIX: &str = ".failed";

/// The files of a session, new and empty.
#[derive(Debug)]
pub struct SessionFiles {
    pub session: File,
    pub methods: File,
}

/// The files of this JVM in a session directory.
#[derive(Clone, Debug)]
pub struct SessionPaths {
    /// The directory.
    pub directory: PathBuf,
    /// This process, in the name space of its /proc.
    pub pid: u64,
    /// When it started: milliseconds since the epoch, to a hundredth of a second.
    pub start_millis: u64,
}

impl SessionPaths {
    /// This JVM's in a directory, which must be ours alone.
    ///
    /// # Errors
    /// A sentence.
    pub fn here(directory: &Path) -> Result<Self, String> {
        SessionDir::open(directory).map_err(|error| error.to_string())?;
        let (pid, start_millis) =
            process().ok_or("/proc does not tell when this process was started")?;
        Ok(Self { directory: directory.to_owned(), pid, start_millis })
    }

    /// The session file.
    pub fn file(&self) -> PathBuf {
        self.directory.join(file_name(self.pid, self.start_millis))
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        self.directory.join(format!("{FILE_PREFIX}{}-{}{suffix}", self.pid, self.start_millis))
    }

    /// Makes a file of the session, which must not be there.
    fn create(path: &Path) -> Result<File, String> {
        jfathom_files::create(path, 0o600)
            .map_err(|error| format!("{}: cannot be made: {error}", path.display()))
    }

    /// Makes the session file and the methods file.
    ///
    /// # Errors
    /// A sentence with the file's name. None of them is there then.
    pub fn create_files(&self) -> Result<SessionFiles, String> {
        let session = Self::create(&self.file())?;
        match Self::create(&self.beside(METHODS_SUFFIX)) {
            Ok(methods) => Ok(SessionFiles { session, methods }),
            Err(error) => {
                self.remove_file();
                Err(error)
            }
        }
    }

    /// The directory for the overflow file, if there is one that is ours alone.
    pub fn overflow_dir(&self) -> Option<PathBuf> {
        overflow_dir(&self.directory).filter(|dir| SessionDir::open(dir).is_ok())
    }

    /// Makes the overflow file.
    ///
    /// # Errors
    /// A sentence with the file's name.
    pub fn create_overflow(&self) -> Result<File, String> {
        let path = overflow_of(&self.file())
            .ok_or("the session directory names no place for an overflow file")?;
        Self::create(&path)
    }

    /// Removes the session file of a session that did not come about.
    pub fn remove_file(&self) {
        debug_assert!(self.file().to_string_lossy().ends_with(FILE_SUFFIX));
        let _ = std::fs::remove_file(self.file());
    }

    /// Leaves word why there is no session.
    pub fn fail(&self, reason: &str) {
        let path = self.beside(FAILED_SUFFIX);
        let _ = jfathom_files::replace(&path, 0o600, |file| file.write_all(reason.as_bytes()));
    }
}

/// Pid and start of this process.
fn process() -> Option<(u64, u64)> {
    let stat = std::fs::read("/proc/self/stat").ok()?;
    let stat = String::from_utf8_lossy(&stat);
    let pid = stat.split(' ').next()?.parse().ok()?;
    // The name in parentheses may hold anything; the fields after it are numbers.
    let ticks: u64 = stat.rsplit_once(") ")?.1.split(' ').nth(START_TIME - 3)?.parse().ok()?;
    let boot = std::fs::read_to_string("/proc/stat").ok()?;
    let seconds: u64 =
        boot.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()?;
    Some((pid, seconds * 1000 + ticks * 1000 / TICKS_PER_SECOND))
}
