//! `jfathom gate`: checks a profile against limits, for CI.

mod baseline;
mod growth;
mod limit;

use crate::{
    failure::{is_closed_pipe, usage},
    out,
    output::{is_stdout, to_output},
    profile_file::read,
    source_folders::find_source,
};
use anyhow::Result;
use baseline::KeptBaseline;
use jfathom_compare::{
    Gate, GateError, Limits, SelectedMethods, UnmatchedSelector, diff, gate, have_common_run,
};
use jfathom_plan::{Problem, Selector};
use jfathom_profile::Profile;
use jfathom_report::{
    Comparison, Judged, common_run_sentence, gate_github, gate_json, gate_junit, gate_markdown,
    gate_sarif, gate_text,
};
pub(crate) use limit::Limit;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
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
///
/// Options that the command line does not give are taken from jfathom.toml in the current
/// directory, if there is one (JFATHOM_CONFIG=FILE: from FILE; none: from no file).
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    jfathom gate base.jfp new.jfp --max calls=+0%,time=+5%\n  \
    jfathom gate base.jfp new.jfp --max calls=+0 --include 'com.acme.**'\n  \
    jfathom gate new.jfp --max com.acme.Dao::find/com.acme.Handler::handle=1\n  \
    jfathom gate p.1000.jfp p.2000.jfp p.4000.jfp --max growth=1.2\n  \
    jfathom gate base.jfp new.jfp --max time=+5% --strict --write junit=gate.xml,github\n  \
    jfathom gate new.jfp --baseline-dir baselines --baseline-label branch=main --keep --max calls=+0%")]
pub(crate) struct Args {
    /// The baseline's profile; without NEW the profile that must stay within the limits
    #[arg(value_name = "BASE")]
    base: PathBuf,
    /// The profile that must stay within the limits
    #[arg(value_name = "NEW", conflicts_with = "baseline_dir")]
    new: Option<PathBuf>,
    /// With --max growth: the profiles of further sizes
    #[arg(value_name = "MORE")]
    more: Vec<PathBuf>,
    /// Allowed growth of each method's calls, a percentage or a number (calls=+5%, calls=+10), of
    /// each root's time (time=+5%), and of a column of `record --metrics`, such as the bytes that
    /// the root allocates (alloc=+1%) and its running time (cpu=+5%); allowed calls of A per call
    /// of B in the new profile (com.acme.Dao::find/com.acme.Handler::handle=1); the largest
    /// exponent of calls against the size of the input (growth=1.2), over profiles of `record
    /// --sizes` in any order
    #[arg(long, value_name = "NAME=LIMIT", required = true, value_delimiter = ',')]
    max: Vec<Limit>,
    /// Fail also if a root or a ratio is beyond its limit but that may be chance, or if a method is
    /// called only from some size on
    #[arg(long)]
    strict: bool,
    /// Check only what SELECTOR selects, a package (com.acme.**), a class, a method, or all but
    /// that (!SELECTOR); repeat for more
    #[arg(long, value_name = "SELECTOR")]
    include: Vec<Selector>,
    /// Write JSON (docs/reference/json.md) in place of the text
    #[arg(long)]
    json: bool,
    /// Write in further forms: markdown (for a pull request: ten lines at most, the verdict first)
    /// or github (workflow commands, which annotate the sources) in place of the text; junit=FILE
    /// (a test case per root, ratio, and method beyond its limit) and sarif=FILE (2.1.0) beside it
    #[arg(long, value_name = "FORM[=FILE]", value_delimiter = ',', value_parser = form)]
    write: Vec<Form>,
    /// A folder of Java sources, for paths in github, junit and sarif; repeat for more
    /// [default: those of Maven and Gradle]
    #[arg(long, value_name = "DIR")]
    sources: Vec<String>,
    #[command(flatten)]
    kept: KeptBaseline,
}

/// The profiles cannot answer a limit.
const NOT_ANSWERED: u8 = 2;

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    // An error is no exceeded limit.
    check(args).map_err(|error| usage(format!("{error:#}")))
}

fn check(args: &Args) -> Result<ExitCode> {
    if let Some(limit) = limit::growth(&args.max)? {
        if args.kept.directory().is_some() {
            return Err(usage("--max growth needs no --baseline-dir: name the profiles"));
        }
        return growth::check(args, limit);
    }
    if !args.more.is_empty() {
        return Err(usage("more than two profiles are those of --max growth=EXPONENT"));
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
    if new.is_none() && args.max.iter().any(Limit::needs_baseline) {
        let columns = limit::column_keys();
        return Err(usage(format!("calls, time, {columns} limit growth: name BASE and NEW")));
    }
    let other = new.as_ref().unwrap_or(&base);
    let found = diff(&base.profile, &other.profile);
    let compared = Comparison {
        base: &base.profile,
        new: &other.profile,
        called: [&base.called, &other.called],
        diff: &found,
    };
    let mut result = checked(args, &compared, &limit::limits(&args.max, args.strict)?)?;
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
    let ratios: Vec<Limit> =
        args.max.iter().filter(|limit| !limit.needs_baseline()).cloned().collect();
    if !ratios.is_empty() && args.kept.keeps() {
        let Named { called, profile } = first;
        let found = diff(profile, profile);
        let compared =
            Comparison { base: profile, new: profile, called: [called, called], diff: &found };
        let limits = limit::limits(&ratios, args.strict)?;
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
fn unmatched(args: &Args, UnmatchedSelector(at): UnmatchedSelector) -> anyhow::Error {
    usage(format!("--include {} matches no method of the profiles", args.include[at]))
}

/// Holds the comparison against the limits.
fn checked(args: &Args, compared: &Comparison<'_>, limits: &Limits) -> Result<Gate> {
    let Comparison { base, new, called, diff } = compared;
    let [base, new]: [&Profile; 2] = [base, new];
    let selected = SelectedMethods::new(&base.methods, &new.methods, &args.include);
    let selected = selected.map_err(|error| unmatched(args, error))?;
    let result = gate(base, new, diff, limits, |method| selected.contains(method));
    result.map_err(|error| match error {
        GateError::UnrelatedPrograms { .. } => {
            usage(format!("{} and {}: {error}", called[0], called[1]))
        }
        GateError::NothingSelected => usage(error.to_string()),
    })
}

/// A form of the verdict beside text and JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Form {
    Markdown,
    Github,
    Junit(PathBuf),
    Sarif(PathBuf),
}

fn form(text: &str) -> Result<Form, Problem> {
    match text.split_once('=').unwrap_or((text, "")) {
        ("markdown", "") => Ok(Form::Markdown),
        ("github", "") => Ok(Form::Github),
        ("junit", file) if !file.is_empty() => Ok(Form::Junit(file.into())),
        ("sarif", file) if !file.is_empty() => Ok(Form::Sarif(file.into())),
        _ => Err("the forms are markdown, github, junit=FILE and sarif=FILE".into()),
    }
}

impl Args {
    /// What stands in place of the text; none for the text itself.
    ///
    /// # Errors
    /// Refuses two.
    fn in_place(&self) -> Result<Option<Form>> {
        let is_in_place = |form: &&Form| matches!(form, Form::Markdown | Form::Github);
        let forms: Vec<&Form> = self.write.iter().filter(is_in_place).collect();
        match (&forms[..], self.json) {
            ([], _) => Ok(None),
            ([form], false) => Ok(Some((*form).clone())),
            _ => Err(usage("one of --json, markdown and github goes in place of the text")),
        }
    }
}

/// Writes the verdict in all forms asked for.
fn write(args: &Args, compared: &Comparison<'_>, result: &Gate) -> Result<()> {
    let judged = Judged::from_gate(compared, result);
    let in_place = args.in_place()?;
    if write_files(args, &judged)? {
        return Ok(());
    }
    let sources = |path: &str| find_source(&args.sources, path);
    to_output(None, |to| match in_place {
        _ if args.json => gate_json(compared, result, to),
        Some(Form::Markdown) => gate_markdown(&judged, to),
        Some(Form::Github) => gate_github(&judged, &sources, to),
        _ => gate_text(compared, result, out::terminal_width(), to),
    })
}

/// Writes the files that are asked for. Returns whether one of them is stdout, where it takes the
/// place of the text.
fn write_files(args: &Args, judged: &Judged) -> Result<bool> {
    let sources = |path: &str| find_source(&args.sources, path);
    let mut is_on_stdout = false;
    for form in &args.write {
        let file = match form {
            Form::Junit(file) => {
                to_output(Some(file), |to| gate_junit(judged, &sources, to))?;
                file
            }
            Form::Sarif(file) => {
                to_output(Some(file), |to| gate_sarif(judged, &sources, to))?;
                file
            }
            Form::Markdown | Form::Github => continue,
        };
        is_on_stdout |= is_stdout(file);
    }
    Ok(is_on_stdout)
}
