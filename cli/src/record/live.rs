//! `jfathom record --root`: probes come into the classes while the program runs.

use super::{is_java, methods::Methods, placement::JavaProgram};
use crate::{agent_library, failure::usage};
use anyhow::Result;
use jfathom_collector::{LiveOptions, LiveTarget};
use jfathom_plan::Selector;
use jfathom_session::{AgentOptions, CalibrationPhases, ClockChoice};
use std::{ffi::OsString, time::Duration};

/// Which methods get probes while the program runs, and where.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Live: jars as they are")]
pub(super) struct LiveArgs {
    /// Record what happens inside these methods, in jars that were not rewritten: the JVM loads an
    /// agent; repeat for more
    #[arg(long, value_name = "SELECTOR")]
    pub(super) root: Vec<Selector>,
    /// Record a JVM that runs already; its classes get their original code back in the end
    #[arg(short, long, value_name = "PID", requires = "root",
        conflicts_with_all = ["command", "runs", "anchor", "per_jvm", "via_env", "no_wait"],
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) pid: Option<u32>,
    /// Give the classes their original code back after this time (30s, 5m); by default at the
    /// program's end, or with -p at Ctrl-C or `jfathom stop`
    #[arg(short, long, value_name = "TIME", requires = "root", value_parser = duration)]
    pub(super) duration: Option<Duration>,
    /// When the methods that a root can reach get their probes
    #[arg(long, value_enum, value_name = "SCHEME", default_value_t = Scheme::Lazy, requires = "root")]
    scheme: Scheme,
    /// Instrument also the methods of the JDK that roots reach
    #[arg(long, requires = "root")]
    jdk_methods: bool,
    /// Instrument what SELECTOR selects instead of all that roots reach; repeat for more
    #[arg(long, value_name = "SELECTOR", requires = "root")]
    include: Vec<Selector>,
    /// Leave alone what SELECTOR selects; repeat for more
    #[arg(long, value_name = "SELECTOR", requires = "root")]
    exclude: Vec<Selector>,
    /// Tie methods to their entry probes by a number that they take or read first (see
    /// docs/pinned-probes.md)
    #[arg(long, requires = "root")]
    pin: bool,
    /// Say also what was left alone, and how calls through reflection are followed
    #[arg(short, long, requires = "root")]
    verbose: bool,
    /// Record the session that the agent in a JVM has begun by itself
    #[arg(long, hide = true, value_name = "PID", requires = "session_dir",
        conflicts_with_all = ["command", "root", "runs", "anchor", "per_jvm"])]
    pub(super) adopt: Option<u32>,
}

/// When methods get their probes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Scheme {
    /// Those that a method calls when it is called first: fewest methods, and the first calls wait
    /// for it
    Lazy,
    /// Those that a class of the program calls when it is loaded: fewer waits, more methods
    Eager,
    /// All methods of the program
    Total,
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

/// A time with its unit: `500ms`, `30s`, `5m`, `1h`; seconds without.
fn duration(text: &str) -> Result<Duration, String> {
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
        .filter(|seconds| *seconds > 0.0)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "a time is wanted, such as 30s, 5m or 500ms".to_owned())
}

/// What else of the command line matters to the agent.
pub(super) struct LiveContext<'a> {
    pub(super) command: &'a [OsString],
    pub(super) via_env: bool,
    pub(super) clock: &'a str,
    pub(super) ring: Option<u64>,
    pub(super) calibrate: bool,
    pub(super) methods: &'a Methods,
    pub(super) program: &'a JavaProgram,
}

impl LiveArgs {
    /// As the recorder that an agent has started: a session of its own, so that neither the end of
    /// the program's terminal nor what is typed there ends it.
    pub(super) fn detach_from_terminal(&self) {
        if self.adopt.is_some() {
            // Only the leader of a process group is refused, which whoever started it by hand made
            // it.
            let _refused = rustix::process::setsid();
        }
    }

    /// What the collector has to know; none where classes were rewritten before.
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
        if self.root.is_empty() {
            return Ok(None);
        }
        self.check(shared)?;
        Ok(Some(LiveOptions {
            library: agent_library::unpacked()?,
            options: self.options(shared, &self.include),
            roots_only: self.options(shared, &self.root),
            jvms: self.pid.map_or(LiveTarget::Command, LiveTarget::Running),
            duration: self.duration,
        }))
    }

    fn check(&self, shared: &LiveContext) -> Result<()> {
        if self.root.iter().all(Selector::is_exclusion) {
            return Err(usage(
                "--root: what is to be recorded is missing; with `!` alone nothing is",
            ));
        }
        if let Some((path, _)) = shared.program.files().next() {
            return Err(usage(format!(
                "{} was rewritten, and has probes already: record it with `jfathom record -- …`, without --root, or run the \
                 jar that it was made from",
                path.display()
            )));
        }
        if self.pid.is_none() && !is_java(shared.command) && !shared.via_env {
            let command =
                shared.command.first().map(|word| word.to_string_lossy()).unwrap_or_default();
            return Err(usage(format!(
                "`{command}` is not `java`, so that the agent cannot be put into its arguments: with --via-env it reaches all \
                 JVMs behind it through JAVA_TOOL_OPTIONS, each of which prints a line about it"
            )));
        }
        Ok(())
    }

    /// The agent's options, but for the session directory.
    fn options(&self, shared: &LiveContext, include: &[Selector]) -> AgentOptions {
        AgentOptions {
            roots: self.root.clone(),
            scheme: self.scheme.into(),
            jdk_methods: self.jdk_methods,
            include: include.to_vec(),
            exclude: self.exclude.clone(),
            pin: self.pin,
            clock: ClockChoice::from_name(shared.clock).unwrap_or_default(),
            ring: shared.ring.and_then(|bytes| bytes.try_into().ok()),
            calibrate: match shared.calibrate {
                true => CalibrationPhases::BOTH,
                false => CalibrationPhases::default(),
            },
            all_timed: shared.methods.all_timed(),
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
        for text in ["", "s", "-1s", "0s", "1x", "1e400s", "ms", "NaN", "inf", "ü"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
