//! `jfathom merge`: several profiles as one.

use crate::{
    failure::usage,
    messages,
    output::{is_stdout, to_file},
    profile_file::read,
};
use anyhow::Result;
use jfathom_compare::{Likeness, into_series, likeness, merge, minimum};
use jfathom_files::output::Output;
use jfathom_plan::printable;
use jfathom_profile::Profile;
use jfathom_report::number::counted;
use std::{path::PathBuf, process::ExitCode};

/// How profiles are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Combination {
    Sum,
    Minimum,
    Series,
}

/// Combine profiles: add them up, keep them apart as runs of one series (--as-series), or take the
/// minimum per call path (--minimum)
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The profiles
    #[arg(value_name = "PROFILE", required = true)]
    profiles: Vec<PathBuf>,
    /// Keep the profiles apart as runs of one series, for error bars, `diff` and `gate`
    #[arg(long, conflicts_with = "minimum")]
    as_series: bool,
    /// Keep the call paths that all profiles have, each with its fewest calls and its least time
    #[arg(long)]
    minimum: bool,
    /// The profile to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace the output if it exists
    #[arg(short, long)]
    force: bool,
    /// Describe the written profile as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let combination = match (args.as_series, args.minimum) {
        (true, _) => Combination::Series,
        (false, true) => Combination::Minimum,
        (false, false) => Combination::Sum,
    };
    if !args.force && Output::find(&args.output).is_ok_and(|output| output.replaces()) {
        return Err(usage(format!("{}: exists; --force replaces it", args.output.display())));
    }
    let profiles: Vec<Profile> =
        args.profiles.iter().map(|path| read(path)).collect::<Result<_>>()?;
    if combination != Combination::Sum {
        require_one_program(args, &profiles)?;
    }
    let mut notices = anchors(args, &profiles);
    if combination != Combination::Minimum {
        notices.extend(shared_runs(args, &profiles));
    }
    let made = match combination {
        Combination::Sum => merge(profiles),
        Combination::Minimum => minimum(profiles),
        Combination::Series => into_series(profiles),
    };
    let Some(mut made) = made else { return Err(usage("there is no profile")) };
    for notice in notices {
        messages::warn(&format!("{}\n", printable(&notice)))?;
        made.meta.notices.push(notice);
    }
    to_file(&args.output, |out| made.write(out).map_err(std::io::Error::other))?;
    let output = args.output.display().to_string();
    // A profile on stdout stands alone.
    let say = if is_stdout(&args.output) { messages::warn } else { messages::print };
    say(&match args.json {
        true => {
            let text = serde_json::json!({
                "output": output,
                "runs": made.run_count(),
                "methods": made.methods.len(),
                "threads": made.threads.len(),
                "nodes": made.tree.len(),
            });
            format!("{text}\n")
        }
        false => format!(
            "{}: {}, {}, {} on {}\n",
            printable(&output),
            counted(made.run_count(), "run", "runs"),
            counted(made.methods.len(), "method", "methods"),
            counted(made.tree.len().saturating_sub(made.threads.len()), "call path", "call paths"),
            counted(made.threads.len(), "thread", "threads"),
        ),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Warnings about runs that count twice.
fn shared_runs(args: &Args, profiles: &[Profile]) -> Vec<String> {
    let name = |profile: usize| args.profiles[profile].display();
    let sentence = |(one, other): (usize, usize)| match one == other {
        true => format!("{} has a run twice", name(one)),
        false => format!("{} and {} have a run in common: it counts twice", name(one), name(other)),
    };
    jfathom_compare::shared_runs(profiles).into_iter().map(sentence).collect()
}

/// A warning about anchors: they are valid for their own runs only, and are left out.
fn anchors(args: &Args, profiles: &[Profile]) -> Vec<String> {
    let anchored =
        args.profiles.iter().zip(profiles).filter(|(_, profile)| profile.anchor.is_some());
    let names: Vec<String> = anchored.map(|(path, _)| path.display().to_string()).collect();
    match &names[..] {
        [] => Vec::new(),
        names => {
            vec![format!("left out: the anchors of {}; root time is computed", names.join(", "))]
        }
    }
}

/// Refuses profiles of different programs, and warns of profiles of different builds.
fn require_one_program(args: &Args, profiles: &[Profile]) -> Result<()> {
    let (Some(first), Some(one)) = (profiles.first(), args.profiles.first()) else {
        return Ok(());
    };
    for (profile, path) in profiles.iter().zip(&args.profiles).skip(1) {
        let (one, other) = (one.display(), path.display());
        match likeness(&first.methods, &profile.methods) {
            Likeness::Same => {}
            Likeness::Unrelated => {
                return Err(usage(format!(
                    "{one} and {other} have no method in common: they are not runs of one program"
                )));
            }
            Likeness::Edited(methods) => {
                let methods = counted(methods, "method has", "methods have");
                let mut text = String::new();
                put_line!(
                    text,
                    "{methods} different code in {other} and {one}: these are runs of two builds; \
                     `jfathom diff` compares them"
                );
                messages::warn(&text)?;
            }
        }
    }
    Ok(())
}
