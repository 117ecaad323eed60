//! `jfathom record --root`: a live session, whose classes are instrumented while the program runs.

use super::{
    methods::Methods,
    program::{JavaProgram, is_java},
};
use crate::{agent_library, failure::usage, select::split_regions};
use anyhow::Result;
use clap::ArgGroup;
use jfathom_collector::{LiveOptions, LiveTarget, Wait, unpack_agent};
use jfathom_instrument::{Selection, look_up_roots};
use jfathom_plan::{Problem, RegionSelector, RootSelector, Scheme, Selector};
use jfathom_session::{
    AgentOptions, CalibrationPhases, ClockChoice, Metrics, RingSize, RootSampling,
};
use std::{ffi::OsString, time::Duration};

/// The JVM of a live session, and the methods to instrument.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Live sessions (unmodified jars)")]
#[command(group = ArgGroup::new("live_session").args(["root", "pid", "include"]).multiple(true))]
pub(super) struct LiveArgs {
    /// Record inside these methods of unmodified jars: the JVM loads an agent; repeat for more
    ///
    /// Or inside these lines of one (CLASS::METHOD:12-20; docs/how-to/regions.md).
    #[arg(long, value_name = "SELECTOR")]
    pub(super) root: Vec<RootSelector>,
    /// Attach to a running JVM; the agent restores its classes at the end
    ///
    /// Without --root sample it for two seconds, show where its time goes, and propose roots.
    #[arg(short, long, value_name = "PID",
        conflicts_with_all = ["command", "runs", "anchor", "use_java_tool_options", "wait"],
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) pid: Option<u32>,
    /// Restore the classes after this time, such as 30s or 5m
    ///
    /// By default at the program's end; with -p at Ctrl-C or `jfathom stop`.
    #[arg(short, long, value_name = "TIME", requires = "live_session", value_parser = duration)]
    pub(super) duration: Option<Duration>,
    /// When methods get probes: lazy, eager or total; with +jdk those of the JDK, too
    ///
    /// The callees of a method, at its first call, which waits for them (lazy: fewest methods), or
    /// of a program class, when it is loaded (eager: fewer waits), or all methods of a class
    /// (total). By default eager with -p, so that the program waits for few pauses; else lazy.
    #[arg(hide_short_help = true, long, value_name = "SCHEME[+jdk]", requires = "live_session",
        value_parser = scheme)]
    scheme: Option<SchemeArg>,
    /// Instrument only what SELECTOR selects, or skip it (!SELECTOR); repeat for more
    ///
    /// Of the methods that the roots can call; or count and time these lines of a method, which
    /// without --root are a root.
    #[arg(hide_short_help = true, long, value_name = "SELECTOR")]
    include: Vec<RootSelector>,
    /// Print also what was skipped, and how calls through reflection are followed
    #[arg(hide_short_help = true, short, long, requires = "live_session")]
    verbose: bool,
    /// The JVM whose session its agent has begun, in place of `pid`.
    #[arg(skip)]
    pub(super) adopted: Option<u32>,
}

/// When methods get probes, and whether those of the JDK do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SchemeArg {
    /// None if the user names none.
    scheme: Option<Scheme>,
    with_jdk: bool,
}

fn scheme(text: &str) -> Result<SchemeArg, Problem> {
    let mut arg = SchemeArg::default();
    for word in text.split('+') {
        match (word, Scheme::from_name(word)) {
            (_, Some(scheme)) if scheme != Scheme::Static => arg.scheme = Some(scheme),
            ("jdk", None) => arg.with_jdk = true,
            _ => return Err("the schemes are lazy, eager and total, with +jdk".into()),
        }
    }
    Ok(arg)
}

/// What is recorded of a live session: its roots, and what is instrumented.
struct Targets {
    roots: Vec<Selector>,
    /// They are the roots if there are no others.
    regions: Vec<RegionSelector>,
    include: Vec<Selector>,
}

/// Ten years. Much longer times are past what clocks can tell.
const LONGEST_SECONDS: f64 = 10.0 * 365.25 * 86_400.0;

/// A time with its unit: `500ms`, `30s`, `5m`, `1h`; seconds without.
pub(super) fn duration(text: &str) -> Result<Duration, Problem> {
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
    seconds.ok_or_else(|| "expected a time such as 30s, 5m or 500ms".into())
}

/// How long to wait for JVMs, as an argument.
pub(super) fn wait(text: &str) -> Result<Wait, Problem> {
    match text {
        "forever" => Ok(Wait::Forever),
        "0" | "0s" => Ok(Wait::NONE),
        text => duration(text)
            .map(Wait::AtMost)
            .map_err(|_| "expected a time such as 30s or 5m, 0, or forever".into()),
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
    /// Whether the agent samples stacks.
    pub(super) samples: bool,
    pub(super) methods: &'a Methods,
    pub(super) program: &'a JavaProgram,
}

impl LiveArgs {
    /// Makes a collector that an agent has started the leader of a POSIX session of its own:
    /// neither the end of the program's terminal nor keys typed there end it.
    pub(super) fn detach_from_terminal(&self) {
        if self.adopted.is_some() {
            // Refused only for the leader of a process group, as when it is started by hand.
            let _refused = rustix::process::setsid();
        }
    }

    /// The collector's options; `None` if the classes were rewritten before.
    pub(super) fn live(&self, shared: &LiveContext) -> Result<Option<LiveOptions>> {
        if let Some(pid) = self.adopted {
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
        if !self.names_root() {
            if !self.include.is_empty() {
                return Err(usage("--include needs a root: --root SELECTOR"));
            }
            if shared.parked {
                return Err(usage(
                    "--metrics parked: only in a live session (--root SELECTOR) an agent can see virtual threads \
                     park; times of rewritten jars are not split",
                ));
            }
            return Ok(None);
        }
        let targets = self.targets()?;
        self.check(shared, &targets)?;
        Ok(Some(LiveOptions {
            library: unpack_agent(agent_library::BYTES)?,
            options: self.options(shared, &targets, &targets.include),
            roots_only: AgentOptions {
                metrics: Metrics { jfr_clock: false, stacks: false, ..shared.metrics.of_probes() },
                probes: shared.methods.probe_rules().without_stacks(),
                samples: false,
                ..self.options(shared, &targets, &targets.roots)
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
        let Targets { roots, regions, include } = self.targets()?;
        let include_jdk = self.scheme.unwrap_or_default().with_jdk;
        let selection = Selection { roots, regions, include, include_jdk, ..Selection::default() };
        Ok(look_up_roots(launch, &selection)?)
    }

    /// Whether roots are named.
    pub(super) fn names_root(&self) -> bool {
        let is_region = |selector: &RootSelector| matches!(selector, RootSelector::Region(_));
        !self.root.is_empty() || self.include.iter().any(is_region)
    }

    /// # Errors
    /// Fails if some roots are lines of methods and others are methods.
    fn targets(&self) -> Result<Targets> {
        let (roots, root_regions) = split_regions(&self.root);
        let (include, mut regions) = split_regions(&self.include);
        if !root_regions.is_empty() {
            if !(roots.is_empty() && regions.is_empty()) {
                return Err(usage(
                    "--root: in a live session lines of methods are the roots only where no other is; \
                     beside a method --include times them",
                ));
            }
            regions = root_regions;
        }
        Ok(Targets { roots, regions, include })
    }

    fn check(&self, shared: &LiveContext, targets: &Targets) -> Result<()> {
        if targets.regions.is_empty() && targets.roots.iter().all(Selector::is_exclusion) {
            return Err(usage("--root: every selector is an exclusion; name a root"));
        }
        if let Some((path, _)) = shared.program.rewritten.files().next() {
            return Err(usage(format!(
                "{} was rewritten and has probes already: record it without --root, or run its original",
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
    fn options(
        &self,
        shared: &LiveContext,
        targets: &Targets,
        include: &[Selector],
    ) -> AgentOptions {
        let SchemeArg { scheme, with_jdk } = self.scheme.unwrap_or_default();
        let usual = if self.pid.is_some() { Scheme::Eager } else { Scheme::Lazy };
        AgentOptions {
            roots: targets.roots.clone(),
            regions: targets.regions.clone(),
            scheme: scheme.unwrap_or(usual),
            include_jdk: with_jdk,
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
            samples: shared.samples,
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
