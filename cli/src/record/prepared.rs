//! A command, ready to be recorded.

use super::{
    Args,
    live::LiveContext,
    program::{self, JavaProgram},
    roots_only::{NoRootsOnlyOutput, RootsOnlyOutput},
    status::StatusLine,
};
use crate::{
    agent_library, archives, check, failure::usage, manifests::Manifests, messages, tool::TOOL,
};
use anyhow::Result;
use jfathom_collector::{
    AnchorChoice, JfrAgent, JfrAgentTask, JfrEvents, RecordOptions, add_thread_events,
};
use jfathom_profile::Labels;
use jfathom_session::{CalibrationPhases, JvmProcess, Metrics, cache_directory};
use std::{ffi::OsString, path::Path};

/// JVM flags that suit the archives of classes that the program's JVM has of its own.
struct Flags {
    first: Vec<String>,
    last: Vec<String>,
    /// What the recording lacks because of those archives.
    notice: Option<String>,
}

impl Flags {
    fn around_archives(program: &JavaProgram, is_live: bool, jfr_agent: Option<&JfrAgent>) -> Self {
        let JavaProgram { archives, flags, left_out, .. } = program;
        // The agent needs none of the flags that make rewritten classes cheaper.
        let (mut first, left_out) = match is_live {
            true => (Vec::new(), &[][..]),
            false => (flags.clone(), &left_out[..]),
        };
        let last = match is_live || jfr_agent.is_some() {
            true => archives::not_renewed(archives),
            false => Vec::new(),
        };
        let is_needed = |flag: &String| {
            ["-Xbootclasspath", "--patch-module"].iter().any(|needed| flag.starts_with(needed))
        };
        let spoils = !last.is_empty() || first.iter().any(is_needed);
        if archives.are_there() && program.is_java && spoils {
            first.extend(archives::without_messages(program.java));
        }
        let jfr_options =
            jfr_agent.is_some_and(|agent| agent.task == JfrAgentTask::StartWithOptions);
        let notice = archives::notice(archives, left_out, jfr_options, !last.is_empty());
        Self { first, last, notice }
    }
}

/// One command, ready to be recorded.
pub(super) struct PreparedCommand {
    pub(super) options: RecordOptions,
    program: JavaProgram,
    /// What the user should know before it runs.
    notices: Vec<String>,
    /// Why roots-only runs have the other probes, too.
    fallback_reason: Option<String>,
    /// Whether JFR misses most samples, for the clock that was asked for.
    misses_samples: bool,
    /// The class files of roots-only runs, until the recording is over.
    _roots_only: Option<RootsOnlyOutput>,
}

impl PreparedCommand {
    pub(super) fn new(args: &Args, command: &[OsString], output: &Path) -> Result<Self> {
        let java = match args.live.pid {
            Some(pid) => JvmProcess::find(pid).ok().and_then(|jvm| jvm.java_version()),
            None => program::version(command),
        };
        let chosen = args.metrics.unwrap_or_default();
        let clock = chosen.clock(args.tune.clock(), java);
        let program =
            JavaProgram::find(command, &args.rewritten, args.use_java_tool_options, clock)?;
        let calibrate = args.tune.calibrates();
        let asked = chosen.metrics();
        let mut jfr = JfrEvents::default();
        chosen.add_to(&mut jfr);
        add_thread_events(asked, &mut jfr);
        let stacks = args.methods.walks_stacks();
        if stacks {
            jfr.add_stack_walks();
        }
        if args.slices.is_given() && !jfr.is_empty() {
            return Err(usage(
                "--every cannot be used with --metrics waits, exceptions or samples, or with +stack of --probe: \
                 JFR writes its file when the recording ends"
                    .to_owned(),
            ));
        }
        let metrics = Metrics { jfr_clock: !jfr.is_empty(), stacks, ..asked };
        let metrics = metrics.with_rules(&args.methods.probe_rules());
        let live = args.live.live(&LiveContext {
            command,
            use_java_tool_options: args.use_java_tool_options,
            clock,
            ring_size: args.tune.ring_size(),
            sample_roots: args.sample_roots,
            calibrate,
            metrics,
            parked: chosen.parked,
            samples: chosen.are_sampled_by_agent() && !args.slices.is_given(),
            methods: &args.methods,
            program: &program,
        })?;
        let notices = match live.is_some() {
            true => args.live.look_up(&program)?,
            false => Vec::new(),
        };
        let jfr_agent = match jfr.is_empty() {
            true => None,
            false => agent_library::for_jfr(command, &program.archives),
        };
        if args.live.pid.is_none() && (live.is_some() || !jfr.is_empty()) {
            let what = if jfr.is_empty() { "the agent" } else { "JFR beside it" };
            archives::refuse_written(&program.archives, what)?;
        }
        let flags = Flags::around_archives(&program, live.is_some(), jfr_agent.as_ref());
        args.methods.check(live.is_none().then_some(&program.rewritten))?;
        if args.sample_roots.is_some() && live.is_none() && !program.rewritten.has_roots()? {
            return Err(usage(
                "--sample-roots needs a root: rewrite with --root, or record with it".to_owned(),
            ));
        }
        let anchor = match args.anchor_choice() {
            AnchorChoice::IfComparable if live.is_none() && !program.rewritten.has_roots()? => {
                AnchorChoice::Never
            }
            choice => choice,
        };
        let times_roots_only = anchor != AnchorChoice::Never || args.methods.roots_only();
        let (roots_only, fallback_reason) = match (live.is_none() && times_roots_only)
            .then(|| args.prepare_roots_only(&program, command, anchor))
        {
            Some(Ok(output)) => (Some(output), None),
            Some(Err(NoRootsOnlyOutput::Unavailable(reason))) => (None, Some(reason)),
            Some(Err(NoRootsOnlyOutput::Faults(faults))) => {
                return check::refuse(
                    &faults,
                    "nothing was recorded; please report it (--check=never records all the same)",
                );
            }
            None => (None, None),
        };
        let options = RecordOptions {
            command: command.to_vec(),
            output: output.to_owned(),
            slices: args.slices.options(args.output.as_deref())?,
            force: args.force,
            per_jvm: args.is_per_jvm(),
            session_dir: args.tune.session_dir().map(Path::to_owned),
            keep_session: args.tune.keeps_session(),
            jvm_flags: flags.first,
            via_env: args.use_java_tool_options,
            wait: args.wait.unwrap_or_default(),
            ring_size: args.tune.ring_size(),
            slowest: args.slowest.map_or(0, usize::from),
            max_memory: args.tune.max_memory(),
            sample_roots: args.sample_roots,
            clock,
            metrics,
            jfr_agent,
            last_jvm_flags: flags.last,
            notices: flags.notice.into_iter().collect(),
            jfr,
            ids: program.ids(),
            manifests: program.hidden_manifests(),
            files: program.manifests(),
            count: args.methods.count_rule(),
            budget: args.methods.budget(),
            calibration_history: cache_directory(),
            calibrate: CalibrationPhases { start: calibrate, end: calibrate },
            roots_only: args.methods.roots_only(),
            roots_only_command: roots_only.as_ref().map(|output| output.command.clone()),
            runs: args.runs(),
            anchor,
            size: None,
            labels: Labels::new(args.label.iter().cloned())
                .map_err(|error| usage(format!("--label: {error}")))?,
            no_input: false,
            live,
            tool: TOOL.to_owned(),
        };
        let misses_samples = chosen.misses_samples(args.tune.clock(), java);
        Ok(Self {
            program,
            options,
            notices,
            fallback_reason,
            misses_samples,
            _roots_only: roots_only,
        })
    }

    /// Prints warnings before it runs.
    pub(super) fn warn(&self, line: &mut StatusLine) {
        self.program.rewritten.notices().iter().for_each(|notice| line.say(notice));
        let passes_flags = self.program.is_java || self.options.via_env;
        if let (None, false, Some(command)) =
            (&self.options.live, passes_flags, self.options.command.first())
        {
            let needed = self.program.needed_flags();
            let command = command.to_string_lossy();
            let warning = messages::record::no_flags(&command, &needed, self.program.java);
            warning.iter().for_each(|warning| line.say(warning));
        }
        self.notices.iter().for_each(|notice| line.say(notice));
        if self.options.metrics.alloc && self.options.count.rules.reads_alloc() {
            line.say(messages::record::ALLOC_TWICE);
        }
        if self.misses_samples {
            line.say(messages::record::SAMPLES_MISSED);
        }
        if let Some(reason) = &self.fallback_reason {
            line.say(&messages::record::no_roots_only_files(reason));
        }
    }

    pub(super) fn manifests(&self) -> Manifests<'_> {
        Manifests { program: Some(&self.program.rewritten) }
    }
}
