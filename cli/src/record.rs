//! `jfathom record`: runs a command, or attaches to a JVM, and writes a profile.

mod baseline;
mod live;
mod look;
mod methods;
mod metrics;
mod on;
mod owner;
mod prepared;
mod program;
mod role;
mod roots_only;
mod sizes;
mod slices;
mod status;
mod target;
mod tune;

use crate::{
    check, failure::usage, messages, messages::proposal::Suggested, profile_file::OUTPUT,
    select::SELECTORS, tool::TOOL, when::When,
};
use anyhow::Result;
use baseline::BaselineArgs;
use jfathom_collector::{
    AnchorChoice, Error, Event, RecordOptions, RecordingSummary, SideOptions, Wait, record,
    record_interleaved,
};
use jfathom_instrument::RootsOnlyOptions;
use jfathom_plan::RootSelector;
use jfathom_profile::Label;
use jfathom_report::number::seconds;
use jfathom_session::{CalibrationPhases, ClockChoice, RootSampling};
use live::LiveArgs;
use methods::Methods;
use metrics::MetricsArg;
use on::{OnArgs, Recording};
use prepared::PreparedCommand;
use program::JavaProgram;
use role::RoleArgs;
use roots_only::{NoRootsOnlyOutput, RootsOnlyOutput, prepare_roots_only};
use sizes::SizesArgs;
use slices::SlicesArgs;
use status::StatusLine;
use std::{
    ffi::OsString,
    num::NonZeroU64,
    path::{Path, PathBuf},
    process::ExitCode,
};
use tune::TuneArgs;

/// Run a command, or attach to a JVM, and record its calls into a profile
///
/// Records jars written by `jfathom rewrite`; with --root it instruments unmodified jars through an
/// agent. All JVMs that the command starts are recorded.
///
/// The command keeps its streams, signals and exit code (128 plus the number of a signal that ended
/// it; 127 not found, 126 not executable). If it is `java` itself, `record` adds the JVM flags that
/// the rewritten files need, and those that make recording cheaper.
///
/// Options that the command line does not give are taken from jfathom.toml in the current
/// directory, if there is one (JFATHOM_CONFIG=FILE: from FILE; none: from no file).
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{SELECTORS}"))]
pub(crate) struct Args {
    // The first one: it reads the others, and reading takes them away.
    #[command(flatten)]
    on: OnArgs,
    #[command(flatten)]
    role: RoleArgs,
    /// The command and its arguments
    #[arg(value_name = "COMMAND", required_unless_present = "pid", trailing_var_arg = true)]
    command: Vec<OsString>,
    /// The profile to write [default: profile.jfp]
    ///
    /// An older one gets the name FILE.old. With %p in its name, which stands for the process id,
    /// each JVM has its own instead of their sum.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if it exists
    ///
    /// Without it a profile is kept as FILE.old, and another file stays.
    #[arg(hide_short_help = true, short, long)]
    force: bool,
    /// Record the command N times, each in a new JVM, into one profile [default: 1]
    ///
    /// 5 with --anchor, 10 per side with --baseline. Beside each, a roots-only run measures the
    /// time in the roots, if roots are known (--anchor=never: none). A run that exits with another
    /// code than the first is left out, and ends the series. Standard input from a file is rewound
    /// for each run; a pipe is not read.
    #[arg(help_heading = "Repeated runs", long, value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=1000))]
    runs: Option<u32>,
    /// Pair each run with a roots-only run, so that root time is measured instead of computed
    ///
    /// auto: with --runs 2 or more, if roots are known.
    #[arg(help_heading = "Repeated runs", hide_short_help = true, long, value_enum,
        value_name = "WHEN", default_value_t = When::Auto, num_args = 0..=1, require_equals = true,
        default_missing_value = "always", overrides_with = "anchor")]
    anchor: When,
    /// An output directory of `jfathom rewrite` that the program runs with
    ///
    /// By default found from the arguments of `java`.
    #[arg(
        help_heading = "Program",
        hide_short_help = true,
        long,
        value_name = "DIR",
        conflicts_with = "root"
    )]
    rewritten: Vec<PathBuf>,
    /// Pass JVM flags through JAVA_TOOL_OPTIONS, which also reaches JVMs behind scripts
    ///
    /// Each JVM prints a line about it.
    #[arg(help_heading = "Program", hide_short_help = true, long)]
    use_java_tool_options: bool,
    /// How long to wait for a JVM to join when the command has ended [default: 30s]
    ///
    /// While something that the command started still runs: a time such as 5m, or forever. JVMs
    /// that have joined are recorded to their end; with 0 nothing is waited for.
    #[arg(help_heading = "Program", hide_short_help = true, long, value_name = "TIME",
        value_parser = live::wait)]
    wait: Option<Wait>,
    /// What is recorded beside calls and times: alloc, cpu, waits, exceptions, samples and others
    ///
    /// Names with commas between them. alloc: bytes allocated on the Java heap, exact by call
    /// (docs/how-to/allocations.md). cpu: which part of the time threads ran, by the kernel's
    /// context switches (cpu=switches), by the threads' CPU clocks, read after 10 µs without a
    /// record (cpu=thread-clock), or by the clocks where the kernel refuses (docs/how-to/cpu.md).
    /// parked: for how long virtual threads were parked, only live, about 0.5 µs more for each time
    /// (docs/how-to/virtual-threads.md). caught: what threads caught, by probes. By JFR, the JVM's
    /// own recorder: waits, why threads did not run; exceptions, what they threw; samples, the
    /// stacks of running threads every 10 ms (samples=20ms: every 20). Without it the agent of a
    /// live session samples them, from two seconds after the root is live on (samples=off: not):
    /// they say what calls took that were only counted, and which methods without probes run.
    #[arg(help_heading = "What is recorded", long, value_name = "METRICS")]
    metrics: Option<MetricsArg>,
    /// Record one in N calls of the roots, chosen at random, or about N a second
    ///
    /// With all below them; the others are counted and timed as a whole.
    #[arg(help_heading = "What is recorded", hide_short_help = true, long, value_name = "1/N|N/s",
        conflicts_with_all = ["anchor", "baseline", "sizes"])]
    sample_roots: Option<RootSampling>,
    /// Keep the N slowest calls of each root and task, with all that they call and when
    ///
    /// For `report --view slowest` and `export --to perfetto`. With --sample-roots they are the
    /// slowest of those recorded.
    #[arg(help_heading = "What is recorded", hide_short_help = true, long, value_name = "N",
        conflicts_with_all = ["anchor", "baseline", "sizes"],
        value_parser = clap::value_parser!(u16).range(1..=1000))]
    slowest: Option<u16>,
    #[command(flatten)]
    tune: TuneArgs,
    /// A label of the profile, such as branch=main or service.name=shop
    ///
    /// For `query`, `push` and baselines.
    #[arg(hide_short_help = true, long, value_name = "KEY=VALUE")]
    label: Vec<Label>,
    /// Print only errors and warnings
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    baseline: BaselineArgs,
    #[command(flatten)]
    sizes: SizesArgs,
    #[command(flatten)]
    slices: SlicesArgs,
    #[command(flatten)]
    live: LiveArgs,
    #[command(flatten)]
    methods: Methods,
}

/// Options that record only the calibration of a command's JVMs.
pub(crate) fn calibrating(command: Vec<OsString>, clock: ClockChoice) -> Result<RecordOptions> {
    let program = JavaProgram::find(&command, &[], false, clock)?;
    Ok(RecordOptions {
        command,
        jvm_flags: program.flags,
        clock,
        calibrate: CalibrationPhases::BOTH,
        tool: TOOL.to_owned(),
        ..RecordOptions::default()
    })
}

impl Args {
    fn runs(&self) -> u32 {
        self.runs.unwrap_or(match (&self.baseline.baseline, self.anchor) {
            (Some(_), _) => INTERLEAVED_RUNS,
            (None, When::Always) => ANCHOR_RUNS,
            (None, When::Auto | When::Never) => 1,
        })
    }

    /// Whether runs are anchored. Several runs are, where nothing speaks against it: only a
    /// measured root total has a narrow error bar in programs of short calls.
    fn anchor_choice(&self) -> AnchorChoice {
        let suits = self.runs.is_some_and(|runs| runs > 1)
            && self.baseline.baseline.is_none()
            && self.tune.calibrates()
            && self.sample_roots.is_none()
            && !self.methods.roots_only()
            && !self.methods.names_modes();
        match self.anchor {
            When::Always => AnchorChoice::Required,
            When::Auto if suits => AnchorChoice::IfComparable,
            When::Auto | When::Never => AnchorChoice::Never,
        }
    }

    /// Whether each JVM has a profile of its own.
    fn is_per_jvm(&self) -> bool {
        let name = self.output().file_name().unwrap_or_default().as_encoded_bytes();
        !self.slices.is_given() && name.windows(2).any(|signs| signs == b"%p")
    }

    /// Refuses what has one profile.
    fn check_per_jvm(&self) -> Result<()> {
        let one = [
            ("--runs", self.runs.is_some()),
            ("--anchor", self.anchor == When::Always),
            ("--baseline", self.baseline.baseline.is_some()),
            ("--sizes", self.sizes.is_given()),
            ("--on", self.on.is_given()),
        ];
        match one.iter().find(|(_, is_given)| *is_given && self.is_per_jvm()) {
            Some((option, _)) => Err(usage(format!(
                "{}: %p makes a profile of each JVM, and {option} has one profile for all",
                self.output().display()
            ))),
            None => Ok(()),
        }
    }

    /// Refuses settings that contradict other options.
    fn check_settings(&self) -> Result<()> {
        if self.sizes.is_given() && self.tune.session_dir().is_some() {
            return Err(usage("--sizes cannot be used with --tune session=DIR"));
        }
        if self.anchor == When::Always && self.methods.roots_only() {
            return Err(usage("--anchor cannot be used with --probe '**=off'"));
        }
        if self.anchor == When::Always && !self.tune.calibrates() {
            return Err(usage("--anchor cannot be used with --tune calibrate=off"));
        }
        Ok(())
    }

    /// The profile to write.
    fn output(&self) -> &Path {
        self.output.as_deref().unwrap_or(Path::new(OUTPUT))
    }

    /// Where a recording of a running JVM leaves its files; none if there is a command.
    fn left(&self) -> Option<owner::Left<'_>> {
        let session_dir = self.tune.session_dir();
        Some(owner::Left { pid: self.live.pid?, session_dir })
    }

    /// What a suggested command line keeps of this one.
    fn suggested(&self) -> Suggested<'_> {
        let output = Some(self.output()).filter(|path| *path != Path::new(OUTPUT));
        Suggested { output, duration: self.live.duration }
    }

    fn prepare_roots_only(
        &self,
        program: &JavaProgram,
        command: &[OsString],
        anchor: AnchorChoice,
    ) -> Result<RootsOnlyOutput, NoRootsOnlyOutput> {
        // An anchor is measured on the roots' own threads.
        let options = RootsOnlyOptions {
            hand_offs: anchor == AnchorChoice::Never,
            check: check::is_wanted(self.tune.check()),
        };
        prepare_roots_only(program, command, self.tune.clock(), options)
    }
}

/// Runs the command.
pub(crate) fn run(args: &mut Args) -> Result<ExitCode> {
    args.check_settings()?;
    args.check_per_jvm()?;
    if args.role.adopts() {
        args.live.adopted = args.live.pid.take();
    }
    if args.on.is_given() {
        if args.wait == Some(Wait::NONE) {
            return Err(usage(
                "--wait 0 cannot be used with --on: a connection lasts as long as a program writes to it",
            ));
        }
        return args.on.record(&Recording {
            output: args.output(),
            force: args.force,
            quiet: args.quiet,
            proposes: args.live.pid.is_some() && !args.live.names_root(),
            command: &args.command,
        });
    }
    if args.role.is_owner() {
        owner::take_rights(args.live.pid)?;
    } else if let Some(uid) = owner::other_user(args.live.pid) {
        let recording = owner::Recording {
            output: args.output(),
            force: args.force,
            quiet: args.quiet,
            has_slices: args.slices.options(args.output.as_deref())?.is_some(),
            options: args.on.options(),
        };
        return owner::record(&recording, uid);
    }
    if let (Some(recorder), Some(left)) = (args.role.left_by(), args.left()) {
        return left.bring(recorder);
    }
    if let (Some(pid), false) = (args.live.pid, args.live.names_root()) {
        let Some(root) = look::choose_root(pid, &args.suggested())? else {
            return Ok(ExitCode::SUCCESS);
        };
        args.live.root.push(RootSelector::Methods(root));
    }
    record_with(args)
}

fn record_with(args: &Args) -> Result<ExitCode> {
    if !args.quiet {
        args.metrics.unwrap_or_default().say_cpu_source()?;
    }
    match args.sizes.is_given() {
        true => sizes::record(args),
        false => record_command(args, &args.command, args.output(), None).map(|done| done.code),
    }
}

/// What a recording has led to.
struct Done {
    code: ExitCode,
    /// Whether the command, and the recording, ended well.
    is_success: bool,
    profiles: Vec<PathBuf>,
}

/// Records one command, whose input has this size, if that is known.
fn record_command(
    args: &Args,
    command: &[OsString],
    output: &Path,
    size: Option<NonZeroU64>,
) -> Result<Done> {
    let base = args.baseline.side();
    let base =
        base.map(|(command, output)| PreparedCommand::new(args, command, output)).transpose()?;
    let mut new = PreparedCommand::new(args, command, output)?;
    new.options.size = size;
    let quiet = args.quiet || args.live.adopted.is_some();
    args.live.detach_from_terminal();
    let mut line = StatusLine::new(quiet, args.live.pid);
    if !quiet {
        base.iter().chain([&new]).for_each(|side| side.warn(&mut line));
    }
    let result = recorded(base.as_ref(), &new, &mut |event| match event {
        Event::Status(status) => line.show(&status),
        Event::Run(_) if quiet => {}
        Event::Run(run) => line.say(&run.to_string()),
        Event::Live(_) | Event::Waiting(_) if quiet => {}
        Event::Waiting(roots) => {
            line.say(&format!("waiting for {roots} (class not loaded, or still being read)"));
        }
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
                outcomes.iter().filter(written).for_each(|outcome| {
                    line.say(&messages::record::summary(&args.role.seen(outcome)))
                });
            }
            let code = outcomes.iter().map(|outcome| outcome.exit.code()).find(|code| *code != 0);
            Ok(Done {
                code: ExitCode::from(code.unwrap_or(0)),
                is_success: code.is_none(),
                profiles: outcomes.into_iter().flat_map(|outcome| outcome.profiles).collect(),
            })
        }
        Err(error) if error.exit_code() == 2 => Err(usage(error.to_string())),
        Err(error) => {
            if let (true, Error::Output { .. }, Some(left)) =
                (args.role.is_owner(), &error, args.left())
            {
                left.discard();
            }
            line.say(&error.to_string());
            let code = ExitCode::from(error.exit_code());
            Ok(Done { code, is_success: false, profiles: Vec::new() })
        }
    }
}

/// Records the command, interleaved with the baseline if there is one.
fn recorded(
    base: Option<&PreparedCommand>,
    new: &PreparedCommand,
    events: &mut dyn FnMut(Event),
) -> Result<Vec<RecordingSummary>, Error> {
    let manifests = new.manifests();
    let Some(base) = base else {
        return record(&new.options, &manifests, events).map(|recording| vec![recording]);
    };
    let base_manifests = base.manifests();
    let base = SideOptions { options: &base.options, manifests: &base_manifests };
    let new = SideOptions { options: &new.options, manifests: &manifests };
    record_interleaved(base, new, events).map(Vec::from)
}

const EXAMPLES: &str = "\
Examples:
  jfathom record -- java -jar out/app.jar
  jfathom record --root com.acme.Engine::run -- java -jar app.jar
  jfathom record --root com.acme.Engine::run -p 4711 -d 30s
  jfathom record --root com.acme.Engine::run -p 4711 --every 5m -o 'p-%t.jfp'
  jfathom record --on ssh://me@build7 --root com.acme.Engine::run -p 4711 -d 30s
  jfathom record -p 4711                            # show where its time goes, and propose roots
  jfathom record -o build.jfp --use-java-tool-options --rewritten out -- ./gradlew test
  jfathom record --runs 10 -o new.jfp -- java -jar out/app.jar
  jfathom record --runs 10 -o new.jfp --baseline 'base.jfp=java -jar old/app.jar' -- \\
      java -jar new/app.jar
  jfathom record --sizes 1000,2000,4000 -- java -jar out/app.jar {}
  jfathom record --anchor -o new.jfp -- java -jar out/app.jar
  jfathom record -o p-%p.jfp -- sh -c 'java -jar out/a.jar; java -jar out/b.jar'";

/// Full runs with --anchor.
const ANCHOR_RUNS: u32 = 5;
/// Runs per side with --baseline: as many as an exact test needs, and some more.
const INTERLEAVED_RUNS: u32 = 10;
