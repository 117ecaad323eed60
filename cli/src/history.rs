//! `jfathom history`: methods over the profiles of a directory.

use crate::{
    failure::usage,
    out,
    output::{is_stdout, page_file, to_file, to_output},
    profile_directory::profiles,
    profile_file::read,
};
use anyhow::Result;
use jfathom_calibration::correct_times_without_samples;
use jfathom_compare::{History, MethodSet};
use jfathom_plan::Selector;
use jfathom_profile::{Label, Labels};
use jfathom_report::{history_html, history_json, history_text};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Show calls and times of a method over the profiles of a directory: builds, or days
///
/// Profiles are in the order in which they were recorded. Methods are matched by class, name and
/// descriptor. Where the code of a method differs from the recording before, the row says so.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    jfathom history baselines 'com.acme.Engine::run'\n  \
    jfathom history baselines 'com.acme.Engine::run' --label branch=main -o run.html\n  \
    jfathom history baselines 'com.acme.**' --json | jq '.methods[].name'")]
pub(crate) struct Args {
    /// A directory of profiles (.jfp), such as that of `gate --baseline-dir`
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// The methods
    #[arg(value_name = "SELECTOR", required = true)]
    methods: Vec<Selector>,
    /// Only profiles with this label; repeat for more
    #[arg(long, value_name = "KEY=VALUE")]
    label: Vec<Label>,
    /// Write JSON (docs/reference/json.md)
    #[arg(long)]
    json: bool,
    /// Write to a file instead of stdout; to FILE.html a page with charts
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Methods that are shown as text or charts.
const MOST: usize = 50;

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let history = history(args)?;
    if !args.json && history.methods.len() > MOST {
        return Err(usage(format!(
            "the selectors choose {} methods, more than {MOST}: choose fewer, or write --json",
            history.methods.len()
        )));
    }
    if let (Some(html), false) = (page_file(args.output.as_deref()), args.json) {
        to_file(html, |out| history_html(&history, out))?;
        return Ok(ExitCode::SUCCESS);
    }
    let is_file = args.output.as_deref().is_some_and(|path| !is_stdout(path));
    let width = (!is_file).then(out::terminal_width).flatten();
    to_output(args.output.as_deref(), |out| match args.json {
        true => history_json(&history, out),
        false => history_text(&history, width, out),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The methods of `args` over its profiles.
///
/// # Errors
/// Fails if the directory or a profile cannot be read, and with a usage error if no profile has the
/// labels or a selector matches in none.
fn history(args: &Args) -> Result<History> {
    let labels = Labels::new(args.label.iter().cloned())
        .map_err(|error| usage(format!("--label: {error}")))?;
    let mut found = profiles(&args.directory)?;
    found.retain(|(_, meta)| meta.labels.contains(&labels));
    found.sort_by_key(|(_, meta)| meta.started_millis);
    if found.is_empty() {
        let which = if labels.is_empty() { "" } else { " with these labels" };
        return Err(usage(format!("{}: no profile{which}", args.directory.display())));
    }
    let mut history = History::default();
    let mut unmatched: Vec<&Selector> = args.methods.iter().collect();
    for (path, _) in &found {
        let profile = read(path)?;
        let matches = |selector: &Selector| {
            MethodSet::new(&profile.methods, std::slice::from_ref(selector)).is_ok()
        };
        unmatched.retain(|selector| !matches(selector));
        let fit: Vec<Selector> = args.methods.iter().filter(|of| matches(of)).cloned().collect();
        // Exclusions alone would select all other methods.
        let is_inclusion = |of: &Selector| !of.is_exclusion();
        let has_none = args.methods.iter().any(is_inclusion) && !fit.iter().any(is_inclusion);
        let set = match fit.is_empty() || has_none {
            true => MethodSet::default(),
            false => MethodSet::new(&profile.methods, &fit).unwrap_or_default(),
        };
        history.add(name(path), &profile, correct_times_without_samples(&profile).as_ref(), &set);
    }
    match unmatched.first() {
        Some(selector) => Err(usage(format!("{selector} matches no method of the profiles"))),
        None => Ok(history),
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
