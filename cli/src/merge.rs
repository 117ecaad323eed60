//! `jfathom merge`: several profiles as one.

use crate::{
    failure::usage,
    messages,
    output::{is_stdout, to_file, to_new_file},
    profile_file::read,
};
use anyhow::Result;
use jfathom_compare::{Likeness, into_series, likeness, merge, minimum};
use jfathom_files::output::Output;
use jfathom_plan::printable;
use jfathom_profile::Profile;
use jfathom_report::{
    anchors_sentence, edited_sentence, merged_line, shared_run_sentences, unrelated_sentence,
};
use std::{path::PathBuf, process::ExitCode};

/// How profiles are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Combination {
    /// One run with the calls and times of all
    Sum,
    /// Runs of one series, for error bars, `diff` and `gate`
    Series,
    /// The call paths that all profiles have, each with its fewest calls and its least time
    Minimum,
}

/// Combine profiles: add them up, keep them apart as runs of one series, or take the minimum per
/// call path
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The profiles
    #[arg(value_name = "PROFILE", required = true)]
    profiles: Vec<PathBuf>,
    /// What they become
    #[arg(long = "as", value_enum, value_name = "WHAT", default_value_t = Combination::Sum)]
    combination: Combination,
    /// The profile to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace the output if it exists
    #[arg(short, long)]
    force: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let combination = args.combination;
    if !args.force && Output::find(&args.output).is_ok_and(|output| output.replaces()) {
        return Err(usage(format!("{}: exists; --force replaces it", args.output.display())));
    }
    let profiles: Vec<Profile> =
        args.profiles.iter().map(|path| read(path)).collect::<Result<_>>()?;
    if combination != Combination::Sum {
        require_one_program(args, &profiles)?;
    }
    let mut notices = Vec::from_iter(anchors_sentence(&args.profiles, &profiles));
    if combination != Combination::Minimum {
        notices.extend(shared_run_sentences(&args.profiles, &profiles));
    }
    let made = match combination {
        Combination::Sum => merge(profiles),
        Combination::Minimum => minimum(profiles),
        Combination::Series => into_series(profiles),
    };
    let Some(mut made) = made else { return Err(usage("there is no profile")) };
    for notice in notices {
        warn(&notice)?;
        made.meta.notices.push(notice);
    }
    let write = |out: &mut dyn std::io::Write| made.write(out).map_err(std::io::Error::from);
    match args.force {
        true => to_file(&args.output, write)?,
        false => to_new_file(&args.output, write)?,
    }
    let text = printable(&merged_line(&args.output, &made)).into_owned() + "\n";
    // A profile on stdout stands alone.
    match is_stdout(&args.output) {
        true => messages::warn(&text)?,
        false => messages::print(&text)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn warn(sentence: &str) -> Result<()> {
    messages::warn(&format!("{}\n", printable(sentence)))
}

/// Refuses profiles of different programs, and warns of profiles of different builds.
fn require_one_program(args: &Args, profiles: &[Profile]) -> Result<()> {
    let (Some(first), Some(one)) = (profiles.first(), args.profiles.first()) else {
        return Ok(());
    };
    for (profile, other) in profiles.iter().zip(&args.profiles).skip(1) {
        match likeness(&first.methods, &profile.methods) {
            Likeness::Same => {}
            Likeness::Edited(methods) => warn(&edited_sentence(one, other, methods))?,
            Likeness::Unrelated => return Err(usage(unrelated_sentence(one, other))),
        }
    }
    Ok(())
}
