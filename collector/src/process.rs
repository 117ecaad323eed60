//! The processes of a recording's command, and what this process inherits.

use jfathom_session::{Process, ProcessStat};
use std::{
    ffi::OsStr,
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
    time::Duration,
};

/// All other processes of this user whose environment has `variable=value`: the descendants of a
/// command, also if their parents have ended.
///
/// # Errors
/// Fails if `/proc` cannot be read.
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

/// How often empty environments are read again, in all: some processes have none.
const PAUSES: usize = 10;
/// Time before an empty environment is read again.
const PAUSE: Duration = Duration::from_millis(2);

/// The environment of a process; empty for other users' processes and for ones that have ended.
/// While a process executes another program its environment is empty for a moment, so an empty one
/// is read again.
fn environment(pid: u32, pauses: &mut usize) -> Vec<u8> {
    loop {
        match fs::read(format!("/proc/{pid}/environ")) {
            Ok(bytes) if bytes.is_empty() => {}
            Ok(bytes) => return bytes,
            Err(_) => return Vec::new(),
        }
        let is_program =
            ProcessStat::read(pid).is_some_and(|stat| stat.is_alive() && !stat.is_kernel_thread());
        if !is_program || *pauses == 0 {
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

/// The file of a command, looked for in `path` (the value of `PATH`) as execvp(3) does.
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
