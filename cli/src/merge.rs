//! `jfathom merge`, `min` and `mean`: several profiles as one.

use crate::{
    failure::usage,
    messages,
    report::{is_stdout, read, to_file},
};
use anyhow::Result;
use jfathom_compare::{into_series, match_methods, merge, minimum};
use jfathom_files::output::Output;
use jfathom_plan::printable;
use jfathom_profile::Profile;
use jfathom_report::number::counted;
use std::{
    collections::{BTreeSet, HashMap},
    path::PathBuf,
    process::ExitCode,
};

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
    if !args.force && Output::find(&args.output).is_ok_and(|output| output.replaces()) {
        return Err(usage(format!("{}: exists; --force replaces it", args.output.display())));
    }
    let profiles: Vec<Profile> =
        args.profiles.iter().map(|path| read(path)).collect::<Result<_>>()?;
    if combination != Combination::Merge {
        one_program(args, &profiles)?;
    }
    let mut notices = anchors(args, &profiles);
    if combination != Combination::Minimum {
        notices.extend(twice(args, &profiles));
    }
    let made = match combination {
        Combination::Merge => merge(profiles),
        Combination::Minimum => minimum(profiles),
        Combination::Mean => into_series(profiles),
    };
    let Some(mut made) = made else { return Err(usage("there is no profile")) };
    for notice in notices {
        messages::warn(&format!("{}\n", printable(&notice)))?;
        made.meta.notices.push(notice);
    }
    to_file(&args.output, |out| made.write(out).map_err(std::io::Error::other))?;
    let output = args.output.display().to_string();
    // Where the profile is on stdout, nothing else is.
    let say = if is_stdout(&args.output) { messages::warn } else { messages::print };
    say(&match args.json {
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

/// Tells of runs that two profiles have: as runs of their own they make any spread too small.
fn twice(args: &Args, profiles: &[Profile]) -> Vec<String> {
    let mut seen: HashMap<(u64, u64), usize> = HashMap::new();
    let mut told = BTreeSet::new();
    for (place, profile) in profiles.iter().enumerate() {
        for jvm in &profile.meta.jvms {
            // Two JVMs of one profile have other pids or starts, unless it has them twice itself.
            if let Some(before) = seen.insert((jvm.pid, jvm.start_millis), place) {
                told.insert((before, place));
            }
        }
    }
    let name = |place: usize| args.profiles[place].display();
    let sentence = |(one, other): (usize, usize)| match one == other {
        true => format!("{} has a run twice", name(one)),
        false => format!("{} and {} have a run in common: it counts twice", name(one), name(other)),
    };
    told.into_iter().map(sentence).collect()
}

/// Tells of anchors: they hold for the runs that they were made beside, and are left out.
fn anchors(args: &Args, profiles: &[Profile]) -> Vec<String> {
    let anchored =
        args.profiles.iter().zip(profiles).filter(|(_, profile)| profile.anchor.is_some());
    let names: Vec<String> = anchored.map(|(path, _)| path.display().to_string()).collect();
    match &names[..] {
        [] => Vec::new(),
        names => vec![format!(
            "left out: the anchors of {}; the time in the roots is computed",
            names.join(", ")
        )],
    }
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
            let mut text = String::new();
            put_line!(
                text,
                "{edited} other code in {other_name} than in {one}: these are runs of two builds; `jfathom diff` compares them"
            );
            messages::warn(&text)?;
        }
    }
    Ok(())
}
