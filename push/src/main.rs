//! `jfathom-push`: sends profiles to a server that keeps them. `jfathom push` runs it.
//!
//! `receiver.rs` makes a `Packet` of a profile, `delivery.rs` sends it, and `spool.rs` keeps what
//! was not taken. Its tests are servers that decode what they get by the public protos. Only this
//! program and `jfathom-query`, which may read tables from a store, connect to another machine;
//! `record --on` starts the system's `ssh`.
#![forbid(unsafe_code)]

mod args;
mod delivery;
mod otlp;
mod packet;
mod patience;
mod push;
mod pyroscope;
mod receiver;
mod secret;
mod spool;

use args::Args;
use clap::Parser;
use jfathom_plan::printable;
use std::{
    io::{self, Write},
    process::ExitCode,
};

fn main() -> ExitCode {
    let args = Args::parse();
    match push::run(&args, std::env::var_os(secret::VARIABLE), &mut say) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            say(&format!("{error:#}"));
            ExitCode::from(if error.is::<args::Usage>() { 2 } else { 1 })
        }
    }
}

/// Prints a message to stderr. Where that is closed, the exit code says it.
fn say(message: &str) {
    let lines: Vec<_> = message.lines().map(printable).collect();
    let _ = io::stderr().write_all(format!("jfathom: {}\n", lines.join("\n  ")).as_bytes());
}

#[cfg(test)]
mod tests;
