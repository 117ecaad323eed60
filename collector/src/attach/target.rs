//! The JVM that is attached to, as `/proc` shows it.

use super::{AttachError, PerfData};
use crate::{bounded, java_command::version_of_release};
use jfathom_files::Directory;
use std::{
    fs,
    io::{self, Read},
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

/// The oldest Java that the agent runs in.
const OLDEST_JAVA: u32 = 11;

/// The signal that asks a JVM for its socket.
const SIGQUIT: u32 = 3;

/// Most bytes that are read of a file of `/proc`.
const LIMIT: u64 = 64 << 20;

/// A process of this user that may be a JVM.
#[derive(Clone, Debug)]
pub struct Target {
    pid: u32,
    status: Status,
    /// Files that are mapped into it, each once.
    mapped: Vec<PathBuf>,
    /// Its version of the JVM's own figures, where it writes them.
    perf: Option<PerfData>,
}

#[derive(Clone, Debug, Default)]
struct Status {
    uid: u32,
    /// Its pid as it sees it itself.
    inner_pid: u32,
    /// Signals that it handles, signal `n` at bit `n - 1`.
    caught: u64,
    state: u8,
}

impl Target {
    /// Looks at a process.
    ///
    /// # Errors
    /// Where there is none, it belongs to another user, or is no JVM.
    pub fn find(pid: u32) -> Result<Self, AttachError> {
        let status = Status::read(pid).ok_or(AttachError::NoProcess(pid))?;
        if status.state == b'Z' {
            return Err(AttachError::NoProcess(pid));
        }
        if status.uid != rustix::process::geteuid().as_raw() {
            return Err(AttachError::OtherUser { pid, uid: status.uid });
        }
        let mapped = read(pid, "maps").map(|maps| mapped(&maps)).unwrap_or_default();
        let perf = PerfData::read(pid, status.inner_pid, status.uid);
        let target = Self { pid, status, mapped, perf };
        if target.jvm_library().is_none() {
            return Err(AttachError::NotAJvm { pid, program: target.program() });
        }
        Ok(target)
    }

    /// All JVMs of this user, by pid.
    pub fn all() -> Vec<Self> {
        let mut targets: Vec<Self> = fs::read_dir("/proc")
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter_map(|pid| Self::find(pid).ok())
            .collect();
        targets.sort_by_key(|target| target.pid);
        targets
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Its pid as it sees it itself.
    pub(super) fn inner_pid(&self) -> u32 {
        self.status.inner_pid
    }

    /// A file of its view of the file system, by its absolute path there.
    pub(super) fn root(&self, path: &Path) -> PathBuf {
        let relative = path.strip_prefix("/").unwrap_or(path);
        PathBuf::from(format!("/proc/{}/root", self.pid)).join(relative)
    }

    /// A directory of its view of the file system, opened by its absolute path there: no link leads
    /// out of that view.
    pub(crate) fn directory(&self, path: impl AsRef<Path>) -> io::Result<Directory> {
        directory(self.pid, path.as_ref())
    }

    /// Its figures of itself; none where it writes none.
    pub fn perf_data(&self) -> Option<&PerfData> {
        self.perf.as_ref()
    }

    /// The name of what it runs.
    pub(super) fn program(&self) -> String {
        let name = fs::read(format!("/proc/{}/comm", self.pid)).unwrap_or_default();
        String::from_utf8_lossy(&name).trim().to_owned()
    }

    /// Its arguments.
    pub fn command(&self) -> Vec<String> {
        let bytes = read(self.pid, "cmdline").unwrap_or_default();
        let mut words: Vec<String> = bytes
            .split(|&b| b == 0)
            .map(|word| String::from_utf8_lossy(word).into_owned())
            .collect();
        words.pop();
        words
    }

    /// Files mapped into it whose name begins and ends like this, as it sees them.
    pub fn mapped_files(&self, prefix: &str, suffix: &str) -> Vec<PathBuf> {
        let fits = |path: &&PathBuf| {
            let name = path.file_name().map(|name| name.as_bytes()).unwrap_or_default();
            name.starts_with(prefix.as_bytes()) && name.ends_with(suffix.as_bytes())
        };
        self.mapped.iter().filter(fits).cloned().collect()
    }

    /// A file that is mapped into it, as this process reaches it.
    pub fn reach(&self, path: &Path) -> PathBuf {
        if super::same_files(self.pid) { path.to_owned() } else { self.root(path) }
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

    /// The feature version of its Java (11, 17, …), where that can be found out.
    pub fn java(&self) -> Option<u32> {
        let of_release = || {
            let home = self.jvm_library()?.ancestors().skip(1).take(5);
            home.map(|folder| self.root(&folder.join("release")))
                .find_map(|release| version_of_release(&bounded::read_note(&release)?))
        };
        of_release().or_else(|| self.perf.as_ref()?.feature_version())
    }

    /// Holds that the agent can be loaded into it.
    ///
    /// # Errors
    /// The reason why not.
    pub fn check(&self) -> Result<(), AttachError> {
        let pid = self.pid;
        let unsupported =
            |what: String, advice| Err(AttachError::Unsupported { pid, what, advice });
        let rewrite = "rewrite its jars ahead of time (`jfathom rewrite`), and record them with `jfathom record -- …`";
        if self.jvm_library().is_some_and(|path| path.to_string_lossy().contains("libj9vm")) {
            return unsupported("an OpenJ9 JVM, and the agent runs in HotSpot".to_owned(), rewrite);
        }
        let is_musl = |path: &PathBuf| {
            path.file_name().is_some_and(|name| name.as_bytes().starts_with(b"ld-musl-"))
        };
        if self.mapped.iter().any(is_musl) {
            return unsupported(
                "a JVM with musl (Alpine), and the agent is built for glibc".to_owned(),
                rewrite,
            );
        }
        if let Some(version) = self.java().filter(|version| *version < OLDEST_JAVA) {
            return unsupported(format!("Java {version}"), "jfathom needs Java 11 or later");
        }
        if matches!(self.status.state, b'T' | b't') {
            return Err(AttachError::Stopped(pid));
        }
        if self.is_disabled() {
            return Err(AttachError::Disabled(pid));
        }
        let words = self.flags();
        let last = |on: &str, off: &str| {
            words.iter().rev().find(|word| *word == on || *word == off).map(|word| *word == on)
        };
        if last("-XX:+EnableDynamicAgentLoading", "-XX:-EnableDynamicAgentLoading") == Some(false) {
            return Err(AttachError::NoDynamicAgents(pid));
        }
        Ok(())
    }

    /// Whether its flags forbid that anything attaches.
    fn is_disabled(&self) -> bool {
        match self.perf.as_ref().and_then(PerfData::can_attach) {
            Some(can) => !can,
            None => self.flags().iter().any(|word| word == "-XX:+DisableAttachMechanism"),
        }
    }

    /// Arguments before the main class, and those of the environment.
    fn flags(&self) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        let environment = read(self.pid, "environ").unwrap_or_default();
        for entry in environment.split(|&b| b == 0).map(String::from_utf8_lossy) {
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

    /// Whether a JDK 21 or later, which prints a warning when an agent is loaded into it.
    pub fn warns(&self) -> bool {
        self.java().is_some_and(|version| version >= 21)
            && self.mapped_files("libjfathom.so", "").is_empty()
            && !self.flags().iter().any(|word| word == "-XX:+EnableDynamicAgentLoading")
    }

    /// Whether it handles SIGQUIT at the moment; it would end of one that it does not handle.
    pub(super) fn catches_quit(&self) -> bool {
        Status::read(self.pid).is_some_and(|status| status.caught >> (SIGQUIT - 1) & 1 == 1)
    }
}

/// A directory of a process's view of the file system.
pub(super) fn directory(pid: u32, path: &Path) -> io::Result<Directory> {
    Directory::open(Path::new(&format!("/proc/{pid}/root")))?.in_root(path)
}

fn read(pid: u32, name: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(format!("/proc/{pid}/{name}")).ok()?.take(LIMIT).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// The files of `/proc/PID/maps`, each once: the sixth field of a line, which may have blanks.
fn mapped(maps: &[u8]) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for line in maps.split(|&b| b == b'\n') {
        let Some(start) = line.iter().position(|&b| b == b'/') else { continue };
        let path = Path::new(std::ffi::OsStr::from_bytes(&line[start..]));
        if paths.last().is_none_or(|last| last != path) {
            paths.push(path.to_owned());
        }
    }
    paths.sort();
    paths.dedup();
    paths
}

impl Status {
    fn read(pid: u32) -> Option<Self> {
        Self::parse(&String::from_utf8_lossy(&read(pid, "status")?), pid)
    }

    fn parse(text: &str, pid: u32) -> Option<Self> {
        let field =
            |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        Some(Self {
            uid: field("Uid")?.split_whitespace().nth(1)?.parse().ok()?,
            inner_pid: field("NSpid")
                .and_then(|pids| pids.split_whitespace().last()?.parse().ok())
                .unwrap_or(pid),
            caught: field("SigCgt")
                .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
                .unwrap_or(0),
            state: *field("State")?.trim_start().as_bytes().first()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_of_a_process_in_a_container() {
        let text = "Name:\tjava\nState:\tS (sleeping)\nUid:\t1\t1000\t1\t1\nNSpid:\t4711\t7\nSigCgt:\t2000000181005ccf\n";
        let status = Status::parse(text, 4711).unwrap();
        assert_eq!((status.uid, status.inner_pid, status.state), (1000, 7, b'S'));
        assert_eq!(status.caught >> 2 & 1, 1);
        assert_eq!(Status::parse("State:\tR\nUid:\t0 0 0 0\n", 5).unwrap().inner_pid, 5);
        for broken in ["", "Uid:\t0", "State:\t\nUid:\t0\t0", "State: S\nUid: 0 x"] {
            assert!(Status::parse(broken, 5).is_none(), "{broken}");
        }
    }

    #[test]
    fn mapped_files_once_each() {
        let maps = b"7f-80 r-xp 0 08:01 5    /a b/libjvm.so\n7f-80 r--p 0 08:01 5    /a b/libjvm.so\n\
            7f-80 rw-p 0 00:00 0 \n7f-80 rw-p 0 00:00 0    [heap]\n7f-80 rw-s 0 00:01 9    /dev/shm/x/jvm-1-2.jft\n";
        assert_eq!(
            mapped(maps),
            [Path::new("/a b/libjvm.so"), Path::new("/dev/shm/x/jvm-1-2.jft")]
        );
    }

    #[test]
    fn processes_that_are_no_jvms() {
        let own = std::process::id();
        assert!(matches!(Target::find(own), Err(AttachError::NotAJvm { pid, .. }) if pid == own));
        assert!(matches!(Target::find(u32::MAX), Err(AttachError::NoProcess(_))));
    }
}
