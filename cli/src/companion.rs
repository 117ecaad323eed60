//! Programs of their own that jfathom becomes: `query` and `push`.

use crate::failure::usage;
use anyhow::{Context, Result};
use std::{
    env,
    ffi::OsString,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

/// Becomes a program, which lies beside this one or on the `PATH`. Without words it shows its help.
///
/// # Errors
/// It is not there, or cannot be run. `made_by` says how it is made from the sources.
pub(crate) fn become_program(name: &str, made_by: &str, words: &[OsString]) -> Result<ExitCode> {
    let Some(program) = found(name) else {
        return Err(usage(format!(
            "there is no {name} beside jfathom or on the PATH; in the sources: {made_by}"
        )));
    };
    let help = [OsString::from("--help")];
    let words = if words.is_empty() { &help } else { words };
    let error = Command::new(&program).args(words).exec();
    Err(error).with_context(|| format!("{}: cannot run", program.display()))
}

/// The program beside this one, else on the `PATH`.
fn found(name: &str) -> Option<PathBuf> {
    let here = env::current_exe().ok();
    let beside = here.as_deref().and_then(Path::parent).map(Path::to_owned);
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = beside.into_iter().chain(env::split_paths(&path).filter(|at| at.is_absolute()));
    folders.map(|folder| folder.join(name)).find(|program| program.is_file())
}
