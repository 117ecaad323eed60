//! Where a session's files are, and what they are called.

use jfathom_trace::layout::{FILE_PREFIX, FILE_SUFFIX, METHODS_SUFFIX};
use jfathom_trace::{SessionDir, file_name};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// What `times` in /proc count in, on every Linux that runs Java.
const TICKS_PER_SECOND: u64 = 100;
/// `starttime` in /proc/PID/stat, see proc(5).
const START_TIME: usize = 22;
/// In place of [`FILE_SUFFIX`]: why there is no session.
const FAILED_SUFFIX: &str = ".failed";

/// The files of this JVM in a session directory.
#[derive(Clone, Debug)]
pub struct Place {
    /// The directory.
    pub directory: PathBuf,
    /// This process, in the name space of its /proc.
    pub pid: u64,
    /// When it started: milliseconds since the epoch, to a hundredth of a second.
    pub start_millis: u64,
}

impl Place {
    /// This JVM's in a directory, which must be ours alone.
    ///
    /// # Errors
    /// A sentence.
    pub fn here(directory: &Path) -> Result<Self, String> {
        SessionDir::open(directory).map_err(|error| error.to_string())?;
        let (pid, start_millis) = process().ok_or("/proc does not tell when this process was started")?;
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
        let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(path);
        file.map_err(|error| format!("{}: cannot be made: {error}", path.display()))
    }

    /// Makes the session file and the methods file.
    ///
    /// # Errors
    /// A sentence with the file's name. None of them is there then.
    pub fn create_files(&self) -> Result<(File, File), String> {
        let session = Self::create(&self.file())?;
        match Self::create(&self.beside(METHODS_SUFFIX)) {
            Ok(methods) => Ok((session, methods)),
            Err(error) => {
                self.remove_file();
                Err(error)
            }
        }
    }

    /// Removes the session file of a session that did not come about.
    pub fn remove_file(&self) {
        debug_assert!(self.file().to_string_lossy().ends_with(FILE_SUFFIX));
        let _ = std::fs::remove_file(self.file());
    }

    /// Leaves word why there is no session.
    pub fn fail(&self, reason: &str) {
        let file =
            OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(self.beside(FAILED_SUFFIX));
        let _ = file.and_then(|mut file: File| -> io::Result<()> { file.write_all(reason.as_bytes()) });
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
    let seconds: u64 = boot.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()?;
    Some((pid, seconds * 1000 + ticks * 1000 / TICKS_PER_SECOND))
}
