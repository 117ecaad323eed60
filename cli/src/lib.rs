//! The `jfathom` command as a library: the tests of the workspace build it into a binary of their
//! own, so that none depends on a binary that cargo may not have built.
//!
//! The crate is arguments, messages and progress: each command has one file, longer messages are in
//! `messages`. `out.rs` writes all output and escapes control characters in it.
#![forbid(unsafe_code)]

/// Appends one line of text for people to a string, with unprintable characters escaped.
macro_rules! put_line {
    ($text:expr, $($arguments:tt)*) => {{
        $text.push_str(&jfathom_plan::printable(&format!($($arguments)*)));
        $text.push('\n');
    }};
}

mod agent_library;
mod agent_path;
mod archives;
mod args;
mod calibrate;
mod check;
mod companion;
mod completions;
mod config;
mod demo;
mod diff;
mod export;
mod failure;
mod gate;
mod growth;
mod history;
mod inspect;
mod java;
mod man;
mod manifests;
mod merge;
mod messages;
mod out;
mod output;
mod plan;
mod profile_directory;
mod profile_file;
mod progress;
mod ps;
mod push;
mod query;
mod record;
mod report;
mod rewrite;
mod running;
mod scope;
mod select;
mod serve;
mod sort;
mod source_folders;
mod stop;
mod tool;
mod trust;
mod verify;
mod when;

pub use failure::Usage;

use std::{ffi::OsString, process::ExitCode};

/// Runs the command with the arguments of this process.
pub fn main() -> ExitCode {
    // Beyond a limit on file sizes (setrlimit(2)) a write is an error with a place then, and no
    // death. The commands that are started get the signal as it was.
    let exceeded = std::sync::Arc::default();
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, exceeded);
    main_with(std::env::args_os())
}

/// Runs the command; the first of `arguments` is the program's name.
///
/// Exit codes: 0 success, 1 failure, 2 usage (a wrong argument, a selector without a match);
/// `record` passes the code of the recorded command through.
pub fn main_with(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = arguments.into_iter().collect();
    let named = std::env::var_os(config::VARIABLE).map(Into::into);
    let arguments = match config::add_options(args::parser(), arguments, named) {
        Ok(config::Configured { words, note }) => {
            note.into_iter().for_each(|note| out::say(&format!("note: {note}")));
            words
        }
        Err(error) => return failure::print_error(&error),
    };
    match args::parse(arguments.clone()) {
        Ok(command) => args::run(command).unwrap_or_else(|error| failure::print_error(&error)),
        Err(error) => {
            let code = u8::try_from(error.exit_code()).unwrap_or(2);
            out::print_usage(&args::shown(&arguments, error));
            ExitCode::from(code)
        }
    }
}
