//! `jfathom agent`: where the library is that JVMs load.

use crate::{agent_library, messages};
use anyhow::Result;
use std::process::ExitCode;

/// Print the path of the library that JVMs load, for `java -agentpath:` by hand
///
/// It lies in this program and is unpacked into the user's cache directory where that has not been
/// done. Options follow the path, as key=value with commas between; the keys are those of the flags
/// of `jfathom record`, and values in a list are separated by semicolons. A comma in a value is
/// %2C, a semicolon %3B, a per cent sign %25.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    java -agentpath:$(jfathom agent)=root=com.acme.Engine::run,out=x.jfp -jar app.jar\n  \
    java \"-agentpath:$(jfathom agent)=root=com.acme.Engine;com.acme.Pump::*,scheme=eager,out=x.jfp\" -jar app.jar\n\n\
Keys: root (a list), scheme (lazy, eager, total), jdk-methods, include, exclude (lists), pin, clock (auto, nano, tsc),\n\
  ring (a size), calibrate (start;end or none), out (the profile), force, verbose")]
pub(crate) struct Args {}

/// Runs the command.
pub(crate) fn run(_: &Args) -> Result<ExitCode> {
    messages::print(&format!("{}\n", agent_library::unpacked()?.display()))?;
    Ok(ExitCode::SUCCESS)
}
