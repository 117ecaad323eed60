//! `jfathom gate`: checks a profile against limits, for CI.

mod baseline;
mod growth;

use crate::{
    config::ConfigArgs,
    failure::{is_closed_pipe, usage},
    out,
    output::{is_stdout, to_output},
    profile_file::read,
    source_folders::find_source,
};
use anyhow::Result;
use baseline::KeptBaseline;
use jfathom_compare::{
    CallLimit, Gate, GateError, GrowthLimit, Limits, RatioLimit, SelectedMethods,
    UnmatchedSelector, diff, gate, have_common_run,
};
use jfathom_plan::Selector;
use jfathom_profile::Profile;
use jfathom_report::{
    Comparison, Judged, common_run_sentence, gate_github, gate_json, gate_junit, gate_markdown,
    gate_sarif, gate_text,
};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    str::FromStr,
};

/// Check a profile against limits on its growth over a baseline
///
/// Calls are compared exactly, per method. Methods whose calls vary between runs of one build are
/// left out and named. Times are compared per root, over several runs on each side (`record --runs
/// 10`): equal builds exceed the limit less than once in a thousand times, or five in a thousand
/// for interleaved runs (`record --baseline`). Running times (`record --metrics cpu`) are compared
/// in the same way, and may not be off by more than the limit. Bytes are compared per root,
/// exactly. A new method counts as one without calls before. Ratios are of the candidate alone, and
/// need no baseline. The growth with the size of the input is that over three profiles or more
/// (`record --sizes`).
///
/// With --baseline-dir the only profile is the one to check; the baseline is the last good one of
/// that directory.
///
/// Exit code: 0 within the limits, 1 exceeded (with --strict also in doubt), 2 wrong arguments, an
/// unreadable profile, or a limit that these profiles cannot answer
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("limits")
    .args(["max_calls", "max_time", "max_alloc", "max_cpu", "max_ratio", "max_growth"]).required(true).multiple(true))]
#[command(after_help = "Examples:\n  \
    jfathom gate base.jfp new.jfp --max-calls +0% --max-time +5%\n  \
    jfathom gate base.jfp new.jfp --max-calls +0 --include 'com.acme.**'\n  \
    jfathom gate new.jfp --max-ratio com.acme.Dao::find/com.acme.Handler::handle=1\n  \
    jfathom gate p.1000.jfp p.2000.jfp p.4000.jfp --max-growth 1.2\n  \
    jfathom gate base.jfp new.jfp --max-time +5% --strict --junit gate.xml --github\n  \
    jfathom gate new.jfp --baseline-dir baselines --branch main --keep --max-calls +0%")]
pub(crate) struct Args {
    /// The baseline's profile; without NEW the profile that must stay within the limits
    #[arg(value_name = "BASE")]
    base: PathBuf,
    /// The profile that must stay within the limits
    #[arg(value_name = "NEW", required_unless_present_any = ["max_ratio", "baseline_dir"],
        conflicts_with = "baseline_dir")]
    new: Option<PathBuf>,
    /// With --max-growth: the profiles of further sizes
    #[arg(value_name = "MORE", requires = "max_growth")]
    more: Vec<PathBuf>,
    /// Allowed growth of each method's calls: a percentage (+5%) or a number (+10)
    #[arg(long, value_name = "LIMIT")]
    max_calls: Option<CallLimit>,
    /// Allowed growth of each root's total time: a percentage (+5%)
    #[arg(long, value_name = "LIMIT", value_parser = Limits::time_of)]
    max_time: Option<f64>,
    /// Allowed growth of the bytes that each root allocates: a percentage (+1%). Both profiles are
    /// recorded with --metrics alloc
    #[arg(long, value_name = "LIMIT", value_parser = Limits::time_of)]
    max_alloc: Option<f64>,
    /// Allowed growth of each root's running time: a percentage (+5%). Both profiles are recorded
    /// with --metrics cpu
    #[arg(long, value_name = "LIMIT", value_parser = Limits::time_of)]
    max_cpu: Option<f64>,
    /// Calls of A allowed per call of B in the new profile:
    /// com.acme.Dao::find/com.acme.Handler::handle=1; repeat for more
    #[arg(long, value_name = "A/B=NUMBER")]
    max_ratio: Vec<RatioLimit>,
    /// Largest exponent of calls against the size of the input, per method: 1.2 allows n^1.2. The
    /// profiles are those of `record --sizes`, in any order
    #[arg(long, value_name = "EXPONENT", conflicts_with_all = ["max_calls", "max_time", "max_alloc", "max_cpu", "max_ratio"])]
    max_growth: Option<GrowthLimit>,
    /// Fail also if a root or a ratio is beyond its limit but that may be chance, or if a method is
    /// called only from some size on
    #[arg(long)]
    strict: bool,
    /// Check only what SELECTOR selects: a package (com.acme.**), a class, a method; repeat for
    /// more
    #[arg(long, value_name = "SELECTOR")]
    include: Vec<Selector>,
    /// Do not check what SELECTOR selects; repeat for more
    #[arg(long, value_name = "SELECTOR", value_parser = exclusion)]
    exclude: Vec<Selector>,
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    kept: KeptBaseline,
    /// Write JSON (docs/diff-json.md)
    #[arg(long, conflicts_with_all = ["markdown", "github"])]
    json: bool,
    /// Write Markdown for a pull request: ten lines at most, the verdict first
    #[arg(long, conflicts_with = "github")]
    markdown: bool,
    /// Write workflow commands of GitHub Actions, which annotate the sources
    #[arg(long)]
    github: bool,
    /// Write also JUnit XML to FILE: a test case per root, ratio, and method beyond its limit
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write also SARIF 2.1.0 to FILE
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// A folder of Java sources, for paths in --github, --junit and --sarif; repeat for more
    /// [default: those of Maven and Gradle]
    #[arg(long, value_name = "DIR")]
    sources: Vec<String>,
}

/// The profiles cannot answer a limit.
const NOT_ANSWERED: u8 = 2;

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    // An error is no exceeded limit.
    check(args).map_err(|error| usage(format!("{error:#}")))
}

/// A selector of `--exclude`, which may have a `!` or not.
fn exclusion(text: &str) -> Result<Selector, <Selector as FromStr>::Err> {
    format!("!{}", text.trim_start_matches('!')).parse()
}

fn check(args: &Args) -> Result<ExitCode> {
    if let Some(limit) = args.max_growth {
        return growth::check(args, limit);
    }
    let (base, new) = match args.kept.directory() {
        None => (Named::read(&args.base)?, args.new.as_deref().map(Named::read).transpose()?),
        Some(directory) => {
            let new = Named::read(&args.base)?;
            match args.kept.last_good(directory, &new.profile)? {
                Some(base) => (base, Some(new)),
                None => return begin(args, directory, &new),
            }
        }
    };
    let shares = [args.max_time, args.max_alloc, args.max_cpu];
    let limits_growth = args.max_calls.is_some() || shares.iter().any(Option::is_some);
    if new.is_none() && limits_growth {
        return Err(usage(
            "--max-calls, --max-time, --max-alloc and --max-cpu limit growth: name BASE and NEW",
        ));
    }
    let other = new.as_ref().unwrap_or(&base);
    let found = diff(&base.profile, &other.profile);
    let compared = Comparison {
        base: &base.profile,
        new: &other.profile,
        called: [&base.called, &other.called],
        diff: &found,
    };
    let mut result = checked(args, &compared, &limits(args))?;
    if new.is_some() && have_common_run(&base.profile, &other.profile) {
        result.notes.insert(0, common_run_sentence(&base.called, &other.called));
    }
    written(write(args, &compared, &result))?;
    if result.is_failed() {
        return Ok(ExitCode::FAILURE);
    }
    if !result.refused.is_empty() {
        return Ok(ExitCode::from(NOT_ANSWERED));
    }
    args.kept.keep(&other.profile)?;
    Ok(ExitCode::SUCCESS)
}

/// Holds the first profile of a directory against the limits that need no baseline, and keeps it.
fn begin(args: &Args, directory: &Path, first: &Named) -> Result<ExitCode> {
    if !args.max_ratio.is_empty() && args.kept.keeps() {
        let Named { called, profile } = first;
        let found = diff(profile, profile);
        let compared =
            Comparison { base: profile, new: profile, called: [called, called], diff: &found };
        let limits = Limits { calls: None, time: None, alloc: None, cpu: None, ..limits(args) };
        let result = checked(args, &compared, &limits)?;
        written(write(args, &compared, &result))?;
        if result.is_failed() {
            return Ok(ExitCode::FAILURE);
        }
        if !result.refused.is_empty() {
            return Ok(ExitCode::from(NOT_ANSWERED));
        }
    }
    args.kept.begin(directory, &first.profile)
}

fn limits(args: &Args) -> Limits {
    Limits {
        calls: args.max_calls,
        time: args.max_time,
        alloc: args.max_alloc,
        cpu: args.max_cpu,
        ratios: args.max_ratio.clone(),
        strict: args.strict,
    }
}

/// A profile, and what it is called.
struct Named {
    called: String,
    profile: Profile,
}

impl Named {
    fn read(path: &Path) -> Result<Self> {
        Ok(Self { called: path.display().to_string(), profile: read(path)? })
    }
}

/// The result of writing. The reader of the table may stop early; the exit code is for another one.
fn written(result: Result<()>) -> Result<()> {
    result.or_else(|error| if is_closed_pipe(&error) { Ok(()) } else { Err(error) })
}

/// The error about a selector that matches nothing.
fn unmatched(args: &Args, selectors: &[Selector], at: usize) -> anyhow::Error {
    let option = if at < args.include.len() { "--include" } else { "--exclude" };
    usage(format!("{option} {} matches no method of the profiles", selectors[at]))
}

/// Holds the comparison against the limits.
fn checked(args: &Args, compared: &Comparison<'_>, limits: &Limits) -> Result<Gate> {
    let Comparison { base, new, called, diff } = compared;
    let [base, new]: [&Profile; 2] = [base, new];
    let selectors: Vec<Selector> = args.include.iter().chain(&args.exclude).cloned().collect();
    let selected = SelectedMethods::new(&base.methods, &new.methods, &selectors);
    let selected = selected.map_err(|UnmatchedSelector(at)| unmatched(args, &selectors, at))?;
    let result = gate(base, new, diff, limits, |method| selected.contains(method));
    result.map_err(|error| match error {
        GateError::UnrelatedPrograms { .. } => {
            usage(format!("{} and {}: {error}", called[0], called[1]))
        }
        GateError::NothingSelected => usage(error.to_string()),
    })
}

/// Writes the verdict in all formats asked for.
fn write(args: &Args, compared: &Comparison<'_>, result: &Gate) -> Result<()> {
    let judged = Judged::from_gate(compared, result);
    if write_files(args, &judged)? {
        return Ok(());
    }
    let sources = |path: &str| find_source(&args.sources, path);
    to_output(None, |to| match args {
        Args { json: true, .. } => gate_json(compared, result, to),
        Args { markdown: true, .. } => gate_markdown(&judged, to),
        Args { github: true, .. } => gate_github(&judged, &sources, to),
        _ => gate_text(compared, result, out::terminal_width(), to),
    })
}

/// Writes the files of --junit and --sarif. Returns whether one of them is stdout, where it takes
/// the place of the text.
fn write_files(args: &Args, judged: &Judged) -> Result<bool> {
    let sources = |path: &str| find_source(&args.sources, path);
    if let Some(file) = &args.junit {
        to_output(Some(file), |to| gate_junit(judged, &sources, to))?;
    }
    if let Some(file) = &args.sarif {
        to_output(Some(file), |to| gate_sarif(judged, &sources, to))?;
    }
    Ok([&args.junit, &args.sarif].into_iter().flatten().any(|file| is_stdout(file)))
}
