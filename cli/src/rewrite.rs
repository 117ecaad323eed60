//! `jfathom rewrite`: puts probes into jars, class directories and JDK modules ahead of time.

mod alone;
mod arguments;
mod instrument;
mod runtime;

pub(crate) use alone::{NotAlone, roots_alone};
pub(crate) use arguments::Args;
pub(crate) use instrument::{Job, Rewrote, Sizes, Tried, try_one};

use crate::{
    messages,
    progress::Bar,
    select::{self, Objects, Output, Selected, Source, Walk, remarks},
    sidecar::{OutputFile, Run, Sidecar, identity},
};
use anyhow::{Context, Result};
use jfathom_archive::Notice;
use jfathom_plan::{IdRange, Placement, UnfollowedCounts};
use runtime::Runtime;
use std::{cell::RefCell, process::ExitCode, time::Instant};

/// What a rewriting did, for the summary.
pub(crate) struct Report<'a> {
    pub(crate) args: &'a Args,
    pub(crate) placement: Placement,
    pub(crate) files: Vec<Rewrote>,
    pub(crate) ids: IdRange,
    pub(crate) plan: jfathom_plan::Digest,
    pub(crate) rooted: bool,
    /// Where roots were walked from.
    pub(crate) walked: Option<Walked>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) remarks: Vec<String>,
    pub(crate) flags: Vec<String>,
    pub(crate) time: std::time::Duration,
}

/// What is said of a walk.
pub(crate) struct Walked {
    pub(crate) objects: Objects,
    /// What it could not follow.
    pub(crate) unfollowed: UnfollowedCounts,
    /// Where classes are asked for by names of which nothing is known.
    pub(crate) unnamed: select::Unnamed,
    /// What reached methods name and that is nowhere: how many, and one of them.
    pub(crate) missing: Option<(usize, String)>,
    /// What may make the answer other than one thinks.
    pub(crate) notices: Vec<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let start = Instant::now();
    let sidecar = RefCell::new(Sidecar::read(&args.output)?);
    let output = Output { directory: &args.output, force: args.force };
    let first_id = |sources: &[&Source]| {
        let names = |source: &&Source| std::iter::once(source.below.clone()).chain(source.links.clone());
        let replaced: Vec<_> = sources.iter().flat_map(names).collect();
        let next = sidecar.borrow_mut().next_id(&replaced);
        args.id_base.unwrap_or(next)
    };
    select::select(&args.selection, Some(output), args.quiet, first_id, |selected| {
        write(args, start, &mut sidecar.borrow_mut(), selected)
    })
}

fn write(args: &Args, start: Instant, sidecar: &mut Sidecar, mut selected: Selected<'_>) -> Result<ExitCode> {
    let Selected { placement, plan, surveyed, .. } = selected;
    let work = select::work(&args.selection);
    let runtime = Runtime::new(placement, &args.output);
    // Written before the jars, so that each jar that is there is known, whatever becomes of this run.
    for (at, source) in selected.sources.iter().enumerate() {
        sidecar.files.push(OutputFile {
            path: source.below.clone(),
            links: source.links.clone(),
            source: source.origin.clone(),
            ids: surveyed.ids(at, &selected.choice),
            placement,
            plan,
            module: source.module.clone(),
            java_home: source.java_home.clone(),
            identity: identity(&source.input),
        });
    }
    sidecar.write(&args.output)?;
    runtime.write(&selected.sources)?;

    let bar = Bar::new("rewriting", select::entries(selected.sources.iter().copied()), args.quiet);
    let job = Job::new(&selected, &args.selection);
    let mut files = Vec::with_capacity(selected.sources.len());
    for (at, source) in selected.sources.iter().enumerate() {
        let destination = source.destination.as_ref().context("an input without a destination")?;
        files.push(instrument::one(at, source, destination, &job, &runtime, work, &bar)?);
        bar.next(source.entries);
    }
    drop(bar);

    let mut notices = std::mem::take(&mut selected.notices);
    notices.extend(files.iter_mut().flat_map(|file| std::mem::take(&mut file.notices)));
    let report = Report {
        args,
        placement,
        ids: selected.choice.ids,
        plan,
        rooted: selected.choice.rooted,
        walked: selected.walk.as_ref().map(walked),
        notices,
        remarks: remarks(&selected.sources, placement),
        flags: sidecar.flags(&args.output, &Run::default())?,
        files,
        time: start.elapsed(),
    };
    if !args.quiet {
        messages::print(&messages::rewrite::summary(&report))?;
    }
    messages::warn(&messages::rewrite::warnings(&report))?;
    Ok(ExitCode::SUCCESS)
}

fn walked(walk: &Walk<'_>) -> Walked {
    let missing = walk.reached.missing(&walk.world);
    Walked {
        objects: walk.objects.clone(),
        unfollowed: walk.unfollowed.clone(),
        unnamed: walk.unnamed.clone(),
        missing: missing.first().map(|first| (missing.len(), first.what.clone())),
        notices: walk.notices(false),
    }
}
