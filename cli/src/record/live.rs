//! `jfathom record --root`: a live session, whose classes are instrumented while the program runs.

use super::{
    methods::Methods,
    program::{JavaProgram, is_java},
};
use crate::{agent_library, failure::usage};
use anyhow::Result;
use clap::ArgGroup;
use jfathom_collector::{LiveOptions, LiveTarget, Wait, unpack_agent};
use jfathom_instrument::{Selection, look_up_roots};
use jfathom_plan::{RegionSelector, Selector};
use jfathom_session::{
    AgentOptions, CalibrationPhases, ClockChoice, Metrics, RingSize, RootSampling,
};
use std::{ffi::OsString, time::Duration};

/// The JVM of a live session, and the methods to instrument.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Live sessions (unmodified jars)")]
#[command(group = ArgGroup::new("live_session").args(["root", "region", "pid"]).multiple(true))]
pub(super) struct LiveArgs {
    /// Record inside these methods of unmodified jars: the JVM loads an agent; repeat for more
    #[arg(long, value_name = "SELECTOR")]
    pub(super) root: Vec<Selector>,
    /// Count and time these lines of a method of unmodified jars; without --root they are the
    /// roots; repeat for more (docs/how-to/regions.md)
    #[arg(long, value_name = "CLASS::METHOD:LINE-LINE")]
    pub(super) region: Vec<RegionSelector>,
    /// Attach to a running JVM; the agent restores its classes at the end. Without --root sample it
    /// for two seconds, show where its time goes, and propose roots
    #[arg(short, long, value_name = "PID",
        conflicts_with_all = ["command", "runs", "anchor", "per_jvm", "use_java_tool_options", "wait"],
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) pid: Option<u32>,
    /// Restore the classes after this time, such as 30s or 5m [default: at the program's end; with
    /// -p at Ctrl-C or `jfathom stop`]
    #[arg(short, long, value_name = "TIME", requires = "live_session", value_parser = duration)]
    pub(super) duration: Option<Duration>,
    /// When methods get probes [default: eager with -p, so that the program waits for few pauses;
    /// else lazy]
    #[arg(long, value_enum, value_name = "SCHEME", requires = "live_session")]
    scheme: Option<Scheme>,
    /// Instrument also the methods of the JDK that the roots can call
    #[arg(long, requires = "live_session")]
    include_jdk: bool,
    /// Instrument only what SELECTOR selects of the methods that the roots can call, or skip it
    /// (!SELECTOR); repeat for more
    #[arg(long, value_name = "SELECTOR", requires = "live_session")]
    include: Vec<Selector>,
    /// Print also what was skipped, and how calls through reflection are followed
    #[arg(short, long, requires = "live_session")]
    verbose: bool,
    /// Record the session that the agent in a JVM has begun
    #[arg(long, hide = true, value_name = "PID", requires = "session_dir",
        conflicts_with_all = ["command", "root", "region", "runs", "anchor", "per_jvm"])]
    pub(super) adopt: Option<u32>,
}

/// When methods get probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Scheme {
    /// The callees of a method, at its first call, which waits for them: fewest methods
    Lazy,
    /// The callees of a program class, when it is loaded: fewer waits, more methods
    Eager,
    /// All methods of a program class, when it is loaded
    Total,
}

impl Scheme {
    /// What is used if the user names none.
    fn usual(attaches: bool) -> Self {
        if attaches { Self::Eager } else { Self::Lazy }
    }
}

impl From<Scheme> for jfathom_plan::Scheme {
    fn from(scheme: Scheme) -> Self {
        match scheme {
            Scheme::Lazy => Self::Lazy,
            Scheme::Eager => Self::Eager,
            Scheme::Total => Self::Total,
        }
    }
}

/// Ten years. Much longer times are past what clocks can tell.
const LONGEST_SECONDS: f64 = 10.0 * 365.25 * 86_400.0;

/// A time with its unit: `500ms`, `30s`, `5m`, `1h`; seconds without.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let seconds = digits.parse::<f64>().ok().map(|number| number * factor);
    let seconds = seconds
        .filter(|seconds| *seconds > 0.0 && *seconds <= LONGEST_SECONDS)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "expected a time such as 30s, 5m or 500ms".to_owned())
}

/// How long to wait for JVMs, as an argument.
pub(super) fn wait(text: &str) -> Result<Wait, String> {
    match text {
        "forever" => Ok(Wait::Forever),
        "0" | "0s" => Ok(Wait::NONE),
        text => duration(text)
            .map(Wait::AtMost)
            .map_err(|_| "expected a time such as 30s or 5m, 0, or forever".to_owned()),
    }
}

/// Other options of the command line that the agent needs.
pub(super) struct LiveContext<'a> {
    pub(super) command: &'a [OsString],
    pub(super) use_java_tool_options: bool,
    pub(super) clock: ClockChoice,
    pub(super) ring_size: Option<RingSize>,
    pub(super) sample_roots: Option<RootSampling>,
    pub(super) calibrate: bool,
    pub(super) metrics: Metrics,
    pub(super) parked: bool,
    pub(super) methods: &'a Methods,
    pub(super) program: &'a JavaProgram,
}

impl LiveArgs {
    /// Makes a collector that an agent has started the leader of a POSIX session of its own:
    /// neither the end of the program's terminal nor keys typed there end it.
    pub(super) fn detach_from_terminal(&self) {
        if self.adopt.is_some() {
            // Refused only for the leader of a process group, as when it is started by hand.
            let _refused = rustix::process::setsid();
        }
    }

    /// The collector's options; `None` if the classes were rewritten before.
    pub(super) fn live(&self, shared: &LiveContext) -> Result<Option<LiveOptions>> {
        if let Some(pid) = self.adopt {
            let (options, roots_only) = Default::default();
            let jvms = LiveTarget::Joined(pid);
            return Ok(Some(LiveOptions {
                library: Default::default(),
                options,
                roots_only,
                jvms,
                duration: None,
            }));
        }
        if self.root.is_empty() && self.region.is_empty() {
            if shared.parked {
                return Err(usage(
                    "--metrics parked: only in a live session (--root SELECTOR) an agent can see virtual threads \
                     park; times of rewritten jars are not split",
                ));
            }
            return Ok(None);
        }
        self.check(shared)?;
        Ok(Some(LiveOptions {
            library: unpack_agent(agent_library::BYTES)?,
            options: self.options(shared, &self.include),
            roots_only: AgentOptions {
                metrics: Metrics { jfr_clock: false, stacks: false, ..shared.metrics.of_probes() },
                probes: shared.methods.probe_rules().without_stacks(),
                ..self.options(shared, &self.root)
            },
            jvms: self.pid.map_or(LiveTarget::Command, LiveTarget::Running),
            duration: self.duration,
        }))
    }

    /// Looks up roots and regions in the program that is to start, and returns notices.
    ///
    /// # Errors
    /// Fails for one that the program cannot have.
    pub(super) fn look_up(&self, program: &JavaProgram) -> Result<Vec<String>> {
        let Some(launch) = program.launch.as_ref().filter(|_| self.pid.is_none()) else {
            return Ok(Vec::new());
        };
        let selection = Selection {
            roots: self.root.clone(),
            regions: self.region.clone(),
            include: self.include.clone(),
            include_jdk: self.include_jdk,
            ..Selection::default()
        };
        Ok(look_up_roots(launch, &selection)?)
    }

    fn check(&self, shared: &LiveContext) -> Result<()> {
        if self.region.is_empty() && self.root.iter().all(Selector::is_exclusion) {
            return Err(usage("--root: every selector is an exclusion; name a root"));
        }
        if let Some((path, _)) = shared.program.rewritten.files().next() {
            return Err(usage(format!(
                "{} was rewritten and has probes already: record it without --root and --region, or run its original",
                path.display()
            )));
        }
        if self.pid.is_none() && !is_java(shared.command) && !shared.use_java_tool_options {
            let command =
                shared.command.first().map(|word| word.to_string_lossy()).unwrap_or_default();
            return Err(usage(format!(
                "`{command}` is not `java`, so the agent cannot be put into its arguments: \
                 --use-java-tool-options passes it to all JVMs behind it, and each prints a line about it"
            )));
        }
        Ok(())
    }

    /// The agent's options, without the session directory.
    fn options(&self, shared: &LiveContext, include: &[Selector]) -> AgentOptions {
        AgentOptions {
            roots: self.root.clone(),
            regions: self.region.clone(),
            scheme: self.scheme.unwrap_or_else(|| Scheme::usual(self.pid.is_some())).into(),
            include_jdk: self.include_jdk,
            include: include.to_vec(),
            clock: shared.clock,
            ring_size: shared.ring_size,
            sample_roots: shared.sample_roots,
            calibrate: match shared.calibrate {
                true => CalibrationPhases::BOTH,
                false => CalibrationPhases::default(),
            },
            probes: shared.methods.probe_rules(),
            all_timed: shared.methods.all_timed(),
            mounts: shared.parked,
            metrics: shared.metrics.of_probes(),
            verbose: self.verbose,
            ..AgentOptions::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_with_units() {
        for (text, millis) in
            [("30s", 30_000), ("30", 30_000), ("1.5m", 90_000), ("250ms", 250), ("1h", 3_600_000)]
        {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "s", "-1s", "0s", "1x", "1e400s", "1e10s", "ms", "NaN", "inf", "ü"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
