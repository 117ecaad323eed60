//! The command line: one subcommand each, with its arguments in the file of the command.

use crate::{demo, inspect, rewrite};
use clap::{Parser, Subcommand};
use std::{ffi::OsString, process::ExitCode};

#[derive(Debug, Parser)]
#[command(name = "jfathom", version, about, arg_required_else_help = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Rewrite(Box<rewrite::Args>),
    Inspect(inspect::Args),
    Demo(demo::Args),
}

/// Reads the arguments; the first one is the program's name.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, clap::Error> {
    Cli::try_parse_from(arguments).map(|cli| cli.command)
}

/// Runs a command.
pub(crate) fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Rewrite(args) => rewrite::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Demo(args) => demo::run(&args),
    }
}
