//! `jfathom query`: SQL over profiles, by a program of its own.

use crate::failure::usage;
use anyhow::{Context, Result};
use std::{
    env,
    ffi::OsString,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

/// The program. The SQL engine is larger than all of jfathom, so it is not part of it.
const PROGRAM: &str = "jfathom-query";

/// Ask any number of profiles in SQL (jfathom-query)
///
/// The tables are runs, methods, totals, nodes, edges and threads (docs/reference/tables.md).
/// Runs jfathom-query, which lies beside jfathom or on the PATH; `jfathom-query --help` shows its
/// options and named queries.
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
    let Some(program) = found() else {
        return Err(usage(format!(
            "there is no {PROGRAM} beside jfathom or on the PATH; in the sources: cargo xtask query"
        )));
    };
    let words = match args.words.is_empty() {
        true => &[OsString::from("--help")],
        false => &args.words[..],
    };
    let error = Command::new(&program).args(words).exec();
    Err(error).with_context(|| format!("{}: cannot run", program.display()))
}

/// The program beside this one, else on the `PATH`.
fn found() -> Option<PathBuf> {
    let here = env::current_exe().ok();
    let beside = here.as_deref().and_then(Path::parent).map(Path::to_owned);
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = beside.into_iter().chain(env::split_paths(&path).filter(|at| at.is_absolute()));
    folders.map(|folder| folder.join(PROGRAM)).find(|program| program.is_file())
}
