//! The `jfathom` command as a library, so that the cross-room tests can build the same command into a binary of their
//! own and no test depends on a binary that cargo may not have built.
#![forbid(unsafe_code)]

mod agent;
mod agent_library;
mod args;
mod calibrate;
mod combine;
mod demo;
mod diff;
mod failure;
mod gate;
mod inspect;
mod java;
mod list;
mod messages;
mod numbers;
mod plan;
mod progress;
mod record;
mod report;
mod rewrite;
mod rewritten;
mod select;
mod sidecar;
mod stop;
mod verify;

pub use failure::Usage;

use std::{ffi::OsString, process::ExitCode};

/// This program and its version, as manifests and profiles name it.
pub(crate) const TOOL: &str = concat!("jfathom ", env!("CARGO_PKG_VERSION"));

/// Runs the command with the arguments of this process.
pub fn main() -> ExitCode {
    main_with(std::env::args_os())
}

/// Runs the command; the first of `arguments` is the program's name.
///
/// Exit codes: 0 fine, 1 failed, 2 usage (a wrong argument, a selector without a match); `record` passes the code of
/// the recorded command through.
pub fn main_with(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match args::parse(arguments) {
        Ok(command) => args::run(command).unwrap_or_else(|error| failure::tell(&error)),
        Err(error) => {
            // A closed pipe behind `--help` is no failure of ours.
            let _ = error.print();
            ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
        }
    }
}
