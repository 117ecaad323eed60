//! Processes as `/proc` shows them: which one lives, and which ones belong to a recording.

use std::{
    ffi::OsStr,
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::Duration,
};

/// One process for certain: a pid alone may be given to another process later, pid and start time
/// may not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Process {
    pid: u32,
    /// Start in clock ticks since boot: field 22 of `/proc/PID/stat`, see proc(5).
    start: u64,
}

impl Process {
    /// The process that has this pid at the moment; none where there is none, or one that has ended
    /// and was not reaped.
    pub(crate) fn find(pid: u32) -> Option<Self> {
        let stat = Stat::read(pid)?;
        stat.lives().then_some(Self { pid, start: stat.start })
    }

    /// Whether this very process still runs.
    pub(crate) fn is_alive(self) -> bool {
        Stat::read(self.pid).is_some_and(|stat| stat.lives() && stat.start == self.start)
    }

    /// The process id.
    pub(crate) fn pid(self) -> u32 {
        self.pid
    }

    /// The name of the program that it runs; empty where that cannot be read.
    pub(crate) fn program(self) -> String {
        let exe = fs::read_link(format!("/proc/{}/exe", self.pid)).unwrap_or_default();
        exe.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Whether it is a copy of its parent that may still execute another program: a shell's
    /// subshell, or a command that the shell is about to start.
    pub(crate) fn is_fork(self) -> bool {
        Stat::read(self.pid).is_some_and(|stat| stat.flags & FORKED_ONLY != 0)
    }

    /// Whether it is a JVM, also one that has only just been started or that another program
    /// embeds.
    pub(crate) fn is_jvm(self) -> bool {
        self.program() == "java"
            || fs::read(format!("/proc/{}/maps", self.pid)).is_ok_and(|maps| {
                maps.windows(b"/libjvm.so".len()).any(|window| window == b"/libjvm.so")
            })
    }
}

struct Stat {
    state: u8,
    /// Kernel flags of the process (field 9), `PF_*` of the kernel's `sched.h`.
    flags: u64,
    threads: u64,
    start: u64,
}

/// `PF_FORKNOEXEC`: forked and has not executed a program of its own.
const FORKED_ONLY: u64 = 0x40;
/// `PF_KTHREAD`: a thread of the kernel, which has no environment.
const KERNEL_THREAD: u64 = 0x20_0000;

impl Stat {
    fn read(pid: u32) -> Option<Self> {
        Self::parse(&fs::read(format!("/proc/{pid}/stat")).ok()?)
    }

    /// The program's name stands in parentheses and may hold blanks and parentheses itself, so the
    /// fields are counted from the last closing one: state is field 3, flags 9, num_threads 20,
    /// starttime 22.
    fn parse(stat: &[u8]) -> Option<Self> {
        let rest = &stat[stat.iter().rposition(|&b| b == b')')? + 1..];
        let mut fields = std::str::from_utf8(rest).ok()?.split_ascii_whitespace();
        let state = *fields.next()?.as_bytes().first()?;
        let flags = fields.nth(5)?.parse().ok()?;
        let threads = fields.nth(10)?.parse().ok()?;
        let start = fields.nth(1)?.parse().ok()?;
        Some(Self { state, flags, threads, start })
    }

    /// A group whose first thread has ended shows as a zombie although its other threads run on.
    fn lives(&self) -> bool {
        !matches!(self.state, b'Z' | b'X' | b'x') || self.threads > 1
    }
}

/// All other processes of this user whose environment says `variable=value`: what a command has
/// started and what that has started, also when their parents have ended.
pub(crate) fn with_environment(variable: &str, value: &Path) -> io::Result<Vec<Process>> {
    let wanted = [variable.as_bytes(), b"=", value.as_os_str().as_bytes()].concat();
    let mut found = Vec::new();
    let mut pauses = PAUSES;
    for entry in fs::read_dir("/proc")? {
        let Ok(entry) = entry else { continue };
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        if pid == std::process::id() {
            continue;
        }
        if environment(pid, &mut pauses).split(|&b| b == 0).any(|entry| entry == wanted)
            && let Some(process) = Process::find(pid)
        {
            found.push(process);
        }
    }
    Ok(found)
}

/// How often, and after which pause, environments are read again that are empty: in all, as some
/// processes have none.
const PAUSES: usize = 10;
const PAUSE: Duration = Duration::from_millis(2);

/// The environment of a process; empty where there is none, as with other users' processes and ones
/// that have ended. While a process executes another program it has none for a moment, which is
/// waited for.
fn environment(pid: u32, pauses: &mut usize) -> Vec<u8> {
    loop {
        match fs::read(format!("/proc/{pid}/environ")) {
            Ok(bytes) if bytes.is_empty() => {}
            Ok(bytes) => return bytes,
            Err(_) => return Vec::new(),
        }
        let program =
            Stat::read(pid).is_some_and(|stat| stat.lives() && stat.flags & KERNEL_THREAD == 0);
        if !program || *pauses == 0 {
            return Vec::new();
        }
        *pauses -= 1;
        std::thread::sleep(PAUSE);
    }
}

/// The signals that this process ignores, as a bit set with signal `n` at bit `n - 1`.
pub(crate) fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// The file that a command's name stands for, looked for in `path` (the value of `PATH`) as
/// execvp(3) does.
pub(crate) fn find_program(name: &OsStr, path: Option<&OsStr>) -> Option<PathBuf> {
    if name.as_bytes().contains(&b'/') {
        return Some(PathBuf::from(name));
    }
    std::env::split_paths(path?).map(|dir| dir.join(name)).find(|file| {
        file.is_file() && rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_line_with_a_wicked_name() {
        let stat = Stat::parse(
            b"42 (a) b (Z) S 1 42 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 17 0 998877 1 2 3",
        )
        .unwrap();
        assert_eq!(
            (stat.state, stat.flags, stat.threads, stat.start),
            (b'S', 4_194_560, 17, 998_877)
        );
        assert!(stat.lives());
    }

    #[test]
    fn broken_stat_lines_name_no_process() {
        for line in [
            "",
            "42",
            "42 (x)",
            "42 (x) S 1 2",
            "42 (x) S 1 42 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 17 0 x",
        ] {
            assert!(Stat::parse(line.as_bytes()).is_none(), "{line}");
        }
    }

    #[test]
    fn a_child_lives_until_it_has_ended() {
        let mut child =
            std::process::Command::new("cat").stdin(std::process::Stdio::piped()).spawn().unwrap();
        let process = Process::find(child.id()).unwrap();
        assert!(process.is_alive());
        drop(child.stdin.take());
        // Not reaped yet: a zombie is not alive. The end of the pipe tells that it is about to end;
        // wait for it.
        child.wait().unwrap();
        assert!(!process.is_alive());
        assert!(!Process { start: process.start + 1, pid: std::process::id() }.is_alive());
    }

    #[test]
    fn finds_what_a_command_has_started() {
        let value = std::env::temp_dir().join(format!("jfathom-env-{}", std::process::id()));
        let mut child = std::process::Command::new("cat")
            .env("JFATHOM_TEST_MARK", &value)
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let found = with_environment("JFATHOM_TEST_MARK", &value).unwrap();
        assert_eq!(found.iter().map(|p| p.pid()).collect::<Vec<_>>(), [child.id()]);
        assert!(!found[0].is_jvm());
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(with_environment("JFATHOM_TEST_MARK", &value).unwrap().is_empty());
    }
}
