//! `jfathom diff`: the differences of two profiles.

use crate::{
    messages, out,
    output::{page_file, to_file, to_output},
    profile_file::read,
    report::percentage,
    sort::SortBy,
};
use anyhow::Result;
use jfathom_compare::{diff, have_common_run};
use jfathom_page::difference_page;
use jfathom_plan::printable;
use jfathom_report::{
    Comparison, DiffView, common_run_sentence, diff_json, diff_summary, diff_text,
    unrelated_sentence,
};
use jfathom_views::Sort;
use std::{path::PathBuf, process::ExitCode};

/// Compare two profiles: calls exactly, times with significance, per method and per call path
///
/// Methods are matched across builds by name, and renamed or moved ones by their code digest. With
/// several runs on each side (`record --runs`, `merge --as series`) a change of time has an error
/// bar, and a mark if it is significant.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    jfathom diff base.jfp new.jfp\n  \
    jfathom diff --view methods --sort calls base.jfp new.jfp\n  \
    jfathom diff base.jfp new.jfp -o out.html\n  \
    jfathom diff --json base.jfp new.jfp | jq '.methods[] | select(.calls.growth > 0)'")]
pub(crate) struct Args {
    /// The baseline's profile
    #[arg(value_name = "BASE")]
    base: PathBuf,
    /// The candidate's profile; a positive difference means that it has more
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// Show only the methods, or only the call paths, that changed
    #[arg(long, value_enum, value_name = "VIEW")]
    view: Option<ViewBy>,
    /// Methods in the list, and lines of the tree
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = 40)]
    limit: usize,
    /// Sort changed methods by; call paths by total time, or by calls
    #[arg(long, value_enum, default_value_t = SortBy(Sort::SelfTime))]
    sort: SortBy,
    /// Leave out changes below this percentage of the total time, and insignificant ones; 0 shows
    /// all [default: 1 in text, 0 in JSON]
    #[arg(short, long, value_name = "PERCENT", value_parser = percentage)]
    threshold: Option<f64>,
    /// Write JSON (docs/reference/json.md)
    #[arg(long)]
    json: bool,
    /// Write to a file instead of stdout; to FILE.html a page for the browser, which needs no
    /// network
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// A part of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ViewBy {
    Methods,
    Tree,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let (base, new) = (read(&args.base)?, read(&args.new)?);
    let called = [args.base.display().to_string(), args.new.display().to_string()];
    let found = diff(&base, &new);
    let is_unrelated = found.matching.pairs.is_empty();
    let warnings = [
        have_common_run(&base, &new).then(|| common_run_sentence(&called[0], &called[1])),
        is_unrelated.then(|| unrelated_sentence(&args.base, &args.new)),
    ];
    for warning in warnings.into_iter().flatten() {
        messages::warn(&format!("jfathom: warning: {}\n", printable(&warning)))?;
    }
    let compared =
        Comparison { base: &base, new: &new, called: [&called[0], &called[1]], diff: &found };
    if let (Some(page), false) = (page_file(args.output.as_deref()), args.json) {
        let mut summary = Vec::new();
        diff_summary(&compared, &mut summary)?;
        let summary = String::from_utf8_lossy(&summary);
        to_file(page, |out| difference_page(&compared, &summary, out))?;
        return Ok(ExitCode::SUCCESS);
    }
    let view = DiffView {
        methods: args.view != Some(ViewBy::Tree),
        tree: args.view != Some(ViewBy::Methods),
        limit: args.limit,
        sort: args.sort.0,
        threshold: args.threshold.unwrap_or(if args.json { 0.0 } else { 1.0 }),
        width: args.output.is_none().then(out::terminal_width).flatten(),
    };
    to_output(args.output.as_deref(), |out| match args.json {
        true => diff_json(&compared, &view, out),
        false => diff_text(&compared, &view, out),
    })?;
    Ok(ExitCode::SUCCESS)
}
