//! `jfathom inspect`: describes rewritten files.

use crate::{messages, output::to_output};
use anyhow::Result;
use jfathom_instrument::{CodeListing, InspectOptions, code_listings};
use jfathom_plan::Selector;
use jfathom_report::inspection_text;
use std::{path::PathBuf, process::ExitCode};

/// Show what was rewritten in a jar, by which plan, and what was skipped
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
Examples:
  jfathom inspect out/app.jar
  jfathom inspect out --list skips    everything in the directory, with each skipped method
  jfathom inspect out/app.jar --list methods | grep Engine
  jfathom inspect out/app.jar --code 'com.acme.Engine::run'
                                      its bytecode before and after, as another reader than jfathom's reads it
  jfathom inspect out/app.jar --json  for programs")]
pub(crate) struct Args {
    /// A rewritten jar or class directory, or the directory of `jfathom rewrite -o`
    #[arg(value_name = "OUT")]
    path: PathBuf,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// List these, names with commas between them
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    list: Vec<ListBy>,
    /// Show the bytecode of a method, com.acme.Engine::run or com.acme.Engine::run(I)V, before and
    /// after, with the probes marked
    #[arg(long, value_name = "CLASS::METHOD", conflicts_with_all = ["json", "list"])]
    code: Option<Selector>,
}

/// What is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ListBy {
    /// The skipped classes and methods, with the reasons
    Skips,
    /// The instrumented methods with their ids
    Methods,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    if let Some(method) = &args.code {
        messages::print(&code(&code_listings(&args.path, method)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    let lists = |what| args.list.contains(&what);
    let options = InspectOptions { skips: lists(ListBy::Skips), methods: lists(ListBy::Methods) };
    let files = jfathom_instrument::inspect(&args.path, options)?;
    match args.json {
        true => messages::print(&(serde_json::to_string_pretty(&files)? + "\n"))?,
        false => to_output(None, |out| inspection_text(&files, out))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The bytecode of methods, before and after.
fn code(listings: &[CodeListing]) -> String {
    let mut text = String::new();
    for CodeListing { place, listing } in listings {
        put_line!(text, "{place}: {}", listing.method);
        for (title, rows) in [("before", &listing.before), ("after", &listing.after)] {
            put_line!(text, "  {title}");
            for row in rows {
                put_line!(text, "{row}");
            }
        }
        if let Some(fault) = &listing.fault {
            put_line!(text, "  the probes cannot be separated from the rest: {fault}");
        }
    }
    text
}
