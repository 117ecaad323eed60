//! `jfathom man`: the help of all commands as man pages.

mod page;

use crate::{args, failure::context, output::to_file};
use anyhow::Result;
use std::{path::PathBuf, process::ExitCode};

/// Write the man pages of jfathom and of each command into a directory
///
/// The pages are made from the same definition as the help. `jfathom.1` is the page of the program,
/// `jfathom-record.1` that of `jfathom record`. Pages that are there already are replaced.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  jfathom man ~/.local/share/man/man1        then: man jfathom-record
  jfathom man . && man ./jfathom-record.1    without installing them")]
pub(crate) struct Args {
    /// The directory of the pages, which is made if it is not there
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    jfathom_files::create_directories(&args.directory, 0o777)
        .map_err(|error| context(error, &args.directory, "cannot create"))?;
    for page in page::all(args::parser()) {
        to_file(&args.directory.join(page.file), |out| out.write_all(&page.text))?;
    }
    Ok(ExitCode::SUCCESS)
}
