//! The recorder that the agent starts where nobody else records: `out=` without `session=`.

use crate::Options;
use crate::session_paths::SessionPaths;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A file system in memory is taken where this much is free, as the collector does.
const ROOM: u64 = 1 << 30;

/// Makes a private directory, in memory where there is room.
///
/// # Errors
/// A sentence.
pub fn directory() -> Result<PathBuf, String> {
    let free = |base: &str| {
        let stat = rustix::fs::statvfs(base).ok()?;
        Some(stat.f_bavail.saturating_mul(stat.f_frsize))
    };
    let roomy = free("/dev/shm").is_some_and(|free| free >= ROOM);
    let base = Path::new(if roomy { "/dev/shm" } else { "/tmp" });
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default()
        .as_nanos();
    let path = base.join(format!("jfathom-{}-{now:x}", std::process::id()));
    let made = jfathom_files::create_directory(&path, 0o700);
    made.map_err(|error| format!("{}: no directory can be made: {error}", path.display()))?;
    Ok(path)
}

/// Starts the recorder.
///
/// # Errors
/// A sentence.
pub fn start(options: &Options, place: &SessionPaths) -> Result<(), String> {
    let out =
        options.out.as_deref().ok_or("neither out= nor session= says where the recording goes")?;
    let binary = binary(options)?;
    // The shell leaves the recorder to init, so that this process need not hear of its end. The
    // process group's leader is the shell; the recorder can so begin a session of its own.
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", "\"$@\" &", "sh"])
        .arg(&binary)
        .args(["record", "--adopt"])
        .arg(place.pid.to_string());
    command.arg("--session-dir").arg(&place.directory).arg("-o").arg(out);
    if options.force {
        command.arg("--force");
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).process_group(0);
    let status = command
        .status()
        .map_err(|error| format!("{}: cannot be started: {error}", binary.display()))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{}: cannot be started: {status}", binary.display()))
    }
}

/// The command `jfathom`: as it is given, or beside this library.
fn binary(options: &Options) -> Result<PathBuf, String> {
    let beside = || Some(library()?.parent()?.join("jfathom"));
    let binary = options.jfathom.clone().or_else(beside).filter(|path| path.is_file());
    binary.ok_or_else(|| {
        "the command jfathom is not found beside this library: name it with jfathom=PATH, or run `jfathom agent-path` once, \
         which puts a link there"
            .to_owned()
    })
}

/// The file that this code was loaded from.
fn library() -> Option<PathBuf> {
    let here = library as fn() -> Option<PathBuf> as usize;
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let line = maps.lines().find(|line| {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let ends = range.and_then(|(from, to)| {
            Some((usize::from_str_radix(from, 16).ok()?, usize::from_str_radix(to, 16).ok()?))
        });
        ends.is_some_and(|(from, to)| (from..to).contains(&here))
    })?;
    line.find('/').map(|at| PathBuf::from(&line[at..]))
}
