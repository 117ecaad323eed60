//! The command line. The arguments of each subcommand are in the file of the command.

use crate::{
    agent_path, calibrate, completions, demo, diff, export, gate, growth, history, inspect, man,
    merge, plan, ps, push, query, record, report, rewrite, serve, stop, trust, verify,
};
use clap::{CommandFactory, Parser, Subcommand};
use jfathom_plan::printable;
use std::{ffi::OsString, process::ExitCode};

#[derive(Debug, Parser)]
#[command(
    name = "jfathom",
    version,
    about = "Count and time every call of a Java program or of one method, with error bars, in a calling context tree",
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
  jfathom rewrite app.jar -o out                    put probes into app.jar, ahead of time
  jfathom record -- java -jar out/app.jar           run it and write profile.jfp
  jfathom report profile.jfp                        call tree, hot methods, threads
  jfathom record --root com.acme.Engine::run -p PID attach to a running JVM with unmodified jars
  jfathom calibrate                                 the probe costs on this machine
  jfathom export profile.jfp -o profile.pb.gz       for pprof, speedscope, Firefox, JFR and others
  jfathom diff base.jfp new.jfp                     what changed, with significance
  jfathom plan app.jar --root com.acme.Engine::run  the methods that this one can call, and why
  jfathom demo                                      rewrite, record and report on a small program

Exit code: 0 success, 1 failure, 2 wrong arguments; `record` passes the code of its command through";

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Plan(Box<plan::Args>),
    Rewrite(Box<rewrite::Args>),
    Record(Box<record::Args>),
    Calibrate(calibrate::Args),
    Report(Box<report::Args>),
    Serve(serve::Args),
    Export(export::Args),
    Diff(diff::Args),
    Gate(Box<gate::Args>),
    Growth(growth::Args),
    History(history::Args),
    Trust(trust::Args),
    Query(query::Args),
    Push(push::Args),
    Merge(merge::Args),
    Ps(ps::Args),
    Stop(stop::Args),
    Inspect(inspect::Args),
    Verify(verify::Args),
    Demo(demo::Args),
    AgentPath(agent_path::Args),
    Completions(completions::Args),
    Man(man::Args),
}

/// The parser of the whole command line.
pub(crate) fn parser() -> clap::Command {
    Cli::command()
}

/// Reads the arguments; the first one is the program's name.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Command, clap::Error> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).is_some_and(|command| command == "verify" || command == "report") {
        // As in `java`; clap would read `-c` with the value `p`.
        arguments
            .iter_mut()
            .filter(|word| *word == "-cp")
            .for_each(|word| *word = "--class-path".into());
    }
    Cli::try_parse_from(arguments).map(|cli| cli.command)
}

/// The error about the arguments, with unprintable characters of theirs escaped.
pub(crate) fn shown(arguments: &[OsString], error: clap::Error) -> clap::Error {
    let words: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
    match words.iter().all(|word| printable(word) == **word) {
        true => error,
        false => {
            parse(words.iter().map(|word| OsString::from(&*printable(word)))).err().unwrap_or(error)
        }
    }
}

pub(crate) fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Plan(args) => plan::run(&args),
        Command::Rewrite(args) => rewrite::run(&args),
        Command::Record(mut args) => record::run(&mut args),
        Command::Calibrate(args) => calibrate::run(&args, &run_words),
        Command::Report(args) => report::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Gate(args) => gate::run(&args),
        Command::Growth(args) => growth::run(&args),
        Command::History(args) => history::run(&args),
        Command::Trust(args) => trust::run(&args),
        Command::Query(args) => query::run(&args),
        Command::Push(args) => push::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Ps(args) => ps::run(&args),
        Command::Stop(args) => stop::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Demo(args) => demo::run(&args, &run_words),
        Command::AgentPath(args) => agent_path::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}

/// Runs a command line of this program, whose first word is its name.
fn run_words(words: Vec<OsString>) -> anyhow::Result<ExitCode> {
    run(parse(words)?)
}

#[cfg(test)]
mod tests;
