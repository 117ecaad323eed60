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
mod roots_only;
mod sizes;
mod slices;
mod status;
mod target;

use crate::{
    check, config::ConfigArgs, failure::usage, messages, messages::proposal::Suggested,
    profile_file::OUTPUT, select::SELECTORS, tool::TOOL, when::When,
};
use anyhow::Result;
use baseline::BaselineArgs;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use jfathom_collector::{
    AnchorChoice, Error, Event, RecordOptions, RecordingSummary, SideOptions, Wait, record,
    record_interleaved,
};
use jfathom_instrument::RootsOnlyOptions;
use jfathom_profile::Label;
use jfathom_report::number::seconds;
use jfathom_session::{CalibrationPhases, ClockChoice, RingSize, RootSampling};
use live::LiveArgs;
use methods::Methods;
use metrics::MetricsArg;
use on::{OnArgs, Recording};
use owner::OwnerArgs;
use prepared::PreparedCommand;
use program::JavaProgram;
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

/// Run a command, or attach to a JVM, and record its calls into a profile
///
/// Records jars written by `jfathom rewrite`; with --root it instruments unmodified jars through an
/// agent. All JVMs that the command starts are recorded.
///
/// The command keeps its streams, signals and exit code (128 plus the number of a signal that ended
/// it; 127 not found, 126 not executable). If it is `java` itself, `record` adds the JVM flags that
/// the rewritten files need, and those that make recording cheaper.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = format!("{EXAMPLES}\n\n{SELECTORS}"))]
pub(crate) struct Args {
    // The first one: it reads the others, and reading takes them away.
    #[command(flatten)]
    on: OnArgs,
    #[command(flatten)]
    owner: OwnerArgs,
    /// The profile to write; an older one gets the name FILE.old [default: profile.jfp]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if it exists [default: a profile is kept as FILE.old, another file stays]
    #[arg(short, long)]
    force: bool,
    /// Write one profile per JVM (profile.PID.jfp) instead of their sum
    #[arg(long)]
    per_jvm: bool,
    /// Record the command N times, each in a new JVM, into one profile [default: 1; 5 with
    /// --anchor; 10 per side with --baseline]. Beside each, a roots-only run measures the time in
    /// the roots, if roots are known (--anchor=never: none). A run that exits with another code
    /// than the first is left out, and ends the series. Standard input from a file is rewound for
    /// each run; a pipe is not read
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=1000),
        conflicts_with = "per_jvm"
    )]
    runs: Option<u32>,
    /// Pair each run with a roots-only run, so that root time is measured instead of computed;
    /// auto: with --runs 2 or more, if roots are known
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, num_args = 0..=1,
        require_equals = true, default_missing_value = "always",
        conflicts_with_all = ["per_jvm", "no_calibrate"])]
    anchor: When,
    /// Do not calibrate in each JVM (0.2 s); times are then not corrected
    #[arg(long)]
    no_calibrate: bool,
    /// An output directory of `jfathom rewrite` that the program runs with [default: found from the
    /// arguments of `java`]
    #[arg(long, value_name = "DIR", conflicts_with_all = ["root", "region"])]
    rewritten: Vec<PathBuf>,
    /// Pass JVM flags through JAVA_TOOL_OPTIONS, which also reaches JVMs behind scripts; each JVM
    /// prints a line about it
    #[arg(long)]
    use_java_tool_options: bool,
    /// How long to wait for a JVM to join when the command has ended and something that it started
    /// still runs, such as 5m, or forever. JVMs that have joined are recorded to their end; with 0
    /// nothing is waited for [default: 30s]
    #[arg(long, value_name = "TIME", value_parser = live::wait)]
    wait: Option<Wait>,
    /// The clock to use: `System.nanoTime` (nano), the processor's counter (tsc), or the counter
    /// where it can be had (auto). Before Java 25 auto is nanoTime with --metrics samples, since
    /// JFR misses threads that read the counter
    #[arg(long, value_name = "CLOCK", default_value = "auto", value_parser = clock_choice())]
    clock: ClockChoice,
    /// What is recorded beside calls and times, names with commas between them: alloc, bytes
    /// allocated on the Java heap, exact by call (docs/how-to/allocations.md); cpu, which part of
    /// the time threads ran, by the kernel's context switches (cpu=switches), by the threads' CPU
    /// clocks, read after 10 µs without a record (cpu=thread-clock), or by the clocks where the
    /// kernel refuses (docs/how-to/cpu.md); parked, for how long virtual threads were parked, only
    /// live, about 0.5 µs more for each time (docs/how-to/virtual-threads.md); caught, what threads
    /// caught, by probes. By JFR, the JVM's own recorder: waits, why threads did not run;
    /// exceptions, what they threw; samples, the stacks of running threads every 10 ms
    /// (samples=20ms: every 20), so that the report shows which methods without probes, such as the
    /// JDK's, run below a recorded one
    #[arg(long, value_name = "METRICS")]
    metrics: Option<MetricsArg>,
    /// Memory for the records of each thread: a power of two, with K or M
    #[arg(long, value_name = "SIZE")]
    ring_size: Option<RingSize>,
    /// Record one in N calls of the roots, chosen at random, or about N a second, with all below
    /// them; the others are counted and timed as a whole
    #[arg(long, value_name = "1/N|N/s", conflicts_with_all = ["anchor", "baseline", "sizes"])]
    sample_roots: Option<RootSampling>,
    /// Keep the N slowest calls of each root and task with all that they call and when, for `report
    /// --view slowest` and `export --to perfetto`. With --sample-roots they are the slowest of
    /// those recorded
    #[arg(long, value_name = "N", conflicts_with_all = ["anchor", "baseline", "sizes"],
        value_parser = clap::value_parser!(u16).range(1..=1000))]
    slowest: Option<u16>,
    /// Memory for the call tree of each JVM, such as 512M. Before it takes more, call paths with
    /// little time are folded into one node of their caller; calls and times by method stay exact
    /// [default: a quarter of the free memory]
    #[arg(long, value_name = "SIZE", value_parser = max_memory)]
    max_memory: Option<u64>,
    /// Directory shared by the JVMs and the collector [default: a new one in /dev/shm, else in the
    /// temporary directory]
    #[arg(long, value_name = "DIR")]
    session_dir: Option<PathBuf>,
    /// Keep the session directory
    #[arg(long)]
    keep_session_dir: bool,
    /// A label of the profile, such as branch=main or service.name=shop: for `query`, `push` and
    /// baselines
    #[arg(long, value_name = "KEY=VALUE")]
    label: Vec<Label>,
    /// Print only errors and warnings
    #[arg(short, long)]
    quiet: bool,
    /// Compare the class files of roots-only runs (--roots-only, --anchor) with their originals, by
    /// readers that are not jfathom's, before a run uses them (docs/checking.md); auto: if CI is
    /// set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, num_args = 0..=1,
        require_equals = true, default_missing_value = "always", overrides_with = "check")]
    check: When,
    #[command(flatten)]
    config: ConfigArgs,
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
    /// The command and its arguments
    #[arg(value_name = "COMMAND", required_unless_present_any = ["pid", "adopt"], trailing_var_arg = true)]
    command: Vec<OsString>,
}

/// The smallest bound on a tree: a smaller one has hardly room for what is open.
const LEAST_MEMORY: u64 = 1 << 20;

/// A bound on the memory of a tree as an argument.
fn max_memory(text: &str) -> Result<u64, String> {
    let bytes = slices::size(text)?;
    (bytes >= LEAST_MEMORY).then_some(bytes).ok_or_else(|| "a tree takes 1M at least".to_owned())
}

/// The names of the clocks.
pub(crate) fn clock_choice() -> impl TypedValueParser<Value = ClockChoice> {
    PossibleValuesParser::new(ClockChoice::ALL.map(ClockChoice::as_str))
        .try_map(|name| name.parse::<ClockChoice>())
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
            && !self.no_calibrate
            && self.sample_roots.is_none()
            && !self.methods.roots_only
            && !self.methods.names_modes();
        match self.anchor {
            When::Always => AnchorChoice::Required,
            When::Auto if suits => AnchorChoice::IfComparable,
            When::Auto | When::Never => AnchorChoice::Never,
        }
    }

    /// The profile to write.
    fn output(&self) -> &Path {
        self.output.as_deref().unwrap_or(Path::new(OUTPUT))
    }

    /// Where a recording of a running JVM leaves its files; none if there is a command.
    fn left(&self) -> Option<owner::Left<'_>> {
        let session_dir = self.session_dir.as_deref();
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
            check: check::is_wanted(self.check),
        };
        prepare_roots_only(program, command, self.clock, options)
    }
}

/// Runs the command.
pub(crate) fn run(args: &mut Args) -> Result<ExitCode> {
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
            proposes: args.live.pid.is_some()
                && args.live.root.is_empty()
                && args.live.region.is_empty(),
            command: &args.command,
        });
    }
    args.owner.take_rights(args.live.pid)?;
    if let (Some(recorder), Some(left)) = (args.owner.left_by, args.left()) {
        return left.bring(recorder);
    }
    if let Some(uid) = args.owner.other_user(args.live.pid) {
        let recording = owner::Recording {
            output: args.output(),
            force: args.force,
            quiet: args.quiet,
            has_slices: args.slices.options(args.output.as_deref())?.is_some(),
            options: args.on.options(),
        };
        return owner::record(&recording, uid);
    }
    if let (Some(pid), [], []) = (args.live.pid, &*args.live.root, &*args.live.region) {
        let Some(root) = look::choose_root(pid, &args.suggested())? else {
            return Ok(ExitCode::SUCCESS);
        };
        args.live.root.push(root);
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
    let base = args.baseline.side()?;
    let base =
        base.map(|(command, output)| PreparedCommand::new(args, &command, output)).transpose()?;
    let mut new = PreparedCommand::new(args, command, output)?;
    new.options.size = size;
    let quiet = args.quiet || args.live.adopt.is_some();
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
                    line.say(&messages::record::summary(&args.on.shown(outcome)))
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
                (args.owner.as_owner, &error, args.left())
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
  jfathom record --runs 10 -o new.jfp --baseline base.jfp \\
      --baseline-command 'java -jar old/app.jar' -- java -jar new/app.jar
  jfathom record --sizes 1000,2000,4000 -- java -jar out/app.jar {}
  jfathom record --anchor -o new.jfp -- java -jar out/app.jar
  jfathom record --per-jvm -- sh -c 'java -jar out/a.jar; java -jar out/b.jar'";

/// Full runs with --anchor.
const ANCHOR_RUNS: u32 = 5;
/// Runs per side with --baseline: as many as an exact test needs, and some more.
const INTERLEAVED_RUNS: u32 = 10;
