//! `jfathom stop`: ends the live session of a JVM.

use crate::messages;
use anyhow::Result;
use jfathom_files::output::STDOUT;
use jfathom_session::{Credentials, FindJvmError, JvmProcess};
use rustix::process::geteuid;
use std::{path::Path, process::ExitCode};

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
    if geteuid().is_root() && matches!(JvmProcess::find(pid), Err(FindJvmError::OtherUser { .. })) {
        Credentials::of(pid)?.assume()?;
    }
    let mut text = String::new();
    // Standard output is the recorder's own, or leads through it to where root has asked.
    match jfathom_collector::stop(pid)?.filter(|output| output != Path::new(STDOUT)) {
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
