//! What to record and how.

use crate::{count_rule::CountRule, demotion_rule::DemotionRule, manifest_source::ManifestSource};
use jfathom_session::{AgentOptions, CalibrationPhases, ClockChoice, RingSize};
use jfathom_trace::ManifestRef;
use std::{ffi::OsString, path::PathBuf, time::Duration};

/// One recording to make.
#[derive(Clone, Debug, Default)]
pub struct RecordOptions {
    /// The command and its arguments.
    pub command: Vec<OsString>,
    /// The profile to write.
    pub output: PathBuf,
    /// Whether `output` may replace a file.
    pub force: bool,
    /// Whether each JVM gets a profile of its own (`profile.PID.jfp` for `profile.jfp`) and they
    /// are not merged.
    pub per_jvm: bool,
    /// The session directory; a new one in memory, or else on disk, where none is named.
    pub session_dir: Option<PathBuf>,
    /// Whether the session directory stays when the profile is written.
    pub keep_session: bool,
    /// JVM flags that the command needs: put after `java` where the command is the launcher, or
    /// into `JAVA_TOOL_OPTIONS` with `via_env`, else not passed on.
    pub jvm_flags: Vec<String>,
    /// Whether `jvm_flags` go through `JAVA_TOOL_OPTIONS`, which reaches JVMs behind scripts and
    /// prints a line on stderr.
    pub via_env: bool,
    /// Whether JVMs that still run when the command has ended are left to themselves.
    pub no_wait: bool,
    /// The size of each thread's ring; none means the runtime's default.
    pub ring_size: Option<RingSize>,
    /// The clock to use.
    pub clock: ClockChoice,
    /// What the runtime must make room for where it cannot see the manifests itself
    /// ([`jfathom_session::names::ENV_IDS`]).
    pub ids: Option<String>,
    /// Manifests of the program that a JVM may not be able to name (isolated class loaders); those
    /// that a JVM names itself go before.
    pub manifests: Vec<ManifestRef>,
    /// Manifests of files that the program is known to run with: read before it starts, so that
    /// their methods have their modes from its first call on.
    pub files: Vec<ManifestRef>,
    /// Which methods are only counted from the beginning.
    pub count: CountRule,
    /// By what rule methods are counted that were timed at first; by none, never.
    pub demote: Option<DemotionRule>,
    /// When each JVM measures its own probes.
    pub calibrate: CalibrationPhases,
    /// Whether the roots only are timed and all else is off, in the methods of `files` and
    /// `manifests`.
    pub roots_only: bool,
    /// What is run instead where the roots only are timed; without it that is the command itself,
    /// with all else switched off.
    pub roots_only_command: Option<RootsOnlyCommand>,
    /// How often the command is run, each time in fresh JVMs; more than one make a profile of
    /// runs. Zero is one.
    pub runs: u32,
    /// Whether each run has a roots-only run beside it, by which the times in the roots
    /// are measured.
    pub anchor: bool,
    /// Whether the command gets an empty standard input instead of this process's.
    pub no_input: bool,
    /// Probes come into the classes while the program runs; none where they were rewritten before.
    pub live: Option<LiveOptions>,
    /// Who records, for the profile: `jfathom 0.1.0`.
    pub tool: String,
}

/// A command with the same program in which only the roots have probes. Their ids are those that
/// they have in the other.
#[derive(Clone, Debug, Default)]
pub struct RootsOnlyCommand {
    /// The command and its arguments.
    pub command: Vec<OsString>,
    /// The value of `CLASSPATH`, where it is another.
    pub class_path: Option<OsString>,
    /// JVM flags in place of [`RecordOptions::jvm_flags`].
    pub jvm_flags: Vec<String>,
    /// The clock in place of [`RecordOptions::clock`].
    pub clock: ClockChoice,
}

/// How probes come into classes while the program runs.
#[derive(Clone, Debug)]
pub struct LiveOptions {
    /// The library that JVMs load, by its absolute path.
    pub library: PathBuf,
    /// Its options, but for the session directory.
    pub options: AgentOptions,
    /// The same for a roots-only run.
    pub roots_only: AgentOptions,
    /// The JVMs that load it.
    pub jvms: LiveTarget,
    /// After so long the classes get their original code back. Where none is given that is when a
    /// signal asks for it, or never.
    pub duration: Option<Duration>,
}

/// Which JVMs load the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveTarget {
    /// Those of the command, at their start.
    Command,
    /// The one with this process id, as it runs.
    Running(u32),
    /// The one with this process id, which has loaded it by itself and made the session directory.
    Joined(u32),
}

impl RecordOptions {
    /// What is run instead of the command, if something is.
    pub(crate) fn replacement_command(&self) -> Option<&RootsOnlyCommand> {
        self.roots_only_command.as_ref().filter(|_| self.roots_only)
    }
}

impl LiveOptions {
    /// The process that is recorded, where there is no command.
    pub(crate) fn pid(&self) -> Option<u32> {
        match self.jvms {
            LiveTarget::Command => None,
            LiveTarget::Running(pid) | LiveTarget::Joined(pid) => Some(pid),
        }
    }

    /// The options of one run.
    pub(crate) fn options_of(&self, roots_only: bool) -> &AgentOptions {
        if roots_only { &self.roots_only } else { &self.options }
    }
}

/// One of two commands whose runs are interleaved ([`crate::record_interleaved`]).
#[derive(Clone, Copy)]
pub struct SideOptions<'a> {
    /// What is recorded, and where it goes.
    pub options: &'a RecordOptions,
    /// The manifests of its program.
    pub manifests: &'a dyn ManifestSource,
}
