//! `jfathom push`: profiles to a server. jfathom itself connects to nobody and has no TLS.

use crate::companion::become_program;
use anyhow::Result;
use std::{ffi::OsString, process::ExitCode};

/// Send profiles to Pyroscope or to an OpenTelemetry collector (jfathom-push)
///
/// Runs jfathom-push, which lies beside jfathom or on the PATH; `jfathom-push --help` shows its
/// options. docs/how-to/push.md says what is sent, and what happens if a server is away.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    jfathom push profile.jfp --to pyroscope http://localhost:4040 --name shop\n  \
    jfathom push runs/*.jfp --to otlp https://collector.acme.com:4318 --label branch=main")]
pub(crate) struct Args {
    /// What jfathom-push is told
    #[arg(value_name = "ARG", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Becomes the program.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    become_program("jfathom-push", "cargo build --release -p jfathom-push", &args.words)
}
