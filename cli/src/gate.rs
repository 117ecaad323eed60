//! `jfathom gate`: checks a profile against limits, for CI.

use crate::{
    failure::{is_closed_pipe, usage},
    out,
    output::to_output,
    profile_file::read,
};
use anyhow::Result;
use jfathom_compare::{
    CallLimit, Gate, GateError, Limits, SelectedMethods, UnmatchedSelector, diff, gate,
};
use jfathom_plan::Selector;
use jfathom_report::{Comparison, gate_json, gate_text};
use std::{path::PathBuf, process::ExitCode, str::FromStr};

/// Check a profile against limits on its growth over a baseline
///
/// Calls are compared exactly, per method. Methods whose calls vary between runs of one build are
/// left out and named. Times are compared per root, over several runs on each side (`record --runs
/// 10`): equal builds exceed the limit less than once in a thousand times, or five in a thousand
/// for interleaved runs (`record --baseline`). A new method counts as one without calls before.
///
/// Exit code: 0 within the limits, 1 exceeded, 2 wrong arguments, an unreadable profile, or a limit
/// that these profiles cannot answer
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("limits").args(["max_calls", "max_time"]).required(true).multiple(true))]
#[command(after_help = "Examples:\n  \
    jfathom gate base.jfp new.jfp --max-calls +0% --max-time +5%\n  \
    jfathom gate base.jfp new.jfp --max-calls +0 --include 'com.acme.**'")]
pub(crate) struct Args {
    /// The baseline's profile
    #[arg(value_name = "BASE")]
    base: PathBuf,
    /// The profile that must stay within the limits
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Allowed growth of each method's calls: a percentage (+5%) or a number (+10)
    #[arg(long, value_name = "LIMIT")]
    max_calls: Option<CallLimit>,
    /// Allowed growth of each root's total time: a percentage (+5%)
    #[arg(long, value_name = "LIMIT", value_parser = Limits::time_of)]
    max_time: Option<f64>,
    /// Check only what SELECTOR selects: a package (com.acme.**), a class, a method; repeat for
    /// more
    #[arg(long, value_name = "SELECTOR")]
    include: Vec<Selector>,
    /// Do not check what SELECTOR selects; repeat for more
    #[arg(long, value_name = "SELECTOR", value_parser = exclusion)]
    exclude: Vec<Selector>,
    /// Write JSON (docs/diff-json.md)
    #[arg(long)]
    json: bool,
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
    let (base, new) = (read(&args.base)?, read(&args.new)?);
    let called = [args.base.display().to_string(), args.new.display().to_string()];
    let found = diff(&base, &new);
    let selectors: Vec<Selector> = args.include.iter().chain(&args.exclude).cloned().collect();
    let selected = SelectedMethods::new(&base.methods, &new.methods, &selectors);
    let selected = selected.map_err(|UnmatchedSelector(at)| {
        let option = if at < args.include.len() { "--include" } else { "--exclude" };
        usage(format!("{option} {} matches no method of the profiles", selectors[at]))
    })?;
    let limits = Limits { calls: args.max_calls, time: args.max_time, ..Limits::default() };
    let result: Gate = match gate(&base, &new, &found, &limits, |method| selected.contains(method))
    {
        Ok(result) => result,
        Err(error @ GateError::UnrelatedPrograms { .. }) => {
            return Err(usage(format!("{} and {}: {error}", called[0], called[1])));
        }
        Err(error) => return Err(usage(error.to_string())),
    };
    let compared =
        Comparison { base: &base, new: &new, called: [&called[0], &called[1]], diff: &found };
    let written = to_output(None, |to| match args.json {
        true => gate_json(&compared, &result, to),
        false => gate_text(&compared, &result, out::terminal_width(), to),
    });
    // The reader of the table may stop early; the exit code is for another one.
    if let Err(error) = written
        && !is_closed_pipe(&error)
    {
        return Err(error);
    }
    Ok(match result.is_failed() {
        true => ExitCode::FAILURE,
        false if !result.refused.is_empty() => ExitCode::from(NOT_ANSWERED),
        false => ExitCode::SUCCESS,
    })
}
