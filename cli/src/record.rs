//! `jfathom record`: runs a command and writes its profile.

mod baseline;
mod live;
mod manifests;
mod methods;
mod placement;
mod roots_only;
mod status;

use crate::{TOOL, check, failure::usage, select::SELECTORS};
use anyhow::{Result, bail};
use baseline::BaselineArgs;
use jfathom_collector::{
    Error, Event, JavaCommand, RecordOptions, RecordingSummary, SideOptions, record,
    record_interleaved,
};
use jfathom_report::number::{counted, seconds};
use jfathom_session::CalibrationPhases;
use live::{LiveArgs, LiveContext};
pub(crate) use manifests::SourceByPlace;
use methods::Methods;
use placement::JavaProgram;
use roots_only::NotApart;
use status::StatusLine;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Run a command and record its JVMs, or record one that runs already
///
/// Recorded are classes that were rewritten before, or with --root jars as they are: the JVM then
/// loads an agent, which puts probes into what the root reaches while the program runs.
///
/// The command runs as it would alone: same streams, signals go on to it, and its exit code comes
/// back (128 and the signal's number where a signal ended it; 127 not found, 126 not executable).
/// Where it is `java` itself, the JVM flags that the rewritten files need, or that make recording
/// cheaper, are put into its arguments. All JVMs that it starts are recorded.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{SELECTORS}"))]
pub(crate) struct Args {
    /// The profile to write
    #[arg(short, long, value_name = "FILE", default_value = "profile.jfp")]
    output: PathBuf,
    /// Replace the profile if it exists
    #[arg(short, long)]
    force: bool,
    /// Write a profile for each JVM (profile.PID.jfp) instead of adding them up
    #[arg(long)]
    per_jvm: bool,
    /// Run the command N times in fresh JVMs, into one profile with means and spreads; 1, or 5
    /// with --anchor, or 10 for each side with --base. Each reads an input that is a file (<
    /// FILE) from its beginning, and none of a pipe
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), conflicts_with = "per_jvm")]
    runs: Option<u32>,
    /// Before or after each run one more with the roots alone, so that the time in them is
    /// measured and not computed
    #[arg(long, conflicts_with_all = ["per_jvm", "no_calibrate"])]
    anchor: bool,
    /// Do not measure the probes in each JVM (0.2 s): times are then those that were measured
    #[arg(long)]
    no_calibrate: bool,
    /// An output directory of `jfathom rewrite` that the program runs with; found by itself from
    /// the arguments of `java`
    #[arg(long, value_name = "DIR", conflicts_with = "root")]
    rewritten: Vec<PathBuf>,
    /// Pass JVM flags through JAVA_TOOL_OPTIONS, which also reaches JVMs behind scripts; each JVM
    /// prints a line about it
    #[arg(long)]
    via_env: bool,
    /// Do not wait for JVMs that still run when the command has ended
    #[arg(long)]
    no_wait: bool,
    /// The clock to use
    #[arg(long, value_name = "CLOCK", default_value = "auto", value_parser = ["auto", "nano", "tsc"])]
    clock: String,
    /// Memory for the records of each thread: a power of two, with K or M
    #[arg(long, value_name = "SIZE", value_parser = ring_bytes)]
    ring: Option<u64>,
    /// The directory in which the JVMs meet the recorder; by default a new one in /dev/shm or else
    /// the temporary directory
    #[arg(long, value_name = "DIR")]
    session_dir: Option<PathBuf>,
    /// Keep the session directory
    #[arg(long)]
    keep_session: bool,
    /// Print only what went wrong
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    check: check::Wanted,
    #[command(flatten)]
    base: BaselineArgs,
    #[command(flatten)]
    live: LiveArgs,
    #[command(flatten)]
    methods: Methods,
    /// The command and its arguments
    #[arg(value_name = "COMMAND", required_unless_present_any = ["pid", "adopt"], trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// A power of two from 512 bytes to 1 GiB, as the session file allows.
fn ring_bytes(text: &str) -> Result<u64, String> {
    let (digits, factor) = match text.to_ascii_uppercase() {
        text if text.ends_with('K') => (text.trim_end_matches('K').to_owned(), 1 << 10),
        text if text.ends_with('M') => (text.trim_end_matches('M').to_owned(), 1 << 20),
        text => (text, 1),
    };
    let bytes = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    bytes
        .filter(|bytes| bytes.is_power_of_two() && (512..=1 << 30).contains(bytes))
        .ok_or_else(|| "a power of two from 512 to 1024M is wanted, such as 64K or 4M".to_owned())
}

/// Options that record a command for what its JVMs say of themselves.
pub(crate) fn calibrating(command: Vec<OsString>, clock: &str) -> Result<RecordOptions> {
    let program = JavaProgram::find(&command, &[], false, clock)?;
    Ok(RecordOptions {
        command,
        jvm_flags: program.flags,
        clock: (clock != "auto").then(|| clock.to_owned()),
        calibrate: CalibrationPhases::BOTH,
        tool: TOOL.to_owned(),
        ..RecordOptions::default()
    })
}

/// One command, ready to be recorded.
struct PreparedCommand {
    program: JavaProgram,
    options: RecordOptions,
    /// Why runs with the roots alone have the other probes, too.
    fallback_reason: Option<String>,
    /// What such runs run otherwise.
    _apart: Option<roots_only::RootsOnlyOutput>,
}

impl PreparedCommand {
    fn new(args: &Args, command: &[OsString], output: &Path) -> Result<Self> {
        let program = JavaProgram::find(command, &args.rewritten, args.via_env, &args.clock)?;
        let calibrate = !args.no_calibrate;
        let live = args.live.live(&LiveContext {
            command,
            via_env: args.via_env,
            clock: &args.clock,
            ring: args.ring,
            calibrate,
            methods: &args.methods,
            program: &program,
        })?;
        args.methods.check(&program, live.is_some())?;
        let apart = match (args.anchor || args.methods.only_root) && live.is_none() {
            // An anchor is that of the roots' own threads.
            true => Some(roots_only::prepare_roots_only(
                &program,
                command,
                &args.clock,
                !args.anchor,
                args.check.is_wanted(),
            )),
            false => None,
        };
        let (apart, fallback_reason) = match apart {
            Some(Ok(apart)) => (Some(apart), None),
            Some(Err(NotApart::Why(why))) => (None, Some(why)),
            Some(Err(NotApart::Faults(faults))) => bail!(
                "{}\n  nothing was recorded; please report it (--no-check records all the same)",
                faults.trim_end()
            ),
            None => (None, None),
        };
        let options = RecordOptions {
            command: command.to_vec(),
            output: output.to_owned(),
            force: args.force,
            per_jvm: args.per_jvm,
            session_dir: args.session_dir.clone(),
            keep_session: args.keep_session,
            // The agent needs none of the flags that make rewritten classes cheaper.
            jvm_flags: if live.is_some() { Vec::new() } else { program.flags.clone() },
            via_env: args.via_env,
            no_wait: args.no_wait,
            ring_bytes: args.ring,
            clock: (args.clock != "auto").then(|| args.clock.clone()),
            ids: program.ids.clone(),
            manifests: program.manifests.clone(),
            files: program.all.clone(),
            count: args.methods.count_rule(),
            demote: args.methods.demote_rule(),
            calibrate: CalibrationPhases { start: calibrate, end: calibrate },
            roots_only: args.methods.only_root,
            roots_only_command: apart.as_ref().map(|apart| apart.alone.clone()),
            runs: args.runs(),
            anchor: args.anchor,
            no_input: false,
            live,
            tool: TOOL.to_owned(),
        };
        Ok(Self { program, options, fallback_reason, _apart: apart })
    }

    /// Says what the user should know before it runs.
    fn remark(&self, line: &mut StatusLine) {
        if self.options.live.is_none() {
            self.program.remarks(&self.options).iter().for_each(|remark| line.say(remark));
        }
        if let Some(why) = &self.fallback_reason {
            line.say(&format!(
                "where the roots alone are timed the other probes are there, switched off: what is mostly cold runs up to a fifth \
                 longer by them ({why})"
            ));
        }
    }
}

impl Args {
    fn runs(&self) -> u32 {
        self.runs.unwrap_or(match (&self.base.base, self.anchor) {
            (Some(_), _) => RUNS_IN_TURN,
            (None, true) => ANCHOR_RUNS,
            (None, false) => 1,
        })
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let base = args.base.side()?;
    let base =
        base.map(|(command, output)| PreparedCommand::new(args, &command, output)).transpose()?;
    let new = PreparedCommand::new(args, &args.command, &args.output)?;
    let quiet = args.quiet || args.live.adopt.is_some();
    args.live.detach_from_terminal();
    let mut line = StatusLine::new(quiet);
    if !quiet {
        base.iter().chain([&new]).for_each(|side| side.remark(&mut line));
    }
    let result = recorded(base.as_ref(), &new, &mut |event| match event {
        Event::Status(status) => line.show(&status),
        Event::Run(_) if quiet => {}
        Event::Run(run) => line.say(&run.to_string()),
        Event::Live(_) | Event::Waiting(_) if quiet => {}
        Event::Waiting(roots) => line.say(&format!("waiting for {roots} to be loaded")),
        Event::Live(root) => {
            line.say(&format!("{} is live after {}", root.root, seconds(root.after)))
        }
        Event::Note(note) => line.say(&note),
    });
    line.clear();
    match result {
        Ok(outcomes) => {
            if !quiet {
                let written = |outcome: &&RecordingSummary| !outcome.profiles.is_empty();
                outcomes.iter().filter(written).for_each(|outcome| line.say(&summary(outcome)));
            }
            let code = outcomes.iter().map(|outcome| outcome.exit.code()).find(|code| *code != 0);
            Ok(ExitCode::from(code.unwrap_or(0)))
        }
        Err(error) if error.exit_code() == 2 => Err(usage(error.to_string())),
        Err(error) => {
            line.say(&error.to_string());
            Ok(ExitCode::from(error.exit_code()))
        }
    }
}

/// Records the new side, in turn with the base where there is one.
fn recorded(
    base: Option<&PreparedCommand>,
    new: &PreparedCommand,
    events: &mut dyn FnMut(Event),
) -> Result<Vec<RecordingSummary>, Error> {
    let source = manifests::Source { program: &new.program };
    let Some(base) = base else {
        return record(&new.options, &source, events).map(|outcome| vec![outcome]);
    };
    let source_of_base = manifests::Source { program: &base.program };
    let base = SideOptions { options: &base.options, manifests: &source_of_base };
    let new = SideOptions { options: &new.options, manifests: &source };
    record_interleaved(base, new, events).map(Vec::from)
}

const EXAMPLES: &str = "\
Examples:
  jfathom record -- java -jar out/app.jar
  jfathom record --root com.acme.Engine::run -- java -jar app.jar
  jfathom record --root com.acme.Engine::run -p 4711 -d 30s
  jfathom record -o build.jfp --via-env --rewritten out -- ./gradlew test
  jfathom record --runs 10 -o new.jfp -- java -jar out/app.jar
  jfathom record --runs 10 -o new.jfp --base base.jfp --base-command 'java -jar old/app.jar' -- java -jar new/app.jar
  jfathom record --anchor -o new.jfp -- java -jar out/app.jar
  jfathom record --per-jvm -- sh -c 'java -jar out/a.jar; java -jar out/b.jar'";

/// Full runs with an anchor.
const ANCHOR_RUNS: u32 = 5;
/// Runs of each of two sides: what an exact test needs, and some more.
const RUNS_IN_TURN: u32 = 10;

fn summary(outcome: &RecordingSummary) -> String {
    let files: Vec<String> =
        outcome.profiles.iter().map(|path| path.display().to_string()).collect();
    let runs = if outcome.runs > 1 { format!(", {} runs", outcome.runs) } else { String::new() };
    format!(
        "{} of {}{runs} in {}: {}; `jfathom report {}` shows it",
        counted(outcome.records, "record", "records"),
        counted(outcome.jvms, "JVM", "JVMs"),
        seconds(outcome.elapsed),
        files.join(", "),
        files.first().map_or("profile.jfp", String::as_str)
    )
}

/// Whether the command is the launcher of a JVM.
fn is_java(command: &[OsString]) -> bool {
    command.first().is_some_and(|program| JavaCommand::is_java(program))
}
