//! `record -p PID` by root, of another user's JVM: a child of this process takes that user's rights
//! and records.
//!
//! All files of the recording are then that user's, and what goes wrong in them is nothing that
//! root has done. The child can write where that user can, so its profile comes through a pipe.

mod child;
mod left;

use super::{role, target::Target};
use crate::{failure::usage, out};
use anyhow::{Result, bail};
use child::{Child, Ended};
use jfathom_profile::Profile;
use jfathom_session::{Credentials, FindJvmError, JvmProcess, MEMORY};
use rustix::process::{Signal, geteuid, set_parent_process_death_signal};
use std::{
    ffi::OsString,
    io::Write,
    path::{Path, PathBuf},
    process::ExitCode,
};

pub(super) use left::Left;

/// Takes the rights of the JVM's user, in the child.
///
/// # Errors
/// Fails if they cannot be taken.
pub(super) fn take_rights(pid: Option<u32>) -> Result<()> {
    let Some(pid) = pid else { return Ok(()) };
    let parent = rustix::process::getppid();
    Credentials::of(pid)?.assume()?;
    // Behind the change of the user, which resets it.
    set_parent_process_death_signal(Some(Signal::TERM))?;
    if rustix::process::getppid() != parent {
        bail!("the process that was to get the profile has ended");
    }
    Ok(())
}

/// The user of the JVM that is to be recorded, if a child has to take that one's rights.
pub(super) fn other_user(pid: Option<u32>) -> Option<u32> {
    if !geteuid().is_root() {
        return None;
    }
    match JvmProcess::find(pid?) {
        Err(FindJvmError::OtherUser { uid, .. }) => Some(uid),
        _ => None,
    }
}

/// What else the command line says.
pub(super) struct Recording<'a> {
    pub(super) output: &'a Path,
    pub(super) force: bool,
    pub(super) quiet: bool,
    pub(super) has_slices: bool,
    /// The options for the child.
    pub(super) options: &'a [OsString],
}

/// Records the JVM of the user with this id. The exit code is the child's.
///
/// # Errors
/// Fails if the child cannot record, and if the profile cannot be written.
pub(super) fn record(recording: &Recording<'_>, uid: u32) -> Result<ExitCode> {
    if recording.has_slices {
        return Err(usage(format!(
            "--every: slices are written by a process of the JVM's user, who has the id {uid}: \
             `sudo -u '#{uid}' jfathom record …`"
        )));
    }
    let target = Target::new(recording.output, recording.force)?;
    let words = words(recording);
    let mut ended = Child::start(&words, uid)?.wait()?;
    if let Ended { code: Err(signal), process, .. } = ended {
        if !recording.quiet {
            out::say(&format!(
                "the process that recorded as the user with id {uid} was ended by signal {signal}; \
                 taking what it has left"
            ));
        }
        let words = [words, vec![role::left(process)]].concat();
        let brought = Child::start(&words, uid)?.wait()?;
        ended = Ended { code: Err(signal), process, bytes: brought.bytes };
    }
    write(&ended.bytes, &target)?;
    Ok(ExitCode::from(ended.code.unwrap_or_else(|signal| 128_u8.saturating_add(signal))))
}

/// The words of the child's command line.
fn words(recording: &Recording<'_>) -> Vec<OsString> {
    // The options of jfathom.toml are among the words.
    let mut words: Vec<OsString> =
        ["record", role::OWNER, "--output=-"].map(OsString::from).to_vec();
    words.push(role::shown(recording.output));
    words.extend(recording.options.iter().cloned());
    words
}

/// Writes the profile, if there is one.
fn write(bytes: &[u8], target: &Target<'_>) -> Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let mut input = bytes;
    if let Err(error) = Profile::read_whole(&mut input) {
        bail!("what was recorded is no whole profile: {error}");
    }
    match target.write(|file| file.write_all(bytes)) {
        Ok(()) => Ok(()),
        Err(error) => match keep(bytes) {
            Some(kept) => bail!(
                "{}: cannot write: {error}; the profile is {}",
                target.path.display(),
                kept.display()
            ),
            None => bail!("{}: cannot write: {error}", target.path.display()),
        },
    }
}

/// A file with a profile that finds no place where it was to be.
fn keep(bytes: &[u8]) -> Option<PathBuf> {
    let name = format!("{}.jfp", jfathom_session::new_session_name());
    let places = [PathBuf::from(MEMORY), std::env::temp_dir()].map(|place| place.join(&name));
    places.into_iter().find(|path| {
        jfathom_files::create(path, 0o600).and_then(|mut file| file.write_all(bytes)).is_ok()
    })
}
