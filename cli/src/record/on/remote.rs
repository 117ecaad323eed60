//! The folder of a recording on another machine, and the program that records there.

use super::{
    signals::Signals,
    ssh::{Ssh, header},
};
use crate::{
    out,
    tool::{NAME, TOOL},
};
use anyhow::{Context, Result, bail};
use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Write},
};

const BEGIN: &str = include_str!("begin.sh");
const COPY: &str = include_str!("copy.sh");
const REMOVE: &str = include_str!("remove.sh");

/// How the folder's name begins (`begin.sh`).
const FOLDER: &str = "jfathom-record.";
/// This program, also if its file was replaced or removed since it began.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// A folder of one recording, mode 0700, and the machine that it is on.
pub(super) struct Remote {
    pub(super) folder: String,
    /// What `uname -sm` says.
    system: String,
    /// What `jfathom --version` says; empty if there is none on the `PATH`.
    version: String,
}

impl Remote {
    /// Makes the folder.
    ///
    /// # Errors
    /// Fails if there is no connection, or no folder could be made.
    pub(super) fn new(ssh: &Ssh<'_>, signals: &mut Signals) -> Result<Self> {
        let host = ssh.host();
        ssh.ask(BEGIN, &[], signals, |mut input, answer| {
            let [folder, system, version] =
                header(answer).with_context(|| format!("{host} cannot record"))?;
            // It is going to be removed with all that is in it.
            let name = folder.starts_with('/').then(|| folder.rsplit('/').next()).flatten();
            if !name.is_some_and(|name| name.starts_with(FOLDER)) {
                bail!("{host}: TMPDIR there has to be an absolute path of one line");
            }
            input.write_all(b"keep\n").with_context(|| format!("{host} has not listened"))?;
            Ok(Self { folder, system, version })
        })
    }

    /// The program that records there: of this version, or a copy of this one, which is made now.
    ///
    /// # Errors
    /// Fails if a copy could not run there.
    pub(super) fn program(
        &self,
        ssh: &Ssh<'_>,
        signals: &mut Signals,
        quiet: bool,
    ) -> Result<String> {
        if self.version == TOOL {
            return Ok(NAME.to_owned());
        }
        let (host, here) = (ssh.host(), system());
        if self.system != here {
            bail!(
                "{host} is {} and this machine {here}, so that a copy of this program cannot run \
                 there: install {TOOL} on the PATH of its ssh sessions",
                self.system
            );
        }
        let context = || format!("{host} cannot get a copy of jfathom: install {TOOL} there");
        let mut program = File::open(THIS_PROGRAM).context(THIS_PROGRAM).with_context(context)?;
        if !quiet {
            out::say(&format!("no {TOOL} on the PATH of {host}: copying this program there"));
        }
        let copied = ssh.ask(COPY, &[OsStr::new(&self.folder)], signals, |mut input, answer| {
            io::copy(&mut program, &mut input)?;
            drop(input);
            let [version] = header(answer)?;
            Ok(version)
        });
        match copied.with_context(context)? == TOOL {
            true => Ok(format!("{}/{NAME}", self.folder)),
            false => bail!("{}: the copy does not run", context()),
        }
    }

    /// Removes the folder of a recording that has not begun.
    pub(super) fn remove(&self, ssh: &Ssh<'_>, signals: &mut Signals) {
        let words = [OsStr::new(&self.folder)];
        let removed = ssh.ask(REMOVE, &words, signals, |_input, answer| header::<0>(answer));
        if removed.is_err() {
            self.warn_of_folder(ssh);
        }
    }

    /// Tells the user that the folder was not removed.
    pub(super) fn warn_of_folder(&self, ssh: &Ssh<'_>) {
        out::say(&format!("{} stays on {}: remove it", self.folder, ssh.host()));
    }
}

/// What `uname -sm` says here.
fn system() -> String {
    let system = rustix::system::uname();
    let [name, machine] = [system.sysname(), system.machine()].map(|text| text.to_string_lossy());
    format!("{name} {machine}")
}
