//! The options of a recording.

use crate::{
    drain::{budget::Budget, count_rule::CountRule, manifests::ManifestSource},
    jfr::companion::{JfrAgent, JfrEvents},
    run::slice_pattern::SliceOptions,
};
use jfathom_profile::Labels;
use jfathom_session::{
    AgentOptions, CalibrationPhases, ClockChoice, Metrics, RingSize, RootSampling,
};
use jfathom_trace::ManifestRef;
use std::{ffi::OsString, num::NonZeroU64, path::PathBuf, time::Duration};

/// The options of one recording.
#[derive(Clone, Debug, Default)]
pub struct RecordOptions {
    /// The command and its arguments.
    pub command: Vec<OsString>,
    /// The profile to write.
    pub output: PathBuf,
    /// How the recording is written in slices, each a profile of its own; none means one profile,
    /// `output`.
    pub slices: Option<SliceOptions>,
    /// Whether `output` may replace a file.
    pub force: bool,
    /// Whether each JVM gets a profile of its own (`profile.PID.jfp` for `profile.jfp`).
    pub per_jvm: bool,
    /// The session directory; none means a new one in memory, or else on disk.
    pub session_dir: Option<PathBuf>,
    /// Whether the session directory is kept when the profile is written.
    pub keep_session: bool,
    /// JVM flags that the command needs. They are put after `java` if the command is the launcher,
    /// or into `JAVA_TOOL_OPTIONS` with `via_env`; else they are not passed on.
    pub jvm_flags: Vec<String>,
    /// JVM flags that take back others of the command, if that is the launcher.
    pub last_jvm_flags: Vec<String>,
    /// What the profiles say of how they were recorded.
    pub notices: Vec<String>,
    /// Whether `jvm_flags` go through `JAVA_TOOL_OPTIONS`, which reaches JVMs behind scripts and
    /// prints a line on stderr.
    pub via_env: bool,
    /// How long the recording waits, after the command's end, for JVMs to join.
    pub wait: Wait,
    /// The size of each thread's ring; none means the runtime's default.
    pub ring_size: Option<RingSize>,
    /// How many of the slowest calls of each root and task are kept with all below them. Zero:
    /// none.
    pub slowest: usize,
    /// How many bytes the tree of each JVM may take; none means a quarter of the free memory.
    pub max_memory: Option<u64>,
    /// Which calls of roots are recorded; none means all.
    pub sample_roots: Option<RootSampling>,
    /// The clock to use.
    pub clock: ClockChoice,
    /// What is recorded beside calls and times.
    pub metrics: Metrics,
    /// What the JVM's own recorder records beside the session. [`Metrics::jfr_clock`] must then be
    /// set.
    pub jfr: JfrEvents,
    /// The agent's library, if it is to start that recorder ([`jfr_agent_task`]).
    ///
    /// [`jfr_agent_task`]: crate::jfr_agent_task
    pub jfr_agent: Option<JfrAgent>,
    /// The id span for runtimes that see no manifest, as the value of
    /// [`ENV_IDS`](jfathom_session::names::ENV_IDS).
    pub ids: Option<String>,
    /// Manifests of the program that a JVM may not be able to name (isolated class loaders). One
    /// that a JVM names has precedence.
    pub manifests: Vec<ManifestRef>,
    /// Manifests of files that the program is known to run with. They are read before it starts, so
    /// that their methods have their modes from the first call on.
    pub files: Vec<ManifestRef>,
    /// Which methods are counted or off from the begin, and which stay timed.
    pub count: CountRule,
    /// Time that probes and collector may take. While they take more, methods are demoted.
    pub budget: Budget,
    /// When each JVM measures its own probes.
    pub calibrate: CalibrationPhases,
    /// The directory with the last good calibrations; none if they are not to be compared.
    pub calibration_history: Option<PathBuf>,
    /// Whether it is a roots-only run: all other methods of `files` and `manifests` are off.
    pub roots_only: bool,
    /// The command of roots-only runs; none means `command` with all other methods off.
    pub roots_only_command: Option<RootsOnlyCommand>,
    /// The number of runs, each in new JVMs. More than one make a series. Zero means one.
    pub runs: u32,
    /// Whether each run is paired with a roots-only run that measures the time in the roots.
    pub anchor: AnchorChoice,
    /// The size of the input that the command works on, for the profile; none if it is not known.
    pub size: Option<NonZeroU64>,
    /// What the user says of the recording, for the profile.
    pub labels: Labels,
    /// Whether the command's standard input is empty instead of this process's.
    pub no_input: bool,
    /// The live session; none if the classes were rewritten ahead of time.
    pub live: Option<LiveOptions>,
    /// The tool's name and version for the profile: `jfathom 0.1.0`.
    pub tool: String,
}

/// Whether runs are paired with roots-only runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnchorChoice {
    /// No run is.
    #[default]
    Never,
    /// Each run is. If the runs do different work, or have no time in roots, a note says so, and no
    /// further roots-only run is made.
    IfComparable,
    /// Each run is. If the runs cannot be compared, the recording fails.
    Required,
}

/// A command that runs the same program with probes in the roots only. The roots have the same ids
/// as in the other command.
#[derive(Clone, Debug, Default)]
pub struct RootsOnlyCommand {
    /// The command and its arguments.
    pub command: Vec<OsString>,
    /// The value of `CLASSPATH`; none means this process's.
    pub class_path: Option<OsString>,
    /// JVM flags in place of [`RecordOptions::jvm_flags`].
    pub jvm_flags: Vec<String>,
    /// The clock in place of [`RecordOptions::clock`].
    pub clock: ClockChoice,
}

/// The options of a live session.
#[derive(Clone, Debug)]
pub struct LiveOptions {
    /// The absolute path of the agent's library.
    pub library: PathBuf,
    /// The agent's options, without the session directory.
    pub options: AgentOptions,
    /// The same for a roots-only run.
    pub roots_only: AgentOptions,
    /// The JVMs that load the agent.
    pub jvms: LiveTarget,
    /// When the session ends; none means at a signal, or at the JVM's end.
    pub duration: Option<Duration>,
}

/// Which JVMs load the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveTarget {
    /// The JVMs of the command, at their start.
    Command,
    /// The running JVM with this process id.
    Running(u32),
    /// The JVM with this process id, which has loaded the agent itself and made the session
    /// directory.
    Joined(u32),
}

impl RecordOptions {
    /// The command of a roots-only run, if it is another.
    pub(crate) fn replacement_command(&self) -> Option<&RootsOnlyCommand> {
        self.roots_only_command.as_ref().filter(|_| self.roots_only)
    }
}

impl LiveOptions {
    /// The process that is recorded; none if there is a command.
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
    /// The options of its runs.
    pub options: &'a RecordOptions,
    /// The manifests of its program.
    pub manifests: &'a dyn ManifestSource,
}

/// How long a recording goes on after its command's end while no JVM that has joined runs, and a
/// process of the command does, which may become one or start one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// At most so long. Zero: nor for JVMs that have joined and still run.
    AtMost(Duration),
    /// As long as there is such a process.
    Forever,
}

impl Default for Wait {
    /// Long enough for a start script that looks at its machine before it runs `java`.
    fn default() -> Self {
        Self::AtMost(Duration::from_secs(30))
    }
}

impl Wait {
    /// Waits for nothing that outlives the command.
    pub const NONE: Self = Self::AtMost(Duration::ZERO);

    /// Whether it is over after this time.
    pub(crate) fn is_over(self, waited: Duration) -> bool {
        matches!(self, Self::AtMost(most) if waited >= most)
    }
}

impl std::fmt::Display for Wait {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AtMost(most) => write!(f, "{} s", most.as_secs_f64()),
            Self::Forever => f.write_str("as long as it runs"),
        }
    }
}
