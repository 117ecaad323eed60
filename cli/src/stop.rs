//! `jfathom stop`: ends the live session of a JVM.

use crate::messages;
use anyhow::Result;
use std::process::ExitCode;

/// End the live session of a JVM: the agent restores its classes, and the collector writes the
/// profile
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The JVM; `jfathom ps` lists them
    #[arg(value_name = "PID", value_parser = clap::value_parser!(u32).range(1..))]
    pid: u32,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let pid = args.pid;
    let mut text = String::new();
    match jfathom_collector::stop(pid)? {
        Some(output) => {
            put_line!(
                text,
                "JVM {pid} has its original code back; the profile will be {}",
                output.display()
            );
        }
        None => put_line!(text, "JVM {pid} has its original code back"),
    }
    messages::print(&text)?;
    Ok(ExitCode::SUCCESS)
}
