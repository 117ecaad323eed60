//! Housekeeping: `cargo xtask NAME`. Each job can be run alone; `ci` runs those that hold for every change.
#![forbid(unsafe_code)]

mod ci;
mod shell;
mod tidy;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask JOB

what CI runs
  ci             fmt, clippy, tidy, tests, docs, loom: all of the following
  fmt            cargo fmt --check
  clippy         clippy over all targets, warnings are errors
  tidy           the rooms' edges, and what the eye forgets: blanks, sizes, open ends, the trace format's hash
  docs           rustdoc, warnings are errors
  loom           the ring under loom
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        ["ci"] => ci::all(),
        ["fmt"] => ci::fmt(),
        ["clippy"] => ci::clippy(),
        ["tidy"] => tidy::run(),
        ["docs"] => ci::docs(),
        ["loom"] => ci::loom(),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
