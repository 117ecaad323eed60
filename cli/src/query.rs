//! `jfathom query`: SQL over profiles. The SQL engine is larger than all of jfathom, so it is no
//! part of it.

use crate::companion::become_program;
use anyhow::Result;
use std::{ffi::OsString, process::ExitCode};

/// Ask any number of profiles in SQL (jfathom-query)
///
/// The tables are runs, methods, totals, nodes, edges, threads, events and walks
/// (docs/reference/tables.md). Runs jfathom-query, which lies beside jfathom or on the PATH;
/// `jfathom-query --help` shows its options and named queries.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    jfathom query 'SELECT * FROM runs' baselines\n  \
    jfathom query --top baselines\n  \
    jfathom query --callers com.acme.Dao::find tables")]
pub(crate) struct Args {
    /// What jfathom-query is asked
    #[arg(value_name = "ARG", trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<OsString>,
}

/// Becomes the program.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    become_program("jfathom-query", "cargo xtask query", &args.words)
}
