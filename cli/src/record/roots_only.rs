//! The command of roots-only runs: with roots-only class files, if they can be made.

use super::program::JavaProgram;
use crate::messages;
use anyhow::Result;
use jfathom_collector::{JavaCommand, JavaEnvironment, RootsOnlyCommand};
use jfathom_instrument::{Faults, RootsOnlyOptions, RootsOnlyProgram, RootsOnlyUnavailable};
use jfathom_session::ClockChoice;
use std::{ffi::OsString, path::Path};

/// The command, and its class files, which are removed with this value.
pub(super) struct RootsOnlyOutput {
    pub(super) command: RootsOnlyCommand,
    program: RootsOnlyProgram,
}

/// Why there are no roots-only class files.
#[derive(Debug)]
pub(super) enum NoRootsOnlyOutput {
    /// They cannot be made, or the command would not use them; it runs with its own class files.
    Unavailable(String),
    /// They are not their sources with probes.
    Faults(Faults),
}

impl From<jfathom_instrument::Error> for NoRootsOnlyOutput {
    fn from(error: jfathom_instrument::Error) -> Self {
        Self::Unavailable(format!("{:#}", anyhow::Error::from(error)))
    }
}

impl Drop for RootsOnlyOutput {
    fn drop(&mut self) {
        for folder in self.program.folders_in_use() {
            // Nothing can be done if stderr is closed.
            let _ = messages::warn(&messages::record::folder_stays(folder));
        }
    }
}

/// Writes the program's output directories again with probes in the roots only, and returns the
/// command that runs with them.
///
/// The default clock is `nano`: few records do not repay a fast clock, whose JVM flags change how a
/// program starts.
pub(super) fn prepare_roots_only(
    program: &JavaProgram,
    command: &[OsString],
    clock: ClockChoice,
    options: RootsOnlyOptions,
) -> Result<RootsOnlyOutput, NoRootsOnlyOutput> {
    let unavailable = |reason: &str| NoRootsOnlyOutput::Unavailable(reason.to_owned());
    let (Some((launcher, arguments)), true) = (command.split_first(), program.is_java) else {
        return Err(unavailable("the command is not `java`"));
    };
    let class_path = std::env::var_os("CLASSPATH");
    let java = JavaCommand::parse(
        arguments,
        &JavaEnvironment { class_path: class_path.clone(), ..JavaEnvironment::default() },
    );
    if program.archives.are_there() {
        return Err(unavailable("its CDS archive or AOT cache holds only for the files it names"));
    }
    let roots_only = match program.rewritten.rewrite_roots_only(options)? {
        Ok(roots_only) => roots_only,
        Err(RootsOnlyUnavailable::Faults(faults)) => return Err(NoRootsOnlyOutput::Faults(faults)),
        Err(reason) => return Err(unavailable(&reason.to_string())),
    };
    if let Some(unused) = roots_only.unused_output(&java.paths().collect::<Vec<_>>()) {
        let reason = format!("the command does not name what is in {}", unused.display());
        return Err(unavailable(&reason));
    }
    let clock = if clock == ClockChoice::Auto { ClockChoice::Nano } else { clock };
    let new_path = |path: &Path| roots_only.new_path(path);
    let command = RootsOnlyCommand {
        command: std::iter::once(launcher.clone())
            .chain(JavaCommand::moved(arguments, &new_path))
            .collect(),
        class_path: class_path.map(|value| JavaCommand::moved_paths(&value, &new_path)),
        jvm_flags: roots_only.flags(&program.run_with(clock))?,
        clock,
    };
    Ok(RootsOnlyOutput { command, program: roots_only })
}
