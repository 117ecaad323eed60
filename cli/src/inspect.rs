//! `jfathom inspect`: describes rewritten files.

use crate::messages;
use anyhow::Result;
use jfathom_instrument::{InspectOptions, code_listings};
use std::{path::PathBuf, process::ExitCode};

/// Show what was rewritten in a jar, by which plan, and what was skipped
#[derive(Debug, clap::Args)]
#[command(after_long_help = "\
Examples:
  jfathom inspect out/app.jar
  jfathom inspect out --skips         everything in the directory, with each skipped method
  jfathom inspect out/app.jar --methods | grep Engine
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
    /// List the skipped classes and methods, with the reasons
    #[arg(long)]
    skips: bool,
    /// List the instrumented methods with their ids
    #[arg(long)]
    methods: bool,
    /// Show the bytecode of a method, com.acme.Engine::run or com.acme.Engine::run(I)V, before and
    /// after, with the probes marked
    #[arg(long, value_name = "CLASS::METHOD", conflicts_with_all = ["json", "skips", "methods"])]
    code: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let text = match &args.code {
        Some(method) => messages::inspect::code(&code_listings(&args.path, method)?),
        None => {
            let options = InspectOptions { skips: args.skips, methods: args.methods };
            let inspections = jfathom_instrument::inspect(&args.path, options)?;
            match args.json {
                true => serde_json::to_string_pretty(&inspections)? + "\n",
                false => messages::inspect::text(&inspections),
            }
        }
    };
    messages::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
