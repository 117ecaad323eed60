//! `jfathom growth`: how calls grow with the size of the input.

use crate::{failure::usage, out, output::to_output, profile_file::read};
use anyhow::Result;
use jfathom_compare::{Growth, growth};
use jfathom_profile::Profile;
use jfathom_report::{GrowthView, growth_json, growth_text};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Show how the calls of each method grow with the size of the input
///
/// Takes the profiles of `record --sizes`, in any order, and fits calls = c · size^exponent to each
/// method: 0 is constant, 1 linear, 2 quadratic. Calls are exact, so the exponents have no noise
/// but the program's own. `gate --max growth` checks them against a limit.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    jfathom record --sizes 1000,2000,4000 -- java -jar out/app.jar {}\n  \
    jfathom growth profile.1000.jfp profile.2000.jfp profile.4000.jfp\n  \
    jfathom growth profile.*.jfp --json | jq '.methods[] | select(.exponent > 1.5) | .name'")]
pub(crate) struct Args {
    /// Profiles of three sizes or more
    #[arg(value_name = "FILE", required = true)]
    profiles: Vec<PathBuf>,
    /// Methods in the list
    #[arg(short = 'n', long, value_name = "COUNT", default_value_t = LIMIT)]
    limit: usize,
    /// Write JSON (docs/reference/json.md)
    #[arg(long)]
    json: bool,
    /// Write to a file instead of stdout
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Methods in the list by default.
const LIMIT: usize = 20;

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let growth = growth_of(&args.profiles)?;
    let width = args.output.is_none().then(out::terminal_width).flatten();
    let view = GrowthView { limit: args.limit, width };
    to_output(args.output.as_deref(), |out| match args.json {
        true => growth_json(&growth, None, out),
        false => growth_text(&growth, view, out),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The growth over profiles.
///
/// # Errors
/// Fails if a profile cannot be read, and with a usage error if these profiles have no growth.
pub(crate) fn growth_of(paths: &[PathBuf]) -> Result<Growth> {
    let profiles = paths.iter().map(|path| read(path)).collect::<Result<Vec<Profile>>>()?;
    growth(&profiles.iter().collect::<Vec<_>>()).map_err(|error| {
        let place = error.profile().and_then(|at| paths.get(at)).map(|path| path.display());
        usage(place.map_or_else(|| error.to_string(), |place| format!("{place}: {error}")))
    })
}

/// The text of a growth over profiles, for a terminal of this width.
pub(crate) fn text(paths: &[PathBuf], limit: usize, width: Option<usize>) -> Result<String> {
    let mut text = Vec::new();
    growth_text(&growth_of(paths)?, GrowthView { limit, width }, &mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Paths in one line.
pub(crate) fn joined(paths: &[PathBuf]) -> String {
    let path = |path: &Path| path.to_string_lossy().into_owned();
    jfathom_plan::shell_words(&paths.iter().map(|of| path(of)).collect::<Vec<_>>())
}
