//! The command line: one subcommand each, with its arguments in the file of the command.

use crate::{
    agent, calibrate, demo, diff, gate, inspect, merge, plan, ps, record, report, rewrite, stop,
    verify,
};
use clap::{Parser, Subcommand};
use jfathom_plan::printable;
use std::{ffi::OsString, process::ExitCode};

#[derive(Debug, Parser)]
#[command(
    name = "jfathom",
    version,
    about = "What a Java method does and what it costs: every call counted, timed, in a calling context tree",
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = EXAMPLES
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  jfathom rewrite app.jar -o out                   put probes into app.jar, ahead of time
  jfathom record -- java -jar out/app.jar          run it and collect: profile.jfp
  jfathom report profile.jfp                       call tree, hot methods, threads
  jfathom record --root com.acme.Engine::run -p PID
                                                   the same of a JVM that runs, its jars as they are
  jfathom calibrate                                what the probes cost here
  jfathom diff base.jfp new.jfp                    what changed, with significance
  jfathom plan app.jar --root com.acme.Engine::run what that method can reach, and why
  jfathom demo                                     rewrite, record and report on a small program

Exit code: 0 fine, 1 failed, 2 wrong arguments; `record` passes the code of its command through";

/// One subcommand each.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Plan(Box<plan::Args>),
    Rewrite(Box<rewrite::Args>),
    Record(Box<record::Args>),
    Calibrate(calibrate::Args),
    Report(Box<report::Args>),
    Diff(diff::Args),
    Gate(gate::Args),
    /// Add profiles up: calls and times of all of them
    Merge(merge::Args),
    /// What profiles share: the call paths that all have, each with its fewest calls and its least
    /// time
    Min(merge::Args),
    /// Put recordings of one program together as runs of one profile, for means, intervals and
    /// gates
    Mean(merge::Args),
    List(ps::Args),
    Stop(stop::Args),
    Inspect(inspect::Args),
    Verify(verify::Args),
    Demo(demo::Args),
    Agent(agent::Args),
}

/// Reads the arguments; the first one is the program's name.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, clap::Error> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).is_some_and(|command| command == "verify") {
        // As `java` has it; to other readers this is `-c` with the value `p`.
        arguments
            .iter_mut()
            .filter(|word| *word == "-cp")
            .for_each(|word| *word = "--class-path".into());
    }
    Cli::try_parse_from(arguments).map(|cli| cli.command)
}

/// The error about the arguments as it is shown: one that repeats their words repeats them as
/// people are shown them.
pub(crate) fn shown(arguments: &[OsString], error: clap::Error) -> clap::Error {
    let words: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
    match words.iter().all(|word| printable(word) == **word) {
        true => error,
        false => {
            parse(words.iter().map(|word| OsString::from(&*printable(word)))).err().unwrap_or(error)
        }
    }
}

/// Runs a command.
pub(crate) fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Plan(args) => plan::run(&args),
        Command::Rewrite(args) => rewrite::run(&args),
        Command::Record(args) => record::run(&args),
        Command::Calibrate(args) => calibrate::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Gate(args) => gate::run(&args),
        Command::Merge(args) => merge::run(&args, merge::Combination::Merge),
        Command::Min(args) => merge::run(&args, merge::Combination::Minimum),
        Command::Mean(args) => merge::run(&args, merge::Combination::Mean),
        Command::List(args) => ps::run(&args),
        Command::Stop(args) => stop::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Agent(args) => agent::run(&args),
    }
}
