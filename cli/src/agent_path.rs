//! `jfathom agent-path`: the path of the agent.

use crate::{agent_library, messages};
use anyhow::Result;
use jfathom_collector::unpack_agent;
use std::process::ExitCode;

/// Print the path of the agent, for `java -agentpath:` by hand
///
/// The agent is part of this program, and is unpacked into the user's cache directory if necessary.
/// Options follow its path as key=value, separated by commas. The keys are those of the flags of
/// `jfathom record`; semicolons separate the values of a list. Write a comma in a value as %2C, a
/// semicolon as %3B, a per cent sign as %25.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    java -agentpath:$(jfathom agent-path)=root=com.acme.Engine::run,out=x.jfp -jar app.jar\n  \
    java \"-agentpath:$(jfathom agent-path)=root=com.acme.Engine;com.acme.Pump::*,scheme=eager,out=x.jfp\" -jar app.jar\n\n\
Keys: root, region (lists), scheme (lazy, eager, total), include-jdk, include (list),\n  \
  clock (auto, nano, tsc), ring-size, sample-roots (1/N or N/s), calibrate (start;end or\n  none), mounts, metrics (alloc;caught;cpu), samples (on, off), out (the profile), force, verbose, jfathom (the collector's program)")]
pub(crate) struct Args {}

/// Runs the command.
pub(crate) fn run(_: &Args) -> Result<ExitCode> {
    messages::print(&format!("{}\n", unpack_agent(agent_library::BYTES)?.display()))?;
    Ok(ExitCode::SUCCESS)
}
