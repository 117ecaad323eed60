//! The processes of a round, known by a word in their environment.

use rustix::process::{Pid, Signal, kill_process};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The variable that marks them.
pub const MARK: &str = "JFATHOM_STORM";

/// A process of the round that has not ended; zombies have.
#[derive(Clone, Debug)]
pub struct Process {
    pub pid: i32,
    pub exe: PathBuf,
    pub command: String,
}

impl Process {
    pub fn is_java(&self) -> bool {
        self.exe.file_name().is_some_and(|name| name == "java")
            && self.command.contains("storm.Main")
    }

    pub fn is(&self, exe: &Path) -> bool {
        self.exe.file_name() == exe.file_name()
    }

    pub fn signal(&self, signal: Signal) {
        signal_pid(self.pid, signal);
    }
}

pub fn signal_pid(pid: i32, signal: Signal) {
    if let Some(pid) = Pid::from_raw(pid) {
        let _ = kill_process(pid, signal);
    }
}

/// All processes with this mark.
pub fn marked(mark: &str) -> Vec<Process> {
    let word = format!("{MARK}={mark}");
    let pids = fs::read_dir("/proc").into_iter().flatten().flatten();
    pids.filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let environment = fs::read(entry.path().join("environ")).ok()?;
        if !environment.split(|&byte| byte == 0).any(|variable| variable == word.as_bytes()) {
            return None;
        }
        let exe = fs::read_link(entry.path().join("exe")).ok()?;
        let command = fs::read(entry.path().join("cmdline")).ok()?;
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        Some(Process { pid, exe, command })
    })
    .collect()
}
