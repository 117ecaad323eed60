//! Processes as proc(5) shows them: which one runs, and when it started.

mod namespaces;
mod threads;

pub use self::threads::ThreadTimes;
use crate::JvmIdentity;
use std::{fs, time::Duration};

/// Clock ticks per second in `/proc`, on every Linux that runs Java.
const TICKS_PER_SECOND: u64 = 100;
/// `PF_KTHREAD` of the kernel's `sched.h`: a thread of the kernel, which has no environment.
const KERNEL_THREAD: u64 = 0x20_0000;

/// One process for certain: a pid may be given to another process later, pid and start time may
/// not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    pid: u32,
    /// Clock ticks from boot to its start.
    start: u64,
}

impl Process {
    /// The process that has this pid; none if there is none, or one that has ended and was not
    /// reaped.
    pub fn find(pid: u32) -> Option<Self> {
        let stat = ProcessStat::read(pid)?;
        stat.is_alive().then_some(Self { pid, start: stat.start })
    }

    /// Whether this very process runs.
    pub fn is_alive(self) -> bool {
        ProcessStat::read(self.pid).is_some_and(|stat| stat.is_alive() && stat.start == self.start)
    }

    /// CPU time of all its threads so far; none if it has ended.
    pub fn cpu_time(self) -> Option<Duration> {
        let stat = ProcessStat::read(self.pid).filter(|stat| stat.start == self.start)?;
        let seconds = stat.cpu_ticks / TICKS_PER_SECOND;
        let ticks = (stat.cpu_ticks % TICKS_PER_SECOND) as u32;
        Some(Duration::from_secs(seconds) + Self::CPU_TIME_STEP * ticks)
    }

    /// The resolution of [`Process::cpu_time`].
    pub const CPU_TIME_STEP: Duration = Duration::from_millis(1000 / TICKS_PER_SECOND);

    /// The process id.
    pub const fn pid(self) -> u32 {
        self.pid
    }

    /// The file name of the program that it runs; empty if that cannot be read.
    fn program(self) -> String {
        let exe = fs::read_link(format!("/proc/{}/exe", self.pid)).unwrap_or_default();
        exe.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Its name for people: that of the script, where its program is an interpreter. Empty if
    /// that cannot be read.
    pub fn name(self) -> String {
        let name = fs::read(format!("/proc/{}/comm", self.pid)).unwrap_or_default();
        String::from_utf8_lossy(&name).trim_end().to_owned()
    }

    /// Whether it is a JVM: `java`, even one that has only just started, or a program that has
    /// loaded one.
    pub fn is_jvm(self) -> bool {
        self.program() == "java"
            || fs::read(format!("/proc/{}/maps", self.pid)).is_ok_and(|maps| {
                maps.windows(b"/libjvm.so".len()).any(|window| window == b"/libjvm.so")
            })
    }
}

impl JvmIdentity {
    /// This process as a JVM. Its pid is that of its own `/proc`, its start has a resolution of a
    /// hundredth of a second. None if `/proc` does not tell.
    pub fn current() -> Option<Self> {
        let stat = fs::read("/proc/self/stat").ok()?;
        let pid = stat.split(|byte| *byte == b' ').next()?;
        let pid = std::str::from_utf8(pid).ok()?.parse().ok()?;
        let ticks = ProcessStat::parse(&stat)?.start;
        let boot = boot_seconds(&fs::read_to_string("/proc/stat").ok()?)?;
        Some(Self { start_millis: boot * 1000 + ticks * 1000 / TICKS_PER_SECOND, pid })
    }
}

/// When the machine was started, from `/proc/stat`: seconds since the epoch.
fn boot_seconds(stat: &str) -> Option<u64> {
    stat.lines().find_map(|line| line.strip_prefix("btime "))?.trim().parse().ok()
}

/// What `/proc/PID/stat` says about a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessStat {
    /// `R`, `S`, `Z` and so on.
    state: u8,
    /// `PF_*` of the kernel's `sched.h`.
    flags: u64,
    parent: u32,
    /// The id of its process group.
    group: u32,
    /// CPU time of all its threads, also of ended ones, in clock ticks.
    cpu_ticks: u64,
    threads: u64,
    /// Clock ticks from boot to its start.
    start: u64,
    /// The addresses where its environment starts and ends; zero while it executes another
    /// program, and if this user may not know them.
    environment: (u64, u64),
}

impl ProcessStat {
    /// Reads the file; none if there is no such process.
    pub fn read(pid: u32) -> Option<Self> {
        Self::parse(&fs::read(format!("/proc/{pid}/stat")).ok()?)
    }

    /// The program's name stands in parentheses and may hold blanks and parentheses itself, so the
    /// fields are counted from the last closing one: state is field 3, ppid 4, pgrp 5, flags 9,
    /// utime 14, stime 15, num_threads 20, starttime 22, env_start 50,
    /// env_end 51.
    fn parse(stat: &[u8]) -> Option<Self> {
        let rest = &stat[stat.iter().rposition(|byte| *byte == b')')? + 1..];
        let mut fields = std::str::from_utf8(rest).ok()?.split_ascii_whitespace();
        let state = *fields.next()?.as_bytes().first()?;
        // A process group of another pid namespace is shown as 0, and one that has ended as -1.
        let parent = fields.next()?.parse().ok()?;
        let group = fields.next()?.parse().unwrap_or(0);
        let flags = fields.nth(3)?.parse().ok()?;
        let user: u64 = fields.nth(4)?.parse().ok()?;
        let cpu_ticks = user.saturating_add(fields.next()?.parse().ok()?);
        let threads = fields.nth(4)?.parse().ok()?;
        let start = fields.nth(1)?.parse().ok()?;
        let mut address = |skipped| fields.nth(skipped)?.parse().ok();
        let environment = (address(27).unwrap_or(0), address(0).unwrap_or(0));
        Some(Self { state, flags, parent, group, cpu_ticks, threads, start, environment })
    }

    /// The process id of its parent.
    pub const fn parent(self) -> u32 {
        self.parent
    }

    /// The id of its process group; zero if that is in another pid namespace.
    pub const fn group(self) -> u32 {
        self.group
    }

    /// When it started, in clock ticks since boot.
    pub const fn start(self) -> u64 {
        self.start
    }

    /// Whether it has not ended. A group whose first thread has ended shows as a zombie although
    /// its other threads run on.
    pub const fn is_alive(self) -> bool {
        !matches!(self.state, b'Z' | b'X' | b'x') || self.threads > 1
    }

    /// Whether it is neither stopped nor at its end.
    pub const fn is_running(self) -> bool {
        self.is_alive() && !matches!(self.state, b'T' | b't')
    }

    /// The addresses where its environment starts and ends; both zero if they are not known.
    pub const fn environment(self) -> (u64, u64) {
        self.environment
    }

    /// Whether it is a thread of the kernel.
    pub const fn is_kernel_thread(self) -> bool {
        self.flags & KERNEL_THREAD != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::{Read, Write},
        process::{Command, Stdio},
    };

    fn stat(state: char, threads: u64) -> ProcessStat {
        let line = format!("42 (x) {state} 1 42 42 0 -1 64 1 2 3 4 5 6 7 8 20 0 {threads} 0 9 1");
        ProcessStat::parse(line.as_bytes()).unwrap()
    }

    #[test]
    fn a_stat_line_with_a_wicked_name() {
        let line = b"42 (a) b (Z) S 1 42 42 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 17 0 998877 1 2 3";
        let expected = ProcessStat {
            state: b'S',
            flags: 4_194_560,
            parent: 1,
            group: 42,
            cpu_ticks: 11,
            threads: 17,
            start: 998_877,
            environment: (0, 0),
        };
        assert_eq!(ProcessStat::parse(line), Some(expected));
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
            assert!(ProcessStat::parse(line.as_bytes()).is_none(), "{line}");
        }
    }

    #[test]
    fn states_of_processes() {
        let facts = |state, threads| {
            let stat = stat(state, threads);
            (stat.is_alive(), stat.is_running())
        };
        assert_eq!(facts('S', 1), (true, true));
        assert_eq!(facts('T', 9), (true, false));
        assert_eq!(facts('t', 1), (true, false));
        assert_eq!(facts('Z', 1), (false, false));
        assert_eq!(facts('X', 1), (false, false));
        // Its first thread has ended.
        assert_eq!(facts('Z', 2), (true, true));
        assert!(!stat('S', 1).is_kernel_thread());
        assert!(ProcessStat { flags: KERNEL_THREAD, ..stat('S', 1) }.is_kernel_thread());
    }

    #[test]
    fn a_child_lives_until_it_has_ended() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let process = Process::find(child.id()).unwrap();
        assert!(process.is_alive());
        assert!(!process.is_jvm());
        drop(child.stdin.take());
        child.wait().unwrap();
        assert!(!process.is_alive());
        let own = Process::find(std::process::id()).unwrap();
        assert!(own.is_alive());
        assert!(!Process { start: own.start + 1, ..own }.is_alive());
    }

    #[test]
    fn an_environment_is_as_long_as_its_addresses_say() {
        for size in [0, 1, 5000] {
            let mut command = Command::new("cat");
            command.env_clear();
            if size > 0 {
                command.env("N", "x".repeat(size));
            }
            let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
            // It answers, so it executes its program.
            child.stdin.as_mut().unwrap().write_all(b"x").unwrap();
            child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
            let (start, end) = ProcessStat::read(child.id()).unwrap().environment();
            let bytes = fs::read(format!("/proc/{}/environ", child.id())).unwrap();
            assert!(end != 0 && end - start == bytes.len() as u64, "{size}");
            drop(child.stdin.take());
            child.wait().unwrap();
        }
        assert_eq!(stat('R', 1).environment(), (0, 0));
    }

    #[test]
    fn this_process_has_an_identity() {
        let own = JvmIdentity::current().unwrap();
        assert_eq!(own.pid, u64::from(std::process::id()));
        assert_eq!(JvmIdentity::current(), Some(own));
        assert_eq!(boot_seconds("cpu 1 2\nbtime 1700000000\nprocesses 5\n"), Some(1_700_000_000));
        assert_eq!(boot_seconds("cpu 1 2\n"), None);
        // It started after the machine, and before this line.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let boot = boot_seconds(&fs::read_to_string("/proc/stat").unwrap()).unwrap();
        // `btime` is rounded to a second, and may move when the clock is set.
        assert!((boot * 1000..=now.as_millis() as u64 + 2000).contains(&own.start_millis));
    }
}
