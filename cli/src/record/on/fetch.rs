//! The profile of a recording on another machine, brought to this one.

use super::{
    remote::Remote,
    signals::Signals,
    ssh::{Answer, Ssh, header},
};
use crate::{
    failure::context,
    record::target::{PROFILE_MAX, Target},
};
use anyhow::{Result, anyhow, bail};
use jfathom_profile::{FileError, Profile};
use std::{
    ffi::OsStr,
    io::{self, BufRead, BufReader, Read, Write},
    process::ChildStdin,
    time::Duration,
};

const FETCH: &str = include_str!("fetch.sh");
/// The profile's name there.
pub(super) const PROFILE: &str = "profile.jfp";
/// What `fetch.sh` says at its end.
const REMOVED: &str = "removed\n";
/// Pauses before a lost connection is tried again.
const PAUSES: [Duration; 2] = [Duration::from_secs(3), Duration::from_secs(20)];

/// How a recording has ended.
pub(super) struct Ended {
    pub(super) code: u8,
    pub(super) has_profile: bool,
}

/// What a fetch has found.
enum Found {
    Ended(Ended),
    /// The recording has not begun.
    Nothing,
    /// The recording does not end.
    Running,
    /// What the recording left is no whole profile.
    Damaged(String),
    /// The profile cannot be written here.
    Unwritten(anyhow::Error),
}

impl Found {
    /// Whether the folder is to stay.
    fn stays(&self) -> bool {
        matches!(self, Self::Running | Self::Damaged(_) | Self::Unwritten(_))
    }
}

impl Target<'_> {
    /// Writes the profile of this size that the answer goes on with.
    ///
    /// # Errors
    /// Fails if the connection ends before it.
    fn fetch(&self, answer: &mut Answer, size: u64) -> Result<Option<Found>> {
        if size > PROFILE_MAX {
            return Ok(Some(Found::Unwritten(anyhow!("it has {size} bytes, more than 4 GiB"))));
        }
        let (mut left, mut verdict) = (size, Ok(()));
        let write = |file: &mut dyn Write| {
            let mut tee = Tee { input: answer.take(size), file, is_full: false };
            verdict = Profile::read_whole(&mut BufReader::new(&mut tee)).map(drop);
            left = tee.input.limit();
            // What the script says next stands behind it.
            let _rest = io::copy(&mut tee.input, &mut io::sink());
            match (&verdict, tee.is_full) {
                (Ok(()), _) => Ok(()),
                (Err(FileError::Io(error)), true) => {
                    Err(io::Error::new(error.kind(), error.to_string()))
                }
                // Said by the verdict.
                (Err(_), _) => Err(io::ErrorKind::InvalidData.into()),
            }
        };
        match (self.write(write), verdict) {
            (Ok(()), _) => Ok(None),
            (Err(error), _) if error.kind() != io::ErrorKind::InvalidData => {
                Ok(Some(Found::Unwritten(context(error, self.path, "cannot write"))))
            }
            (Err(_), Err(FileError::Io(_) | FileError::Truncated)) if left > 0 => {
                bail!("the connection has ended before the profile")
            }
            (Err(_), Err(error)) => Ok(Some(Found::Damaged(error.to_string()))),
            (Err(error), Ok(())) => {
                Ok(Some(Found::Unwritten(context(error, self.path, "cannot write"))))
            }
        }
    }
}

/// Copies what is read from the connection into a file.
struct Tee<'a> {
    input: io::Take<&'a mut Answer>,
    file: &'a mut dyn Write,
    /// Whether writing has failed.
    is_full: bool,
}

impl Read for Tee<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(bytes)?;
        let written = self.file.write_all(&bytes[..count]);
        self.is_full = written.is_err();
        written.map(|()| count)
    }
}

/// Brings the profile here and removes the folder there. A connection that was lost is made anew; a
/// recording that still runs without one is ended.
///
/// # Errors
/// Fails if the profile cannot be had or written, and says where it stays.
pub(super) fn fetch(
    ssh: &Ssh<'_>,
    remote: &Remote,
    target: &Target<'_>,
    signals: &mut Signals,
) -> Result<Ended> {
    let host = ssh.host();
    let staying = |error: anyhow::Error| {
        anyhow!(
            "{error:#}; the profile stays on {host}: fetch {0}/{PROFILE}, then remove {0}",
            remote.folder
        )
    };
    let mut pauses = PAUSES.into_iter();
    let found = loop {
        let words = [OsStr::new(&remote.folder)];
        match ssh.ask(FETCH, &words, signals, |input, answer| talk(input, answer, target)) {
            Ok((found, is_removed)) => {
                if !is_removed && !found.stays() {
                    remote.warn_of_folder(ssh);
                }
                break found;
            }
            Err(error) => match pauses.next() {
                Some(pause) if signals.wait(pause) => {}
                _ => return Err(staying(error)),
            },
        }
    };
    match found {
        Found::Ended(ended) => Ok(ended),
        Found::Nothing => bail!("the recording on {host} has not begun; above stands why"),
        Found::Running => Err(staying(anyhow!("the recording on {host} does not end"))),
        Found::Damaged(error) => {
            Err(staying(anyhow!("what {host} has recorded is no whole profile: {error}")))
        }
        Found::Unwritten(error) => Err(staying(error)),
    }
}

/// One try, and whether the folder was removed.
///
/// # Errors
/// Fails if the connection does before the profile is here, and may be tried again.
fn talk(mut input: ChildStdin, answer: &mut Answer, target: &Target<'_>) -> Result<(Found, bool)> {
    let [code, size] = header(answer)?;
    let size: Option<u64> = size.trim().parse().ok();
    let found = match (code.parse().ok(), &*code) {
        (Some(code), _) => {
            let fault = size.map_or(Ok(None), |size| target.fetch(answer, size))?;
            fault.unwrap_or(Found::Ended(Ended { code, has_profile: size.is_some() }))
        }
        (None, "running") => Found::Running,
        (None, _) => Found::Nothing,
    };
    // A second try would rename the profile that is here now.
    let is_removed = !found.stays() && is_removed(&mut input, answer).unwrap_or(false);
    Ok((found, is_removed))
}

/// Has the folder removed.
fn is_removed(input: &mut ChildStdin, answer: &mut Answer) -> io::Result<bool> {
    input.write_all(b"done\n")?;
    let mut line = String::new();
    answer.take(REMOVED.len() as u64).read_line(&mut line)?;
    Ok(line == REMOVED)
}
