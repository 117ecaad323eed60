//! One recording: the session directory, the command in it, its JVMs drained live into calling
//! context trees, and the profile at the end, whatever is killed on the way.
#![forbid(unsafe_code)]

mod agent_library;
mod anchor;
pub mod attach;
mod checkpoint;
mod command;
mod count_rule;
mod demote;
mod demotion_rule;
mod drain;
mod epoch;
mod error;
mod finish;
mod input;
mod java_command;
mod java_launcher;
mod jvm;
mod manifest_source;
mod manifests;
mod methods_file;
mod modes;
mod options;
mod outcome;
mod output;
mod process;
mod record;
mod recording;
mod recover;
mod runs;
mod session_dir;
mod sessions;
mod signals;
mod subject;
mod write;

pub use agent_library::{UnpackError, unpack_agent};
pub use count_rule::CountRule;
pub use demotion_rule::DemotionRule;
pub use error::Error;
pub use java_command::JavaCommand;
pub use java_launcher::java_version;
pub use jfathom_trace::ManifestRef;
pub use manifest_source::ManifestSource;
pub use manifests::manifest_limit;
pub use options::{LiveOptions, LiveTarget, RecordOptions, RootsOnlyCommand, SideOptions};
pub use outcome::{Event, ExitReason, RecordingSummary, RootEvent, RunNumber, Side, Status};
pub use sessions::{RunningSession, SessionState, stop};

use jfathom_profile::Profile;
use std::path::Path;

/// Runs a command, records its JVMs, and writes their profile; several times, where that is asked
/// for ([`RecordOptions::runs`], [`RecordOptions::anchor`]).
///
/// `events` is called on the calling thread only. The command has the streams of this process, and
/// the signals that come to this process go on to it.
///
/// # Errors
/// Where nothing was recorded or written; [`Error::exit_code`] says what to tell the shell.
pub fn record(
    options: &RecordOptions,
    manifests: &dyn ManifestSource,
    events: &mut dyn FnMut(Event),
) -> Result<RecordingSummary, Error> {
    record::run(options, manifests, events)
}

/// Interleaves the runs of two commands, as often each as the options of either say, and writes a
/// profile of each: base, new, new, base, base, new and so on, so that what the machine does
/// meanwhile is on both sides alike. The first run of either that fails is the last, and both
/// profiles have the same number of runs; where no round is whole there is none.
///
/// Events and signals are as in [`record`]; session directories are those of the base's options.
/// The outcomes are the base's and the new side's.
///
/// # Errors
/// As in [`record`], and where both profiles would be one file.
pub fn record_interleaved(
    base: SideOptions<'_>,
    new: SideOptions<'_>,
    events: &mut dyn FnMut(Event),
) -> Result<[RecordingSummary; 2], Error> {
    record::run_interleaved([base, new], events)
}

/// What a recording that runs has so far: the profiles of the JVMs in its session directory as of
/// their last checkpoints, which are about a second old. Nothing is stopped or changed.
///
/// # Errors
/// As [`recover`], and where there is no checkpoint so far.
pub fn snapshot(dir: &Path, manifests: &dyn ManifestSource) -> Result<Vec<Profile>, Error> {
    recover::look(dir, manifests)
}

/// Where the profile of the recording in a session directory will be; none where that is not known.
pub fn output_of(dir: &Path) -> Option<std::path::PathBuf> {
    recover::output_of(dir)
}

/// The profiles of the JVMs in the session directory of a recorder that was killed, one each,
/// oldest first: the last checkpoint and the records that were left in the rings. Nothing in the
/// directory is changed. Of a JVM that still runs it is what has been recorded so far.
///
/// # Errors
/// Where the directory is no session directory, belongs to another user, or holds a file that
/// cannot be read.
pub fn recover(dir: &Path, manifests: &dyn ManifestSource) -> Result<Vec<Profile>, Error> {
    recover::run(dir, manifests)
}
