//! The collector that the agent starts itself: `out=` without `session=`.

use super::error::StartError;
use crate::Options;
use crate::session_paths::SessionPaths;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Starts the collector, which records this JVM's session.
///
/// # Errors
/// Fails if no profile is named, or the command is not found or does not start.
pub fn start(options: &Options, paths: &SessionPaths) -> Result<(), StartError> {
    let out = options.out.as_deref().ok_or(StartError::NoOutput)?;
    let command_file = find_command(options).ok_or(StartError::NoCommand)?;
    // The shell leaves the collector to init, so that this process need not hear of its end. The
    // shell leads the process group, so that the collector can begin a session of its own.
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", "\"$@\" &", "sh"])
        .arg(&command_file)
        .args(["record", "--role=adopt", "--pid"])
        .arg(paths.jvm.pid.to_string());
    let mut session = OsString::from("--tune=session=");
    session.push(&paths.directory);
    command.arg(session).arg("-o").arg(out);
    if options.force {
        command.arg("--force");
    }
    for rule in &options.probes.list {
        command.arg("--probe").arg(rule.to_string());
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).process_group(0);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(StartError::CollectorFailed(command_file, status)),
        Err(error) => Err(StartError::CollectorStart(command_file, error)),
    }
}

/// The command `jfathom`: the one that the options name, or the one beside this library.
fn find_command(options: &Options) -> Option<PathBuf> {
    let beside = || Some(library()?.parent()?.join("jfathom"));
    options.jfathom.clone().or_else(beside).filter(|path| path.is_file())
}

/// The file from which this code was loaded.
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
