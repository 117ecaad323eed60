//! `jfathom completions`: a script with which a shell completes command lines of this program.

use crate::{args, output::to_file, tool::NAME};
use anyhow::Result;
use clap_complete::{Generator, shells};
use std::{path::Path, process::ExitCode};

/// Print a script that completes the command lines of jfathom in a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  jfathom completions bash > ~/.local/share/bash-completion/completions/jfathom
  jfathom completions zsh > ~/.zfunc/_jfathom     where ~/.zfunc is in fpath before compinit
  jfathom completions fish > ~/.config/fish/completions/jfathom.fish")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

/// A shell whose script is tested.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut parser = args::parser();
    parser.set_bin_name(NAME);
    parser.build();
    let generator: &dyn Generator = match args.shell {
        Shell::Bash => &shells::Bash,
        Shell::Zsh => &shells::Zsh,
        Shell::Fish => &shells::Fish,
    };
    to_file(Path::new("-"), |out| generator.try_generate(&parser, out))?;
    Ok(ExitCode::SUCCESS)
}
