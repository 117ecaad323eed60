//! `jfathom diff`: what changed between two profiles.

use crate::{
    out,
    report::{SortBy, percentage, read, to_output},
};
use anyhow::Result;
use jfathom_compare::diff;
use jfathom_report::{Comparison, DiffSort, DiffView, diff_json, diff_text};
use std::{path::PathBuf, process::ExitCode};

/// Compare two profiles: calls exactly, times with significance, per method and per call path
///
/// Methods are matched across builds by name and, where one was renamed or moved, by the digest of
/// its code. With several runs on each side (`record --runs`, `mean`) a change of time has an
/// interval, and a mark where it is more than chance.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    jfathom diff base.jfp new.jfp\n  \
    jfathom diff --methods --sort calls base.jfp new.jfp\n  \
    jfathom diff --json base.jfp new.jfp | jq '.methods[] | select(.calls.growth > 0)'")]
pub(crate) struct Args {
    /// What to compare with
    #[arg(value_name = "BASE")]
    base: PathBuf,
    /// What is compared; positive differences mean that it is more
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Only the methods that changed
    #[arg(long, conflicts_with = "tree")]
    methods: bool,
    /// Only the call paths that changed
    #[arg(long)]
    tree: bool,
    /// Methods in the list, and lines of the tree
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 40)]
    limit: usize,
    /// What changes are sorted by
    #[arg(long, value_enum, default_value_t = SortBy::SelfTime)]
    sort: SortBy,
    /// Leave out changes of less than this percentage of the whole time, and those that may be
    /// chance; 0 shows all; 1 in text, 0 in JSON
    #[arg(short, long, value_name = "PERCENT", value_parser = percentage)]
    threshold: Option<f64>,
    /// Write JSON (docs/diff-json.md)
    #[arg(long)]
    json: bool,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let (base, new) = (read(&args.base)?, read(&args.new)?);
    let called = [args.base.display().to_string(), args.new.display().to_string()];
    let found = diff(&base, &new);
    let compared =
        Comparison { base: &base, new: &new, called: [&called[0], &called[1]], diff: &found };
    let view = DiffView {
        methods: !args.tree,
        tree: !args.methods,
        limit: args.limit,
        sort: match args.sort {
            SortBy::SelfTime => DiffSort::SelfTime,
            SortBy::TotalTime => DiffSort::TotalTime,
            SortBy::Calls => DiffSort::Calls,
        },
        threshold: args.threshold.unwrap_or(if args.json { 0.0 } else { 1.0 }),
        width: args.output.is_none().then(out::terminal_width).flatten(),
    };
    to_output(args.output.as_deref(), |out| match args.json {
        true => diff_json(&compared, &view, out),
        false => diff_text(&compared, &view, out),
    })?;
    Ok(ExitCode::SUCCESS)
}
