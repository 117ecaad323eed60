//! `jfathom rewrite`: puts probes into jars, class directories and JDK modules ahead of time.

mod arguments;
mod instrument;
mod runtime;
mod sources;
mod survey;

pub(crate) use arguments::Args;
pub(crate) use instrument::Rewrote;
pub(crate) use sources::WAR_CLASSES;

use crate::{
    failure::usage,
    messages,
    progress::Bar,
    sidecar::{OutputFile, Sidecar},
};
use anyhow::Result;
use instrument::Job;
use jfathom_archive::{Notice, Work};
use jfathom_plan::{Choice, IdRange, Placement, Rules, plan_id};
use runtime::Runtime;
use sources::Source;
use std::{process::ExitCode, time::Instant};
use survey::Surveyed;

/// What a rewriting did, for the summary.
pub(crate) struct Report<'a> {
    pub(crate) args: &'a Args,
    pub(crate) placement: Placement,
    pub(crate) files: Vec<Rewrote>,
    pub(crate) ids: IdRange,
    pub(crate) plan: jfathom_plan::Digest,
    pub(crate) rooted: bool,
    pub(crate) notices: Vec<Notice>,
    pub(crate) remarks: Vec<String>,
    pub(crate) flags: Vec<String>,
    pub(crate) time: std::time::Duration,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let start = Instant::now();
    let placement = args.placement()?;
    let work = Work { threads: args.jobs, progress: None };
    let (sources, mut notices) = sources::open(args, placement)?;
    let mut sidecar = Sidecar::read(&args.output)?;
    let replaced: Vec<_> = sources.iter().map(|source| source.below.clone()).collect();
    let next_id = sidecar.next_id(&replaced);

    let entries = |sources: &[Source]| sources.iter().map(|source| source.entries).sum();
    let bar = Bar::new("reading  ", entries(&sources), args.quiet);
    let surveyed = survey::all(&sources, work, &bar)?;
    drop(bar);

    let rules = args.rules(args.id_base.unwrap_or(next_id));
    let choice = choose(&sources, &surveyed, &rules)?;
    let plan = plan_id(&surveyed.classes, &choice, placement, None);
    let runtime = Runtime::new(placement, &args.output);

    // Written before the jars, so that each jar that is there is known, whatever becomes of this run.
    for (at, source) in sources.iter().enumerate() {
        sidecar.files.push(OutputFile {
            path: source.below.clone(),
            source: source.origin.clone(),
            ids: surveyed.ids(at, &choice),
            placement,
            plan,
            module: source.module.clone(),
            java_home: source.java_home.clone(),
        });
    }
    sidecar.write(&args.output)?;
    runtime.write(&sources)?;

    let bar = Bar::new("rewriting", entries(&sources), args.quiet);
    let job = Job { surveyed: &surveyed, choice: &choice, runtime: &runtime, placement, plan };
    let mut files = Vec::with_capacity(sources.len());
    for (at, source) in sources.iter().enumerate() {
        files.push(instrument::one(at, source, &job, work, &bar)?);
        bar.next(source.entries);
    }
    drop(bar);

    notices.extend(files.iter_mut().flat_map(|file| std::mem::take(&mut file.notices)));
    let report = Report {
        args,
        placement,
        ids: choice.ids,
        plan,
        rooted: choice.rooted,
        notices,
        remarks: sources::remarks(&sources, placement),
        flags: sidecar.flags(&args.output, &crate::sidecar::Run::default())?,
        files,
        time: start.elapsed(),
    };
    if !args.quiet {
        messages::print(&messages::rewrite::summary(&report))?;
    }
    messages::warn(&messages::rewrite::warnings(&report))?;
    Ok(ExitCode::SUCCESS)
}

/// Chooses methods. JDK modules hand work to other threads by their own means, which must not be taken for the program's.
fn choose(sources: &[Source], surveyed: &Surveyed, rules: &Rules) -> Result<Choice> {
    let mut choice = jfathom_plan::choose(&surveyed.classes, rules).map_err(|error| usage(format!("{error}")))?;
    for (at, source) in sources.iter().enumerate() {
        if source.java_home.is_some() {
            let classes = choice.classes.get_mut(surveyed.range(at)).unwrap_or_default();
            classes.iter_mut().for_each(|chosen| chosen.plan.hand_offs = false);
        }
    }
    Ok(choice)
}
