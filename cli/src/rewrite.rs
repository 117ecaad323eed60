//! `jfathom rewrite`: puts probes into jars, class directories and JDK modules ahead of time.

mod arguments;
mod instrument;
mod roots_only;
mod runtime;
#[cfg(test)]
mod tests;

pub(crate) use arguments::Args;
pub(crate) use instrument::{DryRun, Job, Rewrote, Sizes, try_one};
pub(crate) use roots_only::{RootsOnlyUnavailable, Terms, rewrite_roots_only};

use crate::{
    check,
    failure::archive,
    messages,
    progress::ProgressBar,
    select::{self, ObjectSource, Output, RootQuery, Selected, Source, remarks},
    sidecar::{OutputFile, Run, Sidecar, identity},
};
use anyhow::Result;
use instrument::{Change, as_rewritten};
use jfathom_archive::Notice;
use jfathom_check::Outcome;
use jfathom_plan::{IdRange, Placement, UnfollowedCounts};
use runtime::Runtime;
use rustix::process::{Resource, getrlimit, setrlimit};
use std::{cell::RefCell, path::PathBuf, process::ExitCode, time::Instant};

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
    pub(crate) objects: ObjectSource,
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
    run_with(args, as_rewritten)
}

/// Runs the command with something done to each class that was rewritten.
fn run_with(args: &Args, change: Change) -> Result<ExitCode> {
    let start = Instant::now();
    let sidecar = RefCell::new(Sidecar::read(&args.output)?);
    let output = Output { directory: &args.output, force: args.force };
    let first_id = |sources: &[&Source]| {
        let names =
            |source: &&Source| std::iter::once(source.below.clone()).chain(source.links.clone());
        let replaced: Vec<_> = sources.iter().flat_map(names).collect();
        let next = sidecar.borrow_mut().next_id(&replaced);
        args.id_base.unwrap_or(next)
    };
    select::select(&args.selection, Some(output), args.quiet, first_id, |selected| {
        write(args, start, &mut sidecar.borrow_mut(), selected, change)
    })
}

fn write(
    args: &Args,
    start: Instant,
    sidecar: &mut Sidecar,
    mut selected: Selected<'_>,
    change: Change,
) -> Result<ExitCode> {
    let Selected { placement, plan, surveyed, .. } = selected;
    let work = select::work(&args.selection);
    let runtime = Runtime::new(placement, &args.output);
    let bar = ProgressBar::new(
        "rewriting",
        select::entries(selected.sources.iter().copied()),
        args.quiet,
    );
    let job = Job::new(&selected, &args.selection).changing(change);
    allow_files(selected.sources.len());
    let mut files = Vec::with_capacity(selected.sources.len());
    let mut prepared = Vec::with_capacity(selected.sources.len());
    for (at, source) in selected.sources.iter().enumerate() {
        let (file, ready) =
            instrument::one(at, source, &job, &runtime, work, &bar, args.check.is_wanted())?;
        files.push(file);
        prepared.push(ready);
        bar.next(source.entries);
    }
    drop(bar);
    // Nothing is in its place yet: a fault in one output leaves them all as they were.
    check::refuse(
        &checked(&files),
        "nothing was replaced; please report it (--no-check writes what was rewritten all the same)",
    )?;

    // Written before the jars, so that each jar that is there is known, whatever becomes of this
    // run.
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
    for ready in prepared {
        ready.commit().map_err(archive)?;
    }

    let mut notices = std::mem::take(&mut selected.notices);
    notices.extend(files.iter_mut().flat_map(|file| std::mem::take(&mut file.notices)));
    let report = Report {
        args,
        placement,
        ids: selected.choice.ids,
        plan,
        rooted: selected.choice.has_roots,
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

/// What other readers said of each output.
pub(crate) fn checked(files: &[Rewrote]) -> Vec<(PathBuf, &Outcome)> {
    files.iter().filter_map(|file| Some((file.path.clone(), file.checked.as_ref()?))).collect()
}

/// Lets the process hold the outputs open until all are complete: two files each, and a few for the
/// rest. Where the system allows fewer, the output that goes beyond says so.
fn allow_files(outputs: usize) {
    let wanted = 2 * outputs as u64 + 100;
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < wanted) {
        limit.current = Some(limit.maximum.map_or(wanted, |maximum| wanted.min(maximum)));
        let _kept_as_it_is = setrlimit(Resource::Nofile, limit);
    }
}

fn walked(walk: &RootQuery<'_>) -> Walked {
    let missing = walk.reached.missing(&walk.world);
    Walked {
        objects: walk.objects.clone(),
        unfollowed: walk.statistics.unfollowed.clone(),
        unnamed: walk.unnamed.clone(),
        missing: missing.first().map(|first| (missing.len(), first.what.clone())),
        notices: walk.notices(false),
    }
}
