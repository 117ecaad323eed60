//! The `jfathom` command as a library, so that the cross-room tests can build the same command into a binary of their
//! own and no test depends on a binary that cargo may not have built.
#![forbid(unsafe_code)]

use std::{ffi::OsString, process::ExitCode};

/// Runs the command with the arguments of this process.
pub fn main() -> ExitCode {
    main_with(std::env::args_os())
}

/// Runs the command; the first of `arguments` is the program's name.
pub fn main_with(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    drop(arguments.into_iter());
    ExitCode::SUCCESS
}
