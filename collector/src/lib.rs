//! The collector: makes a session directory, runs the command, drains its JVMs into calling context
//! trees, and writes the profile. Whatever is killed meanwhile, the rest is kept.
//!
//! A JVM counts as dead only when its process has ended, never after a timeout. The collector saves
//! its state from time to time (a checkpoint). If it is killed, at most the records since the last
//! checkpoint are lost, and the profile says how many. Calls after the kill may be missing without
//! a count.
#![forbid(unsafe_code)]

mod agent_samples;
pub mod attach;
mod drain;
mod epoch;
mod error;
mod jfr;
mod options;
mod outcome;
mod program;
mod run;

pub use attach::agent_library::{UnpackError, unpack_agent};
pub use attach::sampled_stacks::{
    Hotspot, ProposedRoot, RootKind, RootProposal, SampledStacks, sample,
};
pub use drain::budget::{Budget, BudgetError};
pub use drain::count_rule::CountRule;
pub use drain::manifests::{ManifestSource, manifest_limit};
pub use error::Error;
pub use jfathom_trace::ManifestRef;
pub use jfr::companion::{
    JfrAgent, JfrAgentTask, JfrEvent, JfrEvents, LacksJfr, is_jfr_path, jfr_agent_task, jfr_flags,
    lacks_jfr,
};
pub use jfr::thread_events::add_thread_events;
pub use options::{
    AnchorChoice, LiveOptions, LiveTarget, RecordOptions, RootsOnlyCommand, SideOptions, Wait,
};
pub use outcome::{Event, ExitReason, RecordingSummary, RootEvent, RunNumber, Side, Status};
pub use program::java_command::{JavaCommand, JavaEnvironment, JavaMain};
pub use program::java_launcher::{java_home, java_version};
pub use program::jvm_archives::JvmArchives;
pub use program::uninstrumented::{UninstrumentedCommand, UninstrumentedEnd, run_uninstrumented};
pub use run::abandoned::take_abandoned;
pub use run::output::numbered;
pub use run::sessions::{RunningSession, SessionState, stop};
pub use run::slice_pattern::{PatternError, SliceOptions, SlicePattern};

use jfathom_profile::Profile;
use std::path::Path;

/// Why the kernel tells no context switches, for the user. None if it does.
pub fn switches_refused() -> Option<String> {
    jfathom_switches::check().err().map(|error| error.to_string())
}

/// Runs a command, records its JVMs, and writes their profile. [`RecordOptions::runs`] and
/// [`RecordOptions::anchor`] make a series of runs.
///
/// `events` is called on the calling thread only. The command has the streams of this process, and
/// gets the signals of this process.
///
/// # Errors
/// Fails if nothing was recorded or written; [`Error::exit_code`] is the exit code for the shell.
pub fn record(
    options: &RecordOptions,
    manifests: &dyn ManifestSource,
    events: &mut dyn FnMut(Event),
) -> Result<RecordingSummary, Error> {
    run::record::run(options, manifests, events)
}

/// Interleaves the runs of two commands, and writes a profile of each. The order is base, new, new,
/// base, base, new and so on, so that drift of the machine affects both sides alike. Each side has
/// the larger number of runs of both options. The first run that fails is the last. Both profiles
/// have the same number of runs; without a whole round there is none.
///
/// Events and signals are as in [`record`]. Session directories are those of the base's options.
/// The summaries are the base's and the new side's.
///
/// # Errors
/// Fails as [`record`] does, and if both profiles would be one file.
pub fn record_interleaved(
    base: SideOptions<'_>,
    new: SideOptions<'_>,
    events: &mut dyn FnMut(Event),
) -> Result<[RecordingSummary; 2], Error> {
    run::record::run_interleaved([base, new], events)
}

/// The profiles so far of a recording that goes on: one for each JVM in its session directory, as
/// of its last checkpoint, which is at least a second old. Nothing is stopped or changed.
///
/// # Errors
/// Fails as [`recover`] does, and if there is no checkpoint so far.
pub fn snapshot(dir: &Path, manifests: &dyn ManifestSource) -> Result<Vec<Profile>, Error> {
    run::recover::look(dir, manifests)
}

/// The path of the profile that the recording in a session directory will write; none if that is
/// not known.
pub fn output_of(dir: &Path) -> Option<std::path::PathBuf> {
    run::recover::output_of(dir)
}

/// The profiles of what a killed collector left in a session directory: one for each JVM, oldest
/// first, from its last checkpoint and the records in the rings. Nothing in the directory is
/// changed. The profile of a JVM that still runs has what was recorded so far.
///
/// # Errors
/// Fails if the directory is no session directory of this user, or if a file in it cannot be read.
pub fn recover(dir: &Path, manifests: &dyn ManifestSource) -> Result<Vec<Profile>, Error> {
    run::recover::run(dir, manifests)
}
