//! `jfathom record --on`: the same recording on another machine, over the system's `ssh`. The
//! scripts beside this file run there.

mod address;
mod fetch;
mod quote;
mod remote;
mod signals;
mod ssh;
mod words;

use super::{role, target::Target};
use crate::out;
use address::Address;
use anyhow::{Result, bail};
use clap::{ArgMatches, Command, FromArgMatches};
use fetch::{Ended, PROFILE};
use remote::Remote;
use signals::Signals;
pub(super) use signals::ignored as ignored_signals;
use ssh::Ssh;
use std::{
    ffi::{OsStr, OsString},
    path::Path,
    process::ExitCode,
};

const RECORD: &str = include_str!("on/record.sh");
/// The exit code of a recording that has only proposed roots.
const PROPOSED: u8 = 2;

/// The other machine.
#[derive(Debug, clap::Args)]
struct Machine {
    /// Record on another machine, by ssh, and bring the profile here
    ///
    /// All other paths, the command and -p are of that machine, and its paths begin in the home
    /// directory there. If it has no jfathom of this version, this one is copied there for the time
    /// of the recording. The environment variable JFATHOM_SSH names another program than ssh, with
    /// first arguments.
    #[arg(long = "on", value_name = "ssh://[USER@]HOST[:PORT]", help_heading = "Another machine",
        conflicts_with_all = ["baseline", "every", "sizes"])]
    address: Option<Address>,
}

/// What else the command line says.
pub(super) struct Recording<'a> {
    /// Where the profile goes, here.
    pub(super) output: &'a Path,
    pub(super) force: bool,
    pub(super) quiet: bool,
    /// Whether roots are only proposed: nobody is asked, since there is no terminal.
    pub(super) proposes: bool,
    pub(super) command: &'a [OsString],
}

/// The other machine, and what its command line is made of.
#[derive(Debug)]
pub(super) struct OnArgs {
    machine: Machine,
    /// The options for the process that records elsewhere.
    options: Vec<OsString>,
}

impl clap::Args for OnArgs {
    fn augment_args(command: Command) -> Command {
        Machine::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Machine::augment_args_for_update(command)
    }
}

impl FromArgMatches for OnArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let machine = Machine::from_arg_matches(matches)?;
        Ok(Self { machine, options: words::options(matches) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl OnArgs {
    /// Whether another machine records.
    pub(super) fn is_given(&self) -> bool {
        self.machine.address.is_some()
    }

    /// The options that were given, as words for another process.
    pub(super) fn options(&self) -> &[OsString] {
        &self.options
    }

    /// Records on the other machine. The exit code is that of the recording there.
    ///
    /// # Errors
    /// Fails if the other machine cannot record, and if the profile cannot be written here.
    pub(super) fn record(&self, recording: &Recording<'_>) -> Result<ExitCode> {
        let Some(address) = &self.machine.address else { bail!("--on names no machine") };
        let target = Target::new(recording.output, recording.force)?;
        let mut signals = Signals::new()?;
        let recorded = self.record_on(recording, &Ssh::new(address), &target, &mut signals);
        match (recorded, signals.first()) {
            (Err(error), Some(signal)) => {
                out::say(&format!("{error:#}"));
                Ok(ExitCode::from(signal.saturating_add(128)))
            }
            (Err(error), None) => Err(error),
            (Ok(Ended { code: 0, has_profile: false }), _) => {
                bail!("the recording on {} has left no profile", address.host())
            }
            (Ok(Ended { code, .. }), _) => {
                if recording.proposes && code == PROPOSED {
                    out::say(&format!("a recording there needs --on {address}, too"));
                }
                Ok(ExitCode::from(code))
            }
        }
    }

    fn record_on(
        &self,
        recording: &Recording<'_>,
        ssh: &Ssh<'_>,
        target: &Target<'_>,
        signals: &mut Signals,
    ) -> Result<Ended> {
        let remote = Remote::new(ssh, signals)?;
        let begun = self.begin(recording, ssh, &remote, signals);
        // Whatever comes now, the folder there has to go.
        signals.be_patient();
        if let Err(error) = begun {
            remote.remove(ssh, signals);
            return Err(error);
        }
        fetch::fetch(ssh, &remote, target, signals)
    }

    /// Runs the recording until its connection has ended.
    fn begin(
        &self,
        recording: &Recording<'_>,
        ssh: &Ssh<'_>,
        remote: &Remote,
        signals: &mut Signals,
    ) -> Result<()> {
        let program = remote.program(ssh, signals, recording.quiet)?;
        let words = self.words(recording, &remote.folder);
        let first = [&remote.folder, &program].map(OsStr::new);
        let all: Vec<&OsStr> = first.into_iter().chain(words.iter().map(|word| &**word)).collect();
        signals.arrived();
        if signals.is_enough() {
            bail!("ended by a signal; nothing was recorded");
        }
        signals.be_patient();
        ssh.watch(RECORD, &all, signals)
    }

    /// The words of the recording there, behind the program.
    fn words(&self, recording: &Recording<'_>, folder: &str) -> Vec<OsString> {
        // The options of this machine's jfathom.toml are among the words.
        let mut words: Vec<OsString> = vec!["record".into(), role::shown(recording.output)];
        if !recording.proposes {
            words.push(format!("--output={folder}/{PROFILE}").into());
        }
        words.extend(self.options.iter().cloned());
        if !recording.command.is_empty() {
            words.push("--".into());
            words.extend(recording.command.iter().cloned());
        }
        words
    }
}
