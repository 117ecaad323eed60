//! The JVMs of this user, as proc(5) shows them.

use crate::{
    PerfData,
    java_release::{JavaRelease, feature_version},
    proc_files::{ProcessStatus, mapped_files, read, root_directory},
};
use jfathom_files::{Access, Directory};
use std::{
    ffi::OsStr,
    fs,
    io::{self, Read},
    os::unix::{ffi::OsStrExt, fs::MetadataExt},
    path::{Path, PathBuf},
};

/// The signal that asks a JVM for its socket, by its number.
const SIGQUIT: u32 = 3;
/// The most bytes that are read of a JVM's performance data; the file has 32 KiB, unless
/// `-XX:PerfDataMemorySize` says otherwise.
const MAX_PERF_DATA_BYTES: u64 = 16 << 20;

/// A running JVM of this user.
#[derive(Clone, Debug)]
pub struct JvmProcess {
    pid: u32,
    status: ProcessStatus,
    /// Files that are mapped into it, each once.
    mapped: Vec<PathBuf>,
    /// None if it writes none (`-XX:-UsePerfData`).
    perf_data: Option<PerfData>,
}

/// Why a process is no JVM of this user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FindJvmError {
    /// There is no such process.
    #[error("there is no process {0}; `jfathom ps` lists the JVMs")]
    NoProcess(u32),
    /// It belongs to another user.
    #[error(
        "process {pid} belongs to the user with id {uid}, and a user attaches to one's own \
         processes alone; run jfathom as that user (`sudo -u '#{uid}' jfathom …`), or `jfathom \
         record -p {pid}` as root"
    )]
    OtherUser {
        /// The process.
        pid: u32,
        /// Its effective user id.
        uid: u32,
    },
    /// It is no JVM.
    #[error("process {pid} ({program}) is no JVM; `jfathom ps` lists the JVMs")]
    NotAJvm {
        /// The process.
        pid: u32,
        /// The name of what it runs.
        program: String,
    },
}

impl JvmProcess {
    /// The JVM with this process id.
    ///
    /// # Errors
    /// Fails if there is no such process, if it belongs to another user, or if it is no JVM.
    pub fn find(pid: u32) -> Result<Self, FindJvmError> {
        let status = ProcessStatus::read(pid).ok_or(FindJvmError::NoProcess(pid))?;
        if status.state == b'Z' {
            return Err(FindJvmError::NoProcess(pid));
        }
        if status.uid != rustix::process::geteuid().as_raw() {
            return Err(FindJvmError::OtherUser { pid, uid: status.uid });
        }
        let mapped = read(pid, "maps").map(|maps| mapped_files(&maps)).unwrap_or_default();
        let perf_data = read_perf_data(pid, &status);
        let jvm = Self { pid, status, mapped, perf_data };
        if jvm.jvm_library().is_none() {
            return Err(FindJvmError::NotAJvm { pid, program: jvm.program() });
        }
        Ok(jvm)
    }

    /// All JVMs of this user, by process id.
    pub fn all() -> Vec<Self> {
        let mut jvms: Vec<Self> = fs::read_dir("/proc")
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter_map(|pid| Self::find(pid).ok())
            .collect();
        jvms.sort_by_key(|jvm| jvm.pid);
        jvms
    }

    /// The process id.
    pub const fn pid(&self) -> u32 {
        self.pid
    }

    /// The process id as the JVM sees it itself.
    pub const fn inner_pid(&self) -> u32 {
        self.status.inner_pid
    }

    /// The path by which this process reaches a file of the JVM's view of the file system.
    pub fn root(&self, path: &Path) -> PathBuf {
        let relative = path.strip_prefix("/").unwrap_or(path);
        PathBuf::from(format!("/proc/{}/root", self.pid)).join(relative)
    }

    /// A directory of the JVM's view of the file system, opened by its absolute path there: no link
    /// leads out of that view.
    ///
    /// # Errors
    /// Fails if it cannot be opened.
    pub fn directory(&self, path: impl AsRef<Path>) -> io::Result<Directory> {
        root_directory(self.pid, path.as_ref())
    }

    /// What the JVM writes about itself; none if it writes nothing.
    pub const fn perf_data(&self) -> Option<&PerfData> {
        self.perf_data.as_ref()
    }

    /// The name of what it runs.
    fn program(&self) -> String {
        let name = fs::read(format!("/proc/{}/comm", self.pid)).unwrap_or_default();
        String::from_utf8_lossy(&name).trim().to_owned()
    }

    /// Its command line.
    pub fn command(&self) -> Vec<String> {
        let bytes = read(self.pid, "cmdline").unwrap_or_default();
        let mut words: Vec<String> = bytes
            .split(|byte| *byte == 0)
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect();
        words.pop();
        words
    }

    /// Files mapped into it whose name begins and ends like this, as it sees them.
    pub fn mapped_files(&self, prefix: &str, suffix: &str) -> Vec<PathBuf> {
        let fits = |path: &&PathBuf| {
            let name = path.file_name().map(OsStr::as_bytes).unwrap_or_default();
            name.starts_with(prefix.as_bytes()) && name.ends_with(suffix.as_bytes())
        };
        self.mapped.iter().filter(fits).cloned().collect()
    }

    /// The path by which this process reaches a file that is mapped into the JVM.
    pub fn reach(&self, path: &Path) -> PathBuf {
        if self.has_same_files() { path.to_owned() } else { self.root(path) }
    }

    /// Whether it sees the same files under the same names as this process.
    pub fn has_same_files(&self) -> bool {
        has_same_files(self.pid)
    }

    fn jvm_library(&self) -> Option<&Path> {
        let is_jvm = |path: &&PathBuf| {
            let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
            let name = name.trim_end_matches(" (deleted)");
            name == "libjvm.so" || (name.starts_with("libj9vm") && name.ends_with(".so"))
        };
        // OpenJ9 has a libjvm.so as well, which leads to its own.
        let mut found: Vec<&PathBuf> = self.mapped.iter().filter(is_jvm).collect();
        found.sort_by_key(|path| !path.to_string_lossy().contains("libj9vm"));
        found.first().map(|path| path.as_path())
    }

    /// Whether it is OpenJ9, and not HotSpot.
    pub fn is_openj9(&self) -> bool {
        self.jvm_library().is_some_and(|path| path.to_string_lossy().contains("libj9vm"))
    }

    /// Whether it was built for musl.
    pub fn is_musl(&self) -> bool {
        let is_loader = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"ld-musl-"))
        };
        self.mapped.iter().any(is_loader)
    }

    /// The feature version of its Java (11, 17 and so on); none if no file tells.
    pub fn java_version(&self) -> Option<u32> {
        let from_release = || {
            let mut homes = self.jvm_library()?.ancestors().skip(1).take(5);
            homes.find_map(|home| JavaRelease::read(&self.root(home))?.feature_version())
        };
        from_release().or_else(|| feature_version(self.perf_data.as_ref()?.version()?))
    }

    /// Whether it is stopped, by a signal or a debugger.
    pub const fn is_stopped(&self) -> bool {
        matches!(self.status.state, b'T' | b't')
    }

    /// Whether it handles SIGQUIT at the moment; one that it does not handle would end it.
    pub fn handles_quit(&self) -> bool {
        ProcessStatus::read(self.pid).is_some_and(|status| status.handles(SIGQUIT))
    }

    /// The value of a flag `-XX:+NAME` or `-XX:-NAME`: the last one holds. None if it is not given.
    pub fn flag(&self, name: &str) -> Option<bool> {
        self.arguments().iter().rev().find_map(|word| {
            let (sign, given) = word.strip_prefix("-XX:")?.split_at_checked(1)?;
            (given == name).then_some(sign == "+")
        })
    }

    /// The words of the variables that a JVM reads options from, and of its command line.
    fn arguments(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let environment = read(self.pid, "environ").unwrap_or_default();
        for entry in environment.split(|byte| *byte == 0).map(String::from_utf8_lossy) {
            if let Some((_, value)) = entry
                .split_once('=')
                .filter(|(name, _)| ["JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"].contains(name))
            {
                words.extend(value.split_whitespace().map(str::to_owned));
            }
        }
        words.extend(self.command().into_iter().skip(1));
        words
    }
}

/// Whether a process sees the same files under the same names as this one.
pub fn has_same_files(pid: u32) -> bool {
    let identity = |path: String| fs::metadata(path).map(|meta| (meta.dev(), meta.ino())).ok();
    let [ours, theirs] = ["self".to_owned(), pid.to_string()].map(|name| {
        (identity(format!("/proc/{name}/ns/mnt")), identity(format!("/proc/{name}/root/")))
    });
    ours == theirs
}

/// The performance data of a JVM.
fn read_perf_data(pid: u32, status: &ProcessStatus) -> Option<PerfData> {
    let tmp = root_directory(pid, Path::new("/tmp")).ok()?;
    let name = status.inner_pid.to_string();
    // The folder is named after the user, whose name in a container need not be known here.
    let folders = tmp.names().ok()?;
    let folders = folders.iter().filter(|folder| folder.as_bytes().starts_with(b"hsperfdata_"));
    for folder in folders {
        let file = tmp
            .beneath(Path::new(folder))
            .and_then(|folder| folder.open_file(OsStr::new(&name), Access::Read));
        if let Ok(file) = file
            && file.metadata().is_ok_and(|meta| meta.uid() == status.uid)
        {
            let mut bytes = Vec::new();
            file.take(MAX_PERF_DATA_BYTES).read_to_end(&mut bytes).ok()?;
            return PerfData::parse(&bytes);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_that_are_no_jvms() {
        let own = std::process::id();
        let found = JvmProcess::find(own).map(|jvm| jvm.pid());
        assert!(matches!(found, Err(FindJvmError::NotAJvm { pid, .. }) if pid == own));
        assert!(matches!(JvmProcess::find(u32::MAX), Err(FindJvmError::NoProcess(u32::MAX))));
    }

    #[test]
    fn this_process_sees_what_it_sees() {
        assert!(has_same_files(std::process::id()));
    }
}
