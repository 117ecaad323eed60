//! `jfathom merge`, `min` and `mean`: several profiles as one.

use crate::{
    failure::usage,
    messages,
    numbers::{counted, grouped},
    report::{read, to_file},
};
use anyhow::Result;
use jfathom_profile::{Profile, collect_runs, match_methods, merge, minimum};
use std::{path::PathBuf, process::ExitCode};

/// What is made of profiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combination {
    /// Their sum.
    Merge,
    /// What they share.
    Minimum,
    /// Runs of one program.
    Mean,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The profiles
    #[arg(value_name = "PROFILE", required = true)]
    profiles: Vec<PathBuf>,
    /// The profile to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace the output if it exists
    #[arg(short, long)]
    force: bool,
    /// Say what was written as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args, combination: Combination) -> Result<ExitCode> {
    if args.output.exists() && !args.force {
        return Err(usage(format!("{}: exists; --force replaces it", args.output.display())));
    }
    let profiles: Vec<Profile> = args.profiles.iter().map(|path| read(path)).collect::<Result<_>>()?;
    if combination != Combination::Merge {
        one_program(args, &profiles)?;
    }
    let made = match combination {
        Combination::Merge => merge(profiles),
        Combination::Minimum => minimum(profiles),
        Combination::Mean => collect_runs(profiles),
    };
    let Some(made) = made else { return Err(usage("there is no profile")) };
    to_file(&args.output, |out| made.write(out).map_err(std::io::Error::other))?;
    let output = args.output.display().to_string();
    messages::print(&match args.json {
        true => {
            let said = serde_json::json!({
                "output": output,
                "runs": made.run_count(),
                "methods": made.methods.len(),
                "threads": made.threads.len(),
                "nodes": made.tree.len(),
            });
            format!("{said}\n")
        }
        false => format!(
            "{output}: {}, {}, {} call paths on {}\n",
            counted(made.run_count(), "run", "runs"),
            counted(made.methods.len(), "method", "methods"),
            grouped(made.tree.len().saturating_sub(made.threads.len()) as u64),
            counted(made.threads.len(), "thread", "threads"),
        ),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses profiles without a method in common, and says where the code is not the same.
fn one_program(args: &Args, profiles: &[Profile]) -> Result<()> {
    let Some((first, others)) = profiles.split_first() else { return Ok(()) };
    for (other, path) in others.iter().zip(args.profiles.iter().skip(1)) {
        let matching = match_methods(&first.methods, &other.methods);
        let (one, other_name) = (args.profiles[0].display(), path.display());
        if matching.pairs.is_empty() && !(first.methods.is_empty() || other.methods.is_empty()) {
            return Err(usage(format!(
                "{one} and {other_name} have no method in common: these are no runs of one program"
            )));
        }
        let edited = matching.pairs.iter().filter(|pair| pair.changed).count();
        if edited > 0 {
            let edited = counted(edited, "method has", "methods have");
            messages::warn(&format!(
                "{edited} other code in {other_name} than in {one}: these are runs of two builds; `jfathom diff` compares them\n"
            ))?;
        }
    }
    Ok(())
}
